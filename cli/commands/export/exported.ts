/** An alert of a Prometheus rule file. */
export interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly keep_firing_for?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** A recording rule. */
export interface RecordingRule {
  readonly record: string;
  readonly expr: string;
}

/** The export of a monitor, or of a derived metric. */
export interface Exported {
  /** The name that messages use. */
  readonly name: string;
  /** Undefined if the program declares none: Prometheus then uses its own interval. */
  readonly intervalSecs: number | undefined;
  readonly alerts: readonly Alert[];
  /** Only a derived metric has one. */
  readonly recording?: RecordingRule;
  /** Parts of the monitor without a counterpart. */
  readonly losses: readonly string[];
  /** Why the monitor was not exported. */
  readonly rejection?: string;
}

export const rejected = (name: string, rejection: string, intervalSecs?: number): Exported => ({
  name,
  intervalSecs,
  rejection,
  alerts: [],
  losses: [],
});

/** An export that rejects an item if it fails unexpectedly, and so does not stop the others. */
export const rejecting =
  <Args>(exportItem: (name: string, args: Args) => Exported) =>
  (name: string, args: Args): Exported => {
    try {
      return exportItem(name, args);
    } catch (error) {
      return rejected(name, `an unexpected error: ${(error as Error).message}`);
    }
  };

/** The same, with a loss of each whose rules have the names and labels of another one's. */
export function withSame(all: readonly Exported[]): readonly Exported[] {
  const first = new Map<string, Exported>();
  return all.map((each) => {
    const named = each.alerts.map(({ alert, labels }) => JSON.stringify([alert, Object.entries(labels).sort()]));
    const keys = each.recording === undefined ? named : [each.recording.record];
    const others = keys.flatMap((key) => first.get(key) ?? []);
    for (const key of keys) if (!first.has(key)) first.set(key, each);
    const losses = others.map(
      ({ name }) => `${name} has a rule of the same name and labels: Prometheus takes their series for one`,
    );
    return { ...each, losses: [...each.losses, ...new Set(losses)] };
  });
}
