import { isInvalidContent, isRejection } from "../../client/failures";
import type { Kind } from "../../schema/kind";
import { overlaps } from "../../schema/walk";
import { describeDifferences, differences } from "../../values/differences";
import { ifMatching, fromWire } from "../../wire/codec";
import { type JsonObject, withoutAbsent } from "../../wire/json";
import { explain, oneLine, redact } from "../notes/explain";
import { explainMissing } from "./explainMissing";
import { assertSameService, isAnother, notOurs, noteUncomparedTime, noteUnread } from "../objects/ownership";
import { lookUp } from "../objects/lookUp";
import { argumentsOf, managedNow, type RecordedState, stateOf } from "../objects/record";
import type { Session } from "../session";
import { Target } from "../objects/target";
import { adopt } from "./adoption";
import { createByPut } from "./create";
import {
  lostWriteOf,
  changeRemedy,
  type NextStep,
  put,
  type Situation,
  untilKnown,
  type WrittenObject,
  writtenOutputs,
} from "./write";

/**
 * Replaces the whole object with what is declared, if it is the recorded one. Recreates it if it was
 * deleted outside Pulumi.
 */
export async function update(
  session: Session,
  kind: Kind,
  outputs: JsonObject,
  inputs: JsonObject,
): Promise<Record<string, unknown>> {
  const state = stateOf(kind, outputs);
  const target = Target.checked(session, kind, argumentsOf(kind, inputs), state.record);
  try {
    const written = await overwrite(target, state);
    target.claimWritten(written.object);
    // A service may leave the time out of this answer: the object is still the one of that time.
    return { ...withoutAbsent({ createdAt: state.createdAt }), ...writtenOutputs(target, written, state) };
  } catch (error) {
    // The old secrets are redacted too: the service may quote the existing object.
    throw explain(`update ${target.title}`, await explainMissing(target, error), target, outputs);
  }
}

async function overwrite(target: Target, state: RecordedState): Promise<WrittenObject> {
  let overwritten: JsonObject | undefined;
  const decide = async (situation: Situation): Promise<NextStep<WrittenObject>> => {
    const existing = await lookUp(target, { pages: "none" });
    noteUnread(target, existing);
    assertSameService(target, state, existing.object);
    if (existing.state !== "present") return { send: (start) => putUnseen(target, state, start) };
    const { object } = existing;
    const kept = target.keeping(object);
    const isAnothers = isAnother(state, object);
    // If the object was deleted before our lost PUT, that has created this one.
    const written = lostWriteOf(kept, existing, situation, isAnothers ? undefined : overwritten);
    if (written !== undefined) return { done: written };
    if (isAnothers && target.adopt === false) throw notOurs(state, object);
    if (isAnothers) return { done: adopt(target, existing) };
    noteUncomparedTime(target, state, object, "updates");
    noteReverted(kept, state, object);
    overwritten = object;
    // If it is deleted now, the PUT recreates it.
    return { send: (start) => put(kept, { overwritten: object, begunAt: start }) };
  };
  return untilKnown(target, decide, { remedy: changeRemedy });
}

/**
 * Updates an object that the service does not show: there is none, or this token can't read it. Of the object before, only
 * the creation time is known.
 */
async function putUnseen(target: Target, { createdAt }: RecordedState, begunAt: number): Promise<WrittenObject> {
  try {
    return await put(target, {
      // Only for `assertMeant`: nothing else can be preserved.
      overwritten: withoutAbsent({ created_at: createdAt }),
      createIfMissing: false,
      begunAt,
    });
  } catch (error) {
    if (!isRejection(error) || isInvalidContent(error)) throw error;
    // If the object exists, the error was about the operation or the content.
    const found = await lookUp(target, { pages: "none", dryRuns: "without read" });
    if (found.state !== "absent") throw error;
    return createByPut(target);
  }
}

/**
 * Notes which outside edits since the last write this update reverts.
 * @param target The declaration, with the object's values in the places that the program ignores.
 */
function noteReverted(target: Target, state: RecordedState, object: JsonObject): void {
  const { session, kind, title } = target;
  const { managed, record } = state;
  const actual = ifMatching(() => fromWire(kind.root, object));
  if (record === undefined || actual === undefined) return;
  const now = managedNow(state, target, actual);
  const changed = differences(kind.root, managed, now, session.isMask).map(({ path }) => path);
  const found = target.differencesFrom(object).filter(({ path, isMasked }) => !isMasked && overlaps(path, changed));
  if (found.length === 0) return;
  const redacted = (text: string) => redact(text, target, managed);
  const changes = describeDifferences(kind.root, found, redacted, target.marks);
  const words = `${title} was edited outside this stack. This update overwrites the edit with the program's values. It ${changes}`;
  session.noteOnce(oneLine(redacted(words)));
}
