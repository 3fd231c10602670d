import { grouped } from "../../provider/base/grouped";
import { entries, type JsonObject } from "../../provider/wire/json";
import { hiddenWord, isHidden } from "../meaning/hidden";
import { all, anyOf } from "../meaning/matchers";
import { listed, quote } from "../output/words";
import { severityIn, severityLabel } from "../promql/severity";
import type { Route } from "../source/routes";
import type { AlertingText } from "./kinds/rules";
import { unquotedText, valueText } from "./values";

/** Who is notified by the alerts of a severity. */
export interface Notified {
  readonly severity: string;
  /** `search-pd`, or `search-pd or default, depending on the series' label "service"`. */
  readonly who: string;
  /** Whether it depends on what is not known. */
  readonly isUnsure?: true;
  /** Whether it is nobody, or is if labels that are not known match no route. */
  readonly nobody?: "certain" | "possible";
}

/** Who is notified by each alert of a declaration; none without routes. */
export function notifiedOf(
  { alerts }: AlertingText,
  args: JsonObject,
  name: string,
  routes?: Route,
): readonly Notified[] {
  if (routes === undefined) return [];
  const told = alerts.map((alert): Notified => {
    const severity = !alert.severity || isHidden(alert.severity) ? "other" : unquotedText(String(alert.severity));
    const policy = args.notificationPolicySlug;
    if (policy) return { severity, who: `whom the policy ${valueText(policy)} names`, isUnsure: true };
    return { severity, ...reached(routes, (label) => valueOf(label, alert, args, name)) };
  });
  return [...new Map(told.map((each) => [JSON.stringify(each), each])).values()];
}

/** Who is notified by the alerts of each severity. */
export function bySeverity(all: readonly Notified[]): Map<string, string> {
  const found = grouped(all, ({ severity }) => severity);
  return new Map([...found].map(([severity, some]) => [severity, listed(some.map(({ who }) => who))]));
}

/** `critical: payments-pd → search-pd`, `critical and warn: search-pd`; who is `(not set)` where no alert has the severity. */
export function notifiedLines(
  now: readonly Notified[],
  before = now,
  isWanted: (was: string, who: string) => boolean = () => true,
): readonly string[] {
  const [old, present] = [bySeverity(before), bySeverity(now)];
  const sides = [...new Set([...old.keys(), ...present.keys()])].map(
    (severity) => [severity, old.get(severity) ?? noAlert, present.get(severity) ?? noAlert] as const,
  );
  const lines = grouped(
    sides.filter(([, was, who]) => isWanted(was, who)),
    ([, was, who]) => [...new Set([was, who])].join(" → "),
  );
  return [...lines].map(([text, some]) => `${listed(some.map(([severity]) => severity))}: ${text}`);
}

const noAlert = valueText(undefined);

/** The lines of severities of which others are notified; empty if none are, and undefined if that is not known. */
export function reroutedText(now: readonly Notified[], before: readonly Notified[]): string | undefined {
  const [added, gone] = [bySeverity(now), bySeverity(before)];
  for (const severity of [...added.keys()].filter((each) => gone.has(each)))
    for (const side of [added, gone]) side.delete(severity);
  // A severity more or fewer is the risk of its condition. Alerts of another severity may notify others.
  const isMoved =
    [added, gone].every(({ size }) => size > 0) && listed([...added.values()]) !== listed([...gone.values()]);
  const lines = notifiedLines(now, before, (was, who) => was !== who && (isMoved || ![was, who].includes(noAlert)));
  const isKnown = now.length > 0 && ![...now, ...before].some(({ isUnsure }) => isUnsure);
  return lines.length > 0 ? lines.join(", ") : isKnown ? "" : undefined;
}

/** That nobody is notified, or may be, of some alerts. */
export function silences(all: readonly Notified[]) {
  const silent = all.filter(({ nobody }) => nobody !== undefined);
  return [...grouped(silent, ({ who }) => who)].map(([who, some]) => ({
    isCertain: some.every(({ nobody }) => nobody === "certain"),
    text: `its ${listed(some.map(({ severity }) => severity))} alerts notify ${who}`,
  }));
}

type Alert = AlertingText["alerts"][number];

