import { slo } from "../../../provider/kinds/slo";
import { isObject } from "../../../provider/wire/json";
import { burnRateAlert, definitionOf, percent } from "./objective";
import { type Objective, objectiveSchema, sliOf } from "./openSloIndicator";
import { documentOf, isHarmless, openSloKind, Objects, resolved } from "./openSloObjects";
import { type SourceNode, Rejection } from "../../source/sourceNode";
import { type ConversionBuilder, type SourceFormat, nonEmpty } from "./conversionBuilder";
import { anything, sequence, numeral, mapping, oneOf, text, textMapping, truth } from "../../source/scalars";
import { alertSeverity } from "./alert";
import { lost, objectOf } from "./keys";

/** OpenSLO v1. An SLO may refer to objects of other documents, also in other files. */
export const openSlo: SourceFormat = {
  recognizes: (node) => node.at("apiVersion").text?.startsWith("openslo") === true,

  convert(nodes, builder) {
    const objects = new Objects(nodes);
    builder.each(nodes, (node) => {
      if (node.at("apiVersion").text !== "openslo/v1") {
        throw new Rejection(node.at("apiVersion"), `the version ${node.at("apiVersion").text} is not openslo/v1`);
      }
      if (openSloKind(node) === "SLO") convertSlo(node, objects, builder);
    });
    for (const node of nodes) {
      const reason = node.at("apiVersion").text === "openslo/v1" ? objects.reasonAgainst(node) : undefined;
      if (reason === undefined) continue;
      if (isHarmless(node)) builder.reportFile(node, openSloKind(node), reason);
      else builder.reject(node, reason);
    }
  },
};

const metadata = {
  ...{ name: text, displayName: text.optional(), labels: anything, annotations: textMapping.default({}) },
};

const sloSchema = objectOf(
  mapping({
    description: text.optional(),
    service: text.optional(),
    indicator: anything,
    indicatorRef: text.optional(),
    timeWindow: anything,
    budgetingMethod: oneOf("Occurrences", "Timeslices", "RatioTimeslices").default("Occurrences"),
    objectives: sequence(anything),
    alertPolicies: sequence(anything).default([]),
  }),
  metadata,
);

function convertSlo(node: SourceNode, objects: Objects, builder: ConversionBuilder): void {
  const read = builder.read(node, sloSchema);
  const spec = node.at("spec");
  if (read.spec.budgetingMethod === "RatioTimeslices") {
    const reason = "the budgeting method RatioTimeslices has no counterpart: a timeslice is good or bad as a whole";
    throw new Rejection(spec.at("budgetingMethod"), reason);
  }
  const window = timeWindowOf(spec.at("timeWindow"), builder);
  const labels = labelsOf(node.at("metadata", "labels"), builder);
  const { service, indicatorRef, description } = read.spec;
  const indicator =
    indicatorRef === undefined ? spec.at("indicator") : objects.get("SLI", indicatorRef, spec.at("indicatorRef"));
  const alerts = alertsOf(spec.at("alertPolicies"), objects, window.secs, builder);
  const { items: objectives } = spec.at("objectives");
  if (objectives.length === 0) throw new Rejection(spec.at("objectives"), "the SLO has no objectives");
  if (objectives.length > 1)
    builder.current.note(`The SLO has ${objectives.length} objectives; each becomes its own SLO.`);

  const convertObjective = (each: SourceNode): void => {
    const objective = builder.read(each, objectiveSchema);
    const sli = sliOf({ indicator, objective, at: each, method: read.spec.budgetingMethod, objects, builder });
    const own = objectives.length > 1 ? (objective.displayName ?? `${objectives.indexOf(each) + 1}`) : undefined;
    const name = [read.metadata.name, own].filter((word) => word !== undefined).join("-");
    const shown = [read.metadata.displayName ?? read.metadata.name, own].filter((word) => word !== undefined).join(" ");
    builder.add({
      kind: slo,
      at: each,
      group: read.metadata.name,
      original: shown,
      called: name,
      uid: name,
      hints: [service ?? ""],
      args: {
        description,
        ...nonEmpty("labels", { ...(service === undefined ? {} : { service }), ...labels }),
        ...nonEmpty("annotations", read.metadata.annotations),
        definition: definitionOf(objectivePercent(objective, each), window.text, alerts),
        sli,
      },
    });
  };
  const { name } = read.metadata;
  builder.each(objectives, convertObjective, (each) => [name, each.at("displayName").text].filter(Boolean).join(" "));
}

function objectivePercent({ target, targetPercent }: Objective, at: SourceNode): number {
  const share = target === undefined ? undefined : percent(target, at.at("target"), { isShare: true });
  if (targetPercent !== undefined && share !== undefined && targetPercent !== share)
    throw new Rejection(at, `\`target\` is ${share} percent and \`targetPercent\` is ${targetPercent}`);
  if (targetPercent !== undefined) return percent(targetPercent, at.at("targetPercent"));
  if (share !== undefined) return share;
  throw new Rejection(at, "the objective needs `target` or `targetPercent`");
}

