import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Risk } from "../../dist/cli/consequences/risk.js";
import { expectAccessible, open } from "../support/browser.js";
import { caseOf } from "../support/cases.js";
import { runCommand } from "../support/command.js";
import { digest, steps } from "../support/digests.js";
import { ownFolder } from "../support/folders.js";
import { ownService, put } from "../support/service.js";
import { blocksUnder, copyExample, follow } from "./pages.js";

const folder = ownFolder();
const at = (name: string) => join(folder, name);

const conditions = { defaults: { critical: { conditions: [{ op: "GT", value: 1 }] } } };
const mornings = { active: "ONLY_DURING_RANGES", ranges: [{ startHhMm: "00:00", endHhMm: "12:00" }] };
const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
/** Silent on Sundays, in a zone with daylight saving. */
const schedule = {
  timezone: "Europe/Berlin",
  weeklySchedule: {
    ...Object.fromEntries(weekdays.map((day) => [day, mornings])),
    sunday: { active: "NEVER" },
  },
};

const toChat = { window: "1h", budget: 2, labels: { notifier: "chat" } };
const burning = (...all: object[]) => ({ objective: 99.5, enableBurnRateAlerting: true, burnRateAlertingConfig: all });

const hostile = [
  "<img src=x onerror=alert(1)>",
  "<script>alert(1)</script>",
  "</script><script>alert(1)</script>",
  "<!--<script>",
  "-->",
  "]]>",
  "<svg onload=alert(1)>",
  "<iframe src=javascript:alert(1)>",
  '"><b>bold</b>',
  "' onmouseover='alert(1)",
  "&lt;b&gt;",
  "&amp;",
  "javascript:alert(1)",
  "{{7*7}}",
  "${7*7}",
  "\\u003cscript\\u003e",
  "</title><h1>title",
  "</style><h1>style",
  "a\u202eb",
  "a\u2028b",
  "a\u0001b",
  "<base href=//evil.example.com>",
  "<meta http-equiv=refresh content=0>",
  "<link rel=stylesheet href=//evil.example.com>",
  "<a href=javascript:alert(1)>x</a>",
  "<form action=//evil.example.com><input name=q>",
  "__proto__",
  "constructor",
  "日本語 🚨",
  "x".repeat(300),
];

