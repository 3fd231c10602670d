import fc from "fast-check";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { classOf } from "../../../dist/cli/consequences/classes.js";
import { normalForm } from "../../../dist/cli/meaning/normalForm.js";
import { riskClasses } from "../../../dist/cli/consequences/risk.js";
import { kinds } from "../../../dist/provider/kinds/index.gen.js";
import { codedNote } from "../../../dist/provider/lifecycle/notes/notes.js";
import { unknown } from "../../../dist/provider/values/unknown.js";
import { configurationOf } from "../../property/configurations.js";
import { respelled } from "../../property/spellings.js";
import { caseOf } from "../../support/cases.js";
import { type StepFacts, steps, urnOf } from "../../support/digests.js";
import { runs } from "../../support/figures.js";
import {
  alert,
  burning,
  during,
  every,
  fires,
  gt,
  monitor,
  never,
  overrides,
  query,
  severities,
  slo,
  week,
} from "./declarations.js";
import { dependentRows, dependentTexts, reviewOfStacks } from "./dependentRows.js";
import { preview, previewOf, reviewed, risksOf, texts, told } from "./reviewed.js";
import { routeRows } from "./routeRows.js";
import { idle, rows } from "./rows.js";

const linesOf = (...given: Parameters<typeof preview>) =>
  reviewed(preview(...given)).stacks.flatMap(({ changes }) => changes.flatMap(({ differences }) => differences));

/** The lines about a change, without the resource's name. */
const saidOf = (arrow: string, all: readonly string[]) =>
  (all.length === 0 ? ["nothing"] : all).map((text) => `  ${arrow} ${text.replace(" x: ", ": ")}`);

/** What is said of each change, in both directions, without the resource's name, and its differences. */
const sentences = rows.map(([what, kind, before, after]) => {
  const [there, back] = [told(kind, { before, after }), told(kind, { before: after, after: before })];
  const lines = linesOf(kind, { before, after }).map((line) => `  ~ ${line}`);
  const text = [what, ...saidOf("→", there), ...saidOf("←", back), ...lines].join("\n");
  return { kind, text, found: [...there, ...back] };
});
// Of a kind without rows, which a review reports by the meanings of its fields, there is nothing to read.
const removals = kinds
  .filter(({ name }) => rows.some(([, kind]) => kind === name))
  .map(({ name }) => told(name, { before: { slug: "x" } }));

const dependents = dependentRows.map(([what, stacks]) =>
  [what, ...saidOf("→", dependentTexts(reviewOfStacks(stacks)))].join("\n"),
);

const routed = routeRows.map(([what, stacks]) => {
  const { risks, ...review } = reviewOfStacks(stacks);
  const found = risks.filter((risk) => risk.class === "unrouted");
  const said = found.map(({ direction, kind, sentence }) => `unrouted ${direction} ${kind} ${sentence}`);
  return [what, ...saidOf("→", [...said, ...dependentTexts({ ...review, risks: [] })])].join("\n");
});

/** What is new, with the part of a declaration that its line is about. */
const additions: Readonly<Record<string, readonly [kind: string, args: Readonly<Record<string, unknown>>]>> = {
  "a monitor": [
    "Monitor",
    { ...severities({ critical: [gt(5)], warn: [gt(1, { sustainSecs: 60 })] }), labels: { notifier: "pd" } },
  ],
  "a monitor without a route": ["Monitor", { ...fires(gt(1)), intervalSecs: 300 }],
  "a monitor with overrides and a policy": ["Monitor", { ...overrides("region=eu >3"), notificationPolicySlug: "p" }],
  "an SLO whose alerts name two": [
    "SLO",
    burning({ ...alert("1h", 2), labels: { notifier: "a" } }, { ...alert("6h", 5), labels: { notifier: "b" } }),
  ],
  "a long query": ["Monitor", { ...fires(gt(1)), labelQuery: `sum(${"a".repeat(300)})` }],
  "what is hidden": ["Monitor", { labelQuery: "[secret]", seriesConditions: unknown, labels: { notifier: unknown } }],
  "a kind that does not alert": ["Notifier", { slug: "x" }],
};
const added = Object.entries(additions).map(([what, [kind, after]]) => {
  const [change] = reviewed(preview(kind, { after })).stacks[0]?.changes ?? [];
  return [what, ...saidOf("→", change?.summary === undefined ? [] : [change.summary])].join("\n");
});