/** A label's value may also be a list. */
function labelsOf(node: SourceNode, builder: ConversionBuilder): Record<string, string> {
  if (node.exists && !isObject(node.value)) throw new Rejection(node, "the labels are not a map");
  return Object.fromEntries(
    node.keys.map((key) => {
      const [label, { items }] = [node.at(key), node.at(key)];
      if (items.length === 0) return [key, label.text ?? ""];
      builder.report(
        label,
        `the values of the label ${JSON.stringify(key)} are joined to one string: a label has one value`,
      );
      return [key, items.map((item) => item.text ?? "").join(",")];
    }),
  );
}

interface Window {
  readonly text: string;
  readonly secs: number;
}

const unitDays = { m: 1 / 1_440, h: 1 / 24, d: 1, w: 7, M: 30, Q: 90, Y: 365 } as const;

/** `28d`, `1M`: months, quarters and years become days. */
function windowOf(node: SourceNode, builder: ConversionBuilder): Window {
  const [, count = "", unit = ""] = /^([1-9]\d*)([mhdwMQY])$/.exec(node.text ?? "") ?? [];
  if (unit === "") throw new Rejection(node, `${JSON.stringify(node.text ?? "")} is not a duration such as 28d`);
  const days = Number(count) * unitDays[unit as keyof typeof unitDays];
  const isDays = "MQY".includes(unit);
  if (isDays) builder.report(node, `the time window of ${node.text} becomes ${days}d`);
  return { text: isDays ? `${days}d` : `${count}${unit}`, secs: Math.round(days * 86_400) };
}

const windowSchema = mapping({ duration: text, isRolling: truth.optional(), calendar: anything });

function timeWindowOf(node: SourceNode, builder: ConversionBuilder): Window {
  const [first, second] = node.items;
  if (second !== undefined) throw new Rejection(second, "an SLO has one time window");
  if (first === undefined) {
    builder.report(node, "the SLO has no time window, so it becomes 28d");
    return { text: "28d", secs: 28 * 86_400 };
  }
  const { isRolling, calendar } = builder.read(first, windowSchema);
  const window = windowOf(first.at("duration"), builder);
  if (calendar !== undefined || isRolling === false) {
    builder.lose(first, "the time window is aligned to the calendar; it becomes a rolling window of the same length");
  }
  return window;
}

const policySchema = documentOf({
  alertWhenNoData: lost("the alert on missing data is left out"),
  alertWhenResolved: lost("the alert on a resolved condition is left out"),
  alertWhenBreaching: truth.default(true),
  conditions: sequence(anything).default([]),
  notificationTargets: sequence(anything).default([]),
});

const conditionSchema = documentOf({
  severity: text.optional(),
  condition: mapping({
    kind: text.default("burnrate"),
    op: text.default("gte"),
    threshold: numeral,
    lookbackWindow: text,
    alertAfter: text.optional(),
  }),
});

function alertsOf(policies: SourceNode, objects: Objects, sloSecs: number, builder: ConversionBuilder) {
  return policies.items.flatMap((each) => {
    const policy = resolved(each, "alertPolicyRef", "AlertPolicy", objects);
    const { spec } = builder.read(policy, policySchema);
    if (spec.notificationTargets.length > 0) {
      builder.lose(
        policy.at("spec", "notificationTargets"),
        "the notification targets are left out: `notificationPolicySlug` decides who is notified",
      );
      for (const target of policy.at("spec", "notificationTargets").items) {
        objects.find("AlertNotificationTarget", target.at("targetRef").text ?? "");
      }
    }
    const conditions = policy.at("spec", "conditions").items.map((condition) => {
      const alert = resolved(condition, "conditionRef", "AlertCondition", objects);
      return alertOf(alert, sloSecs, builder);
    });
    if (spec.alertWhenBreaching) return conditions;
    builder.lose(policy, "an alert policy with `alertWhenBreaching: false` is left out");
    return [];
  });
}

function alertOf(node: SourceNode, sloSecs: number, builder: ConversionBuilder) {
  const { spec } = builder.read(node, conditionSchema);
  const condition = node.at("spec", "condition");
  const { kind, op, threshold, alertAfter } = spec.condition;
  if (kind.toLowerCase() !== "burnrate")
    throw new Rejection(condition.at("kind"), `the condition ${kind} is not a burn rate`);
  if (!["gte", "gt"].includes(op))
    throw new Rejection(condition.at("op"), `the operator ${op} of a burn rate is not supported`);
  if (alertAfter !== undefined && !/^0/.test(alertAfter)) {
    builder.lose(condition.at("alertAfter"), `the wait of ${alertAfter} before the alert is left out`);
  }
  const window = windowOf(condition.at("lookbackWindow"), builder);
  const severity = alertSeverity(spec.severity, node.at("spec", "severity"), builder);
  const labels = spec.severity === undefined ? {} : { severity: spec.severity };
  return burnRateAlert({ windowSecs: window.secs, factor: threshold, severity, labels }, window.text, sloSecs);
}
