import { monitor as kind } from "../../provider/kinds/monitor";
import type { MonitorArgs } from "../monitor.gen";
import { behaviorOf, titleOfArgs } from "./arguments";
import { type EvaluationPlan, evaluationPlan, simulateBehavior } from "./evaluation";
import type { Series, Simulation, Span } from "./signals";

/**
 * Simulates a monitor with the values of its query, by the rules in docs/testing.md, because the API doesn't define how
 * a service evaluates. Samples before `from` are evaluated too, so that what was pending
 * or firing by then is known; signals that ended before `from` are left out.
 * @throws SimulationError if an argument that decides the behavior is an output, wrong or unknown to the simulation,
 * or if samples are out of order.
 */
export const simulate = (monitor: MonitorArgs, series: Iterable<Series>, span: Span): Simulation =>
  simulateBehavior(behaviorOf(monitor), titleOfArgs(kind, monitor), series, span);

/** How a monitor is evaluated. @throws SimulationError as `simulate`. */
export const monitorPlan = (monitor: MonitorArgs): EvaluationPlan =>
  evaluationPlan(behaviorOf(monitor), titleOfArgs(kind, monitor));
