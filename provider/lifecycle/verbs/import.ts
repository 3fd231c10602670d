import type { Kind } from "../../schema/kind";
import { declaredPart } from "../../values/declared";
import { isZero } from "../../values/equal";
import { objectFromWire } from "../../wire/codec";
import type { JsonObject } from "../../wire/json";
import { ConfigurationError } from "../../client/errors";
import { explain } from "../notes/explain";
import { find } from "../objects/lookUp";
import type { Read } from "./read";
import { outputsOf } from "../objects/record";
import type { Run } from "../run";
import { Target } from "../objects/target";

/**
 * The object under a slug as the declaration that would change nothing; undefined if there is none. What the service
 * masks is left out.
 * @throws an error in words for the user if the service cannot show it, or if a singleton has another id.
 */
export async function importObject(run: Run, kind: Kind, slug: string): Promise<Read | undefined> {
  const target = new Target(run, kind, {}, slug);
  try {
    if (kind.isSingleton && slug !== kind.singletonId)
      throw new ConfigurationError(`its id is "${kind.singletonId}", not "${slug}"`);
    const existing = await find(target, { isDeclared: false });
    if (existing.state !== "present") return undefined;
    const live = objectFromWire(kind.root, existing.object);
    const inputs = declaredPart(kind.root, live, (field, value) =>
      isZero(value) || run.isMask(field, value) ? undefined : value,
    ) as JsonObject; // an object stays one
    return { inputs, outputs: outputsOf(run, kind, inputs, existing.object, { secrets: [] }) };
  } catch (error) {
    throw explain(`read ${target.title}`, error, target);
  }
}
