import { duration, labels, named, optionalDuration, optionalText, texts } from "./constraints.js";
import { type CheckOptions, either, type Read, type ReportProblem, rulesFor, type Shapes } from "./rules.js";
import { filtersProblem, queryProblem } from "./shapes/promql.js";

interface Definition {
  time_window: string;
  burn_rate_alerting_config: { window: string }[];
}

const indicators = ["custom_indicator", "custom_timeslice_indicator"] as const;
const templates = ["good_query_template", "bad_query_template"] as const;
const queries = ["total_query_template", ...templates] as const;

// It is unknown which values a backend fills in.
const placeholders = { variables: true, templates: true };

type Sli = Record<(typeof indicators)[number], object> & { additional_label_filters: string };
type Queries = Record<(typeof queries)[number] | "query_template", string>;

/** The time window of an SLO without one. Answers leave it out, because a client would consider it an outside edit. */
const defaultTimeWindow = "28d";

export const slo: Shapes = {
  SloDefinition: rulesFor<Definition>({
    schema: {
      properties: {
        objective: {
          exclusiveMinimum: 0,
          exclusiveMaximum: 100,
          "x-expected": "more than 0 and less than 100 percent",
        },
        time_window: optionalDuration,
      },
    },
    check: ({ time_window, burn_rate_alerting_config: alerts = [] }, report) => {
      const longest = time_window || defaultTimeWindow;
      alerts.forEach(({ window = "" }, i) => {
        if (minutesOf(window) > minutesOf(longest)) {
          report(
            `burn_rate_alerting_config[${i}].window`,
            `expected at most the SLO's time window, ${longest}, got ${window}`,
          );
        }
      });
    },
  }),
  BurnRateAlert: {
    schema: {
      properties: {
        window: duration,
        budget: { exclusiveMinimum: 0, maximum: 100, "x-expected": "more than 0 and at most 100 percent" },
        labels,
      },
    },
  },
  SLO: { schema: { properties: { labels, annotations: named } } },
  Sli: rulesFor<Sli>({
    schema: { properties: { custom_dimension_labels: texts } },
    check(sli, report, options) {
      const filters = sli.additional_label_filters ?? "";
      const problem = options.parsesQueries ? filtersProblem(filters, options, placeholders) : undefined;
      if (problem !== undefined) report("additional_label_filters", problem);
      if (indicators.filter((indicator) => sli[indicator] !== undefined).length !== 1) {
        report("", `needs exactly one of ${either(indicators)}`);
      }
    },
  }),
  CustomIndicator: rulesFor<Queries>({
    schema: {
      properties: Object.fromEntries(templates.map((template) => [template, optionalText])),
    },
    check(indicator, report, options) {
      if (templates.filter((template) => indicator[template]?.trim()).length !== 1) {
        report("", `needs exactly one of ${either(templates)}`);
      }
      checkQueries(queries, indicator, report, options);
    },
  }),
  CustomTimesliceIndicator: rulesFor<Queries>({
    check: (indicator, report, options) => checkQueries(["query_template"], indicator, report, options),
  }),
};

function checkQueries(
  names: readonly (keyof Queries)[],
  indicator: Read<Queries>,
  report: ReportProblem,
  options: CheckOptions,
): void {
  for (const name of options.parsesQueries ? names : []) {
    const query = indicator[name] ?? "";
    const problem = query.trim() === "" ? undefined : queryProblem(query, options, placeholders);
    if (problem !== undefined) report(name, problem);
  }
}

const minutes: Readonly<Record<string, number>> = { m: 1, h: 60, d: 1_440, w: 10_080 };

/** `90m` → 90. NaN if the text is not a duration. */
function minutesOf(duration: string): number {
  return Number(duration.slice(0, -1)) * (minutes[duration.slice(-1)] ?? NaN);
}