const unharmful = idle.map(([what, kind, before, after]) => {
  expect(told(kind, { before, after })).toEqual([]);
  return [what, ...linesOf(kind, { before, after }).map((line) => `  ~ ${line}`)].join("\n");
});

const own = { slug: "x", ...fires(gt(1)) };
const live = { slug: "x", ...fires(gt(5)) };
const said = (message: string, severity = "warning") => [{ urn: urnOf("Monitor", "x"), message, severity }];
const deletedFirst = { op: "replace", before: own, after: { ...own, slug: "y" }, deletedFirst: true };
const edited = { recorded: own, before: live };
const url = { slug: "x", webhook: { url: "[secret]" } };
const editedUrl = { op: "same", before: url, after: url, edits: [["webhook", "url"]] };
const key = { slug: "x", oncallB: { routingKey: "[secret]" } };
const editedKey = { recorded: key, before: { slug: "x", oncallB: { routingKey: "b" } }, after: key };

const at = "seriesConditions.defaults.critical.conditions";
const conditions = (value: unknown) => ({ seriesConditions: { defaults: { critical: { conditions: value } } } });
const grouping = (...labelNames: readonly string[]) => ({ ...query, signalGrouping: { labelNames } });

/** Steps that are more than another declaration, and what the provider says about them. */
const situations: Readonly<Record<string, Parameters<typeof told>>> = {
  "a replacement by another slug, with another threshold": [
    "Monitor",
    { op: "replace", before: own, after: { ...live, slug: "y" } },
  ],
  "a replacement of what stays the same": ["Monitor", { op: "replace", before: own, after: own }],
  "a new slug with deleteBeforeReplace, which has a time without the object": ["Monitor", deletedFirst],
  "the same of an object that the service keeps": ["Monitor", { ...deletedFirst, retained: true }],
  "a removed monitor that is never active": ["Monitor", { before: week(every(never)) }],
  "an adoption that overwrites": [
    "Monitor",
    { after: own },
    said('warning: adopts the existing monitor "x" and changes: name "a" → "b" [adopts]\n'),
  ],
  "an adoption of an identical object": [
    "Monitor",
    { after: own },
    said('adopts the existing monitor "x" without changes [adopts-identical]', "info"),
  ],
  "a value that is known only after the update": ["Monitor", { after: { ...own, labels: { id: unknown } } }],
  "a value that the engine shows as a secret, known only after the update": [
    "Monitor",
    { after: { ...own, annotations: { url: "[secret]" } } },
    said(codedNote('monitor "x" is unknown in part', "known-later"), "info"),
  ],
  "an object that was deleted outside Pulumi": [
    "Monitor",
    { before: own, after: own },
    said('warning: monitor "x" no longer exists in the service: the update recreates it [gone]'),
  ],
  "an edit, and a change of the program": ["Monitor", { ...edited, after: { slug: "x", ...fires(gt(0.5)) } }],
  "an edit of what the program declares now": ["Monitor", { ...edited, after: live }],
  "an edit of what the program deletes": ["Monitor", edited],
  "an edit of a secret that the program declares now": ["Notifier", { recorded: url, ...editedUrl }],
  "an edit that an earlier refresh recorded": ["Notifier", editedUrl],
  "an edit whose only difference is masked": ["Notifier", { ...editedKey, places: ["oncallB.routingKey"] }],
  ...Object.fromEntries(
    ["[secret]", unknown].flatMap((hidden) => {
      const what = hidden === unknown ? "known only after the update" : "a secret";
      const plain = { ...monitor({ intervalSecs: 30 }), slug: "x" };
      const after = { ...plain, intervalSecs: 60, ...conditions(hidden) };
      const overriding = (overrides: unknown) => ({ ...query, seriesConditions: { overrides } });
      const schedule = { weeklySchedule: { monday: { ...during(), ranges: hidden } } };
      const all: Readonly<Record<string, StepFacts>> = {
        conditions: { before: own, after: { ...own, seriesConditions: hidden }, places: ["seriesConditions"] },
        "a list beside an edit": { before: plain, after, places: ["intervalSecs", at] },
        "a list, of what is called unchanged": { op: "same", before: { ...query, ...conditions(hidden) }, after: live },
        overrides: { before: overriding([]), after: overriding(hidden), places: ["seriesConditions.overrides"] },
        "the ranges of a day": { before: query, after: { ...query, schedule } },
        "a threshold": {
          before: own,
          after: { slug: "x", ...fires(gt(1, { value: hidden })) },
          places: [`${at}[0].value`],
        },
        "an interval": { before: plain, after: { ...plain, intervalSecs: hidden }, places: ["intervalSecs"] },
        "a label": { before: { labels: { a: "b" } }, after: { labels: { a: hidden } }, places: ["labels.a"] },
      };
      return Object.entries(all).map(([of, facts]) => [`${of}: ${what}`, ["Monitor", facts]] as const);
    }),
  ),
  "a label to group by that is known only after the update": [
    "Monitor",
    { before: grouping("a", "b"), after: grouping("a", unknown) },
  ],
  "an objective that is known only after the update": ["SLO", { before: slo({}), after: slo({ objective: unknown }) }],
  "an edit of text": ["Monitor", { recorded: own, before: { ...own, name: "b" }, after: own }],
};

