import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stackPreviewOf } from "../../../dist/cli/stacks/changes.js";
import { merged, reviewOf } from "../../../dist/cli/review/build.js";
import type { Review } from "../../../dist/cli/review/review.js";
import { riskClasses } from "../../../dist/cli/stacks/risk.js";
import { withDefaults } from "../../../dist/cli/stacks/meaning.js";
import { risksOf } from "../../../dist/cli/stacks/risks.js";
import { kinds } from "../../../dist/provider/kinds/index.gen.js";
import { configurationOf } from "../../property/configurations.js";
import { respelled } from "../../property/spellings.js";
import { changes, critical, definition, gt, query } from "./changes.js";
import { otherChanges } from "./otherChanges.js";
import { digest, type StepFacts, steps, urnOf } from "../../support/digests.js";
import { unknown } from "../../../dist/provider/values/unknown.js";

const risksIn = (kind: string, facts: StepFacts, diagnostics: Parameters<typeof digest>[1] = []) =>
  risksOf(stackPreviewOf(digest([steps(kind, "x", facts)], diagnostics), "dev"));
/** `laxer laxer: critical threshold …` */
const told = (...given: Parameters<typeof risksIn>) =>
  risksIn(...given).map(({ class: riskClass, direction, sentence }) => `${riskClass} ${direction} ${sentence}`);

test.each([...changes, ...otherChanges])("%s: %j → %j", (kind, before, after, there, back) => {
  expect(told(kind, { before, after })).toEqual([there]);
  expect(told(kind, { before: after, after: before })).toEqual([back]);
});

describe("what is removed, replaced, moved or left", () => {
  const before = { slug: "x", ...critical(gt(1)) };

  test.each([
    ["Monitor", "the monitor is removed: it fires no more"],
    ["Notifier", "the notifier is removed: nothing is delivered through it any more"],
    ["SLO", "the SLO is removed: nobody is told when it is missed"],
    [
      "CloudxMetricsIntegration",
      "the cloud metrics integration is removed: no metric of the cloud account is collected any more",
    ],
  ])("a removed %s is named", (kind, text) => {
    expect(told(kind, { before: { slug: "x" } })).toEqual([`removed laxer x: ${text}`]);
  });

  test("a retained one is left behind", () => {
    expect(told("Monitor", { before, retained: true })).toEqual([
      'left-behind unclear x: the monitor "x" stays at the service, and this stack manages it no more (retainOnDelete)',
    ]);
  });

  test("a replacement says why, and what else changes", () => {
    const after = { ...before, slug: "y", ...critical(gt(2)) };
    expect(told("Monitor", { op: "replace", before, after })).toEqual([
      "laxer laxer x: critical threshold 1 → 2: fires later",
      'replaced unclear x: the monitor is replaced, because its slug is "x" → "y": what refers to the old one finds nothing',
    ]);
    expect(told("Monitor", { op: "replace", before, after: before })).toEqual([
      "replaced unclear x: the monitor is deleted and created anew: nothing holds in between",
    ]);
  });

  test("an object that moves to another resource is not removed, but compared", () => {
    const moved = [
      steps("Monitor", "old", { before }),
      steps("Monitor", "new", { after: { ...before, ...critical(gt(2)) } }),
    ];
    const risks = risksOf(stackPreviewOf(digest(moved), "dev"));
    expect(risks.map(({ sentence }) => sentence)).toEqual(["new: critical threshold 1 → 2: fires later"]);
  });

  test("an entry has the documented keys", () => {
    expect(risksIn("Monitor", { before })).toEqual([
      {
        stack: "project/dev",
        kind: "Monitor",
        name: "x",
        class: "removed",
        direction: "laxer",
        sentence: "x: the monitor is removed: it fires no more",
      },
    ]);
  });
});

describe("what the provider says", () => {
  const after = { slug: "x", ...critical(gt(1)) };
  const said = (message: string, severity = "warning") => [{ urn: urnOf("Monitor", "x"), message, severity }];

  test("a take-over that overwrites is a risk; one of an identical object is none", () => {
    const words = 'takes over monitor "x", changes: name "a" → "b"';
    expect(told("Monitor", { after }, said(`warning: ${words}\n`))).toEqual([`adopts unclear x: ${words}`]);
    expect(told("Monitor", { after }, said('takes over monitor "x" as it is', "info"))).toEqual([]);
  });

  test("what is known only after the update is not validated", () => {
    expect(told("Monitor", { after: { ...after, labels: { id: unknown } } })).toEqual([
      "unvalidated unclear x: not validated yet, because it is known only after the update: labels.id",
    ]);
  });

  test("an object that is gone has drifted", () => {
    const words = "is no longer at the service: the update creates it anew";
    expect(told("Monitor", { before: after, after }, said(`warning: monitor "x" ${words}`))).toEqual([
      `drift laxer x: ${words}`,
    ]);
  });
});

