import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { expectAccessible, open } from "../../support/browser.js";
import { runCommand } from "../../support/command.js";
import { monitorStep as step, steps } from "../../support/digests.js";
import { ownFolder } from "../../support/folders.js";

const monitor = (value: number, more: object = {}) => ({
  intervalSecs: 300,
  labelQuery: "errors",
  seriesConditions: { defaults: { critical: { conditions: [{ op: "GT", value, sustainSecs: 600, ...more }] } } },
});
const { defaults } = monitor(0.02).seriesConditions;
const warning = {
  ...monitor(0.02),
  labelQuery: "kept",
  seriesConditions: { defaults: { ...defaults, warn: { conditions: [{ op: "GEQ", value: 0 }] } } },
};
const dotted = { ...monitor(1), labelQuery: undefined, dottedQuery: "a.b" };
const region = (name: string, values: string) => `  - labels: { region: ${name} }
    values: ${values}
`;
const spikes = "0.01x100 0.03x9 0.01x817 0.03x7 0.01x27 0.08x11 0.01x671";
const recorded = `start: 2026-11-01T00:00:00Z
interval: 5m
series:
${region("eu", spikes)}${region("us", "0.01x1650")}`;
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
const folder = ownFolder({
  "preview.json": JSON.stringify({ steps: [step("update", "errors", monitor(0.05), monitor(0.02))] }),
  "pull.json": JSON.stringify({
    steps: [
      step("update", "errors", monitor(0.05), { ...monitor(0.02), labels: { team: "payments" } }),
      step("update", "latency", latency("08:00"), latency("09:00")),
      ...steps("SLO", "checkout", { before: { slug: "checkout", name: "Checkout", definition, sli: {} } }),
    ],
  }),
  "all.json": JSON.stringify({
    steps: [
      step("create", "errors", undefined, monitor(0.02)),
      step("delete", "latency", monitor(0.02)),
      step("update", "other", { ...monitor(1), labelQuery: "other" }, { ...monitor(2), labelQuery: "other" }),
      step("same", "kept", warning, warning),
      step("same", "last", monitor(0.02), monitor(0.02)),
    ],
  }),
  "incidents.csv": `start,end,name,labels
2026-11-01T08:00:00Z,2026-11-01T12:00:00Z,Slow,
2026-11-02T20:00:00Z,2026-11-03T00:00:00Z,<b>Late</b>,
2026-11-03,2026-11-03,Elsewhere,region=ap`,
  "estate.json": JSON.stringify({
    steps: Object.entries({ quiet: 1, rare: 0.05, loud: 0.02 })
      .flatMap(([name, value]) =>
        [{}, {}, {}, { labelQuery: "dead" }, {}, {}, {}, {}].map((more, i) => {
          const args = { ...monitor(value), ...more };
          return step("same", `${name}-${i}`, args, args);
        }),
      )
      .concat(step("update", "changed", monitor(2), monitor(1)))
      .concat(step("same", "dotted", dotted, dotted)),
  }),
  "estate/errors.yml": `query: errors\n${recorded}`,
  "estate/dead.json": '{"query":"dead","status":"success","data":{"resultType":"matrix","result":[]}}',
  "recorded/errors.yml": recorded,
  "recorded/kept.yml": recorded + ["a", "b", "c", "d"].map((each) => region(each, "0.01x1650")).join(""),
  "recorded/latency.yml": recorded,
  "recorded/last.yml": recorded,
});

/** The pixels of a horizontal line through the plot, and the color of a side. @param y In pixels below the plot's top. */
const lineAt = (chart: Locator, y: number, side: "before" | "after" = "after") =>
  chart.evaluate(
    (element, [y, side]) => {
      const [canvas, plot, key] = ["canvas", ".u-over", `.key.${side}`].map((each) => element.querySelector(each));
      const color: string = element.ownerDocument.defaultView.getComputedStyle(key, "::before").backgroundColor;
      const context = element.ownerDocument.createElement("canvas").getContext("2d", { willReadFrequently: true });
      context.canvas.width = plot.clientWidth;
      context.drawImage(canvas, -plot.offsetLeft, -plot.offsetTop - y);
      const { data } = context.getImageData(0, 0, plot.clientWidth, 1);
      const pixels = Array.from({ length: plot.clientWidth }, (_, i): number[] => [...data.slice(i * 4, i * 4 + 4)]);
      return { color, pixels };
    },
    [y, side] as const,
  );

/** How much of a horizontal line has the color of a side. */
async function shareOf(chart: Locator, side: "before" | "after", y: number): Promise<number> {
  const { color, pixels } = await lineAt(chart, y, side);
  return pixels.filter((each) => color === `rgb(${each.slice(0, 3).join(", ")})`).length / pixels.length;
}

