import type { Kind } from "../schema/kind";
import type { JsonObject } from "../wire/codec";
import { put } from "./create";
import { explain } from "./explain";
import { type Run, slugOf, titleOf } from "./run";
import { argumentsOf, outputsOf } from "./state";
import { explainMissing } from "./validate";

/** Replaces the whole object with what is declared; one that was deleted behind the user's back comes back. */
export async function update(run: Run, kind: Kind, inputs: JsonObject): Promise<Record<string, unknown>> {
  const wanted = argumentsOf(kind, inputs);
  const slug = slugOf(kind, wanted);
  try {
    const object = await put(run, kind, slug, wanted);
    run.take(kind, slug);
    return outputsOf(kind, run.client.baseUrl, wanted, object);
  } catch (error) {
    throw explain(`update ${titleOf(kind, slug)}`, explainMissing(kind, error), run, kind, wanted);
  }
}