describe("drift", () => {
  const recorded = { slug: "x", ...critical(gt(1)) };
  const live = { slug: "x", ...critical(gt(5)) };
  const edited = "drift laxer x: edited at the service: critical threshold 1 → 5: fires later; ";

  test("an edit that the program does not say is restored", () => {
    expect(told("Monitor", { recorded, before: live, after: recorded })).toEqual([
      `${edited}"pulumi up --refresh" restores what the program says`,
    ]);
  });

  test("an edit and a change of the program are told apart", () => {
    const after = { slug: "x", ...critical(gt(0.5)) };
    expect(told("Monitor", { recorded, before: live, after })).toEqual([
      `${edited}"pulumi up --refresh" writes what the program says now`,
      "stricter stricter x: critical threshold 1 → 0.5: fires earlier",
    ]);
  });

  test("an object that is gone is created anew", () => {
    expect(told("Monitor", { recorded, after: recorded })).toEqual([
      'drift laxer x: the monitor is gone from the service: "pulumi up --refresh" creates it anew',
    ]);
  });
});

describe("values that cannot be seen", () => {
  test.each([
    [
      "Notifier",
      { oncallB: { routingKey: "[secret]" } },
      ["oncallB.routingKey"],
      "target-changed unclear x: oncallB.routingKey changed (secret): other people may be told",
    ],
    [
      "Monitor",
      { seriesConditions: "[secret]" },
      ["seriesConditions.defaults.critical"],
      "laxer unclear x: seriesConditions.defaults.critical changed (secret): fires at other times",
    ],
    [
      "Monitor",
      critical({ op: "GT", value: "[secret]" }),
      ["seriesConditions.defaults.critical.conditions[0].value"],
      "laxer unclear x: seriesConditions.defaults.critical.conditions[0].value changed (secret): fires at other times",
    ],
    [
      "Monitor",
      { labelQuery: "[secret]" },
      ["labelQuery"],
      "query-changed unclear x: labelQuery changed (secret): other data is read",
    ],
  ])("a secret of a %s that changes is named without a value", (kind, inputs, places, expected) => {
    expect(told(kind, { before: inputs, after: inputs, places })).toEqual([expected]);
    expect(told(kind, { before: inputs, after: inputs, places: ["name"] })).toEqual([]);
  });
});

test("a schedule is read as the simulation reads it: a day that is left out is active", () => {
  const schedule = { timezone: "UTC", weeklySchedule: { monday: { active: "ALL_DAY" } } };
  expect(told("Monitor", { before: query, after: { ...query, schedule } })).toEqual([]);
});

test("a day whose ranges are secret cannot be read", () => {
  const schedule = { weeklySchedule: { monday: { active: "ONLY_DURING_RANGES", ranges: "[secret]" } } };
  expect(told("Monitor", { before: query, after: { ...query, schedule } })).toEqual([
    "muted unclear x: Monday cannot be read in the schedule any more: may be silent then",
  ]);
});

test.each([
  ["[secret]", "changed (secret)"],
  [unknown, "known only after the update"],
])("what one side hides as %s is not taken for removed", (hidden, words) => {
  const before = critical(gt(1));
  const after = { ...query, seriesConditions: hidden };
  const found = risksIn("Monitor", { before, after, places: ["seriesConditions"] }).filter(
    (risk) => risk.class === "laxer",
  );
  expect(found.map(({ direction }) => direction)).toEqual(["unclear"]);
  expect(found[0]?.sentence).toBe(`x: seriesConditions ${words}: fires at other times`);
});

