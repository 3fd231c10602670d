import type * as types from "../../../sdk/types.gen";
import { burnRates } from "../../../sdk/burnRates";
import { items } from "../../../provider/wire/json";
import { secondsIn } from "../../../provider/base/durations";
import { alertsOf } from "../../../sdk/behavior/explainSLO";
import { explainSLO, SimulationError } from "../../../sdk/behavior/index";
import { isHidden } from "../../meaning/hidden";
import { severityIn } from "../../promql/severity";
import { listed } from "../../output/words";
import { type Direction, type LocatedFinding, oppositeDirection, commonDirection } from "../risk";
import { changeText, unquotedText, valueText, withUnit } from "../values";
import { firesText } from "./conditions";
import { classed, growing, itemPaths, matched, tending } from "./rules";

type Alert = types.BurnRateAlert;
type Definition = types.SloDefinition;

/** The consequences of a change of the burn-rate alerts. */
export function burnRateFindings(
  previous: Definition,
  current: Definition,
  written: readonly (Definition | undefined)[],
): readonly LocatedFinding[] {
  const [wasOn, isOn] = [previous, current].map((each) => alertsOf(each).length > 0);
  const [before, after] = [previous.burnRateAlertingConfig ?? [], current.burnRateAlertingConfig ?? []];
  const list = ["definition", "burnRateAlertingConfig"];
  const at = [["definition", "enableBurnRateAlerting"], list];
  if (wasOn && !isOn) {
    const change = JSON.stringify(before) === JSON.stringify(after) ? "" : ", and its alerts change";
    const text = `burn-rate alerting is off${change}: no longer notifies anyone when the error budget burns too fast`;
    return [{ class: "burn-rate", direction: "alerts-less", text, at }];
  }
  if (!wasOn && isOn) {
    // The service decides its own alerts: only those that a program declares are certain.
    const alerts = areStandard(after) ? "" : `: ${listed(alertTexts(after))}`;
    return [classed("burn-rate", "alerts-more", `burn-rate alerting is on${alerts}`, at)];
  }
  // Alerts that are off have no effect.
  if (!isOn) return [];
  // Without declared alerts the service uses its own, which the API does not show.
  const [wasOwn, isOwn] = written.map((each) => (each?.burnRateAlertingConfig ?? []).length > 0);
  if (wasOwn !== isOwn) {
    const [alerts, instead] = isOwn ? [after, "replace the service's own"] : [before, "give way to the service's own"];
    const text = `burn-rate alerts ${listed(alertTexts(alerts))} ${instead}: may fire at other times`;
    return [{ class: "burn-rate", direction: "unclear", text, at: [list] }];
  }
  const all = matched(before, after, alertKey, () => "");
  const { was, is } = itemPaths(list, before, after);
  return [
    ...all.pairs.flatMap(([old, now]) => {
      // The sentences do not cover the labels of an alert that stays.
      const spoken = ["window", "budget", "severity"].map((name) => [...is(now), name]);
      const findings = [...speedFindings([previous, old], [current, now]), ...severityFindings(old, now)];
      return findings.map((finding) => ({ ...finding, at: [was(old), ...spoken, ...finding.at] }));
    }),
    ...all.removed.map((alert) =>
      classed("burn-rate", "alerts-less", `burn-rate alert ${alertText(alert)} is removed`, [was(alert)]),
    ),
    ...all.added.map((alert) =>
      classed("burn-rate", "alerts-more", `burn-rate alert ${alertText(alert)} is added`, [is(alert)]),
    ),
  ];
}

/** Alerts that no share of errors is enough for any more. @param written The list that the program declares. */
export function neverFindings(previous: Definition, current: Definition, written: unknown): readonly LocatedFinding[] {
  if (isHidden(written)) return [];
  const fromIn = (definition: Definition, alert: Alert) => errorsOf(definition, alert)?.from ?? 0;
  const never = (of: Definition) => alertsOf(of).filter((each) => fromIn(of, each) > 100);
  const known = never(previous).map(alertKey);
  // The service decides its own alerts.
  const [direction, end]: [Direction, string] =
    items(written).length > 0 ? ["alerts-less", "can never fire"] : ["unclear", "may never fire"];
  return never(current)
    .filter((each) => !known.includes(alertKey(each)))
    .map((each) => {
      const text = `burn-rate alert ${speedText(each)} needs ${percent(fromIn(current, each))} errors: ${end}`;
      return classed("burn-rate", direction, text);
    });
}

/** The direction of the errors that alerts of both sides fire from; unclear if all stay, undefined if that is not known. */
export function errorsDirection(previous: Definition, current: Definition): Direction | undefined {
  const directions = matched(
    alertsOf(previous),
    alertsOf(current),
    alertKey,
    ({ window }) => window,
    () => "",
  ).pairs.map(([old, now]) => [errorsOf(previous, old)?.from, errorsOf(current, now)?.from] as const);
  if (directions.length === 0 || directions.some((each) => each.includes(undefined))) return undefined;
  return commonDirection(directions.flatMap(([was, is]) => growing(was, is) ?? [])) ?? "unclear";
}

