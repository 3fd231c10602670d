import fc from "fast-check";
import { expect, test } from "vitest";
import { driftOf, reviewOf } from "../../../dist/cli/review/build.js";
import { measure } from "../../../dist/cli/review/measure.js";
import { type Direction, directions, type Risk, type RiskClass } from "../../../dist/cli/consequences/risk.js";
import { riskClasses, riskSentence, textOfRisk } from "../../../dist/cli/consequences/risk.js";
import { withAccepted } from "../../../dist/cli/review/accepted.js";
import { merged } from "../../../dist/cli/review/merged.js";
import { reviewMarkdown } from "../../../dist/cli/review/markdown.js";
import { hanging } from "../../../dist/cli/output/text.js";
import { reviewText } from "../../../dist/cli/review/text.js";
import { kinds } from "../../../dist/provider/kinds/index.gen.js";
import { starter } from "../../../dist/sdk/standards/index.js";
import { configurationOf } from "../../property/configurations.js";
import { caseOf } from "../../support/cases.js";
import { steps, urnOf } from "../../support/digests.js";
import { runs } from "../../support/figures.js";
import { fires, gt } from "./declarations.js";
import { preview, previewOf, reviewed } from "./reviewed.js";

const critical = (value: number, slug = "x") => ({ slug, ...fires(gt(value, { sustainSecs: 120 })) });
/** A stack in which each of so many monitors fires later. */
function stackOf(stack: string, monitors: number, title = "monitor") {
  const places = ["seriesConditions.defaults.critical.conditions[0].value"];
  const all = Array.from({ length: monitors }, (_, i) => {
    const name = `${title}-${i}`;
    return steps("Monitor", name, { before: critical(i, name), after: critical(i + 1, name), places }, stack);
  });
  return previewOf(all, [], stack);
}
const widest = (text: string) => Math.max(...text.split("\n").map((line) => [...line].length));