/** How much of a horizontal line, below the lanes, is redder than the rest: the color of incidents on its background. */
async function redShare(chart: Locator): Promise<number> {
  const { pixels } = await lineAt(chart, 40);
  const red = pixels.filter(([r = 0, g = 0, b = 0, alpha = 0]) => alpha > 20 && r > g + 20 && r > b + 20);
  return red.length / pixels.length;
}

const contrast = (one: number, other: number) => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);

/** The luminance of `rgb(108, 117, 125)`, as defined by WCAG. */
function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = (color.match(/\d+/g) ?? []).map((each) => {
    const part = Number(each) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

test("a backtest's page draws the change, and tries thresholds with the simulation of the backtest", async () => {
  const page = join(folder, "page.html");
  const args = ["backtest", "--from", "preview.json", "--series", "recorded", "--report", page];
  const { code, stdout } = await runCommand(folder, args);
  expect({ code }).toEqual({ code: 0 });
  expect(stdout).toContain("errors: 1 → 3 pages in");
  expect(readFileSync(page, "utf8").length).toBeLessThan(250_000);
  const opened = await open(page, "", { hasTouch: true });
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
  const plot = chart.locator(".u-over");
  const area = await plot.boundingBox();
  if (area === null) return expect.fail("no chart");
  const lineOf = (value: number, top: number) => area.height * (1 - value / (top * 1.08));
  const line = lineOf(0.02, 0.08);
  const { mouse } = opened.page;
  await mouse.move(area.x + 200, area.y + line);
  await mouse.down();
  await mouse.move(area.x + 200, area.y + 2, { steps: 5 });
  await mouse.up();
  await expect.poll(() => result.innerText()).toContain("tried: 0 pages");
  const reset = chart.getByRole("button", { name: "Reset" });
  await reset.click();
  // The scale follows a value that is typed, so that its line can be dragged.
  const threshold = chart.getByLabel("Try a threshold");
  await threshold.fill("1");
  await mouse.move(area.x + 200, area.y + lineOf(1, 1));
  await expect.poll(() => plot.evaluate(({ style }) => style.cursor)).toBe("ns-resize");
  const legend = chart.locator(".legend");
  const tried = "tried: critical 1";
  expect(await legend.innerText()).toContain(tried);
  await threshold.fill("");
  expect(await result.innerText()).toBe("the threshold is not a number");
  expect(await chart.locator("code").innerText()).toBe("");
  expect(await legend.innerText()).not.toContain(tried);
  await threshold.fill("1");
  await chart.getByLabel("for seconds").fill("-3");
  expect(await result.innerText()).toBe("the time is not a number of seconds");
  await reset.click();
  for (const text of ["before: critical 0.05", "after: critical 0.02", "at night (22:00–07:00, UTC)"])
    expect(await legend.innerText()).toContain(text);
  // A finger drags the line; elsewhere it scrolls the page.
  const devices = await opened.page.context().newCDPSession(opened.page);
  const touch = async (from: number, to: number) => {
    const at = (y: number) => [{ x: area.x + 200, y: area.y + y }];
    await devices.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: at(from) });
    for (const part of [0.2, 0.4, 0.6, 0.8, 1])
      await devices.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: at(from + (to - from) * part) });
    await devices.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  };
  await touch(line, 2);
  await expect.poll(() => result.innerText()).toContain("tried: 0 pages");
  await reset.click();
  await touch(line + 40, line);
  expect(await threshold.inputValue()).toBe("0.02");
  // A click selects the code, to copy it.
  await chart.locator("code").click();
  await expect
    .poll(() => opened.page.evaluate("getSelection().toString()"))
    .toBe('{ op: "GT", value: 0.02, sustainSecs: 600 }');
  // The canvas has the colors of the theme, and in print the light ones.
  await opened.page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(() => shareOf(chart, "after", Math.floor(line))).toBeGreaterThan(0.8);
  const keep = "CanvasRenderingContext2D.prototype.fillText = (text) => (document.body.title += `${text} `)";
  await opened.page.evaluate(`${keep}; dispatchEvent(new Event("beforeprint"))`);
  await expect.poll(() => opened.page.evaluate("document.body.title")).toContain("Sun 11-01 ");
  expect(await opened.page.evaluate("getComputedStyle(document.body).backgroundColor")).toBe("rgb(255, 255, 255)");
  await expect.poll(() => shareOf(chart, "after", Math.floor(line))).toBeGreaterThan(0.8);
  await opened.page.emulateMedia({ colorScheme: "dark", media: "print" });
  expect(await reset.isVisible()).toBe(false);
  await opened.page.emulateMedia({ colorScheme: "dark", media: "screen" });
  await opened.page.evaluate('dispatchEvent(new Event("afterprint"))');
  const backgroundOf = (each: string) =>
    `getComputedStyle(document.querySelector(".bar > .after.${each}")).backgroundColor`;
  const [day, night] = await opened.page.evaluate<string[]>(`[${backgroundOf("day")}, ${backgroundOf("night")}]`);
  expect([day, night]).toEqual(["rgb(230, 159, 0)", expect.stringMatching(/^color\(srgb 0\.54\d+ 0\.37\d+ 0\)$/)]);
  // The bars of a day are below its times.
  const starts = await chart.locator(".bars").evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().x));
  for (const [i, x] of starts.entries()) expect(Math.abs(x - area.x - (area.width * i * 288) / 1_650)).toBeLessThan(4);
  await chart.getByText("Pages of each day as a table").click();
  const rows = await chart.getByRole("row").allInnerTexts();
  const days = ["Day", "Sun", "Mon", "Tue", "Wed", "Thu", "Fri"];
  expect(rows.map((row) => row.split(/\s/)[0])).toEqual(days);
  await expectAccessible(opened.page);
  expect(opened.events).toEqual([]);
});