/** The places of alerts that are written in another way, but fire from the same errors. */
export function sameAlerts(previous: Definition, current: Definition) {
  const [before, after] = [previous.burnRateAlertingConfig ?? [], current.burnRateAlertingConfig ?? []];
  const { is } = itemPaths(["definition", "burnRateAlertingConfig"], before, after);
  return matched(before, after, alertKey, () => "")
    .pairs.filter(([old, now]) => speedFindings([previous, old], [current, now]).length === 0)
    .flatMap(([, now]) =>
      ["window", "budget"].map((name) => [[...is(now), name], "fires from the same errors"] as const),
    );
}

const areStandard = (alerts: readonly Alert[]) => alertTexts(alerts).join() === alertTexts(burnRates.standard).join();

/** The shortest window first. */
export const alertTexts = (alerts: readonly Alert[]) => {
  const secsOf = ({ window }: Alert) => secondsIn(window ?? "") ?? 0;
  return [...alerts].sort((a, b) => secsOf(a) - secsOf(b)).map(alertText);
};

const alertKey = ({ window, budget = 0 }: Alert) => JSON.stringify([secondsIn(window ?? "") ?? window, budget]);

const speedText = ({ window, budget = 0 }: Alert) => `${withUnit(budget, "%")} in ${valueText(window)}`;

/** `2 % in "1h" ("critical", page="yes")` */
const alertText = (alert: Alert) => {
  const labels = Object.entries(alert.labels ?? {}).map(([name, value]) => `${unquotedText(name)}=${valueText(value)}`);
  const more = [...(alert.severity ? [valueText(alert.severity)] : []), ...labels];
  return `${speedText(alert)}${more.length === 0 ? "" : ` (${more.join(", ")})`}`;
};

/** If the alert itself is the same, the change of the objective or its time window has a sentence of its own. */
function speedFindings([before, old]: OfSLO, [after, now]: OfSLO): readonly LocatedFinding[] {
  if (alertKey(old) === alertKey(now)) return [];
  const [was, is] = [errorsOf(before, old), errorsOf(after, now)];
  const known = was !== undefined && is !== undefined;
  const window = lengthening(old.window, now.window);
  const directions = known
    ? [growing(was.from, is.from), growing(was.burnt, is.burnt)]
    : // The same share burns sooner within a longer window.
      [growing(old.budget, now.budget), window && oppositeDirection(window)];
  const errors = known && was.from !== is.from ? `, from ${percent(was.from)} → ${percent(is.from)} errors` : "";
  const text = `burn-rate alert ${speedText(old)} → ${speedText(now)}${errors}`;
  return tending("burn-rate", commonDirection(directions.filter((each) => each !== undefined)), text, firesText);
}

type OfSLO = readonly [definition: Definition, alert: Alert];

/** The share of errors from which an alert fires, and the errors until then; undefined if the values are hidden or invalid. */
function errorsOf({ objective, timeWindow }: Definition, alert: Alert) {
  const definition = { objective, timeWindow, enableBurnRateAlerting: true, burnRateAlertingConfig: [alert] };
  const from = explained(definition)?.alerts[0]?.errorPercent;
  return from === undefined ? undefined : { from, burnt: from * (secondsIn(alert.window ?? "") ?? 0) };
}

/** What follows from a definition; undefined if its values are hidden or invalid. */
export function explained(definition: Parameters<typeof explainSLO>[0]["definition"]) {
  try {
    return explainSLO({ definition });
  } catch (error) {
    if (error instanceof SimulationError) return undefined;
    throw error;
  }
}

const percent = (value: number) => `${Number(value.toPrecision(3))} %`;

function severityFindings({ severity: old = "" }: Alert, now: Alert): readonly LocatedFinding[] {
  const severity = now.severity ?? "";
  if (old === severity) return [];
  const [from, to] = [severityIn(old), severityIn(severity)];
  const direction: Direction =
    from === undefined || to === undefined || from === to ? "unclear" : to === "warn" ? "alerts-less" : "alerts-more";
  const ends = {
    "alerts-less": "may page fewer people",
    "alerts-more": "may page more people",
    unclear: "may notify other people",
  };
  const text = `burn-rate alert ${speedText(now)} with severity ${changeText(old || undefined, severity || undefined)}`;
  return tending("routing", direction, text, ends);
}

/** The direction of a duration that alerts less the longer it is. */
export function lengthening(before = "", after = ""): Direction | undefined {
  if (before === after) return undefined;
  const [old, now] = [secondsIn(before), secondsIn(after)];
  return old === undefined || now === undefined ? "unclear" : growing(old, now);
}
