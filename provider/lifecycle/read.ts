import { isDeepStrictEqual } from "node:util";
import { ObservabilityError } from "../client/errors";
import type { Kind } from "../schema/kind";
import { project, settled } from "../values/drift";
import { withoutSecrets } from "../values/secrets";
import { objectFromWire } from "../wire/codec";
import { type JsonObject } from "../wire/json";
import { explain } from "./explain";
import { find } from "./lookUp";
import { outputsOf, stateOf } from "./record";
import type { Run } from "./run";
import { assertSameService } from "./service";
import { Target } from "./target";

export interface Read {
  readonly outputs: Record<string, unknown>;
  /**
   * What the program would have to declare for nothing to change. Left out where that is what is recorded, which the
   * engine then keeps, and where the object is managed elsewhere.
   */
  readonly inputs?: JsonObject;
}

/**
 * The object as it stands at the service, as far as the user manages it; nothing where it is proved to be gone.
 * @param outputs What is recorded; without our notes it is a `.get`, which shows everything but secrets.
 */
export async function read(run: Run, kind: Kind, slug: string, outputs: JsonObject): Promise<Read | undefined> {
  const state = stateOf(kind, outputs);
  const { managed, notes } = state;
  const target = new Target(run, kind, managed, slug);
  try {
    await assertSameService(target, state, outputs);
    const existing = await find(target, { isDeclared: notes !== undefined });
    const isExternal = notes === undefined || notes.external === true;
    if (existing.state === "present") {
      const live = objectFromWire(kind.root, existing.object);
      if (isExternal) {
        const shown = withoutSecrets(kind.root, live) as JsonObject; // an object without its secrets is one
        return { outputs: outputsOf(run, kind, shown, existing.object, { external: true, answered: live }) };
      }
      // As above.
      const inputs = project(kind.root, managed, settled(managed, notes.filledIn), live, run.isMask) as JsonObject;
      const found = outputsOf(run, kind, inputs, existing.object, { answered: live, owner: notes.owner });
      return { outputs: found, ...(isDeepStrictEqual(inputs, managed) ? {} : { inputs }) };
    }
    if (existing.state === "absent") {
      if (notes === undefined) throw new ObservabilityError("not_found", "not found");
      return undefined;
    }
    run.noteOnce(`this service cannot show a ${kind.title}: changes made outside of Pulumi are not seen`);
    return { outputs: { ...outputs } };
  } catch (error) {
    throw explain(`read ${target.title}`, error, target);
  }
}