describe("what no sentence of a rule tells", () => {
  test("a retargeted receiver is told beside one that discards", () => {
    const before = { webhook: { url: "a" } };
    expect(told("Notifier", { before, after: { webhook: { url: "b" }, discard: true } })).toEqual([
      "discarded laxer x: drops every notification from now on",
      'target-changed unclear x: webhook.url "a" → "b": other people may be told',
    ]);
  });

  test("another receiver is told as a whole", () => {
    const chat = { channel: "#a", text: "hi", httpConfig: { proxyUrl: "p" } };
    expect(told("Notifier", { before: { email: { to: "a" } }, after: { chat } })).toEqual([
      "target-changed unclear x: delivers by email → chat: other people may be told",
    ]);
  });

  test("what is only read by people is no risk", () => {
    const before = { name: "a", annotations: { note: "a" }, ...query };
    expect(told("Monitor", { before, after: { ...before, name: "b", annotations: { note: "b" } } })).toEqual([]);
  });

  test("many places of one kind make one sentence", () => {
    const labels = (value: string) => Object.fromEntries([1, 2, 3, 4, 5].map((i) => [`l${i}`, value]));
    expect(told("Monitor", { before: { labels: labels("a") }, after: { labels: labels("b") } })).toEqual([
      'routing-changed unclear x: labels.l1 "a" → "b", labels.l2 "a" → "b", labels.l3 "a" → "b" and 2 more places: may be routed elsewhere',
    ]);
  });

  test("a sentence of long values has room for its end", () => {
    const query = (end: string) => `${"x".repeat(70)}${end}`.repeat(2);
    const sli = (end: string) => ({
      customIndicator: { totalQueryTemplate: query(end), goodQueryTemplate: query(end), badQueryTemplate: query(end) },
    });
    const [sentence = ""] = told("SLO", { before: { sli: sli("a") }, after: { sli: sli("b") } });
    expect(sentence).toMatch(/ and \d more places?: other data is read$/);
    expect(sentence.length).toBeLessThan(400);
  });

  test("alerts that give way to the service's own are told as one", () => {
    const before = definition({ burnRateAlertingConfig: [{ window: "30m", budget: 1, labels: { page: "yes" } }] });
    expect(told("SLO", { before, after: definition({}) })).toEqual([
      'burn-rate-off unclear x: every burn-rate alert is removed, 1 % in "30m" (page="yes"): only the service\'s own may be sent',
    ]);
  });

  test("labels that the standards call text are no risk, known or not", () => {
    const preview = stackPreviewOf(
      digest([
        steps("Monitor", "x", {
          before: { labels: { summary: "a", team: "a" } },
          after: { labels: { summary: "b", team: "b" } },
        }),
        steps("SLO", "y", { before: { labels: {} }, after: { labels: { summary: unknown } } }),
      ]),
      "dev",
    );
    const found = risksOf(preview, new Set(["summary"])).filter((risk) => risk.class === "routing-changed");
    expect(found.map(({ sentence }) => sentence)).toEqual(['x: labels.team "a" → "b": may be routed elsewhere']);
  });

  test.each(["labelMatchers[0].value", "severityConditions.conditions[0].value"])(
    "an unknown %s of an override shows no placeholder",
    (place) => {
      const override = (value: unknown, threshold: unknown) => ({
        labelMatchers: [{ name: "region", type: "EXACT", value }],
        severityConditions: { conditions: [{ op: "GT", value: threshold }] },
      });
      const hidden = place.startsWith("label") ? override(unknown, 1) : override("eu", unknown);
      const saying = (...overrides: readonly object[]) => ({ ...query, seriesConditions: { overrides } });
      for (const before of [saying(override("eu", 1)), saying(), query]) {
        const found = told("Monitor", { before, after: saying(hidden) });
        expect(found.join()).not.toContain(unknown);
        expect(found.join().replace(/ \S+ → known/g, " known")).toContain(
          `seriesConditions.overrides[0].${place} known only after the update`,
        );
      }
    },
  );

  test("a list that holds a secret is told, and nothing is invented of it", () => {
    const conditions = (overrides: unknown) => ({ ...critical(gt(1)).seriesConditions, overrides });
    const [before, after] = [
      { seriesConditions: conditions("[secret]") },
      { seriesConditions: conditions("[secret]") },
    ];
    const places = ["seriesConditions.overrides[0].severityConditions.conditions[0].value"];
    expect(told("Monitor", { before, after, places })).toEqual([
      "laxer unclear x: seriesConditions.overrides[0].severityConditions.conditions[0].value changed (secret): fires at other times",
    ]);
    const plain = { seriesConditions: conditions([]) };
    expect(told("Monitor", { before: plain, after, places: ["seriesConditions.overrides"] })).toEqual(
      [
        "override-widened unclear x: seriesConditions.overrides changed (secret): holds for other series",
        "laxer unclear x: seriesConditions.overrides changed (secret): fires at other times",
      ].sort(),
    );
  });
});

