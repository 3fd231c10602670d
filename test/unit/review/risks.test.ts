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
import { steps, urnOf } from "../../support/digests.js";
import { runs } from "../../support/figures.js";
import { every, fires, gt, monitor, never, week } from "./declarations.js";
import { dependentRows, dependentTexts, reviewOfStacks } from "./dependentRows.js";
import { preview, previewOf, reviewed, risksOf, texts, told } from "./reviewed.js";
import { idle, rows } from "./rows.js";

const linesOf = (...given: Parameters<typeof preview>) =>
  reviewed(preview(...given)).stacks.flatMap(({ changes }) => changes.flatMap(({ differences }) => differences));

/** What is said of each change, in both directions, without the resource's name, and its differences. */
const sentences = rows.map(([what, kind, before, after]) => {
  const said = (arrow: string, all: readonly string[]) =>
    (all.length === 0 ? ["nothing"] : all).map((text) => `  ${arrow} ${text.replace(" x: ", ": ")}`);
  const [there, back] = [told(kind, { before, after }), told(kind, { before: after, after: before })];
  const lines = linesOf(kind, { before, after }).map((line) => `  ~ ${line}`);
  const text = [what, ...said("→", there), ...said("←", back), ...lines].join("\n");
  return { kind, text, found: [...there, ...back] };
});
// Of a kind without rows, which a review reports by the meanings of its fields, there is nothing to read.
const removals = kinds
  .filter(({ name }) => rows.some(([, kind]) => kind === name))
  .map(({ name }) => told(name, { before: { slug: "x" } }));

const dependents = dependentRows.map(([what, stacks]) =>
  [what, ...dependentTexts(reviewOfStacks(stacks)).map((text) => `  → ${text}`)].join("\n"),
);

const unharmful = idle.map(([what, kind, before, after]) => {
  expect(told(kind, { before, after })).toEqual([]);
  return [what, ...linesOf(kind, { before, after }).map((line) => `  ~ ${line}`)].join("\n");
});

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
  const others = [
    section("What is removed", removals.flat().join("\n")),
    section("Differences without a risk", unharmful.join("\n\n")),
    section("What depends on a changed metric", dependents.join("\n\n")),
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
  const others = ["declared-elsewhere", "replaced", "adopts", "retained", "unvalidated", "drift"];
  const found = [...sentences.flatMap((each) => each.found), ...removals.flat(), ...others];
  expect(riskClasses.filter((each) => !found.some((text) => text.startsWith(each)))).toEqual([]);
});

