import { isRefusal } from "../client/answers";
import type { Kind } from "../schema/kind";
import type { Path } from "../schema/walk";
import { describe, differences } from "../values/differences";
import { settled, threeWay } from "../values/drift";
import { objectFromWire, WireShapeError } from "../wire/codec";
import type { JsonObject } from "../wire/json";
import { differencesFrom } from "./adoption";
import { adopt, createByPut, put } from "./create";
import { explain, oneLine, redact } from "./explain";
import { assertSameService, isAnother, notOurs, reportIfUnknown, whyAnother } from "./identity";
import { explainMissing, shown } from "./lookUp";
import { argumentsOf, recalled, type State, type Written, writtenOutputs } from "./record";
import type { Run } from "./run";
import { Target } from "./target";

/**
 * Replaces the whole object with what is declared, if it is the recorded one. Recreates it if it was
 * deleted outside Pulumi.
 */
export async function update(
  run: Run,
  kind: Kind,
  outputs: JsonObject,
  inputs: JsonObject,
): Promise<Record<string, unknown>> {
  const target = new Target(run, kind, argumentsOf(kind, inputs));
  try {
    const state = recalled(run, kind, target.slug, outputs);
    const written = await write(target, state);
    run.declarations.holds(kind, target.slug, written.object);
    const { createdAt } = state;
    // A service may leave the time out of this answer: the object is still the one of that time.
    return { ...(createdAt === undefined ? {} : { createdAt }), ...writtenOutputs(target, written) };
  } catch (error) {
    // The old secrets are redacted too: the service may quote the existing object.
    throw explain(`update ${target.title}`, await explainMissing(target, error), target, outputs);
  }
}

async function write(target: Target, state: State): Promise<Written> {
  const { run, title } = target;
  const object = await shown(target);
  assertSameService(target, state, object);
  if (object !== undefined && isAnother(state, object)) {
    if (target.adopt === false) throw notOurs(state, object);
    return adopt(target, { state: "present", object, date: undefined });
  }
  const desired = object === undefined ? target : target.keeping(object);
  let written: Written;
  try {
    if (object !== undefined) {
      reportIfUnknown(target, state, object, "updated");
      reportReverted(desired, state, object);
    }
    // An object that was just read may be recreated if it is deleted now. One that was not found is created below, which
    // distinguishes a lost answer from an object of another client.
    written = await put(desired, { overwritten: object, createIfMissing: object !== undefined });
  } catch (error) {
    // A 404 means that there is no object, or that the service lacks the operation: then the create fails the same way.
    if (object !== undefined || !isRefusal(error) || error.status !== 404) throw error;
    return createByPut(target);
  }
  if (object === undefined && written.object !== undefined && isAnother(state, written.object)) {
    run.note(
      `${title}: this update overwrote an object that the service did not show before: ${whyAnother(state, written.object)}`,
    );
  }
  return written;
}

/**
 * Notes which outside edits since the last write this update reverts.
 * @param target The declaration, with the object's values in the places that the program ignores.
 */
function reportReverted(target: Target, { managed, notes }: State, object: JsonObject): void {
  const { run, kind, title } = target;
  if (notes === undefined) return;
  let found;
  try {
    const actual = objectFromWire(kind.root, object);
    const now = threeWay(
      kind.root,
      { recorded: managed, written: settled(managed, notes.filledIn), actual },
      run.isMask,
    );
    const changed = differences(kind.root, managed, now, run.isMask);
    found = differencesFrom(target, object).filter(
      ({ path, isMasked }) => !isMasked && changed.some((each) => overlap(path, each.path)),
    );
  } catch (error) {
    if (error instanceof WireShapeError) return; // It does not match the API spec.
    throw error;
  }
  if (found.length === 0) return;
  const redacted = (text: string) => redact(text, target, managed);
  const changes = describe(kind.root, found, redacted, target.secrets);
  const words = `${title} was edited outside this stack. To revert that, this update ${changes}`;
  run.note(oneLine(redacted(words)));
}

/** Whether one of two places is in the other. */
const overlap = (one: Path, other: Path) =>
  one.slice(0, other.length).every((step, i) => String(step) === String(other[i]));
