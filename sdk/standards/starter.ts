import type { Resources } from "./resources.gen";
import type { Standards } from "./standards";

/** The label is there, with one of the given values if there are any. */
export function hasLabel(label: string, ...values: readonly string[]) {
  return ({ labels }: { readonly labels?: Readonly<Record<string, string>> | undefined }): string | undefined => {
    const found = labels?.[label];
    if (!found) return `the label ${label} is missing`;
    if (values.length === 0 || values.includes(found)) return undefined;
    return `the label ${label} is "${found}", not one of ${values.join(", ")}`;
  };
}

/** The annotation is there. */
export function hasAnnotation(annotation: string) {
  return ({ annotations }: { readonly annotations?: Readonly<Record<string, string>> | undefined }) =>
    annotations?.[annotation] ? undefined : `the annotation ${annotation} is missing`;
}

/** A notification policy is named, or has a label to route by: one of these. */
export function isRouted(...labels: readonly string[]) {
  return (resource: Routed): string | undefined => {
    if (resource.notificationPolicySlug || labels.some((label) => resource.labels?.[label])) return undefined;
    const label = labels.length === 0 ? "" : ` nor the label ${labels.join(" or ")}`;
    return `nothing routes its notifications: ${label === "" ? "no" : "neither"} notificationPolicySlug${label}`;
  };
}

interface Routed {
  readonly notificationPolicySlug?: string | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

/** It has a description. */
export const isDescribed = ({ description }: { readonly description?: string | undefined }) =>
  description ? undefined : "the description is missing";

/** No condition of the severity critical fires at once: a single bad point pages no one. */
export function sustainsCritical(secs = 60) {
  return ({ seriesConditions }: Resources["Monitor"]): string | undefined => {
    const conditions = seriesConditions?.defaults?.critical?.conditions ?? [];
    const soonest = Math.min(...conditions.map(({ sustainSecs = 0 }) => sustainSecs));
    return soonest < secs ? `a critical condition fires after ${soonest} s, sooner than after ${secs} s` : undefined;
  };
}

/** Notifications go somewhere. */
export const delivers = ({ discard }: Resources["Notifier"]) =>
  discard ? "it discards every notification" : undefined;

/** On-call is notified while the error budget burns. */
export const alertsOnBurnRate = ({ definition }: Resources["SLO"]) =>
  definition?.enableBurnRateAlerting ? undefined : "burn-rate alerting is off";

/** Rules that most teams agree on, to start from. */
export const starter: Standards = {
  Monitor: {
    "has a team": hasLabel("team"),
    "has a runbook": hasAnnotation("runBook"),
    "is routed": isRouted("notifier"),
    "sustains critical": sustainsCritical(),
  },
  Notifier: { delivers },
  SLO: {
    "has a team": hasLabel("team"),
    "has a runbook": hasAnnotation("runBook"),
    "is routed": isRouted("notifier"),
    "alerts on burn rate": alertsOnBurnRate,
  },
};
