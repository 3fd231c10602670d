import { either, rule, type Rules } from "./rules.js";
import { filtersProblem, queryProblem } from "./shapes/promql.js";

interface Definition {
  time_window: string;
  burn_rate_alerting_config: { window: string }[];
}

const indicators = ["custom_indicator", "custom_timeslice_indicator"] as const;
const templates = ["good_query_template", "bad_query_template"] as const;
const queries = ["total_query_template", ...templates, "query_template"] as const;

// It is unknown which values a backend fills in.
const placeholders = { variables: true, templates: true };

type Sli = Record<(typeof indicators)[number], object> & { additional_label_filters: string };
type Queries = Record<(typeof queries)[number], string>;

/** The time window of an SLO without one. Answers leave it out, because a client would consider it an outside edit. */
const defaultTimeWindow = "28d";

const queriesOf = rule<Queries>((indicator, report, options) => {
  for (const name of queries) {
    const query = indicator[name] ?? "";
    if (query.trim() !== "") report(name, queryProblem(query, options, placeholders));
  }
});

export const slo: Rules = {
  SloDefinition: rule<Definition>(({ time_window, burn_rate_alerting_config: alerts = [] }, report) => {
    const longest = time_window || defaultTimeWindow;
    alerts.forEach(({ window = "" }, i) => {
      if (minutesOf(window) > minutesOf(longest)) {
        const path = `burn_rate_alerting_config[${i}].window`;
        report(path, `expected at most the SLO's time window, ${longest}, got ${window}`);
      }
    });
  }),
  Sli: rule<Sli>((sli, report, options) => {
    report("additional_label_filters", filtersProblem(sli.additional_label_filters ?? "", options, placeholders));
    if (indicators.filter((indicator) => sli[indicator] !== undefined).length !== 1) {
      report("", `needs exactly one of ${either(indicators)}`);
    }
  }),
  CustomIndicator: (indicator, report, options) => {
    if (templates.filter((template) => String(indicator[template] ?? "").trim()).length !== 1) {
      report("", `needs exactly one of ${either(templates)}`);
    }
    queriesOf(indicator, report, options);
  },
  CustomTimesliceIndicator: queriesOf,
};

const minutes: Readonly<Record<string, number>> = { m: 1, h: 60, d: 1_440, w: 10_080 };

/** `90m` → 90. NaN if the text is not a duration. */
function minutesOf(duration: string): number {
  return Number(duration.slice(0, -1)) * (minutes[duration.slice(-1)] ?? NaN);
}
