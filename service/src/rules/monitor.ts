import { quote } from "../json.js";
import { either, rule, type Rules } from "./rules.js";
import { matcherProblems, type Matcher } from "./shapes/labels.js";
import { queryProblem } from "./shapes/promql.js";

const queries = ["dotted_query", "label_query", "logging_query"] as const;

interface Severity {
  conditions: object[];
}
interface Monitor extends Record<(typeof queries)[number] | "collection_slug", string> {
  collection: { slug: string };
  series_conditions: {
    defaults: { critical: Severity; warn: Severity };
    overrides: { severity_conditions: Severity }[];
  };
}

export const monitor: Rules = {
  Monitor: rule<Monitor>((monitor, report, options) => {
    const { label_query = "", collection, collection_slug, series_conditions } = monitor;
    const asked = queries.filter((query) => monitor[query]);
    if (asked.length === 0) report("", `needs a query (${either(queries)})`);
    if (asked.length > 1) report("", `has ${asked.length} queries (${asked.join(", ")}), exactly one is allowed`);
    if (label_query.trim() !== "") report("label_query", queryProblem(label_query, options));

    const { defaults, overrides = [] } = series_conditions ?? {};
    const severities = [defaults?.critical, defaults?.warn, ...overrides.map((each) => each.severity_conditions)];
    if (!severities.some((severity) => severity?.conditions?.length)) {
      report("series_conditions", "needs at least one condition");
    }
    if (collection?.slug && collection_slug && collection.slug !== collection_slug) {
      report("collection_slug", `${quote(collection_slug)} differs from collection.slug ${quote(collection.slug)}`);
    }
  }),
  ConditionsOverride: rule<{ label_matchers: Matcher[] }>(({ label_matchers }, report) =>
    matcherProblems(label_matchers, "label_matchers", report),
  ),
};