test("200 changes that mean nothing are no risk", () => {
  const configured = fc
    .constantFrom(...kinds.map(({ name }) => name))
    .chain((name) => fc.tuple(fc.constant(name), configurationOf(kindNamed(name))));
  const property = fc.property(configured, fc.integer(), fc.boolean(), ([name, config], seed, saysDefaults) => {
    const { root } = kindNamed(name);
    const after = respelled(root, saysDefaults ? withDefaults(root, config) : config, seed);
    expect(told(name, { before: config, after })).toEqual([]);
    expect(told(name, { before: after, after: config })).toEqual([]);
  });
  fc.assert(property, { numRuns: 200 });
});

function kindNamed(name: string) {
  const kind = kinds.find((each) => each.name === name);
  if (kind === undefined) throw new Error(`there is no kind ${name}`);
  return kind;
}

describe("an object that one stack deletes and another one declares", () => {
  const state = { slug: "x", ...critical(gt(1)) };
  const reviewed = (stack: string, facts: StepFacts, config: Readonly<Record<string, string>> = {}) => ({
    preview: stackPreviewOf({ ...digest([steps("Monitor", "mine", facts, stack)], [], stack), config }, stack),
    standards: undefined,
  });
  const at = (url: string) => ({ "observability:baseUrl": url });
  const told = (report: Review) =>
    report.risks.map(({ stack, class: each, direction, sentence }) => `${stack} ${each} ${direction} ${sentence}`);
  const removed = "project/a removed laxer mine: the monitor is removed: it fires no more";
  const wayOut =
    'move it with "pulumi state move", or set retainOnDelete first, see "docs/how-to.md#move-a-resource-from-one-stack-to-another"';

  test.each(["same", "create", "update"])("is told, whatever happens to it there: %s", (op) => {
    const url = at("https://config.example.com");
    const b = reviewed("b", { op, after: state }, url);
    expect(told(reviewOf([reviewed("a", { before: state }, url), b]))).toEqual([
      `project/a declared-elsewhere laxer mine: deletes Monitor "x", which the stack "project/b" declares: ${wayOut}`,
      removed,
    ]);
  });

  test("is not told of two services, which two creation times prove; if that is not known, it is said", () => {
    const [here, there] = [at("https://config.example.com"), at("https://other.example.com")];
    const b = (createdAt?: string) =>
      reviewed("b", { op: "same", before: state, after: state, ...(createdAt && { createdAt }) }, here);
    const a = { before: state, createdAt: "2026-01-31T08:00:00.123Z" };
    const unclear = (doubt: string) => [
      removed,
      `project/a declared-elsewhere unclear mine: deletes Monitor "x", which the stack "project/b" declares; ${doubt}: ${wayOut}`,
    ];
    expect(told(reviewOf([reviewed("a", a, there), b("2026-01-31T08:00:00.456Z")]))).toEqual([removed]);
    expect(told(reviewOf([reviewed("a", a, there), b()]))).toEqual(
      unclear('whether "https://other.example.com" and "https://config.example.com" are one service is not known'),
    );
    expect(told(reviewOf([reviewed("a", a), b()]))).toEqual(unclear("whether both use the same service is not known"));
  });

  test("is left behind for the other one if it is retained, and not left to nobody", () => {
    const url = at("https://config.example.com");
    const all = reviewOf([
      reviewed("a", { before: state, retained: true }, url),
      reviewed("b", { op: "same", after: state }, url),
    ]);
    expect(told(all)).toEqual([
      'project/a left-behind unclear mine: leaves Monitor "x" at the service (retainOnDelete), which the stack "project/b" declares',
      'project/a left-behind unclear mine: the monitor "x" stays at the service, and this stack manages it no more (retainOnDelete)',
    ]);
    expect(merged([all])).toEqual(all);
  });

  test("is told once, if reports of several jobs are merged again and again", () => {
    const [a, b] = [reviewed("a", { before: state }), reviewed("b", { op: "same", after: state })];
    const both = merged([reviewOf([a]), reviewOf([b])]);
    expect(both.risks).toHaveLength(2);
    expect(merged([both])).toEqual(both);
    expect(reviewOf([a, b])).toEqual(both);
  });
});

test("every class is found by some test of this file", () => {
  const found = [
    ...[...changes, ...otherChanges].flatMap(([, , , there, back]) => [there, back]),
    "credentials-changed",
    "declared-elsewhere",
    "removed",
    "replaced",
    "adopts",
    "left-behind",
    "unvalidated",
    "drift",
  ];
  expect(riskClasses.filter((each) => !found.some((text) => text.startsWith(each)))).toEqual([]);
});
