import { describe, expect, test } from "vitest";
import { planOf } from "../../../dist/cli/backtest/plan.js";
import { reviewOf } from "../../../dist/cli/review/build.js";
import { measure } from "../../../dist/cli/review/measure.js";
import { reportContent } from "../../../dist/cli/report/build.js";
import { monitorsIn } from "../../../dist/cli/preview/monitors.js";
import { unknown } from "../../../dist/provider/values/unknown.js";
import { starter } from "../../../dist/sdk/standards/index.js";
import type { StepFacts } from "../../support/digests.js";
import { query, slo } from "./declarations.js";
import { preview, reviewed, told } from "./reviewed.js";

const masked = "[secret]";
const conditions = (value: unknown) => ({ seriesConditions: { defaults: { critical: { conditions: value } } } });
const at = "seriesConditions.defaults.critical.conditions";
const reviewByStarter = async (kind: string, facts: StepFacts) =>
  reviewOf([{ preview: preview(kind, facts), standards: await measure(preview(kind, facts), starter) }]);

describe("a hidden value is named by its place, and never by what stands there", () => {
  const overriding = (overrides: unknown) => ({ seriesConditions: { overrides } });
  const overrides = "seriesConditions.overrides";
  const times = "may fire at other times";

  test.each([
    ["Monitor", "seriesConditions.defaults.critical", { seriesConditions: masked }, "threshold unclear", times],
    ["Monitor", `${at}[0].value`, conditions([{ op: "GT", value: masked }]), "threshold unclear", times],
    ["Monitor", `${overrides}[0].severityConditions.conditions`, overriding(masked), "threshold unclear", times],
    ["SLO", "definition.objective", slo({ objective: masked }), "objective unclear", "may promise something else"],
  ])("a secret of a %s, at %s, that the engine names as changed, and only then", (kind, place, inputs, risk, end) => {
    expect(told(kind, { before: inputs, after: inputs, places: [place] })).toEqual([
      `${risk} x: ${place} changed (secret): ${end}`,
    ]);
    expect(told(kind, { before: inputs, after: inputs, places: ["name"] })).toEqual([]);
  });

  test("a secret that only one side has is added or removed", () => {
    const [without, secret] = [{ severity: "a" }, { severity: "a", routingKey: masked }];
    const place = "oncallB.routingKey";
    const all = (from: object, to: object, places?: readonly string[]) =>
      told("Notifier", { before: { oncallB: from }, after: { oncallB: to }, ...(places && { places }) });
    const said = (word: string) => [`receiver unclear x: ${place} ${word} (secret): may notify other people`];
    for (const places of [[place], undefined]) {
      expect(all(secret, without, places)).toEqual(said("removed"));
      expect(all(without, secret, places)).toEqual(said("added"));
    }
  });

  const reported = (kind: string, facts: StepFacts) =>
    reportContent([preview(kind, facts)], reviewed(preview(kind, facts)));

  test.each<StepFacts>([
    { before: slo({ enableBurnRateAlerting: masked }), after: slo({ enableBurnRateAlerting: masked, objective: 90 }) },
    { before: { definition: masked } },
  ])("an SLO whose alerting is hidden may notify, unlike one whose alerting is off: %j", (facts) => {
    expect(told("SLO", { before: slo({ enableBurnRateAlerting: false }) }).join()).toContain("it notifies nobody");
    expect(told("SLO", facts).join()).toMatch(/ alerts-less x: (?!.*nobody)/);
    expect(reported("SLO", facts).gaps.filter(({ text }) => text.includes("nobody"))).toEqual([]);
  });

  test("alerts, labels and a receiver are not taken for absent in a report", () => {
    const alerts = slo({ burnRateAlertingConfig: masked }, { labels: { notifier: "a" } });
    const { rows, gaps } = reported("SLO", { after: alerts });
    expect(rows[0]?.now.conditions).toEqual(["objective 99.9 % over 28d"]);
    expect(gaps.filter(({ text }) => text.includes("without the label"))).toEqual([]);
    expect(reported("Monitor", { after: { ...query, labels: masked } }).gaps).toEqual([]);
    expect(reported("Notifier", { after: { chat: masked } }).notifiers[0]?.receivers).toEqual(["chat (a secret)"]);
  });
});

test("an edit in the service calls no secret changed", () => {
  const recorded = { slug: "x", name: "a", webhook: { url: masked } };
  const facts = { recorded, before: { ...recorded, name: "b" }, after: recorded, places: ["name"] };
  expect(JSON.stringify(reviewed(preview("Notifier", facts)))).not.toContain("webhook");
});

describe("a rule of the standards that reads a hidden value", () => {
  const labels = { team: "a", notifier: "pager" };
  const good = { ...query, labels, annotations: { runBook: "r" } };
  const checked = (rule: string, place: string) => `the rule "${rule}" of the standards was not checked: ${place}`;

  test.each<[string, string, object, readonly string[]]>([
    ["Monitor", "conditions", { ...good, ...conditions(masked) }, [checked("sustains critical", `${at} is a secret`)]],
    [
      "SLO",
      "a definition",
      { ...good, definition: masked },
      [checked("alerts on burn rate", "definition is a secret")],
    ],
    [
      "Monitor",
      "labels",
      { ...good, labels: unknown },
      [
        ...["has a team", "is routed"].map((rule) => checked(rule, "labels is known only after the update")),
        "its notifier could not be checked: the label that names it is known only after the update",
      ],
    ],
    ["Monitor", "a label that no rule reads", { ...good, labels: { ...labels, other: masked } }, []],
  ])("of a %s, %s, is reported as not checked, and fails nothing", async (kind, _, after, notes) => {
    const all = await reviewByStarter(kind, { after: { ...after } });
    expect(all).toMatchObject({ violations: [], stacks: [{ isFailed: false, oldViolations: 0 }] });
    expect(all.stacks[0]?.notes.map(({ text }) => text)).toEqual(notes);
  });

  test("of an unchanged resource is not reported", async () => {
    const secret = { ...good, ...conditions(masked) };
    const all = await reviewByStarter("Monitor", { op: "same", before: secret, after: secret });
    expect(all.stacks[0]?.notes).toEqual([]);
  });
});

test.each([
  [{ ...query, ...conditions(masked) }, `${at} is a secret`],
  [{ ...query, seriesConditions: { overrides: masked } }, "seriesConditions.overrides is a secret"],
  [{ labelQuery: masked }, "labelQuery is a secret"],
])("a monitor with a secret is not simulated, and the reason is given: %j", (after, reason) => {
  const [found] = monitorsIn(preview("Monitor", { after }));
  if (found === undefined) throw new Error("there is a monitor");
  expect(planOf([found]).notSimulated.get(found)).toMatchObject({ reason });
});