test("monitors that are new, removed or unchanged have their own thresholds and series", async () => {
  const file = join(folder, "all.html");
  await runCommand(folder, ["backtest", "--from", "all.json", "--series", "recorded", "--all", "--report", file]);
  const { page, events } = await open(file, "", { viewport: { width: 1_000, height: 300 } });
  const charts = page.locator(".chart");
  await expect.poll(() => charts.locator("canvas").count()).toBe(3);
  const numbers = await page.locator("header .numbers").innerText();
  expect(numbers).toContain(
    "3 → 3 pages in 5 d 17 h (0 a day), 1 → 1 at night (0 a night); 2 of 3 changed monitors, 1 not simulated",
  );
  for (const [slug, figures] of [
    ["latency", "3 → 0 pages in 5 d 17 h"],
    ["kept", "3 pages as before in 5 d 17 h"],
    ["other", "not simulated: "],
  ] as const) {
    await expect.poll(() => page.locator(`tr[data-slug=${slug}]`).textContent()).toContain(figures);
    expect(await page.locator("#changes summary", { hasText: slug }).innerText()).toContain(figures);
  }
  expect(await charts.getByText("the query changes").count()).toBe(0);
  expect(await charts.getByLabel("Condition").locator("option").allInnerTexts()).toEqual([
    "critical: > 0.02 for 10 min",
    "warn: >= 0",
  ]);
  const kept = charts.filter({ hasText: "warn: >= 0" });
  const legend = await kept.locator(".legend").innerText();
  expect(legend).toContain("before: critical 0.02, warn 0");
  expect(legend).toContain("warnings have thin lines and half the height");
  // The warning fires all the time, and the page only at times.
  const [upper, lower] = [await shareOf(kept, "before", 1), await shareOf(kept, "before", 6)];
  expect(upper > 0 && upper < 0.2 && lower > 0.9, `${upper}, ${lower}`).toBe(true);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const swatches = kept.locator(".key:not(.night)");
    const colors = await swatches.evaluateAll((keys) =>
      keys.map((key) => key.ownerDocument.defaultView.getComputedStyle(key, "::before").backgroundColor as string),
    );
    expect(new Set(colors).size).toBe(8);
    const back = await page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
    for (const color of colors)
      expect(contrast(luminanceOf(color), luminanceOf(back)), `${color} on ${back}`).toBeGreaterThanOrEqual(3);
  }
  // A print has the charts that were unfolded.
  const printed = async (time: string) => {
    await page.evaluate(`dispatchEvent(new Event("${time}print"))`);
    return page.locator("#changes details[open]:has(canvas)").count();
  };
  expect(await printed("before")).toBe(3);
  expect(await printed("after")).toBe(3);
  expect(events).toEqual([]);
});

test("many unchanged monitors are grouped by what they did, those with the most pages first", async () => {
  const file = join(folder, "estate.html");
  const args = ["backtest", "--from", "estate.json", "--series", "estate", "--all", "--report", file];
  const { stdout } = await runCommand(folder, args);
  expect(stdout).toContain("14 monitors fired, 3 have no data, 8 never fired");
  const { page, events } = await open(file);
  const titles = await page.locator("#changes > details > summary").allInnerTexts();
  expect(titles.map((title) => title.split(" Monitor ")[0])).toEqual([
    ...["changed", "loud-0", "loud-1"],
    ...["12 unchanged, fired", "3 unchanged, no data", "7 unchanged, never fired", "dotted"],
  ]);
  expect(await page.locator("header .numbers").innerText()).toContain(
    "14 monitors fired, 3 have no data, 8 never fired; 26 in all, 1 not simulated",
  );
  const fired = page.locator("#changes > details", { hasText: "unchanged, fired" });
  const order = await fired.locator("details > summary > b").allTextContents();
  expect(order.map((name) => name.slice(0, 4)).join(" ")).toBe(`${"loud ".repeat(5)}${"rare ".repeat(7)}`.trim());
  expect(events).toEqual([]);
});

