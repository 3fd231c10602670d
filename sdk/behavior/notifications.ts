import { type Notification, severities, type Signal } from "./signals";

/**
 * One notification for all signals of a severity that begin at the same evaluation (rule 10).
 * @param from Signals that began before are left out.
 */
export function notificationsSince(from: number, signals: readonly Signal[]): readonly Notification[] {
  const byMoment = new Map<string, { at: number; severity: Signal["severity"]; labels: Signal["labels"][] }>();
  for (const { firedAt: at, severity, labels } of signals) {
    if (at < from) continue;
    const key = `${at} ${severity}`;
    const notification = byMoment.get(key) ?? { at, severity, labels: [] };
    notification.labels.push(labels);
    byMoment.set(key, notification);
  }
  return [...byMoment.values()];
}

/** By time, then the gravest severity; signals of one moment stay in the order of their labels. */
export const inOrder = (signals: readonly Signal[]): readonly Signal[] =>
  [...signals].sort((a, b) => a.firedAt - b.firedAt || severities.indexOf(a.severity) - severities.indexOf(b.severity));
