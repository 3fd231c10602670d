import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { Backtested, BacktestResult } from "../../dist/cli/backtest/result.js";
import { ensurePrometheus } from "../../tools/prometheus.mjs";
import { ownFolder } from "../support/folders.js";
import { runCommand } from "../support/command.js";
import { isDeep, reportFigure, timeLimitMs } from "../support/figures.js";
import { backfill, evaluated, type RawSeries, startPrometheus } from "./prometheus.js";

/** What `backtest --json` prints. */
interface Printed extends BacktestResult {
  readonly monitors: readonly (Backtested & { readonly sentence: string })[];
  readonly cost?: { readonly sent: number };
}

const day = 86_400;
const above = (value: number, more: object = {}) => ({ conditions: [{ op: "GT", value, ...more }] });

/** A preview in which each monitor changes from the first arguments to the second. */
function previewOf(monitors: Readonly<Record<string, readonly [object, object]>>): string {
  const steps = Object.entries(monitors).map(([slug, [before, after]]) => ({
    op: "update",
    urn: `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/observability:Monitor::${slug}`,
    oldState: { inputs: { slug, ...before } },
    newState: { inputs: { slug, ...after } },
  }));
  return JSON.stringify({ steps });
}

describe.skipIf(!isDeep)("a real Prometheus (deep runs only: it is built with Go)", () => {
  let binaries: { readonly prometheus: string; readonly promtool: string };
  const root = ownFolder();
  const newFolder = (name: string) => {
    const folder = join(root, name);
    mkdirSync(join(folder, "recorded"), { recursive: true });
    return folder;
  };

  beforeAll(async () => {
    binaries = { prometheus: await ensurePrometheus("prometheus"), promtool: await ensurePrometheus("promtool") };
  }, timeLimitMs);

  /** What a backtest says, with `--json`. */
  async function backtest(folder: string, from: number, to: number, ...args: readonly string[]) {
    const times = ["--since", new Date(from * 1_000).toISOString(), "--until", new Date(to * 1_000).toISOString()];
    const all = ["backtest", "--from", "preview.json", "--json", "--cache", "cache", ...times, ...args];
    const { code, stdout, stderr } = await runCommand(folder, all);
    expect(code, stderr).toBe(0);
    return JSON.parse(stdout) as Printed;
  }

  const interval = 60;

  /** Records each query as the test itself evaluates it. */
  function record(folder: string, series: Readonly<Record<string, readonly RawSeries[]>>, from: number, to: number) {
    for (const [i, [query, all]] of Object.entries(series).entries()) {
      const result = all.map((each) => ({
        metric: { __name__: each.name, ...each.labels },
        values: evaluated(each, from, to, interval),
      }));
      const answer = { query, status: "success", data: { resultType: "matrix", result } };
      writeFileSync(join(folder, "recorded", `${i}.json`), JSON.stringify(answer));
    }
  }

  test("has the figures of the same samples in files: thirty days, with gaps", { timeout: timeLimitMs }, async () => {
    const folder = newFolder("blocks");
    const to = Math.floor(Date.now() / 1_000 / day) * day;
    const from = to - 30 * day;
    // Waves of other lengths, and gaps of twenty minutes.
    const load = ["eu", "us", "ap"].map((region, i): RawSeries => ({
      name: "load",
      labels: { region },
      samples: Array.from({ length: 31 * 1_440 }, (_, at) => {
        const time = from - day + at * 60;
        return [time, Math.round(50 + 40 * Math.sin(at / (97 + i)) + 20 * Math.sin(at / 11))] as const;
      }).filter(([time]) => (time / 60 + i * 300) % 5_000 > 20),
    }));
    await backfill(binaries.promtool, folder, load);
    const grouping = { signalGrouping: { labelNames: ["region"] } };
    const monitor = (severities: object, more: object = grouping) => ({
      labelQuery: "load",
      intervalSecs: interval,
      seriesConditions: { defaults: severities },
      ...more,
    });
    const schedule = {
      timezone: "Europe/Berlin",
      weeklySchedule: {
        monday: { active: "ONLY_DURING_RANGES", ranges: [{ startHhMm: "08:00", endHhMm: "18:00" }] },
        saturday: { active: "NEVER" },
      },
    };
    writeFileSync(
      join(folder, "preview.json"),
      previewOf({
        stricter: [
          monitor({ critical: above(95, { sustainSecs: 300 }) }),
          monitor({ critical: above(80, { sustainSecs: 300 }) }),
        ],
        sustained: [
          monitor({ critical: above(80, { sustainSecs: 1_200, resolveSustainSecs: 600 }) }),
          monitor({ critical: above(80, { sustainSecs: 120 }), warn: above(70) }),
        ],
        grouped: [monitor({ critical: above(90) }), monitor({ critical: above(90) }, { signalGrouping: {} })],
        scheduled: [monitor({ critical: above(85) }), monitor({ critical: above(85) }, { ...grouping, schedule })],
        gaps: [
          monitor({ critical: { conditions: [{ op: "NOT_EXISTS", sustainSecs: 60 }] } }),
          monitor({ critical: { conditions: [{ op: "NOT_EXISTS", sustainSecs: 1_200 }] } }),
        ],
      }),
    );
    record(folder, { load }, from - 3_600, to);
    const url = await startPrometheus(binaries.prometheus, folder);
    const asked = await backtest(folder, from, to, "--query-url", url);
    const read = await backtest(folder, from, to, "--series", "recorded");
    expect(asked.notSimulated).toEqual([]);
    expect(asked.monitors).toEqual(read.monitors);
    expect(asked.monitors.map(({ before, after }) => before?.pages === after?.pages)).toEqual(Array(5).fill(false));
    const again = await backtest(folder, from, to, "--query-url", url);
    expect({ sent: again.cost?.sent, monitors: again.monitors }).toEqual({ sent: 0, monitors: asked.monitors });
    for (const { sentence } of asked.monitors) reportFigure(`real Prometheus, 30 days: ${sentence}`);
    const signals = asked.monitors.flatMap(({ before, after }) => [
      ...(before?.signals ?? []),
      ...(after?.signals ?? []),
    ]).length;
    reportFigure(
      `real Prometheus and files: ${signals} signals equal, ${asked.cost?.sent} requests, then ${again.cost?.sent}`,
    );
  });
});
