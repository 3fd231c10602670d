import type { Kind } from "../schema/kind";
import type { JsonObject } from "../wire/json";
import { put } from "./create";
import { explainMissing, shown } from "./lookUp";
import { explain } from "./explain";
import { type Run, slugOf, titleOf } from "./run";
import { argumentsOf, writtenOutputs } from "./record";

/** Replaces the whole object with what is declared; one that was deleted behind the user's back comes back. */
export async function update(
  run: Run,
  kind: Kind,
  outputs: JsonObject,
  inputs: JsonObject,
): Promise<Record<string, unknown>> {
  const wanted = argumentsOf(kind, inputs);
  const slug = slugOf(kind, wanted);
  try {
    const object = await put(run, kind, slug, wanted, { overwritten: await shown(run, kind, slug) });
    return writtenOutputs(run, kind, wanted, object);
  } catch (error) {
    // The old secrets are struck too: a service may say what it has.
    throw explain(`update ${titleOf(kind, slug)}`, await explainMissing(run, kind, error), run, kind, wanted, outputs);
  }
}
