import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { run } from "../../tools/run.mjs";
import { until } from "../support/faults.js";

/** A series' samples as they were written or scraped: seconds and values. */
export interface RawSeries {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly samples: readonly (readonly [number, number])[];
}

/** Starts a Prometheus on loopback with its data in a folder; it ends with the test. Returns its address. */
export async function startPrometheus(binary: string, folder: string, config = "{}"): Promise<string> {
  writeFileSync(join(folder, "prometheus.yml"), config);
  const child = spawn(
    binary,
    [
      `--config.file=${join(folder, "prometheus.yml")}`,
      `--storage.tsdb.path=${join(folder, "data")}`,
      "--storage.tsdb.retention.time=10y",
      "--web.listen-address=127.0.0.1:0",
    ],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  onTestFinished(async () => {
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
  });
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (log += text));
  const address = () => /msg="Listening on".*address=(127\.0\.0\.1:\d+)/.exec(log)?.[1];
  await until(() => {
    if (child.exitCode !== null) throw new Error(`prometheus ended with ${child.exitCode}:\n${log}`);
    return address();
  }, "the start of prometheus");
  const url = `http://${address()}`;
  await until(async () => (await fetch(`${url}/-/ready`).catch(() => undefined))?.ok, "prometheus to be ready");
  return url;
}

/** Writes blocks of samples, as if they had been scraped. */
export async function backfill(promtool: string, folder: string, series: readonly RawSeries[]): Promise<void> {
  const names = [...new Set(series.map(({ name }) => name))];
  const lines = names.flatMap((name) => [
    `# TYPE ${name.replace(/_total$/, "")} ${name.endsWith("_total") ? "counter" : "gauge"}`,
    ...series
      .filter((each) => each.name === name)
      .flatMap(({ labels, samples }) => {
        const text = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
        return samples.map(([time, value]) => `${name}{${text.join(",")}} ${value} ${time}`);
      }),
  ]);
  writeFileSync(join(folder, "metrics.om"), `${lines.join("\n")}\n# EOF\n`);
  const args = ["tsdb", "create-blocks-from", "openmetrics", "metrics.om", "data", "--quiet"];
  const { ok, lines: said } = await run(promtool, args, { cwd: folder });
  if (!ok) throw new Error(said.join("\n"));
}

const lookBackSecs = 300;

/** The value at each evaluation as Prometheus has it: the last sample of the five minutes that end there. */
export function evaluated({ samples }: RawSeries, from: number, to: number, interval: number): [number, string][] {
  const values: [number, string][] = [];
  let next = 0;
  for (let time = Math.ceil(from / interval) * interval; time < to; time += interval) {
    while ((samples[next]?.[0] ?? Infinity) <= time) next += 1;
    const [at, value] = samples[next - 1] ?? [-Infinity, 0];
    if (at > time - lookBackSecs) values.push([time, String(value)]);
  }
  return values;
}
