import { duration, oneObject, oneText, optionalDuration, optionalText, texts } from "./constraints.js";
import { either, rulesFor, type Shapes } from "./rules.js";
import { minutesOf } from "./shapes/duration.js";

interface Definition {
  readonly time_window?: string;
  readonly burn_rate_alerting_config?: readonly { readonly window?: string }[];
}

const indicators = ["custom_indicator", "custom_timeslice_indicator"] as const;
const templates = ["good_query_template", "bad_query_template"] as const;

type Sli = Partial<Readonly<Record<(typeof indicators)[number], object>>>;
type Indicator = Partial<Readonly<Record<(typeof templates)[number], string>>>;

/** The time window of an SLO that names none. It is not answered: its client would take it for somebody's change. */
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
      },
    },
  },
  Sli: rulesFor<Sli>({
    schema: { properties: { custom_dimension_labels: texts } },
    documented: oneObject(indicators),
    check: (sli, report) => {
      if (indicators.filter((indicator) => sli[indicator] !== undefined).length !== 1) {
        report("", `needs exactly one of ${either(indicators)}`);
      }
    },
  }),
  CustomIndicator: rulesFor<Indicator>({
    schema: {
      properties: Object.fromEntries(templates.map((template) => [template, optionalText])),
    },
    documented: oneText(templates),
    check: (indicator, report) => {
      if (templates.filter((template) => indicator[template]?.trim()).length !== 1) {
        report("", `needs exactly one of ${either(templates)}`);
      }
    },
  }),
};