test("the sentences about changes are those of sentences.snap.md, which people read", async () => {
  const names = [...new Set(sentences.map(({ kind }) => kind))];
  const section = (title: string, text: string) => `## ${title}\n\n\`\`\`text\n${text}\n\`\`\`\n`;
  const blocks = names.map((name) => {
    const texts = sentences.filter(({ kind }) => kind === name).map(({ text }) => text);
    return section(name, texts.join("\n\n"));
  });
  const intro =
    "Each change of `rows.ts`, what a review says of it (→) and of the opposite change (←), and its differences (~).";
  const meanings = Object.entries(classOf).map(
    ([effect, as]) => `${effect}: ${as === undefined ? "no risk" : `${as.class} unclear: … ${as.end}`}`,
  );
  const happened = Object.entries(situations).map(([what, given]) => [what, ...saidOf("→", told(...given))].join("\n"));
  const others = [
    section("What is removed", removals.flat().join("\n")),
    section("What is replaced, adopted, unknown or edited", happened.join("\n\n")),
    section("Differences without a risk", unharmful.join("\n\n")),
    section("What depends on a changed metric", dependents.join("\n\n")),
    section("What is new", added.join("\n\n")),
    section("Who is no longer notified", routed.join("\n\n")),
    section("What no sentence of a kind names, by the meaning of the field", meanings.join("\n")),
  ];
  await expect([`# What a review says\n\n${intro}\n`, ...blocks, ...others].join("\n")).toMatchFileSnapshot(
    join(import.meta.dirname, "sentences.snap.md"),
  );
});

