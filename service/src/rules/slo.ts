import { Problems, rulesFor } from "./rules.js";
import { durationProblems } from "./shapes/duration.js";
import { type SignalGrouping, signalGroupingProblems } from "./shapes/signalGrouping.js";

interface BurnRateAlert {
  readonly window?: string;
  readonly budget?: number;
  readonly severity?: string;
}

interface Slo {
  readonly definition?: {
    readonly objective?: number;
    readonly time_window?: string;
    readonly enable_burn_rate_alerting?: boolean;
    readonly burn_rate_alerting_config?: readonly BurnRateAlert[];
  };
  readonly sli?: {
    readonly custom_indicator?: {
      readonly total_query_template?: string;
      readonly good_query_template?: string;
      readonly bad_query_template?: string;
    };
    readonly custom_timeslice_indicator?: { readonly query_template?: string };
  };
  readonly signal_grouping?: SignalGrouping;
}

const defaultTimeWindow = "28d";

// Two fast burns that wake somebody, and a slow one that does not. `budget` is in percent of the whole error budget.
const defaultBurnRateAlerts: readonly BurnRateAlert[] = [
  { window: "1h", budget: 2, severity: "critical" },
  { window: "6h", budget: 5, severity: "critical" },
  { window: "3d", budget: 10, severity: "warn" },
];

export const slo = rulesFor<Slo>({
  fill: (slo) => {
    if (slo.definition === undefined) return slo;
    const { definition } = slo;
    const { enable_burn_rate_alerting: alerting, burn_rate_alerting_config: alerts = [] } = definition;
    return {
      ...slo,
      definition: {
        ...definition,
        ...(definition.time_window ? {} : { time_window: defaultTimeWindow }),
        ...(alerting && alerts.length === 0 ? { burn_rate_alerting_config: defaultBurnRateAlerts } : {}),
      },
    };
  },

  check: ({ definition, sli, signal_grouping }) => {
    const problems = new Problems();
    problems.require("definition", definition);
    if (definition !== undefined) {
      const { objective = 0, time_window, burn_rate_alerting_config: alerts = [] } = definition;
      if (objective <= 0 || objective >= 100) {
        problems.add("definition.objective", `expected more than 0 and less than 100 percent, got ${objective}`);
      }
      problems.addAll(durationProblems(time_window, "definition.time_window"));
      alerts.forEach(({ window }, i) => {
        problems.addAll(durationProblems(window, `definition.burn_rate_alerting_config[${i}].window`));
      });
    }

    const { custom_indicator: events, custom_timeslice_indicator: timeslices } = sli ?? {};
    if ((events === undefined) === (timeslices === undefined)) {
      problems.add("sli", "needs exactly one of custom_indicator or custom_timeslice_indicator");
    }
    if (events !== undefined) {
      problems.require("sli.custom_indicator.total_query_template", events.total_query_template);
      if (Boolean(events.good_query_template) === Boolean(events.bad_query_template)) {
        problems.add("sli.custom_indicator", "needs exactly one of good_query_template or bad_query_template");
      }
    }
    if (timeslices !== undefined) {
      problems.require("sli.custom_timeslice_indicator.query_template", timeslices.query_template);
    }
    problems.addAll(signalGroupingProblems(signal_grouping));
    return problems.found;
  },
});
