import type { Severity } from "../../../sdk/behavior/signals";
import { canonicalPromql } from "../../promql/canonical";
import { lost } from "./keys";
import { expressionOf } from "../../source/scalars";
import { type SourceNode, type Place, Rejection } from "../../source/sourceNode";
import { type ConversionBuilder, nonEmpty } from "./conversionBuilder";

// What the formats of SLOs have in common.

/** An objective in percent. A share such as 0.999 is shifted as a decimal: 0.57 × 100 is 56.99999999999999. */
export function percent(value: number, at: Place, { isShare = false } = {}): number {
  const found = isShare ? Number(`${value}e2`) : value;
  if (found > 0 && found < 100) return found;
  throw new Rejection(at, `the objective is ${found} percent, and it must be more than 0 and less than 100`);
}

/** The key of the alerts' name: a route may match it. */
export const alertName = lost((name) => `the alerts' name ${JSON.stringify(name)} is left out`);

interface BurnAlert {
  readonly windowSecs: number;
  /** How many times faster than allowed the budget burns. */
  readonly factor: number;
  readonly severity: Severity;
  readonly labels: Readonly<Record<string, string>>;
}

/** The alert as a share of the budget: what burns in its window at that speed. */
export function burnRateAlert({ windowSecs, factor, severity, labels }: BurnAlert, window: string, sloSecs: number) {
  const budget = Number(((factor * windowSecs * 100) / sloSecs).toPrecision(6));
  return { window, budget, severity, ...nonEmpty("labels", labels) };
}

/** The objective of an SLO, and its burn-rate alerts. */
export const definitionOf = (objective: number, timeWindow: string, alerts: readonly object[]) => ({
  objective,
  timeWindow,
  ...(alerts.length === 0 ? {} : { enableBurnRateAlerting: true, burnRateAlertingConfig: alerts }),
});

/** The window over which rates in converted queries are measured. */
export const rateWindow = "5m";

/** A query whose template variable for the window, if it has one, is filled in. */
export function queryOf(node: SourceNode, builder: ConversionBuilder): string {
  const written = node.text;
  if (written === undefined) throw new Rejection(node, "the query is missing");
  const expression = written.replace(/\{\{-?\s*\.window\s*-?\}\}/gi, rateWindow);
  if (expression !== written) {
    builder.report(
      node,
      `the window {{.window}} of its queries is fixed at ${rateWindow}: the API documents no variable for it`,
    );
  }
  return expressionOf(node, expression).text;
}

/** An indicator from events and the good or bad ones among them. */
export function eventsIndicator(
  totalQueryTemplate: string,
  field: "goodQueryTemplate" | "badQueryTemplate",
  query: string,
  { lose }: ConversionBuilder,
  at: Place,
) {
  const fate = field === "goodQueryTemplate" ? "every event is good, so it can never burn" : "every event is bad";
  if (canonicalPromql(query) === canonicalPromql(totalQueryTemplate)) lose(at, `its two queries are the same: ${fate}`);
  return { totalQueryTemplate, [field]: query };
}

/**
 * An indicator from a ratio that is already computed: each moment counts as one event, of which the ratio is good or bad.
 * `* 0 + 1` keeps the ratio's labels, and its gaps.
 */
export const averaged = (ratio: string, field: "goodQueryTemplate" | "badQueryTemplate") => ({
  customIndicator: { totalQueryTemplate: `(${ratio}) * 0 + 1`, [field]: ratio },
});

export const averagedLoss = "its ratio has no event counts: each moment counts equally, however much traffic there is";