/** The value of an alert's label, or why it is not known. Labels are those of an exported alert. */
function valueOf(label: string, alert: Alert, args: JsonObject, name: string): string | { readonly doubt: string } {
  const layer = [alert.labels, args.labels].find((each) => isHidden(each) || entries(each)[label] !== undefined);
  let value = isHidden(layer) ? layer : entries(layer)[label];
  if (label === "alertname") value = args.name || name;
  if (label === "severity" && !isHidden(value)) {
    const meant = severityIn(String(alert.severity));
    if (isHidden(alert.severity)) value = alert.severity;
    else value = meant ? severityLabel(value as string | undefined, meant) : (value ?? alert.severity); // Labels are texts.
  }
  const what = `the label ${quote(label)}`;
  if (value === undefined) return { doubt: `the series' label ${quote(label)}` };
  if (isHidden(value)) return { doubt: `${what}, which is ${hiddenWord(value)}` };
  return String(value).includes("{{") ? { doubt: `the template in ${what}` } : String(value);
}

type ValueOf = (label: string) => ReturnType<typeof valueOf>;

/** Who the routes notify of an alert. */
function reached(root: Route, value: ValueOf): Omit<Notified, "severity"> {
  const doubts = new Set<string>();
  const { ends } = endsOf(root, value, doubts);
  const orEmpty = (label: string) => [value(label)].find((each) => typeof each === "string") ?? "";
  const isSilent = endsOf(root, orEmpty).ends.every(([{ receiver }]) => receiver.silence !== undefined);
  const nameOf = ({ receiver, limits }: Route) =>
    `${unquotedText(receiver.name)}${limits === "" ? "" : ` (not always: ${limits})`}`;
  // In one order, so that the same receivers are no change.
  const namesOf = (some: typeof ends) => [
    ...new Set(some.flatMap(([end]) => (end.receiver.silence === undefined ? [nameOf(end)] : [])).sort()),
  ];
  const sure = namesOf(ends.filter(([, isSure]) => isSure));
  const others = namesOf(ends).filter((each) => !sure.includes(each));
  const silence = sure.length > 0 ? undefined : ends.find(([{ receiver }]) => receiver.silence !== undefined);
  const choices = [...others, ...(silence ? [`nobody (${silence[0].receiver.silence})`] : [])];
  const isUnsure = sure.length > 0 ? choices.length > 0 : choices.length > 1;
  const open = `${choices.join(" or ")}${isUnsure ? `, depending on ${listed([...doubts])}` : ""}`;
  return {
    who: sure.length === 0 ? open : `${listed(sure)}${isUnsure ? `, and maybe ${open}` : ""}`,
    ...(isUnsure && { isUnsure }),
    ...(isSilent && { nobody: isUnsure ? "possible" : "certain" }),
  };
}

/** Whether a route matches an alert, if that is known, and the routes at which the alert then ends, each surely or maybe. */
function endsOf(
  route: Route,
  value: ValueOf,
  doubts = new Set<string>(),
): { readonly isMatch: boolean | undefined; readonly ends: readonly (readonly [end: Route, isSure: boolean])[] } {
  const found = route.matchers.map(({ name, matches }) => [value(name), matches] as const);
  const isMatch = all(found.map(([of, matches]) => (typeof of === "string" ? matches(of) : undefined)));
  if (isMatch === false) return { isMatch, ends: [] };
  for (const [of] of found) if (typeof of !== "string") doubts.add(of.doubt);
  const ends: (readonly [Route, boolean])[] = [];
  const matched: (boolean | undefined)[] = [];
  let isOpen: boolean | undefined = true;
  for (const inner of route.routes) {
    if (isOpen === false) break;
    const below = endsOf(inner, value, doubts);
    if (below.isMatch === false) continue;
    const isReached = isOpen === true && below.isMatch === true;
    ends.push(...below.ends.map(([end, isSure]) => [end, isSure && isReached] as const));
    matched.push(below.isMatch);
    if (!inner.continues) isOpen = below.isMatch === true ? false : undefined;
  }
  const isInner = anyOf(matched);
  if (isInner !== true) ends.push([route, isInner === false]);
  return { isMatch, ends };
}
