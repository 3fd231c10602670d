import type { Finding, RiskClass } from "../risk";
import { arrow } from "../values";

/** A finding if a text differs; its direction is unclear. */
export function textFindings(
  riskClass: RiskClass,
  what: string,
  before: string | undefined,
  after: string | undefined,
  end: string,
): readonly Finding[] {
  const [old, now] = [before || undefined, after || undefined];
  if (old === now) return [];
  return [{ class: riskClass, direction: "unclear", text: `${what} ${arrow(old, now)}: ${end}` }];
}

interface Routed {
  readonly notificationPolicySlug?: string | undefined;
}

/** A finding if another policy routes the notifications. */
export const policyFindings = ({ notificationPolicySlug: old }: Routed, { notificationPolicySlug: now }: Routed) =>
  textFindings("target-changed", "notification policy", old, now, "other people may be told");
