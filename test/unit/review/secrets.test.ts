import { describe, expect, test } from "vitest";
import { planOf } from "../../../dist/cli/backtest/plan.js";
import { reviewOf } from "../../../dist/cli/review/build.js";
import { measure } from "../../../dist/cli/review/measure.js";
import { textOf } from "../../../dist/cli/review/text.js";
import { stackPreviewOf } from "../../../dist/cli/stacks/changes.js";
import { monitorsIn } from "../../../dist/cli/stacks/monitors.js";
import { starter } from "../../../dist/sdk/standards/index.js";
import { digest, type StepFacts, steps } from "../../support/digests.js";
import { critical, gt, query } from "./changes.js";
import { unknown } from "../../../dist/provider/values/unknown.js";

const masked = "[secret]";
const conditions = (value: unknown) => ({ seriesConditions: { defaults: { critical: { conditions: value } } } });
const preview = (kind: string, facts: StepFacts) => stackPreviewOf(digest([steps(kind, "x", facts)]), "dev");
const review = (kind: string, facts: StepFacts) => reviewOf([{ preview: preview(kind, facts), standards: undefined }]);
const reviewByStarter = async (kind: string, facts: StepFacts) =>
  reviewOf([{ preview: preview(kind, facts), standards: await measure(preview(kind, facts), starter) }]);
const told = (kind: string, facts: StepFacts) =>
  review(kind, facts).risks.map(({ class: each, direction, sentence }) => `${each} ${direction} ${sentence}`);

describe("a list that holds a secret is masked as a whole", () => {
  const before = { ...query, intervalSecs: 30, ...conditions(masked) };

  test("and is unchanged beside an edit that the engine names", () => {
    const after = { ...before, intervalSecs: 60 };
    const expected = ["laxer laxer x: evaluated every 30 s → 60 s: notices later"];
    expect(told("Monitor", { before, after, places: ["intervalSecs"] })).toEqual(expected);
  });

  test.each([masked, unknown])("and hides no edit beside it: %s", (hidden) => {
    const plain = { ...query, intervalSecs: 30, ...conditions([gt(1)]) };
    const after = { ...plain, intervalSecs: 60, ...conditions(hidden) };
    const places = ["intervalSecs", "seriesConditions.defaults.critical.conditions"];
    const interval = "laxer laxer x: evaluated every 30 s → 60 s: notices later";
    expect(told("Monitor", { before: plain, after, places }).filter((text) => text.startsWith("laxer"))).toEqual([
      interval,
      expect.stringMatching(
        /^laxer unclear x: seriesConditions.defaults.critical.conditions (?:changed \(secret\)|known only after the update): fires at other times$/,
      ),
    ]);
    expect(told("Monitor", { before, after: { ...before, intervalSecs: 60 }, places })).toEqual([
      interval,
      "laxer unclear x: seriesConditions.defaults.critical.conditions changed (secret): fires at other times",
    ]);
  });

  test.each([
    ["conditions", "Monitor", before, "seriesConditions.defaults.critical.conditions"],
    ["overrides", "Monitor", { ...query, seriesConditions: { overrides: masked } }, "seriesConditions.overrides"],
    [
      "burn-rate alerts",
      "SLO",
      { definition: { enableBurnRateAlerting: true, burnRateAlertingConfig: masked } },
      "definition.burnRateAlertingConfig",
    ],
  ])("%s that the engine names are changed", (_, kind, inputs, place) => {
    const [first, ...more] = told(kind, { before: inputs, after: inputs, places: [place] });
    expect(first).toBe(`laxer unclear x: ${place} changed (secret): fires at other times`);
    // Everything that it decides may be another.
    for (const text of more) expect(text).toContain(` unclear x: ${place} changed (secret): `);
  });
});