describe("what is removed, replaced, moved or left", () => {
  const before = { slug: "x", ...fires(gt(1)) };

  test("a replacement says why, and what else changes", () => {
    const after = { ...before, slug: "y", ...fires(gt(2)) };
    expect(told("Monitor", { op: "replace", before, after })).toEqual([
      "threshold alerts-less x: critical condition > 1 → > 2: fires later or not at all",
      'replaced unclear x: the monitor is replaced, because its slug changes "x" → "y": references to the old object no longer resolve',
    ]);
    expect(told("Monitor", { op: "replace", before, after: before })).toEqual([
      "replaced unclear x: the monitor is deleted and recreated: there is no alerting in between",
    ]);
  });

  test("a new slug with deleteBeforeReplace has a time without the object, unless the service keeps it", () => {
    const facts = { op: "replace", before, after: { ...before, slug: "y" }, deletedFirst: true };
    const [slug, end] = ['its slug changes "x" → "y"', "references to the old object no longer resolve"];
    expect(told("Monitor", facts)).toEqual([
      `replaced unclear x: the monitor is deleted and recreated, because ${slug}: there is no alerting in between, and ${end}`,
    ]);
    expect(told("Monitor", { ...facts, retained: true })).toContain(
      `replaced unclear x: the monitor is replaced, because ${slug}: ${end}`,
    );
  });

  test("a monitor that is never active doesn't stop to fire", () => {
    expect(told("Monitor", { before: week(every(never)) })).toEqual([
      "removed unclear x: the monitor is removed: it never fired, because its schedule is never active",
    ]);
  });

  test("a removed or renamed notifier names the resources whose label holds its slug; that label comes first", () => {
    const args = { slug: "m", labels: { a: "1", b: "2", c: "3", route: "x" } };
    const others = [
      ...["m1", "m2", "m3"].map((name) => steps("Monitor", name, { op: "same", before: args, after: args })),
      steps("SLO", "slo", { before: { slug: "m" }, after: args }),
      steps("SLO", "gone", { before: args }),
    ];
    const found = [{}, { op: "replace", after: { slug: "y" } }].map((facts) =>
      texts(risksOf(previewOf([...others, steps("Notifier", "x", { before: { slug: "x" }, ...facts })]))),
    );
    const held = /; Monitor m1, Monitor m2, Monitor m3 and 1 more, whose label holds its slug, may notify nobody$/;
    expect(found.map((all) => all.filter((each) => held.test(each)).length)).toEqual([1, 1]);
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

  test("an entry has the documented keys", () => {
    expect(risksOf(preview("Monitor", { before }))).toEqual([
      {
        stack: "project/dev",
        kind: "Monitor",
        name: "x",
        class: "removed",
        direction: "alerts-less",
        sentence: "x: the monitor is removed: it no longer fires",
      },
    ]);
  });
});

describe("what the provider says", () => {
  const after = { slug: "x", ...fires(gt(1)) };
  const said = (message: string, severity = "warning") => [{ urn: urnOf("Monitor", "x"), message, severity }];

  test("an adoption that overwrites is a risk; one of an identical object is none", () => {
    const words = 'adopts the existing monitor "x" and changes: name "a" → "b"';
    expect(told("Monitor", { after }, said(`warning: ${words} [adopts]\n`))).toEqual([`adopts unclear x: ${words}`]);
    expect(
      told("Monitor", { after }, said('adopts the existing monitor "x" without changes [adopts-identical]', "info")),
    ).toEqual([]);
  });

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

  test("a value that is known only after the update is not validated", () => {
    expect(told("Monitor", { after: { ...after, labels: { id: unknown } } })).toEqual([
      "unvalidated unclear x: not validated yet: labels.id is known only after the update",
    ]);
    const note = codedNote('monitor "x" is unknown in part', "known-later");
    expect(told("Monitor", { after: { ...after, annotations: { url: "[secret]" } } }, said(note, "info"))).toEqual([
      "unvalidated unclear x: is unknown in part",
    ]);
  });

  test("an object that was deleted has drifted", () => {
    const words = "no longer exists in the service: the update recreates it";
    expect(told("Monitor", { before: after, after }, said(`warning: monitor "x" ${words} [gone]`))).toEqual([
      `drift alerts-less x: ${words}`,
    ]);
  });
});

describe("drift", () => {
  const recorded = { slug: "x", ...fires(gt(1)) };
  const live = { slug: "x", ...fires(gt(5)) };
  const edited =
    "drift alerts-less x: edited outside Pulumi: critical condition > 1 → > 5, fires later or not at all; ";

  test("an edit and a change of the program are two risks", () => {
    const after = { slug: "x", ...fires(gt(0.5)) };
    expect(told("Monitor", { recorded, before: live, after })).toEqual([
      `${edited}"pulumi up --refresh" overwrites it with what the program declares`,
      "threshold alerts-more x: critical condition > 1 → > 0.5: fires earlier or more often",
    ]);
  });

  test("an edit of what the program declares now, or deletes, says so", () => {
    expect(told("Monitor", { recorded, before: live, after: live })).toContain(
      `${edited}the program now declares the same`,
    );
    expect(told("Monitor", { recorded, before: live })).toContain(`${edited}the update deletes the object anyway`);
  });

  test("an edit of a secret that the program declares now says so, and an edit that an earlier refresh recorded is none", () => {
    const url = { slug: "x", webhook: { url: "[secret]" } };
    const facts = { op: "same", before: url, after: url, edits: [["webhook", "url"]] };
    expect(told("Notifier", { recorded: url, ...facts })).toEqual([
      "drift unclear x: edited outside Pulumi: webhook.url changed (secret), may notify other people; the program now declares the same",
    ]);
    expect(told("Notifier", facts)).toEqual([]);
  });

  test("an edit whose only difference is masked has words", () => {
    const secret = { slug: "x", oncallB: { routingKey: "[secret]" } };
    const facts = { recorded: secret, before: { slug: "x", oncallB: { routingKey: "b" } }, after: secret };
    expect(told("Notifier", { ...facts, places: ["oncallB.routingKey"] })).toContain(
      'drift unclear x: edited outside Pulumi: a secret may have changed; "pulumi up --refresh" reverts the edit',
    );
  });

  test("an edit of text names the arguments", () => {
    expect(told("Monitor", { recorded, before: { ...recorded, name: "b" }, after: recorded })).toEqual([
      'drift unclear x: edited outside Pulumi: name: (not set) → "b" (text only); "pulumi up --refresh" reverts the edit',
    ]);
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
