import type { Kind } from "../schema/kind";
import type { JsonObject } from "../wire/json";
import { put } from "./create";
import { explain } from "./explain";
import { explainMissing, shown } from "./lookUp";
import { argumentsOf, writtenOutputs } from "./record";
import type { Run } from "./run";
import { Target } from "./target";

/** Replaces the whole object with what is declared. Creates it again if somebody deleted it outside of Pulumi. */
export async function update(
  run: Run,
  kind: Kind,
  outputs: JsonObject,
  inputs: JsonObject,
): Promise<Record<string, unknown>> {
  const target = new Target(run, kind, argumentsOf(kind, inputs));
  try {
    const object = await put(target, { overwritten: await shown(target) });
    return writtenOutputs(target, object);
  } catch (error) {
    // The old secrets are struck too: the service may quote the existing object.
    throw explain(`update ${target.title}`, await explainMissing(target, error), target, outputs);
  }
}
