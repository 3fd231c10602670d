import { cutText } from "../../provider/base/aroundDifference";
import { entries, type JsonObject } from "../../provider/wire/json";
import { legible } from "../meaning/comparable";
import { isHidden } from "../meaning/hidden";
import { cutLine, listed, plainly, quote } from "../output/words";
import type { Change } from "../preview/stackPreview";
import type { KnownRouting, Route } from "../source/routes";
import { fieldAt } from "./effects";
import { rulesOf } from "./kinds/index";
import type { AlertingText } from "./kinds/rules";
import { type Notified, notifiedLines, notifiedOf } from "./notified";
import { secsText, valueText } from "./values";

/** The label whose value is the slug of a notifier, unless a user names another one. */
export const usualLabel = "notifier";

type Named = Pick<Change, "kind" | "name">;

/** What a declaration alerts on, and whom it notifies; undefined for a kind that doesn't alert. */
export function alertingOf({ kind, name }: Named, args: JsonObject | undefined, known: KnownRouting = {}) {
  const found = args && rulesOf(kind.name).alerting?.(legible(kind.root, args), args);
  return found && { ...found, ...routingOf(args, found, known), notified: notifiedOf(found, args, name, known.routes) };
}

/** Who is notified by the alerts of a declaration; none of a kind that doesn't alert, and without routes. */
export const notifiedBy = (of: Named, args: JsonObject | undefined, routes?: Route): readonly Notified[] =>
  (routes && alertingOf(of, args, { routes })?.notified) ?? [];

/**
 * How a monitor or an SLO names whom it notifies: by a policy, and by the label that names a notifier, its own and those of
 * its alerts. It is open without a policy, if the label is missing, if only in one of its alerts. Values may be hidden.
 */
function routingOf(args: JsonObject, { alerts }: AlertingText, { notifierLabel, routes }: KnownRouting) {
  const policy = args.notificationPolicySlug;
  // Routes decide without a label, unless one is named.
  if (routes !== undefined && notifierLabel === undefined) return { policy, names: [], isOpen: false };
  const label = notifierLabel ?? usualLabel;
  const valueIn = (each: unknown) => (isHidden(each) ? each : entries(each)[label] || undefined);
  const [own, others] = [valueIn(args.labels), alerts.map(({ labels }) => valueIn(labels))];
  const isRouted = [policy, own].some(Boolean) || (others.length > 0 && !others.includes(undefined));
  const names = [own, ...others].filter((each) => each !== undefined);
  return { policy, names, isOpen: !isRouted && routes === undefined };
}

/** What is not known of an open one. */
export const openText = (names: readonly unknown[], { notifierLabel = usualLabel }: KnownRouting) =>
  `has no notification policy and ${names.length > 0 ? "an alert without the" : "no"} label ${quote(notifierLabel)}: who is notified is not known`;

const longestQuery = 160;

/** What a declaration alerts on, when, and whom it notifies; undefined for a kind that doesn't alert. */
export function summaryOf(change: Change, known: KnownRouting = {}): string | undefined {
  const { kind, after } = change;
  const found = alertingOf(change, after, known);
  if (found === undefined) return undefined;
  const { queries, conditions, policy, names, isOpen } = found;
  const queryText = ([field, text]: (typeof queries)[number]) =>
    `${queries.length === 1 ? "" : `${field} `}${cutText(text, longestQuery)}`;
  const interval = after?.intervalSecs ?? fieldAt(kind.root, ["intervalSecs"]).field.options.defaultValue;
  const lines = notifiedLines(found.notified);
  const notified = lines.join(", ") || listed([...new Set(names.map(valueText))]);
  const parts = [
    queries.map(queryText).join(", "),
    ...conditions,
    ...(interval === undefined ? [] : [`every ${secsText(interval)}`]),
    ...(notified === "" ? [] : [`notifies ${notified}`]),
    ...(policy && lines.length === 0 ? [`routed by the policy ${valueText(policy)}`] : []),
    ...(isOpen ? [openText(names, known)] : []),
  ];
  return cutLine(plainly(parts.filter(Boolean).join("; ")));
}
