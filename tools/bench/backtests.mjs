import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { SetUpError } from "../log.mjs";
import { root } from "../project.mjs";
import { runWatched } from "./project.mjs";
import { result } from "./result.mjs";

// Ten series of thirty days with a value a minute. In the answer, half are counts, half are quotients with all their digits.
const since = Date.parse("2026-11-01") / 1_000;
const times = Array.from({ length: 43_200 }, (_, i) => since + i * 60);
const labels = Array.from({ length: 10 }, (_, i) => ({ __name__: "errors", instance: `10.0.0.${i}:9090` }));
const answered = labels.map((metric, i) => ({
  metric,
  values: times.map((time, at) => [time, `${i % 2 === 0 ? at % 1_000 : ((at + i) % 997) / 29_989}`]),
}));
const answer = JSON.stringify({ status: "success", data: { resultType: "matrix", result: answered } });
const steady = Array.from({ length: 135 }, (_, at) => `0.0${at % 9}x319`).join(" ");
const noted = labels.map((each) => `  - { labels: ${JSON.stringify(each)}, values: ${steady} }\n`).join("");

/** Backtests of changed monitors, compared with reading the same texts. @param {import("./main.mjs").Context} context */
export async function backtests(context) {
  const count = context.options.resources;
  const folder = mkdtempSync(join(tmpdir(), "observability-bench-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const files = { "answer.json": answer, "notation.yml": `start: ${since}\ninterval: 1m\nseries:\n${noted}` };
  const steps = Array.from({ length: count }, (_, i) => {
    const [oldState, newState] = [0.05, 0.07].map((value) => {
      const seriesConditions = { defaults: { critical: { conditions: [{ op: "GT", value, sustainSecs: 300 }] } } };
      return { inputs: { slug: `errors-${i}`, intervalSecs: 60, labelQuery: `errors{job="${i}"}`, seriesConditions } };
    });
    const urn = `urn:pulumi:dev::bench::pulumi-nodejs:dynamic/observability:Monitor::errors-${i}`;
    return { op: "update", urn, oldState, newState };
  });
  writeFileSync(join(folder, "preview.json"), JSON.stringify({ steps }));
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text);
    mkdirSync(join(folder, `${name}s`));
    for (let i = 0; i < count; i++)
      symlinkSync(join(folder, name), join(folder, `${name}s`, `errors-${i}${extname(name)}`));
  }
  const server = createServer((_, response) => void response.end(answer)).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());

  /** @param {readonly string[]} args */
  const node = async (...args) => {
    const { ok, lines, how, ...took } = await runWatched(process.execPath, args, { cwd: folder, env: process.env });
    if (!ok) throw new SetUpError([...lines.slice(-9), `unable to measure a backtest: ${how}`].join("\n"));
    return { ...took, requests: 0 };
  };
  const span = ["--since", "2026-11-01", "--until", "2026-12-01", "--max-points", "50000"];
  const backtest = [join(root, "dist/cli/main.js"), "backtest", "--from", "preview.json", "--json", ...span];
  const ours = (/** @type {string[]} */ ...source) => node(...backtest, ...source);
  const parse = () =>
    node(
      "-e",
      `const text = fs.readFileSync("answer.json", "utf8"); for (let i = 0; i < ${count}; i++) JSON.parse(text)`,
    );
  const read = (/** @type {string} */ file) =>
    node("-e", `for (let i = 0; i < ${count}; i++) fs.readFileSync(${JSON.stringify(file)}, "utf8")`);
  const title = `${count} monitors with 432,000 samples each, from`;
  const api = { ours: () => ours("--query-url", `http://127.0.0.1:${port}`), parse };
  const json = { ours: () => ours("--series", "answer.jsons"), read: () => read("answer.json") };
  const notation = { ours: () => ours("--series", "notation.ymls"), read: () => read("notation.yml") };
  const results = [
    await result(context, `${title} a query API`, api, { cpu: 1 }),
    await result(context, `${title} files with answers`, json, {}),
    await result(context, `${title} files in promtool's notation`, notation, {}),
  ];
  server.close();
  return results;
}
