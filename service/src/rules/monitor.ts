import { quote } from "../json.js";
import { labels, named, optionalText, seconds } from "./constraints.js";
import { either, rulesFor, type Shapes } from "./rules.js";
import { matcherProblems, type Matcher } from "./shapes/matchers.js";
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

const oneCondition = { minItems: 1, "x-expected": "at least one condition" };
const someConditions = { required: ["conditions"], properties: { conditions: oneCondition } };
const bySeverity = {
  not: {},
  "x-refusal":
    'the conditions of an override are not given by severity; write them as "severity_conditions": {"conditions": […]}',
};

export const monitor: Shapes = {
  Monitor: rulesFor<Monitor>({
    schema: {
      properties: {
        labels,
        annotations: named,
        interval_secs: seconds,
        ...Object.fromEntries(queries.map((query) => [query, optionalText])),
      },
    },
    check(monitor, report, options) {
      const { label_query = "", collection, collection_slug, series_conditions } = monitor;
      const asked = queries.filter((query) => monitor[query]);
      if (asked.length === 0) report("", `needs a query (${either(queries)})`);
      if (asked.length > 1) report("", `has ${asked.length} queries (${asked.join(", ")}), exactly one is allowed`);
      const problem =
        options.parsesQueries && label_query.trim() !== "" ? queryProblem(label_query, options) : undefined;
      if (problem !== undefined) report("label_query", problem);

      const { defaults, overrides = [] } = series_conditions ?? {};
      const severities = [defaults?.critical, defaults?.warn, ...overrides.map((each) => each.severity_conditions)];
      if (!severities.some((severity) => severity?.conditions?.length)) {
        report("series_conditions", "needs at least one condition");
      }
      if (collection?.slug && collection_slug && collection.slug !== collection_slug) {
        report("collection_slug", `${quote(collection_slug)} differs from collection.slug ${quote(collection.slug)}`);
      }
    },
  }),
  // An override without a condition would silence its series.
  ConditionsOverride: rulesFor<{ label_matchers: Matcher[] }>({
    schema: { required: ["severity_conditions"], properties: { severity_conditions: someConditions } },
    check: ({ label_matchers }, report) => matcherProblems(label_matchers, "label_matchers", report),
  }),
  SeverityConditions: { schema: { properties: { critical: bySeverity, warn: bySeverity } } },
  Condition: {
    schema: { properties: { sustain_secs: seconds, resolve_sustain_secs: seconds } },
  },
};