describe("the objects in a service", async () => {
  const canaries = ["canary-in-a-url", "canary-routing-key"];
  const service = await ownService({ showSecrets: true });
  for (const [i, name] of hostile.entries()) {
    const labels = { team: name, [`l${i}`]: name };
    await put(service, "Monitor", `hostile-${i}`, { name, labels, annotations: { note: name }, labelQuery: "up == 0" });
  }
  await put(service, "Notifier", "chat", {
    oncallB: undefined,
    chat: { apiUrl: `https://chat.example.com/${canaries[0]}`, channel: "#payments" },
  });
  await put(service, "Notifier", "key", { oncallB: { routingKey: canaries[1] } });
  await put(service, "Notifier", "drops", { oncallB: undefined, discard: true });
  await put(service, "Monitor", "nightly", {
    name: "Nightly job",
    labels: { team: "payments", notifier: "chat" },
    notificationPolicySlug: undefined,
    labelQuery: 'sum(rate(failed_jobs_total{job="nightly"}[5m])) > 3',
    seriesConditions: conditions,
    schedule,
  });
  const definition = burning(toChat, { window: "6h", budget: 5 });
  await put(service, "SLO", "lost", { name: "Lost", notificationPolicySlug: undefined, labels: {}, definition });
  await put(service, "SLO", "quiet", { name: "Quiet", definition: { objective: 99.5 } });
  const env = { OBSERVABILITY_BASE_URL: service.url };
  const file = at("live.html");
  const written = await runCommand(folder, ["report", "--live", "--out", file], env);

  test("are rows of one file that contains no secret, loads nothing and shows every name as text", async () => {
    expect(written.code, written.stderr).toBe(0);
    expect(written.stdout).toMatch(/^wrote ".*live\.html": 33 monitors and SLOs, \d+ KiB\n$/);
    for (const canary of canaries) expect(readFileSync(file, "utf8")).not.toContain(canary);
    const { page, events } = await open(file);
    await expect.poll(() => page.locator("tr[data-slug]").count()).toBe(33);
    const shown = await page
      .locator("tr[data-slug^=hostile-]")
      .evaluateAll((rows) => rows.map((row) => [row.dataset.slug, row.querySelector("button")?.textContent]));
    const escaped = (name: string) =>
      name.replace(/[\u0001\u2028\u202e]/g, (letter) => `\\u{${letter.codePointAt(0)?.toString(16)}}`);
    const expected = hostile.map((name, i) => [`hostile-${i}`, escaped(name)]);
    expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(expected));
    for (const button of (await page.locator("tr button").all()).slice(0, 8)) await button.click();
    expect(await page.locator("img, iframe, form[action], base, link, h1 ~ h1").count()).toBe(0);
    expect(events).toEqual([]);
  });

  test.each([
    ["light", 1_400],
    ["dark", 400],
  ] as const)("are accessible, %s and %d px wide, with a row open", async (colorScheme, width) => {
    const { page, events } = await open(file, "#q=nightly", { colorScheme, viewport: { width, height: 900 } });
    await page.getByRole("button", { name: "Nightly job" }).click();
    await expectAccessible(page);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    expect(events).toEqual([]);
  });

  test("are found by keyboard, and the address keeps the view", async () => {
    const { page } = await open(file);
    const shown = page.locator("tr[data-slug]:visible");
    await page.getByLabel("Search").focus();
    await page.keyboard.type("failed_jobs payments");
    await expect.poll(() => shown.count()).toBe(1);
    expect(await page.locator("output").textContent()).toBe("1 of 33");
    const row = await shown.textContent();
    for (const text of ["critical: > 1", 'notifier chat: chat: "#payments"', "Sunday silent", "Europe/Berlin"])
      expect(row).toContain(text);
    const buttons = page.locator("tr button");
    await page.getByLabel("Search").fill("");
    await buttons.last().focus();
    for (let i = 0; i < 25; i++) {
      await page.keyboard.press("Shift+Tab");
      const [focus, form] = await Promise.all([":focus", "form"].map((each) => page.locator(each).boundingBox()));
      expect(focus?.y).toBeGreaterThan((form?.y ?? 0) + (form?.height ?? 0));
    }
    await page.getByLabel("Search").fill("failed_jobs payments");
    await page.getByRole("button", { name: "Nightly job" }).focus();
    await page.keyboard.press("Enter");
    expect(await page.locator(".details:visible").innerText()).toContain("team=payments");
    await page.locator("[name=team]").selectOption("payments");
    const again = await open(file, new URL(page.url()).hash);
    await expect.poll(() => again.page.locator("tr[data-slug]:visible").count()).toBe(1);
    expect(await again.page.locator(":focus").getAttribute("id")).toBe("alerting");
    expect(await again.page.getByLabel("Search").inputValue()).toBe("failed_jobs payments");
    await again.page.getByRole("button", { name: "Clear" }).click();
    await expect.poll(() => again.page.locator("tr[data-slug]:visible").count()).toBe(33);
  });

  test("have their hours in the zones of schedule and reader, and on the nights on which clocks change", async () => {
    const { page } = await open(file, "#q=nightly", { timezoneId: "America/New_York" });
    const silentAt = async (time: string) => {
      await page.getByLabel(/^At/).selectOption(time);
      return (await page.locator("tr[data-slug=nightly]").textContent())?.includes("silent at this time");
    };
    // In New York it is six hours earlier, except for some days of the year.
    expect([await silentAt("Sunday 19:00"), await silentAt("Tuesday 12:00")]).toEqual([false, true]);
    expect(await page.locator("output").textContent()).toBe("1 of 33, 1 silent at this time");
    await page.getByLabel("Search").fill("");
    expect(await page.locator("tr[data-slug]").first().getAttribute("data-slug")).toBe("nightly");
    await page.getByRole("button", { name: "Nightly job" }).click();
    const strips = page.locator("tr[data-slug=nightly] [role=img]");
    const labels = await strips.evaluateAll((all) => all.map(({ ariaLabel }) => ariaLabel));
    expect([labels[6], labels[13]]).toEqual(["Sunday: active 0 of 24 hours", "Sunday: active 6 of 24 hours"]);
    expect(await page.getByText(/^Clocks change on .*, from 01:59 to 03:00$/).count()).toBe(1);
    expect(await page.getByText(/^Clocks change on .*, from 02:59 to 02:00$/).count()).toBe(1);
  });

  test("have their gaps named", async () => {
    const { page } = await open(file);
    await page.getByRole("button", { name: "Skip to monitors and SLOs" }).press("Enter");
    expect(await page.locator(":focus").getAttribute("id")).toBe("alerting");
    expect(await page.evaluate("getComputedStyle(document.activeElement).outlineStyle")).toBe("none");
    await page.getByRole("button", { name: /^Gaps: \d+$/ }).press("Enter");
    expect(await page.locator(":focus").getAttribute("id")).toBe("gaps");
    const gaps = await page.locator("#gaps").innerText();
    for (const text of [
      `SLO lost (${service.url}): has no notification policy and an alert without the label "notifier": who is notified is not known`,
      `SLO quiet (${service.url}): notifies nobody, because its burn-rate alerting is off`,
      `Notifier drops (${service.url}): discards every notification`,
    ])
      expect(gaps).toContain(text);
    expect(gaps).not.toContain("nightly");
    expect(await page.locator("#notifiers").innerText()).toContain(
      `chat (${service.url}): chat: "#payments"; named by 2`,
    );
  });

  test("that can't be read are named on the page, and the command ends with 1", async () => {
    const described = await ownService({ operations: "described" });
    const out = at("described.html");
    const ended = await runCommand(folder, ["report", "--live", "--out", out], {
      OBSERVABILITY_BASE_URL: described.url,
    });
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain("this service can't list monitors");
    const { page } = await open(out);
    expect(await page.locator("#problems").innerText()).toContain("this service can't list monitors");
  });
});

