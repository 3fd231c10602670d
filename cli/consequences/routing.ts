import { entries, type JsonObject } from "../../provider/wire/json";
import { isHidden } from "../meaning/hidden";
import { quote } from "../output/words";
import type { KnownRouting } from "../source/routes";
import type { AlertingText } from "./kinds/rules";

/** The label whose value is the slug of a notifier, unless a user names another one. */
export const usualLabel = "notifier";

/** How a monitor or an SLO names whom it notifies. Values may be hidden. */
export interface Routing {
  readonly policy: unknown;
  /** The values of the label that names a notifier: its own, and those of its alerts. */
  readonly names: readonly unknown[];
  /** Whether it has no policy, and the label is missing, if only in one of its alerts. */
  readonly isOpen: boolean;
}

/** Decides what routes a declaration, for reviews and for reports. Routes decide it without a label, unless one is named. */
export function routingOf(
  args: JsonObject,
  { alerts }: AlertingText,
  { notifierLabel, routes }: KnownRouting,
): Routing {
  const policy = args.notificationPolicySlug;
  if (routes !== undefined && notifierLabel === undefined) return { policy, names: [], isOpen: false };
  const label = notifierLabel ?? usualLabel;
  const valueIn = (each: unknown) => (isHidden(each) ? each : entries(each)[label] || undefined);
  const [own, others] = [valueIn(args.labels), alerts.map(({ labels }) => valueIn(labels))];
  const isRouted = [policy, own].some(Boolean) || (others.length > 0 && !others.includes(undefined));
  return {
    policy,
    names: [own, ...others].filter((each) => each !== undefined),
    isOpen: !isRouted && routes === undefined,
  };
}

/** What is not known of an open one. */
export const openText = (names: readonly unknown[], { notifierLabel = usualLabel }: KnownRouting) =>
  `has no notification policy and ${names.length > 0 ? "an alert without the" : "no"} label ${quote(notifierLabel)}: who is notified is not known`;
