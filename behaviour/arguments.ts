import { monitor as kind } from "../provider/kinds/monitor";
import { formatPath, type Path } from "../provider/schema/walk";
import { structureProblems } from "../provider/values/types";
import { unknown } from "../provider/values/unknown";
import { withoutAbsent } from "../provider/wire/json";
import type { MonitorArgs } from "../sdk/monitor.gen";
import type { Schedule, SeriesConditions, SignalGrouping } from "../sdk/types.gen";
import { SimulationError } from "./error";

/** The arguments that decide what a monitor does with the values of its query. */
export interface Behaviour {
  readonly intervalSecs?: number;
  readonly schedule?: Schedule;
  readonly seriesConditions?: SeriesConditions;
  readonly signalGrouping?: SignalGrouping;
}

const fields = ["intervalSecs", "schedule", "seriesConditions", "signalGrouping"] as const;

/**
 * The plain values of the arguments that a simulation reads; the others may be outputs.
 * @throws SimulationError if one of them is an output, a promise, not known yet or of the wrong type.
 */
export function behaviourOf(args: MonitorArgs): Behaviour {
  const given = Object.fromEntries(fields.map((field) => [field, args[field]]));
  const later = laterIn(given, []);
  const plain = later.length > 0 ? {} : withoutAbsent(given);
  const problems = later.length > 0 ? later : structureProblems(kind.args, plain);
  if (problems.length > 0) throw new SimulationError(titleOf(args), problems);
  return plain as Behaviour; // Its structure was just checked.
}

/** `monitor "checkout-errors"`, for messages. */
export function titleOf({ slug, name }: MonitorArgs): string {
  const known = [slug, name].find((each) => typeof each === "string" && each !== "" && each !== unknown);
  return typeof known === "string" ? `${kind.title} "${known}"` : `the ${kind.title}`;
}

function laterIn(value: unknown, path: Path): string[] {
  if (value === unknown) return [`${formatPath(path)}: it is known only after the update`];
  if (typeof value !== "object" || value === null) return [];
  const noun = "__pulumiOutput" in value ? "an output" : "then" in value ? "a promise" : undefined;
  if (noun !== undefined) return [`${formatPath(path)}: it is ${noun}: pass its plain value`];
  const entries: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return entries.flatMap(([step, each]) => laterIn(each, [...path, step]));
}
