import { entries, type JsonObject } from "../../provider/wire/json";
import { isHidden } from "../meaning/hidden";
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

/** Decides what routes a declaration, for reviews and for reports. */
export function routingOf(args: JsonObject, { alertLabels = [] }: AlertingText, label = usualLabel): Routing {
  const valueIn = (each: unknown) => (isHidden(each) ? each : entries(each)[label] || undefined);
  const [policy, own, others] = [args.notificationPolicySlug, valueIn(args.labels), alertLabels.map(valueIn)];
  const isRouted = [policy, own].some(Boolean) || (others.length > 0 && !others.includes(undefined));
  return { policy, names: [own, ...others].filter((each) => each !== undefined), isOpen: !isRouted };
}
