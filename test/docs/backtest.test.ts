import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../support/command.js";
import { newProject } from "../support/project.js";
import { prometheusAnswer, queryApi } from "../support/queryApi.js";
import { ownService } from "../support/service.js";
import { blocksIn, compile } from "./pages.js";

const page = "docs/backtest.md";
const blocksUnder = (heading: string) => blocksIn(page).filter((block) => block.heading === heading);

/** The arguments of the command in the page's lines. */
function commandIn(lines: string): readonly string[] {
  const line = lines.split("\n").find((each) => each.startsWith("npx pulumi-observability "));
  return line?.split(" ").slice(2) ?? [];
}

test("a changed threshold goes from 3 to 14 pages, and the monitor is exported, as the page shows", async () => {
  const service = await ownService();
  const [program, recorded, command, printed] = blocksUnder("Change a threshold");
  const code = compile(program?.text ?? "");
  const changed = code.replace("value: 0.05", "value: 0.02");
  expect(changed).not.toBe(code);
  const { folders, run, init, write, env } = newProject(service.url, code);
  const at = (name: string) => join(folders.project, name);
  const backtest = (...args: readonly string[]) => runCommand(folders.project, args, env);
  mkdirSync(dirname(at(recorded?.file ?? "")));
  writeFileSync(at(recorded?.file ?? ""), recorded?.text ?? "");

  expect((await init()).code).toBe(0);
  const up = await run(["up", "--yes", "--skip-preview"]);
  expect(up.code, up.text).toBe(0);
  write(changed);
  const shown = await backtest(...commandIn(command?.text ?? ""));
  expect(shown).toEqual({ code: 0, stdout: printed?.text, stderr: "" });

  const [exportCommand, exportPrinted, rules] = blocksUnder("Rules for promtool and pint");
  const exported = await backtest(...commandIn(exportCommand?.text ?? ""));
  expect(exported).toEqual({ code: 0, stdout: exportPrinted?.text, stderr: "" });
  expect(readFileSync(at(rules?.file ?? ""), "utf8")).toBe(rules?.text);

  // The rest needs no engine: a preview says all.
  const preview = await run(["preview", "--json", "--show-sames"]);
  writeFileSync(at("preview.json"), preview.text);
  const query = 'sum(rate(http_errors_total{service="checkout"}[5m]))';
  const api = await queryApi(
    prometheusAnswer((asked) =>
      asked === query ? [{ metric: {}, valueAt: (time) => (time % 86_400 < 3_600 ? 0.03 : 0.01) }] : [],
    ),
  );
  const withApi = async (...args: readonly string[]) => {
    const own = { ...env, OBSERVABILITY_QUERY_URL: api.url, XDG_CACHE_HOME: folders.temporary };
    return runCommand(folders.project, ["backtest", "--from", "preview.json", ...args], own);
  };
  const [pullRequest] = blocksUnder("In a pull request");
  const args = commandIn(pullRequest?.text ?? "").slice(1);
  const own = args.filter((_, i) => args[i] !== "--stack" && args[i - 1] !== "--stack");
  const limited = await withApi(...own, "--json");
  expect(limited.code, limited.stderr).toBe(3);
  const result = JSON.parse(limited.stdout);
  expect(result).toMatchObject({
    version: 1,
    cost: { cached: 0, sent: api.asked.length, samplesPerSeries: 8_643 },
    monitors: [{ before: { pages: 0 }, after: { pages: 30, pagesAtNight: 30, longestSecs: 3_000 } }],
    exceeded: [{ monitor: "checkout-errors", limit: "pages+50%" }],
  });
  expect(limited.stderr).toMatch(/ 8,643 samples of each series; 0 answers in the cache\n/);
  expect(readFileSync(at("backtest.md"), "utf8")).toContain("](<pictures/checkout-errors.svg>)");
  expect(readFileSync(at("pictures/checkout-errors.svg"), "utf8")).toContain("0 → 30 pages in 30 days");

  const sent = api.asked.length;
  expect(sent).toBe(result.cost.requests);
  const again = await withApi("--json");
  expect(JSON.parse(again.stdout)).toMatchObject({ cost: { requests: 0, sent: 0 }, monitors: result.monitors });
  const tooMany = await withApi("--no-cache", "--max-points", "1", "--max-requests", "100");
  expect(tooMany).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("8,643 requests are more than --max-requests 100"),
  });
  expect(api.asked.length).toBe(sent);
});
