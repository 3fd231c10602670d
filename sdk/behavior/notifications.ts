import { grouped } from "../../provider/base/grouped";
import { type Notification, severities, type Signal } from "./signals";

/**
 * One notification for all signals of a severity that begin at the same evaluation (rule 10).
 * @param from Signals that began before are left out.
 */
export function notificationsSince(from: number, signals: readonly Signal[]): readonly Notification[] {
  const begun = signals.filter(({ firedAt }) => firedAt >= from);
  const moments = grouped(begun, ({ firedAt, severity }) => `${firedAt} ${severity}`);
  return [...moments.values()].flatMap((all) =>
    all.slice(0, 1).map(({ firedAt: at, severity }) => ({ at, severity, labels: all.map(({ labels }) => labels) })),
  );
}

/** By time, then the gravest severity; signals of one moment stay in the order of their labels. */
export const inOrder = (signals: readonly Signal[]): readonly Signal[] =>
  [...signals].sort((a, b) => a.firedAt - b.firedAt || severities.indexOf(a.severity) - severities.indexOf(b.severity));
