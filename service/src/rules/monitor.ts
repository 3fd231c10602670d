import { quote } from "../json.js";
import { either, Problems, rulesFor } from "./rules.js";
import { type Schedule, scheduleProblems } from "./shapes/schedule.js";
import { type SignalGrouping, signalGroupingProblems } from "./shapes/signalGrouping.js";

interface SeverityConditions {
  readonly conditions?: readonly { readonly op?: string }[];
}

interface Monitor {
  readonly interval_secs?: number;
  readonly dotted_query?: string;
  readonly label_query?: string;
  readonly logging_query?: string;
  readonly collection?: { readonly slug?: string };
  readonly collection_slug?: string;
  readonly schedule?: Schedule;
  readonly series_conditions?: {
    readonly defaults?: { readonly critical?: SeverityConditions; readonly warn?: SeverityConditions };
    readonly overrides?: readonly { readonly severity_conditions?: SeverityConditions }[];
  };
  readonly signal_grouping?: SignalGrouping;
}

const defaultInterval = 60;
const queries = ["dotted_query", "label_query", "logging_query"] as const;

export const monitor = rulesFor<Monitor>({
  fill: (monitor) => (monitor.interval_secs ? monitor : { ...monitor, interval_secs: defaultInterval }),

  check: (monitor) => {
    const problems = new Problems();
    const { interval_secs = 0, collection, collection_slug, schedule } = monitor;
    const asked = queries.filter((query) => monitor[query]);
    if (asked.length === 0) problems.add("", `needs a query (${either(queries)})`);
    if (asked.length > 1) problems.add("", `has ${asked.length} queries (${asked.join(", ")}), exactly one is allowed`);

    const conditions = conditionsOf(monitor);
    if (conditions.length === 0) problems.add("series_conditions", "needs at least one condition");
    for (const { path, op } of conditions) problems.require(`${path}.op`, op);

    if (interval_secs < 0) problems.add("interval_secs", `expected 0 or more seconds, got ${interval_secs}`);
    if (collection?.slug && collection_slug && collection.slug !== collection_slug) {
      problems.add(
        "collection_slug",
        `${quote(collection_slug)} differs from collection.slug ${quote(collection.slug)}`,
      );
    }
    if (schedule !== undefined) problems.addAll(scheduleProblems(schedule));
    problems.addAll(signalGroupingProblems(monitor.signal_grouping));
    return problems.found;
  },
});

function conditionsOf({ series_conditions: { defaults, overrides = [] } = {} }: Monitor) {
  const severities: readonly (readonly [string, SeverityConditions | undefined])[] = [
    ["defaults.critical", defaults?.critical],
    ["defaults.warn", defaults?.warn],
    ...overrides.map((override, i) => [`overrides[${i}].severity_conditions`, override.severity_conditions] as const),
  ];
  return severities.flatMap(([at, severity]) =>
    (severity?.conditions ?? []).map(({ op }, i) => ({ path: `series_conditions.${at}.conditions[${i}]`, op })),
  );
}
