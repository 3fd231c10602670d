import { monitor as kind } from "../../provider/kinds/monitor";
import type { MonitorArgs } from "../monitor.gen";
import { behaviorOf, titleOfArgs } from "./arguments";
import { evaluationPlan, simulateBehavior } from "./evaluation";
import { grouper } from "./grouping";
import type { Labels, Series, Severity, Simulation, Span } from "./signals";

/**
 * Simulates a monitor with the values of its query, by the rules in docs/testing.md, because the API doesn't define how
 * a service evaluates. Samples before `from` are evaluated too, so that what was pending
 * or firing by then is known; signals that ended before `from` are left out.
 * @throws SimulationError if an argument that decides the behavior is an output, wrong or unknown to the simulation,
 * or if samples are out of order.
 */
export const simulate = (monitor: MonitorArgs, series: Iterable<Series>, span: Span): Simulation =>
  simulateBehavior(behaviorOf(monitor), titleOfArgs(kind, monitor), series, span);

const planOf = (monitor: MonitorArgs) => evaluationPlan(behaviorOf(monitor), titleOfArgs(kind, monitor));

/**
 * How often a monitor is evaluated, in seconds. 0 and none mean the service's default.
 * @throws SimulationError as `simulate`.
 */
export const intervalOf = (monitor: MonitorArgs): number => planOf(monitor).interval;

/** The severities of the signals that there may be. @throws SimulationError as `simulate`. */
export const severitiesOf = (monitor: MonitorArgs): ReadonlySet<Severity> => planOf(monitor).severities;

/** The labels of the signal that a series belongs to. */
export const groupingOf = (monitor: MonitorArgs): ((labels: Labels) => Labels) =>
  grouper(behaviorOf(monitor).signalGrouping ?? {}, []);
