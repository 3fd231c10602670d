import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectAccessible, open } from "../../support/browser.js";
import { runCommand } from "../../support/command.js";
import { ownFolder } from "../../support/folders.js";

const monitor = (value: number, more: object = {}) => ({
  intervalSecs: 300,
  labelQuery: "errors",
  seriesConditions: { defaults: { critical: { conditions: [{ op: "GT", value, sustainSecs: 600, ...more }] } } },
});
const { defaults } = monitor(0.02).seriesConditions;
const warning = {
  ...monitor(0.02),
  seriesConditions: { defaults: { ...defaults, warn: { conditions: [{ op: "LEQ", value: 0 }] } } },
};
const step = (op: string, name: string, before?: object, after?: object) => ({
  op,
  urn: `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/observability:Monitor::${name}`,
  ...(before && { oldState: { inputs: { slug: name, ...before } } }),
  ...(after && { newState: { inputs: { slug: name, ...after } } }),
});
const recorded = `start: 2026-11-01T00:00:00Z
interval: 5m
series:
  - labels: { region: eu }
    values: 0.01x100 0.03x9 0.01x817 0.03x7 0.01x27 0.08x11 0.01x671
  - labels: { region: us }
    values: 0.01x1650
`;
const weekdays = (start: string) => ({
  timezone: "Europe/Berlin",
  weeklySchedule: Object.fromEntries(
    ["monday", "tuesday", "wednesday", "thursday", "friday"].map((day) => [
      day,
      { active: "ONLY_DURING_RANGES", ranges: [{ startHhMm: start, endHhMm: "18:00" }] },
    ]),
  ),
});
const latency = (start: string) => ({ ...monitor(1), labels: { team: "payments" }, schedule: weekdays(start) });
const definition = {
  objective: 99.9,
  timeWindow: "30d",
  enableBurnRateAlerting: true,
  burnRateAlertingConfig: [{ window: "1h", budget: 2, severity: "critical" }],
};
const slo = { name: "Checkout", definition, sli: {} };
const folder = ownFolder({
  "preview.json": JSON.stringify({ steps: [step("update", "errors", monitor(0.05), monitor(0.02))] }),
  "pull.json": JSON.stringify({
    steps: [
      step("update", "errors", monitor(0.05), { ...monitor(0.02), labels: { team: "payments" } }),
      step("update", "latency", latency("08:00"), latency("09:00")),
      {
        ...step("delete", "checkout", slo),
        urn: "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/observability:SLO::checkout",
      },
    ],
  }),
  "all.json": JSON.stringify({
    steps: [
      step("create", "errors", undefined, monitor(0.02)),
      step("delete", "latency", monitor(0.02)),
      step("same", "kept", warning, warning),
    ],
  }),
  "recorded/errors.yml": recorded,
  "recorded/kept.yml": recorded,
  "recorded/latency.yml": recorded,
});

test("a backtest's page draws the change, and tries thresholds with the simulation of the backtest", async () => {
  const page = join(folder, "page.html");
  const { code, stdout } = await runCommand(folder, [
    "backtest",
    "--from",
    "preview.json",
    "--series",
    "recorded",
    "--report",
    page,
  ]);
  expect({ code }).toEqual({ code: 0 });
  expect(stdout).toContain("errors: 1 → 3 pages in");
  expect(readFileSync(page, "utf8").length).toBeLessThan(250_000);
  const opened = await open(page);
  const chart = opened.page.locator(".chart");
  await chart.locator("canvas").waitFor();
  const result = chart.locator("output");
  await expect.poll(() => result.innerText()).toBe("before: 1 page, 0 at night · after: 3 pages, 1 at night");
  await chart.getByLabel("Try a threshold").fill("0.05");
  await expect.poll(() => result.innerText()).toContain("tried: 1 page, 0 at night");
  expect(await chart.locator("code").innerText()).toBe('{ op: "GT", value: 0.05, sustainSecs: 600 }');
  await chart.getByLabel("for seconds").fill("3600");
  await expect.poll(() => result.innerText()).toContain("tried: 0 pages");
  await chart.getByRole("button", { name: "Reset" }).click();
  await expect.poll(() => result.innerText()).not.toContain("tried");
  // Drags the line of the threshold above all values.
  const area = await chart.locator(".u-over").boundingBox();
  if (area === null) return expect.fail("no chart");
  const line = area.y + area.height * (1 - 0.02 / (0.08 * 1.08));
  await opened.page.mouse.move(area.x + 200, line);
  await opened.page.mouse.down();
  await opened.page.mouse.move(area.x + 200, area.y + 2, { steps: 5 });
  await opened.page.mouse.up();
  await expect.poll(() => result.innerText()).toContain("tried: 0 pages");
  await chart.getByText("Pages of each day as a table").click();
  expect(await chart.getByRole("row").count()).toBe(7);
  await expectAccessible(opened.page);
  expect(opened.events).toEqual([]);
});

test("monitors that are new, removed or unchanged have their own thresholds and series", async () => {
  const file = join(folder, "all.html");
  await runCommand(folder, ["backtest", "--from", "all.json", "--series", "recorded", "--all", "--report", file]);
  const { page, events } = await open(file);
  const charts = page.locator(".chart");
  await expect.poll(() => charts.locator("canvas").count()).toBe(3);
  expect(await charts.getByText("the query changes").count()).toBe(0);
  expect(await charts.getByLabel("Condition").locator("option").allInnerTexts()).toEqual([
    "critical: > 0.02 for 10 min",
    "warn: <= 0",
  ]);
  expect(events).toEqual([]);
});

test("a review's page shows a pull request with three risks and their charts, and is the picture of README", async () => {
  const file = join(folder, "pull.html");
  const { code } = await runCommand(folder, [
    ...["review", "--from", "pull.json", "--backtest", "--series", "recorded", "--report", file],
  ]);
  expect(code).toBe(0);
  const { page } = await open(file, "", { viewport: { width: 1_000, height: 860 } });
  await page.locator(".chart canvas").first().waitFor();
  expect(await page.locator("header .numbers li").allInnerTexts()).toEqual(
    // How many are silent now depends on the hour.
    expect.arrayContaining([
      "1 → 3 pages in 5 d 17 h, 0 → 1 at night",
      "2 alerts less",
      "1 alerts more",
      "1 effect unclear",
      "Gaps: 2",
    ]),
  );
  expect(await page.locator("tr[data-slug=latency] .weekStrip").count()).toBe(2);
  // Delete the picture, and this test recreates it.
  const picture = "docs/pictures/report.png";
  if (!existsSync(picture)) await page.screenshot({ path: picture });
});
