import { monitor as kind } from "../../provider/kinds/monitor";
import type { Kind } from "../../provider/schema/kind";
import { formatPath, valueAt } from "../../provider/schema/walk";
import { structureProblems } from "../../provider/values/types";
import { pathsWhere, unknown } from "../../provider/values/unknown";
import { withoutAbsent } from "../../provider/wire/json";
import type { MonitorArgs } from "../monitor.gen";
import { SimulationError } from "./error";
import type { Behavior } from "./evaluation";

/** The plain values of the arguments that a simulation reads. */
export const behaviorOf = (args: MonitorArgs): Behavior =>
  plainFields(kind, "simulate", args, ["intervalSecs", "schedule", "seriesConditions", "signalGrouping"]);

/**
 * The plain values of some arguments; the others may be outputs.
 * @param verb The operation that requires them, for the message.
 * @throws SimulationError if one of them is an output, a promise, not known yet or of the wrong type.
 */
export function plainFields<Plain>(
  kind: Kind,
  verb: string,
  args: object,
  fields: readonly (keyof Plain & string)[],
): Plain {
  const isRead = (name: string) => fields.some((field) => field === name) || !(name in kind.args.fields);
  // A field that the kind does not have is read too, so that a misspelled one is reported. The engine's own begin with "__".
  const given = Object.fromEntries(Object.entries(args).filter(([name]) => isRead(name) && !name.startsWith("__")));
  const later = pathsWhere(given, (each) => whyLater(each) !== undefined).map(
    (path) => `${formatPath(path)}: the value is ${whyLater(valueAt(given, path))}`,
  );
  const plain = later.length > 0 ? {} : withoutAbsent(given);
  const problems = later.length > 0 ? later : structureProblems(kind.args, plain);
  if (problems.length > 0) throw new SimulationError(titleOfArgs(kind, args), problems, verb);
  return plain as Plain; // Its structure was just checked.
}

interface Identity {
  readonly slug?: unknown;
  readonly name?: unknown;
}

/** `monitor "checkout-errors"`, for messages. */
export function titleOfArgs(kind: Kind, { slug, name }: Identity): string {
  const known = [slug, name].find((each) => typeof each === "string" && each !== "" && each !== unknown);
  return typeof known === "string" ? `${kind.title} "${known}"` : `the ${kind.title}`;
}

/** Why a value is not there yet; undefined if it is. */
function whyLater(value: unknown): string | undefined {
  if (value === unknown) return "known only after the update";
  if (typeof value !== "object" || value === null) return undefined;
  if ("__pulumiOutput" in value) return "an output. Pass a plain value";
  return "then" in value ? "a promise. Pass a plain value" : undefined;
}