test("the key of a series has no empty label", async () => {
  const labels = ['{ region: eu, service: "" }', '{ region: "" }'];
  const series = labels.map((each) => `  - labels: ${each}\n    values: 0.03x100\n`).join("");
  writeFileSync(join(folder, "blank.yml"), `query: errors\nstart: 2026-11-01\ninterval: 5m\nseries:\n${series}`);
  const file = join(folder, "blank.html");
  await runCommand(folder, ["backtest", "--from", "preview.json", "--series", "blank.yml", "--report", file]);
  const { page } = await open(file);
  const keys = page.locator(".legend .key.series");
  await keys.first().waitFor();
  expect(await keys.allInnerTexts()).toEqual(["region=eu", "without labels"]);
});

test("incidents are bands of a chart and a list, and a trial counts what it catches", async () => {
  const file = join(folder, "incidents.html");
  const args = ["backtest", "--from", "all.json", "--series", "recorded", "--all", "--incidents", "incidents.csv"];
  const { stdout } = await runCommand(folder, [...args, "--report", file]);
  expect(stdout).toContain("\n  incidents ···▃█▅");
  const { page, events } = await open(file, "#change-2");
  expect(await page.locator("#incidents li").allInnerTexts()).toEqual([
    '2026-11-02 20:00 UTC "<b>Late</b>": caught by nothing',
    '2026-11-01 08:00 UTC "Slow": errors after 35 min; latency after 35 min → missed; kept after 35 min; last after 35 min',
    '2026-11-03 00:00 UTC "Elsewhere": concerns no simulated monitor',
  ]);
  const chart = page.locator(".chart").filter({ hasText: "Try a threshold" }).first();
  await chart.locator("canvas").waitFor();
  expect(await chart.locator(".legend").innerText()).toContain("incident");
  const result = chart.locator("output");
  const caught = "1 of 2 incidents caught, 2 outside of incidents";
  await expect.poll(() => result.innerText()).toContain(caught);
  await chart.getByLabel("Try a threshold").fill("0.05");
  await expect
    .poll(() => result.innerText())
    .toMatch(/tried: 1 page, .*0 of 2 incidents caught, 1 outside of incidents$/);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    // 8 of 137.5 hours, and 4 of them are beyond the first day.
    await expect.poll(() => redShare(chart)).toBeGreaterThan(0.04);
    expect(await redShare(chart)).toBeLessThan(0.08);
    await expectAccessible(page);
  }
  expect(events).toEqual([]);
});

test("a review's page shows a pull request with three risks and their charts, and is the picture of README", async () => {
  const file = join(folder, "pull.html");
  const review = ["review", "--from", "pull.json", "--backtest", "--series", "recorded"];
  const { code } = await runCommand(folder, [...review, "--report", file]);
  expect(code).toBe(0);
  const { page } = await open(file, "", { viewport: { width: 1_000, height: 860 } });
  await page.locator(".chart canvas").first().waitFor();
  expect(await page.locator("header .numbers li").allInnerTexts()).toEqual(
    // How many are silent now depends on the hour.
    [
      "1 → 3 pages in 5 d 17 h (+0.35 a day), 0 → 1 at night (+0.17 a night); 2 changed monitors",
      ...["2 alerts less", "1 removed", "1 effect unclear", "1 rerouted", "1 alerts more", "2 changed"],
      expect.stringMatching(/ silent at this hour, 1 of them removed$/),
      "Gaps in what remains: 2, none new",
    ],
  );
  expect(await page.locator("tr[data-slug=latency] .weekStrip").count()).toBe(2);
  // A report of another job, by a version that doesn't say what was simulated.
  const { stdout } = await runCommand(folder, [...review, "--json"]);
  writeFileSync(join(folder, "old.json"), stdout.replace(/"(isSimulated|sparkline)": ?[^,]*,/g, ""));
  await runCommand(folder, ["report", "--from", "old.json", "--out", file]);
  const old = await open(file);
  expect(await old.page.locator("header").innerText()).not.toContain("not simulated");
  expect(await old.page.locator("#changes summary", { hasText: "errors" }).innerText()).toContain("1 → 3 pages");
  // Delete the picture, and this test recreates it.
  const picture = "docs/pictures/report.png";
  if (!existsSync(picture)) await page.screenshot({ path: picture });
});
