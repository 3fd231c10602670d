import { slo as kind } from "../../provider/kinds/slo";
import { burnRates } from "../burnRates";
import type { SLOArgs } from "../slo.gen";
import type { BurnRateAlert, SloDefinition } from "../types.gen";
import { plainFields, titleOfArgs } from "./arguments";
import { secondsIn } from "../../provider/base/durations";
import { minutesText } from "./durations";
import { SimulationError } from "./error";

export const defaultTimeWindow = "28d";

/** The meaning of a burn-rate alert in figures. */
export interface BurnRateExplanation {
  readonly window: string;
  readonly severity: string;
  /** The share of the error budget in percent that burns before the alert. */
  readonly budget: number;
  /** How many times faster than allowed the budget burns; at 1 it lasts exactly the objective's time window. */
  readonly burnRate: number;
  /** The share of errors in percent from which on it alerts. Above 100 it never does. */
  readonly errorPercent: number;
  /** Minutes from the first error to the alert, if this share of all events in percent fails; undefined if it never alerts. */
  minutesToAlert(errorPercent: number): number | undefined;
}

/** The meaning of an objective in figures. */
export interface SLOExplanation {
  /** The error budget of the objective's time window. */
  readonly errorBudget: {
    readonly percent: number;
    /** Of complete failure. */
    readonly minutes: number;
  };
  readonly alerts: readonly BurnRateExplanation[];
  /** All of it as text. */
  toString(): string;
}

/**
 * Explains an SLO: its error budget in minutes, and how soon each burn-rate alert fires. It assumes that events come at a
 * steady rate, and that an alert fires once its share of the budget has burnt within its window.
 * @throws SimulationError if the definition contains an output, or no objective between 0 and 100.
 */
export function explainSLO(args: SLOArgs): SLOExplanation {
  const { definition = {} } = plainFields<{ definition?: SloDefinition }>(kind, "explain", args, ["definition"]);
  const { objective = 0, timeWindow = defaultTimeWindow } = definition;
  const problems: string[] = [];
  const total = minutesOf(timeWindow, "definition.timeWindow", problems);
  if (objective <= 0 || objective >= 100) {
    problems.push(`definition.objective: expected more than 0 and less than 100 percent, got ${objective}`);
  }
  const percent = roundOff(100 - objective);
  const alerts = alertsOf(definition).map((alert, i) => explainAlert(alert, i, percent, total, problems));
  if (problems.length > 0) throw new SimulationError(titleOfArgs(kind, args), problems, "explain");
  const errorBudget = { percent, minutes: roundOff((total * percent) / 100) };
  const head = `${objective} % over ${timeWindow} leave an error budget of ${minutesText(errorBudget.minutes)}.`;
  return { errorBudget, alerts, toString: () => [head, ...alerts.map(alertText)].join("\n") };
}

/** The alerts of a definition, or the service's own if it declares none; none if alerting is off. */
export function alertsOf({ enableBurnRateAlerting = false, burnRateAlertingConfig = [] }: SloDefinition) {
  if (!enableBurnRateAlerting) return [];
  return burnRateAlertingConfig.length > 0 ? burnRateAlertingConfig : burnRates.standard;
}

function explainAlert(
  { window = "", budget = 0, severity = "" }: BurnRateAlert,
  index: number,
  allowed: number,
  total: number,
  problems: string[],
): BurnRateExplanation {
  const path = `definition.burnRateAlertingConfig[${index}]`;
  const minutes = minutesOf(window, `${path}.window`, problems);
  if (budget <= 0 || budget > 100)
    problems.push(`${path}.budget: expected more than 0 and at most 100 percent, got ${budget}`);
  const burnRate = (budget / 100) * (total / minutes);
  const errorPercent = roundOff(burnRate * allowed);
  return {
    window,
    severity,
    budget,
    burnRate: roundOff(burnRate),
    errorPercent,
    minutesToAlert: (failing) =>
      failing <= 100 && failing >= errorPercent ? roundOff((minutes * errorPercent) / failing) : undefined,
  };
}

function alertText(alert: BurnRateExplanation): string {
  const { window, severity, budget, burnRate, errorPercent } = alert;
  const head = `${severity || "an alert"}: ${budget} % of the budget in ${window}, ${short(burnRate)} times what is allowed:`;
  if (errorPercent > 100) return `${head} never, because it requires ${short(errorPercent)} % errors.`;
  const examples = [100, 10, 1].flatMap((failing) => {
    const minutes = alert.minutesToAlert(failing);
    return minutes === undefined ? [] : [`at ${failing} % after ${minutesText(minutes)}`];
  });
  return `${head} from ${short(errorPercent)} % errors on; ${examples.join(", ")}.`;
}

function minutesOf(text: string, path: string, problems: string[]): number {
  if (/^[1-9]\d*[mhdw]$/.test(text)) return (secondsIn(text) ?? 0) / 60;
  problems.push(`${path}: expected a duration like 90m, 24h, 28d or 4w, got "${text}"`);
  return Number.NaN;
}

const short = (value: number) => Number(value.toPrecision(3));

/** Without the last digits, in which computers differ from people: 0.1, not 0.09999999999999432. */
const roundOff = (value: number) => Number(value.toPrecision(10));