test("a sentence has one colon, and what is not certain may be", () => {
  const texts = sentences.flatMap(({ found }) => found.map((text) => text.replace(/^\S+ (\S+) x: /, "$1 ")));
  expect(texts.filter((text) => (text.replace(/"(?:[^"\\]|\\.)*"/g, "").match(/: /g) ?? []).length > 1)).toEqual([]);
  const isCertain = /nobody (is|was) notified|the metrics have other labels/;
  const unclear = texts.filter((text) => text.startsWith("unclear ") && !isCertain.test(text));
  expect(unclear.filter((text) => !/\bmay\b/.test(text))).toEqual([]);
});

test("a difference is shown by its own key, however the engine spells the path, and never beside its mask", () => {
  const key = "k14'\"\\&amp;&";
  const labeled = (value: string) => monitor({ labels: { [key]: value } });
  const facts = { before: labeled("a"), after: labeled("b"), places: [`labels["${key.replaceAll('"', '\\"')}"]`] };
  expect(linesOf("Monitor", facts)).toEqual([`labels[${JSON.stringify(key)}]: "a" → "b"`]);
  const of = (labelQuery: string, intervalSecs: number) => monitor({ labelQuery, intervalSecs });
  expect(linesOf("Monitor", { before: of("sum(up) by (a)", 30), after: of("[secret]", 60) })).toEqual([
    "intervalSecs: 30 → 60",
    "labelQuery: may have changed (secret)",
  ]);
});

test("each change of the rows is named in both directions", () => {
  expect(sentences.filter(({ text }) => /[→←] nothing$/m.test(text))).toEqual([]);
});

test("every class of risk is found by the rows, or by the tests of this folder", () => {
  const others = ["declared-elsewhere", "unrouted", "replaced", "adopts", "retained", "unvalidated", "drift"];
  const found = [...sentences.flatMap((each) => each.found), ...removals.flat(), ...others];
  expect(riskClasses.filter((each) => !found.some((text) => text.startsWith(each)))).toEqual([]);
});

describe("what is removed, replaced, moved or left", () => {
  const before = { slug: "x", ...fires(gt(1)) };

  test("a removed or renamed notifier is found by each label that holds its slug; that label comes first", () => {
    const args = { slug: "m", labels: { a: "1", b: "2", c: "3", route: "x" } };
    const others = [
      ...["m1", "m2", "m3"].map((name) => steps("Monitor", name, { op: "same", before: args, after: args })),
      steps("SLO", "slo", { before: { slug: "m" }, after: args }),
      steps("SLO", "gone", { before: args }),
    ];
    const found = [{}, { op: "replace", after: { slug: "y" } }].map((facts) =>
      texts(reviewed(previewOf([...others, steps("Notifier", "x", { before: { slug: "x" }, ...facts })])).risks),
    );
    const held = /^unrouted unclear (m1|m2|m3|slo): a label holds the slug of the notifier "x", .*: may notify nobody$/;
    expect(found.map((all) => all.filter((each) => held.test(each)).length)).toEqual([4, 4]);
    expect(found[0]).toContainEqual(expect.stringContaining('slo: labels.route (not set) → "x", labels.a'));
  });

  test("an object that moves to another resource is not removed, but compared", () => {
    const moved = [
      steps("Monitor", "old", { before }),
      steps("Monitor", "new", { after: { ...before, ...fires(gt(2)) } }),
    ];
    expect(risksOf(previewOf(moved)).map(({ sentence }) => sentence)).toEqual([
      "new: critical condition > 1 → > 2: fires later or not at all",
    ]);
  });
});

describe("what is imported", () => {
  const after = { slug: "x", ...fires(gt(1)) };

  // As the engine prints the steps: an update follows only if the object has other values.
  test.each([
    ["create", []],
    ["update", [steps("Monitor", "x", { before: { slug: "x", ...fires(gt(2)) }, after })]],
  ])("an import adopts an object, and is one %s", (op, more) => {
    const { risks, stacks } = reviewed(previewOf([steps("Monitor", "x", { op: "import", after }), ...more]));
    expect(stacks[0]?.changes.map((each) => each.op)).toEqual([op]);
    expect(texts(risks)[0]).toBe('adopts unclear x: adopts the existing monitor "x" (import)');
  });

  test("a replacement by the option import adopts an object, too", () => {
    const replacing = { before: { ...after, slug: "y" }, after };
    const planned = ["import-replacement", "replace"].map((op) => steps("Monitor", "x", { op, ...replacing }));
    const { risks, stacks } = reviewed(previewOf(planned));
    expect(stacks[0]?.changes.map((each) => each.op)).toEqual(["replace"]);
    expect(texts(risks)).toContain('adopts unclear x: adopts the existing monitor "x" (import)');
  });
});

test("labels that the standards call text are no risk, known or not", () => {
  const both = previewOf([
    steps("Monitor", "x", {
      before: { labels: { summary: "a", team: "a" } },
      after: { labels: { summary: "b", team: "b" } },
    }),
    steps("SLO", "y", { before: { labels: {} }, after: { labels: { summary: unknown } } }),
  ]);
  const found = risksOf(both, new Set(["summary"])).filter((risk) => risk.class === "routing");
  expect(found.map(({ sentence }) => sentence)).toEqual([
    'x: labels.team "a" → "b": notifications may be routed elsewhere',
  ]);
});

test("changes that mean nothing are no risk", () => {
  const configured = fc
    .constantFrom(...kinds.map(({ name }) => name))
    .chain((name) => fc.tuple(fc.constant(name), configurationOf(caseOf(name).kind)));
  const property = fc.property(configured, fc.integer(), fc.boolean(), ([name, config], seed, hasDefaults) => {
    const { root } = caseOf(name).kind;
    const after = respelled(root, hasDefaults ? normalForm(root, config) : config, seed);
    expect(told(name, { before: config, after })).toEqual([]);
    expect(told(name, { before: after, after: config })).toEqual([]);
  });
  fc.assert(property, { numRuns: runs(2) });
});