describe("a change", () => {
  const monitor = { ...caseOf("Monitor").args, slug: "checkout-errors", name: "Checkout errors" };
  const changed = { ...monitor, notificationPolicySlug: "other", schedule, seriesConditions: conditions };
  const unchanged = Array.from({ length: 20 }, (_, i) => ({ ...monitor, slug: `same-${i}`, name: `Same ${i}` }));
  const routed = { ...monitor, slug: "routed", name: "Routed", labels: { notifier: "chat" } };
  const chat = (channel: string) => ({ slug: "chat", chat: { apiUrl: "[secret]", channel } });
  const secret = { ...monitor, slug: "masked", name: "Masked", labels: "[secret]", schedule: "[secret]" };
  const indicator = { badQueryTemplate: "sum(a)", totalQueryTemplate: "sum(total)" };
  const slo = { slug: "second", name: "Second", sli: { customIndicator: indicator }, definition: burning(toChat) };
  const all = [
    steps("Monitor", "checkout-errors", { before: monitor, after: changed }),
    steps("Monitor", "masked", { before: secret, after: { ...secret, intervalSecs: 90 } }),
    steps("SLO", "gone", { before: { ...caseOf("SLO").args, slug: "gone", name: "Gone" } }),
    steps("SLO", "second", {
      before: slo,
      after: { ...slo, sli: { customIndicator: { ...indicator, totalQueryTemplate: "sum(b)" } } },
    }),
    steps("LogAllocationConfig", "budget", {
      after: { defaultDataset: { allocation: { percentOfLicense: "[secret]" } } },
    }),
    steps("Notifier", "pager", { after: { slug: "pager", name: "Pager", email: { to: "a@example.com" } } }),
    steps("Notifier", "chat", { before: chat("#old"), after: chat("#new") }),
    ...[routed, ...unchanged].map((args) => steps("Monitor", args.slug, { op: "same", before: args, after: args })),
  ];
  const review = async (name: string, value: unknown, ...args: readonly string[]) => {
    writeFileSync(at(`${name}.json`), JSON.stringify(value));
    const written = ["--report", at(`${name}.html`), "--markdown", at(`${name}.md`)];
    return runCommand(folder, ["review", "--from", at(`${name}.json`), ...written, ...args]);
  };

  test("is shown before and after, with the risks of the review; unchanged rows are folded and counted", async () => {
    expect((await review("change", digest(all))).code).toBe(0);
    expect(readFileSync(at("change.md"), "utf8")).toMatch(
      /\n\nAll monitors and SLOs before and after: `change.html`\n$/,
    );
    const { page, events } = await open(at("change.html"));
    const shown = page.locator("tr[data-slug]:visible");
    await expect.poll(() => shown.count()).toBe(5);
    expect(await page.locator("output").textContent()).toBe("5 of 25, 20 unchanged");
    for (const slug of ["routed", "second"])
      expect(await page.locator(`tr[data-slug=${slug}] [data-column=Route] > :is(del, ins)`).allTextContents()).toEqual(
        ['notifier chat: chat: "#old"', 'notifier chat: chat: "#new" (changed)'],
      );
    const queries = page.locator("tr[data-slug=second] [data-column=Query]");
    expect(await queries.locator("code").allTextContents()).toEqual(["sum(total)", "sum(b)"]);
    const row = page.locator("tr[data-slug=checkout-errors]");
    expect(await row.locator("del").allTextContents()).toContain("policy checkout: its notifiers are not known");
    expect(await row.locator("ins").allTextContents()).toContain("policy other: its notifiers are not known");
    expect(await row.textContent()).toContain("rerouted");
    const changes = await page.locator("#changes").innerText();
    expect(changes).toContain("checkout-errors (Checkout errors) Monitor");
    expect(changes).toContain("the SLO is removed: no longer notifies anyone when the objective is missed");
    expect(await page.locator("#gaps").count()).toBe(0);
    expect(changes).toContain('notificationPolicySlug: "checkout" → "other"');
    expect(await page.locator("tr[data-slug=masked]").textContent()).toMatch(
      /some values are hidden[^]*hours not known/,
    );
    await page.getByRole("link", { name: "1 removed" }).click();
    await expect.poll(() => shown.evaluateAll((rows) => rows.map((each) => each.dataset.slug))).toEqual(["gone"]);
    expect(await page.locator(":focus").getAttribute("id")).toBe("alerting");
    await page.evaluate("document.activeElement.blur()");
    await page.getByRole("link", { name: "1 removed" }).click();
    await expect.poll(() => page.locator("#alerting:focus").count()).toBe(1);
    expect(await page.locator(".numbers li").allInnerTexts()).toEqual([
      ...["2 alerts less", "1 removed", "3 effect unclear and chat", "4 rerouted", "1 alerts more", "2 added"],
      ...[
        "3 changed and chat",
        expect.stringMatching(/^[12] silent at this hour, 1 of them removed$/),
        "no gaps in what remains",
      ],
    ]);
    await page.getByRole("link", { name: "4 rerouted" }).click();
    await expect.poll(() => shown.count()).toBe(4);
    await page.getByRole("link", { name: "chat" }).first().click();
    await expect.poll(() => page.locator(":focus").textContent()).toContain("chat Notifier");
    const removed = "document.querySelector('tr[data-slug=gone] [data-column=Conditions]')";
    expect(await page.evaluate(`getComputedStyle(${removed}).textDecorationLine`)).toBe("line-through");
    // A query that is cut ends with "…".
    expect(await page.evaluate("getComputedStyle(document.querySelector('td > .query')).webkitLineClamp")).toBe("4");
    await page.locator("[name=change]").selectOption("all rows");
    await expect.poll(() => shown.count()).toBe(25);
    await page.getByLabel("Search").fill("same-1");
    await expect.poll(() => shown.count()).toBe(11);
    await page.getByLabel("Search").fill("");
    await page.getByLabel(/^At/).selectOption("Monday 20:00");
    expect(await page.locator("output").textContent()).toBe("25 of 25, 2 silent at this time, 2 newly");
    for (const slug of ["checkout-errors", "gone"])
      expect(await page.locator(`tr[data-slug=${slug}]`).textContent()).toContain("newly silent");
    expect(await page.locator("tr[data-slug]").nth(2).textContent()).not.toContain("silent at");
    await expectAccessible(page);
    expect(await page.locator("pre[tabindex]").count()).toBe(0);
    expect(events).toEqual([]);
  });

  test("whose risk is accepted fails no job, and is counted and listed in the JSON and on the page", async () => {
    const limits = ["--fail-on", "removed", "credentials", "--json"];
    expect((await review("open", digest(all), ...limits)).code).toBe(3);
    const text = "the SLO is removed: no longer notifies anyone when the objective is missed";
    const entry = { class: "removed", object: "SLO gone", text, reason: "the <b>new</b> SLO", until: "2999-12-31" };
    writeFileSync(at("review.accepted.yaml"), JSON.stringify([entry, { ...entry, object: "SLO second" }]));
    const { code, stdout } = await review("accepted", digest(all), ...limits);
    expect(code).toBe(0);
    const { risks, accepted } = JSON.parse(stdout);
    expect(risks.map((risk: Risk) => risk.class)).not.toContain("removed");
    expect(accepted.risks).toMatchObject([{ name: "gone", acceptance: { reason: entry.reason, until: entry.until } }]);
    expect(accepted.problems).toEqual([
      expect.stringMatching(/^review\.accepted\.yaml:1: accepts nothing: SLO second/),
    ]);
    const { page } = await open(at("accepted.html"));
    expect(await page.locator("#accepted li").allInnerTexts()).toEqual([
      `removed: alerts less SLO gone: ${text}; accepted until 2999-12-31: the <b>new</b> SLO`,
    ]);
    expect(await page.locator("#risks").innerText()).not.toContain("gone");
    expect(await page.locator(".numbers").innerText()).toContain("1 accepted risk");
    await expectAccessible(page);
    const elsewhere = await review("open", digest(all), ...limits, "--accepted", at("none.yaml"));
    expect([elsewhere.code, elsewhere.stderr]).toEqual([1, expect.stringContaining('none.yaml" (ENOENT)')]);
    rmSync(at("review.accepted.yaml"));
  });

  test("of more than 20 risks is folded by class, and a harmless note is no error", async () => {
    const [name, drops] = ["n".repeat(300), { slug: "drops", discard: true }];
    const many = [...unchanged, { ...monitor, slug: "long", name }]
      .map((each) => ({ ...each, notificationPolicySlug: undefined }))
      .map((args) => steps("Monitor", args.slug, { before: args, after: { ...args, labelQuery: "down" } }));
    many.push(steps("Notifier", "drops", { op: "same", before: drops, after: drops }));
    const note = { severity: "info", message: 'adopts monitor "x" without changes [adopts-identical]' };
    expect((await review("many", digest(many, [note]))).code).toBe(0);
    const { page } = await open(at("many.html"));
    expect(await page.locator("#changes summary:visible").allTextContents()).toEqual(["21 query"]);
    expect(await page.locator("#risks li:visible").count()).toBe(20);
    await page.locator("#risks a").first().click();
    await expect.poll(() => page.locator("#changes summary:focus").innerText()).toContain("Monitor");
    await page.goBack();
    await expect.poll(() => page.evaluate("scrollY")).toBe(0);
    expect(await page.getByRole("button", { name: /^Gaps: \d+, none new$/ }).count()).toBe(1);
    expect(await page.locator("#gaps > details").count()).toBe(2);
    await page.locator("#gaps summary").first().click();
    await page.locator("#gaps a").getByText("same-1", { exact: true }).click();
    await expect.poll(() => page.locator("tr[data-slug]:visible").count()).toBe(1);
    await page.getByRole("button", { name: "Clear" }).click();
    expect(await page.locator("#problems").count()).toBe(0);
    expect(await page.locator("#notes").innerText()).toContain("without changes");
    expect((await page.locator("tr[data-slug=long] button").boundingBox())?.height).toBeLessThan(80);
  });

  test("in a report of another job is shown without the rows of its stack, and the report says so", async () => {
    const { stdout } = await review("job", digest(all), "--json");
    const out = at("merged.html");
    const reports = await runCommand(folder, ["report", "--from", at("job.json"), "--out", out]);
    expect(reports.code, reports.stderr).toBe(0);
    writeFileSync(at("report.json"), stdout);
    const merged = await runCommand(folder, ["report", "--from", at("report.json"), "--out", out]);
    expect(merged.stderr).toContain("project/dev: only its changes are shown, because they come from a report");
    const { page } = await open(out);
    expect(await page.locator("#changes").innerText()).toContain("the SLO is removed");
    expect(await page.locator("tr[data-slug]").count()).toBe(0);
    const added = { ...monitor, notificationPolicySlug: undefined, labels: {} };
    await review("safe", digest([steps("Monitor", "checkout-errors", { after: added })]));
    const safe = await open(at("safe.html"));
    expect(await safe.page.locator(".numbers li").allInnerTexts()).toEqual([
      "No risks found",
      "1 added",
      "Gaps: 1, 1 new",
    ]);
  });
});

test("the quickstart's report is that of its stack", async () => {
  const { program, env } = await copyExample("quickstart", await ownService(), ["routingKey", "canary-key"]);
  const [line = ""] = blocksUnder("docs/backtest.md", "Write a report").map(({ text }) => text);
  await follow(`pulumi up --yes --skip-preview\n${line}`, { cwd: program, env });
  const file = join(program, "alerting.html");
  expect(readFileSync(file, "utf8")).not.toContain("canary-key");
  const { page } = await open(file, "", { viewport: { width: 960, height: 560 } });
  expect(await page.locator("tr[data-slug]").evaluateAll((rows) => rows.map((each) => each.dataset.kind))).toEqual([
    "Monitor",
    "SLO",
  ]);
});