describe("an engine that names no places", () => {
  const before = { slug: "x", oncallB: { routingKey: masked }, name: "a" };

  test("cannot say that a secret is unchanged", () => {
    const all = review("Notifier", { before, after: before });
    expect(all.risks.map(({ sentence }) => sentence)).toEqual([
      "x: oncallB.routingKey may have changed (secret): other people may be told",
    ]);
    expect(all.stacks[0]?.changes[0]?.differences).toEqual(["oncallB.routingKey: may have changed (secret)"]);
  });

  test("names none for what it calls unchanged, also if one side masks it", () => {
    const after = { ...query, ...critical(gt(17)) };
    expect(told("Monitor", { op: "same", before: { ...query, ...conditions(masked) }, after })).toEqual([]);
  });

  test("cannot say so of a resource that takes an object over from another one of the program", () => {
    const moved = [steps("Notifier", "old", { before }), steps("Notifier", "new", { after: before })];
    const { risks } = reviewOf([{ preview: stackPreviewOf(digest(moved), "dev"), standards: undefined }]);
    expect(risks.map(({ sentence }) => sentence)).toEqual([
      "new: oncallB.routingKey may have changed (secret): other people may be told",
    ]);
  });
});

describe("a threshold that turns secret, or plain again,", () => {
  const [plain, secret] = [
    { ...query, ...conditions([{ op: "GT", value: 15_151 }]) },
    { ...query, ...conditions(masked) },
  ];
  const places = ["seriesConditions.defaults.critical.conditions"];

  test.each([
    [plain, secret],
    [secret, plain],
  ])("is shown on neither side", async (before, after) => {
    for (const facts of [
      { before, after, places },
      { before, after },
    ]) {
      const all = await reviewByStarter("Monitor", facts);
      expect(JSON.stringify(all) + textOf(all)).not.toContain("15151");
      expect(all.risks.map((risk) => [risk.class, risk.direction])).toEqual([["laxer", "unclear"]]);
    }
  });
});

test("an edit at the service calls no secret changed", () => {
  const recorded = { slug: "x", name: "a", webhook: { url: masked } };
  const live = { ...recorded, name: "b" };
  const all = review("Notifier", { recorded, before: live, after: recorded, places: ["name"] });
  expect(JSON.stringify(all)).not.toContain("webhook");
});

describe("a rule of the standards that reads what nobody can see", () => {
  const labels = { team: "a", notifier: "pager" };
  const good = { ...query, labels, annotations: { runBook: "r" } };
  const notes = async (before: object | undefined, after: object, op?: string, kind = "Monitor") => {
    const facts = { ...(before && { before: { ...before } }), after: { ...after }, ...(op && { op }) };
    const all = await reviewByStarter(kind, facts);
    expect([all.violations, all.stacks[0]?.isFailed, all.stacks[0]?.oldViolations]).toEqual([[], false, 0]);
    return all.stacks[0]?.notes.map(({ text }) => text);
  };

  test("is told as not checked: it neither holds nor is broken, and fails nothing", async () => {
    expect(await notes(undefined, { ...good, ...conditions(masked) })).toEqual([
      'the rule "sustains critical" of the standards cannot be checked: seriesConditions.defaults.critical.conditions is secret',
    ]);
    expect(
      await notes(undefined, { labels, annotations: good.annotations, definition: masked }, undefined, "SLO"),
    ).toEqual(['the rule "alerts on burn rate" of the standards cannot be checked: definition is secret']);
    expect(await notes(undefined, { ...good, labels: unknown })).toEqual([
      'the rule "has a team" of the standards cannot be checked: labels is known only after the update',
      'the rule "is routed" of the standards cannot be checked: labels is known only after the update',
    ]);
  });

  test("is silent about what is unchanged, and about secrets that no rule reads", async () => {
    const secret = { ...good, ...conditions(masked) };
    expect(await notes(secret, secret, "same")).toEqual([]);
    expect(await notes(undefined, { ...good, labels: { ...labels, other: masked } })).toEqual([]);
  });
});

test.each([
  [{ ...query, ...conditions(masked) }, "seriesConditions.defaults.critical.conditions is secret"],
  [{ ...query, seriesConditions: { overrides: masked } }, "seriesConditions.overrides is secret"],
  [{ labelQuery: masked }, "labelQuery is secret"],
])("a monitor with a secret is not simulated, and the reason is said", (after, reason) => {
  const [monitor] = monitorsIn(preview("Monitor", { after }));
  if (monitor === undefined) throw new Error("there is a monitor");
  expect(planOf([monitor]).notSimulated.get(monitor)).toMatchObject({ reason });
});
