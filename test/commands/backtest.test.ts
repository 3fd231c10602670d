import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { runCommand } from "../support/command.js";
import { writeFiles } from "../support/folders.js";
import { newProject } from "../support/project.js";
import { prometheusAnswer, queryApi } from "../support/queryApi.js";
import { ownService } from "../support/service.js";
import { argumentsIn, blocksUnder, compile } from "./pages.js";

const page = "docs/backtest.md";

test("a changed threshold goes from 3 to 14 pages and catches an incident more, and the monitor is exported, as the page shows", async () => {
  const service = await ownService();
  const [program, recorded, command, printed] = blocksUnder(page, "Change a threshold");
  const code = compile(program?.text ?? "");
  const changed = code.replace("value: 0.05", "value: 0.02");
  expect(changed).not.toBe(code);
  const { at, command: backtest, create, done, folders, write, env } = newProject(service.url, code);
  writeFiles(folders.project, { [recorded?.file ?? ""]: recorded?.text ?? "" });

  await create();
  write(changed);
  const shown = await backtest(...argumentsIn(command?.text));
  expect(shown).toMatchObject({ code: 0, stdout: printed?.text, stderr: "" });

  // The rest needs no engine: a preview says all.
  writeFileSync(at("preview.json"), await done("preview", "--json", "--show-sames"));
  const [incidents, withIncidents, caught] = blocksUnder(page, "Incidents");
  writeFiles(folders.project, { [incidents?.file ?? ""]: incidents?.text ?? "" });
  const judged = await backtest(...argumentsIn(withIncidents?.text), "--from", "preview.json");
  expect(judged).toMatchObject({ code: 0, stdout: caught?.text, stderr: "" });
  const [exportCommand, exportPrinted, rules] = blocksUnder(page, "Rules for promtool and pint");
  const exported = await backtest(...argumentsIn(exportCommand?.text), "--from", "preview.json");
  expect(exported).toMatchObject({ code: 0, stdout: exportPrinted?.text, stderr: "" });
  expect(readFileSync(at(rules?.file ?? ""), "utf8")).toBe(rules?.text);

  const query = 'sum(rate(http_errors_total{service="checkout"}[5m]))';
  const api = await queryApi(
    prometheusAnswer((asked) =>
      asked === query ? [{ metric: {}, valueAt: (time) => (time % 86_400 < 3_600 ? 0.03 : 0.01) }] : [],
    ),
  );
  const withApi = async (...args: readonly string[]) => {
    const own = { ...env, OBSERVABILITY_QUERY_URL: api.url };
    return runCommand(folders.project, ["backtest", "--from", "preview.json", ...args], own);
  };
  const [pullRequest] = blocksUnder(page, "In a pull request");
  const args = argumentsIn(pullRequest?.text).slice(1);
  const own = args.filter((_, i) => args[i] !== "--stack" && args[i - 1] !== "--stack");
  const limited = await withApi(...own, "--json");
  expect(limited.code, limited.stderr).toBe(3);
  const result = JSON.parse(limited.stdout);
  expect(result).toMatchObject({
    version: 1,
    cost: { sent: api.asked.length, samplesPerSeries: 8_643 },
    monitors: [{ before: { pages: 0 }, after: { pages: 30, pagesAtNight: 30, longestSecs: 3_000 } }],
    exceeded: [{ monitor: "checkout-errors", limit: "pages+50%" }],
  });
  expect(limited.stderr).toMatch(/ 8,643 samples of each series\n/);
  expect(readFileSync(at("backtest.md"), "utf8")).toContain(": 0 → 30 pages in 30 days");

  const sent = api.asked.length;
  expect(sent).toBe(result.cost.requests);
  const tooMany = await withApi("--max-points", "1", "--max-requests", "100");
  expect(tooMany).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("8,643 requests are more than --max-requests 100"),
  });
  expect(api.asked.length).toBe(sent);
});
