import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../../support/command.js";
import { digest, steps } from "../../support/digests.js";
import { ownFolder } from "../../support/folders.js";
import { fires, gt } from "./declarations.js";

const critical = (slug: string, value: number) => ({ ...fires(gt(value)), slug, intervalSecs: 300 });
const changed = (name: string, before: object, after: object) =>
  steps("Monitor", name, { before: { ...before }, after: { ...after }, places: ["labels.team"] });

// A day with two hours above 0.02, one of them above 0.05.
const recorded = `start: 2026-11-21T00:00:00Z
interval: 5m
series:
  - values: 0.01x99 0.03x11 0.01x99 0.07x11 0.01x63
`;

test("a review says under each changed monitor what it would have done, and sums it up for a pull request", async () => {
  const preview = digest([
    changed("errors", critical("checkout-errors", 0.05), critical("checkout-errors", 0.02)),
    changed("logs", critical("logs", 1), { ...critical("logs", 2), labelQuery: undefined, loggingQuery: "a" }),
  ]);
  const folder = ownFolder({ "preview.json": JSON.stringify(preview), "checkout-errors.yml": recorded });
  const args = ["review", "--from", "preview.json", "--backtest", "--series", "checkout-errors.yml"];

  const { code, stdout, stderr } = await runCommand(folder, [...args, "--markdown", "review.md"]);
  expect(code, stderr).toBe(0);
  const lines = stdout.split("\n");
  const at = lines.findIndex((line) => line.trim() === "~ change Monitor errors");
  expect(lines.slice(at).join("\n")).toMatch(
    /checkout-errors: 1 → 2 pages in 1 day.*\n(.*\n)? {4}before [·▁-█]+\n {4}after {2}[·▁-█]+\n/,
  );
  expect(stdout).toMatch(/logs: not simulated: /);
  expect(Math.max(...lines.map((line) => [...line].length))).toBeLessThanOrEqual(80);

  const page = readFileSync(join(folder, "review.md"), "utf8");
  expect(page).toMatch(/\*\*Backtest of changed monitors:\*\*\n\n- checkout-errors: 1 → 2 pages in 1 day/);
  expect(page.indexOf("  before ·")).toBeGreaterThan(page.indexOf("<details>"));

  const json = JSON.parse((await runCommand(folder, [...args, "--json"])).stdout);
  const { backtest } = json.stacks[0].changes.find(({ name }: { name: string }) => name === "errors");
  expect(backtest.sentence).toMatch(/^checkout-errors: 1 → 2 pages in 1 day/);
  expect(backtest.picture).not.toEqual([]);
});