test.each([
  ["many changes", [600], "monitor"],
  ["many stacks", Array.from({ length: 500 }, () => 1), "monitor"],
  ["long names", [200, 200], "n".repeat(300)],
] as const)("a comment on %s is folded and counted, never cut within a line", (_, sizes, name) => {
  const all = reviewed(...sizes.map((size, i) => stackOf(`stack-${i}`, size, name)));
  const text = reviewMarkdown(all);
  expect(text.length).toBeLessThan(65_536);
  expect(text.length).toBeGreaterThan(40_000);
  const shown = text.match(/^- \*\*threshold\*\* .*: fires later or not at all$/gm)?.length ?? 0;
  const hidden = Number(/^- and (\d+) more: see the job's log$/m.exec(text)?.[1]);
  expect(hidden).toBeGreaterThan(0);
  expect(shown + hidden).toBe(sizes.reduce((sum: number, size) => sum + size, 0));
  expect(text.match(/^```/gm)?.length ?? 0).toBe(2 * (text.match(/^<details>/gm)?.length ?? 0));
  expect(text.match(/^<\/details>/gm)?.length).toBe(text.match(/^<details>/gm)?.length);
});

test("a comment on 300 changes of all classes has the worst first and fits, with backtests and accepted risks", () => {
  const query = `sum(rate(http_requests_total{service="${"s".repeat(300)}"}[5m]))`;
  const base = reviewed(stackOf("long", 300, "n".repeat(120)));
  const risks = base.risks.map((risk, i): Risk => {
    const [riskClass, direction] = [riskClasses[i % riskClasses.length], directions[i % 3]] as [RiskClass, Direction]; // of lists
    return { ...risk, class: riskClass, direction, sentence: riskSentence(risk.name, `query "${query}" changes`) };
  });
  const backtest = { sentence: `${query}: 3 → 14 pages in 30 days`, sparkline: "▁▃█", picture: [query, query] };
  const stacks = base.stacks.map((each) => ({ ...each, changes: each.changes.map((one) => ({ ...one, backtest })) }));
  const all = merged([{ ...base, stacks, risks }]);
  const entry = ({ class: riskClass, kind, name, ...risk }: Risk, i: number) => ({
    ...{
      place: `review.accepted.yaml:${i}`,
      class: riskClass,
      object: `${kind} ${name}`,
      text: textOfRisk({ name, ...risk }),
    },
    ...{ reason: query, until: i % 2 === 0 ? "2026-12-31" : "2026-01-01" },
  });
  for (const few of [1, 2, 30]) {
    const report = withAccepted(all, all.risks.filter((_, i) => i % few === 0).map(entry), new Date("2026-11-28"));
    const text = reviewMarkdown(report);
    expect(text.length).toBeLessThan(65_536);
    const names = text.match(/(?<=^- \*\*[a-z-]+\*\* .* Monitor `)n+-\d+/gm) ?? [];
    expect(names.length).toBeGreaterThan(50);
    expect(names).toEqual(report.risks.slice(0, names.length).map(({ name }) => name));
    expect(text).toMatch(/^### Observability review: \d+ risks and \d+ accepted risks in 1 stack$/m);
    expect(text).toMatch(/^- and \d+ more: see the job's log$/m);
  }
});

/** The text of a Markdown page without code spans and escaped characters: what acts. */
function activeIn(page: string): string {
  let active = "";
  for (let i = 0; i < page.length; i += 1) {
    const [run = ""] = /^`+/.exec(page.slice(i)) ?? [];
    const closing = new RegExp(`(?<!\`)${run}(?!\`)`).exec(page.slice(i + run.length));
    if (run !== "" && closing !== null) i += run.length + closing.index + run.length - 1;
    else if (/^\\[!-/:-@[-`{-~]/.test(page.slice(i, i + 2))) i += 1;
    else active += page[i];
  }
  return active;
}

const nasty = [
  "</summary></details><script>alert(1)</script>",
  "`code` ```fence",
  "a` @everyone <b>bold</b> `b",
  "@everyone #1 !2 [link](http://example.com) **bold** <!-- x -->",
  "line\nbreak\r\u2028\u0085\u001b[31mred\u202eturned",
  '"quoted" \\" and `',
  "| table | ~~gone~~ $x$ &amp;",
  " ",
];

test.each(nasty)("what a user says stays text: %j", async (words) => {
  const before = { ...critical(1), labelQuery: words, labels: { [words]: "a" } };
  const after = { ...critical(1), labelQuery: `${words}2`, labels: { [words]: "b" } };
  const places = ["labelQuery", `labels["${words.replace(/["\\]/g, "\\$&")}"]`];
  const odd = previewOf(
    [steps("Monitor", words, { before, after, places }), steps("Notifier", `n${words}`, { before: { slug: "n" } })],
    [
      { severity: "warning", message: `warning: ${words}`, urn: urnOf("Monitor", words) },
      { severity: "error", message: `error: ${words}` },
    ],
  );
  const rule = ({ labelQuery = "" }) => (labelQuery.endsWith("2") ? words : undefined);
  const all = reviewOf([{ preview: odd, standards: await measure(odd, { Monitor: { [words]: rule } }) }]);
  const markdown = reviewMarkdown(all);
  expect(all.violations).toHaveLength(1);
  const fences = /^(`{3,})\w*\n[^]*?\n\1$/gm;
  const bare = activeIn(markdown.replace(fences, ""));
  expect(bare).not.toMatch(/<(?!\/?(?:details|summary|code)>|!-- pulumi-observability review -->)/);
  expect(bare).not.toMatch(/@\w|\w#\d|\s#\d|\]\(|~~|\$x\$|&\w+;/);
  for (const form of [markdown, reviewText(all)]) expect(form).not.toMatch(/[\u001b\u202e\u2028\u0085\r]/);
  expect(widest(reviewText(all))).toBeLessThanOrEqual(80);
});

test("whatever changes into whatever, every form holds it", () => {
  const names = kinds.map(({ name }) => name);
  const pair = fc.constantFrom(...names).chain((name) => {
    const { kind } = caseOf(name);
    return fc.tuple(fc.constant(name), configurationOf(kind), configurationOf(kind));
  });
  const property = fc.property(pair, ([name, before, after]) => {
    const all = reviewed(preview(name, { before, after }));
    for (const form of [reviewMarkdown(all), reviewText(all)]) expect(form).not.toMatch(/undefined|\[object|NaN/);
    expect(widest(reviewText(all))).toBeLessThanOrEqual(80);
  });
  fc.assert(property, { numRuns: runs() });
});

test("drift tells an edited object from a deleted one, and what of the program is not applied", () => {
  const recorded = critical(1);
  const drifted = previewOf([
    steps("Monitor", "edited", { recorded, before: critical(5), after: recorded }),
    steps("Monitor", "lost", { recorded, after: recorded }),
    steps("Monitor", "new", { after: critical(1) }),
  ]);
  expect(reviewText(driftOf([drifted]))).toBe(`Observability drift: 2 objects differ in 1 stack

project/dev: 1 deleted, 1 edited
  drift (alerts less)  Monitor edited: edited outside Pulumi: critical condition
      > 1 for 2 min → > 5 for 2 min, fires later or not at all; "pulumi up
      --refresh" reverts the edit
  drift (alerts less)  Monitor lost: the monitor no longer exists in the
      service: "pulumi up --refresh" recreates it
  note  1 change of the program is not applied yet: run "pulumi up"
  ! edited Monitor edited
      seriesConditions.defaults.critical.conditions[0].value: 1 → 5
  ! deleted Monitor lost
`);
});

test("drift counts each object once, and lists each that has a risk", () => {
  const recorded = { ...critical(1), intervalSecs: 30, labels: { a: "1" } };
  const edited = { ...recorded, intervalSecs: 999 };
  const ignoring = { op: "same", recorded, before: edited, after: edited, ignored: ["intervalSecs"] };
  const lost = { ...recorded, slug: "gone" };
  const both = { ...edited, labels: { a: "2" } };
  const gone = {
    severity: "warning",
    message: 'monitor "gone" no longer exists in the service [gone]',
    urn: urnOf("Monitor", "gone"),
  };
  const drifted = driftOf([
    previewOf(
      [
        steps("Monitor", "adopted", { op: "same", recorded, before: edited, after: edited }),
        steps("Monitor", "gone", { op: "same", before: lost, after: lost }),
        steps("Monitor", "ignored", ignoring),
        steps("Monitor", "partly", { ...ignoring, op: "update", before: both, after: edited }),
      ],
      [gone],
    ),
  ]);
  const text = reviewText(drifted);
  expect(text).toContain("Observability drift: 4 objects differ in 1 stack\n\nproject/dev: 1 deleted, 3 edited\n");
  expect(drifted.risks.map(({ name, sentence }) => `${name}: ${sentence.split("; ").at(-1) ?? ""}`)).toEqual([
    "gone: gone: no longer exists in the service",
    "adopted: the program now declares the same",
    "ignored: the program ignores the edit (ignoreChanges)",
    'partly: "pulumi up --refresh" reverts the edit, except for what it ignores (ignoreChanges)',
  ]);
  expect(text).not.toContain("not applied yet");
});

test("standards count what is broken already, and name what the change breaks", async () => {
  const bad = { labels: {}, ...critical(1) };
  const good = {
    ...bad,
    labels: { team: "a", notifier: "pager" },
    annotations: { runBook: "https://example.com" },
  };
  const changed = previewOf([
    steps("Monitor", "old", { op: "same", before: bad, after: bad }),
    steps("Monitor", "worse", { before: good, after: { ...good, labels: { notifier: "pager" } } }),
    steps("Monitor", "lost", { before: good, after: { ...good, labels: { team: "a" } } }),
    // A policy routes it instead of the label.
    steps("Monitor", "moved", {
      before: good,
      after: { ...good, labels: { team: "a" }, notificationPolicySlug: "checkout" },
    }),
    steps("Monitor", "better", { before: bad, after: good }),
    steps("Notifier", "quiet", { after: { slug: "quiet", discard: true } }),
  ]);
  const all = reviewOf([{ preview: changed, standards: await measure(changed, starter) }]);
  expect(all.violations.map(({ name, rule, message }) => [name, rule, message])).toEqual([
    ["worse", "has a team", "the label team is missing"],
    ["lost", "is routed", "nothing routes its notifications: neither notificationPolicySlug nor the label notifier"],
    ["quiet", "delivers", "it discards every notification"],
  ]);
  expect(all.stacks[0]?.oldViolations).toBe(3);
  expect(reviewText(all)).toContain("  standard  Monitor worse: has a team: the label team is missing");
});

test("a command that finds no stack, such as an empty shard's, is told by its own name", () => {
  expect([reviewOf([]), driftOf([])].map(({ command }) => command)).toEqual(["review", "drift"]);
});

test("a word that is longer than the first line is broken between lines, and only there", () => {
  const word = "letters".repeat(12);
  for (const columns of [4, 30, 60]) {
    const lines = hanging(`see ${word} there`, { start: "a start: ".padEnd(columns), indent: 4 });
    expect(lines.map((line) => line.trim()).join("")).toContain(word);
  }
});
