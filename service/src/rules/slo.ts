import { secondsIn } from "../promql/durations.gen.js";
import { either, rule, type Rules } from "./rules.js";
import { filtersProblem, queryProblem } from "./shapes/promql.js";

interface Definition {
  time_window: string;
  burn_rate_alerting_config: { window: string }[];
}

const indicators = ["custom_indicator", "custom_timeslice_indicator"] as const;
const templates = ["good_query_template", "bad_query_template"] as const;
const queries = ["total_query_template", ...templates, "query_template"] as const;

type Sli = Record<(typeof indicators)[number], object> & { additional_label_filters: string };
type Queries = Record<(typeof queries)[number], string>;

/** The time window of an SLO without one. Answers leave it out, because a client would consider it an outside edit. */
const defaultTimeWindow = "28d";

const queriesOf = rule<Queries>((indicator, report, options) => {
  for (const name of queries) {
    const query = indicator[name] ?? "";
    if (query.trim() !== "") report(name, queryProblem(query, options, "templates"));
  }
});

export const slo: Rules = {
  SloDefinition: rule<Definition>(({ time_window, burn_rate_alerting_config: alerts = [] }, report) => {
    const longest = time_window || defaultTimeWindow;
    alerts.forEach(({ window = "" }, i) => {
      if ((secondsIn(window) ?? 0) > (secondsIn(longest) ?? Infinity)) {
        const path = `burn_rate_alerting_config[${i}].window`;
        report(path, `expected at most the SLO's time window, ${longest}, got ${window}`);
      }
    });
  }),
  Sli: rule<Sli>((sli, report, options) => {
    report("additional_label_filters", filtersProblem(sli.additional_label_filters ?? "", options, "templates"));
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
