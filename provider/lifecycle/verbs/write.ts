import { isDeepStrictEqual } from "node:util";
import { mayHaveHappened } from "../../client/answers";
import { messagePartsOf, ObservabilityError, UnexpectedAnswerError } from "../../client/errors";
import { mapIn } from "../../schema/walk";
import { isAsWritten } from "../../values/differences";
import { isEquivalent } from "../../values/equal";
import { clockLeewayMs, isExact, isSameTime, isSince, latenessOf } from "../../base/sameTime";
import { type JsonObject } from "../../wire/json";
import { adoptionOf } from "./adoption";
import { type ExistingObject, lookUp, orThrow, type Present } from "../objects/lookUp";
import { codedNote } from "../notes/notes";
import { noteKept, noteStored } from "../notes/stored";
import { outputsOf, type RecordedState } from "../objects/record";
import type { Target } from "../objects/target";
import { putKeepingNewer } from "../objects/wholePut";
import { createRemedy, type Situation, undecidedAfter, untilKnown } from "./untilKnown";

/** The result of a write. */
export interface WrittenObject {
  /** The declaration, with the existing object's values in the places that the program ignores. */
  readonly target: Target;
  /** The object in the service's answer; undefined if the answer does not show it. */
  readonly object: JsonObject | undefined;
  /** The object that was overwritten, as far as it was shown. */
  readonly overwritten?: JsonObject | undefined;
}

/**
 * Whether the object is what we wrote. The service may have filled in what we left out.
 * @param overwritten The object before the write. If it is unchanged and still differs, nothing was written.
 */
function isAsSent(target: Target, { object }: Present, overwritten: JsonObject | undefined): boolean {
  const found = target.differencesFrom(object);
  // A service fills in fields, and people add entries to maps, such as labels.
  if (found.some(({ path, isMasked }) => !isMasked && mapIn(target.kind.root, path) !== undefined)) return false;
  return isAsWritten(found) && (found.length === 0 || !isDeepStrictEqual(object, overwritten));
}

/**
 * Whether the object is the result of our write whose answer was lost.
 * @param overwritten The object that it overwrote, which the caller has found to be the same one. Without it, the object is
 *   ours only if it was created since our first attempt.
 */
export function isOurs(
  target: Target,
  existing: Present,
  overwritten: JsonObject | undefined,
  begunAt: number,
): boolean {
  const isOwn = overwritten !== undefined || isSince(existing.object.created_at, existing.date, begunAt) === true;
  return isOwn && isAsSent(target, existing, overwritten);
}

/** A PUT would overwrite an existing object, so each attempt first looks whether there is one. */
export async function createByPut(target: Target): Promise<WrittenObject> {
  return untilKnown(target, async (situation) => {
    const isLost = mayHaveHappened(situation.failure);
    // A dry run shows whether a slug is taken, not whose the object is.
    const dryRuns = isLost ? "without operation" : "without read";
    const existing = await lookUp(target, { pages: "none", dryRuns }).then(orThrow);
    if (existing.state === "absent") return { send: (start) => put(target, { begunAt: start }) };
    const written = lostWriteOf(target, existing, situation);
    if (written === undefined && isLost && target.adopt === false) throw undecided(situation.failure);
    return written === undefined ? { instead: () => adopt(target, existing) } : { done: written };
  });
}

/** The error of a PUT whose answer was lost, if the object may be another client's. */
const undecided = (lost: unknown) =>
  new ObservabilityError(
    "outcome_unknown",
    [
      "the answer was lost, and the object under this slug differs from what was sent, or can't be shown. Look at the " +
        "object. If it is yours, set adopt: true and run again. Otherwise choose another slug. The write failed: ",
      ...messagePartsOf(lost),
    ],
    { cause: lost },
  );

/** The object as written, if it is the result of our write whose answer was lost. `overwritten` as of `isOurs`. */
export const lostWriteOf = (
  target: Target,
  existing: ExistingObject,
  { failure, begunAt }: Situation,
  overwritten?: JsonObject,
): WrittenObject | undefined =>
  mayHaveHappened(failure) && existing.state === "present" && isOurs(target, existing, overwritten, begunAt)
    ? { target, object: existing.object, overwritten }
    : undefined;

/**
 * Adopts an existing object if it may be adopted.
 * @param found What was just found: the first attempt need not look.
 * @throws {AlreadyExistsError} if not.
 */
export async function adopt(target: Target, found: ExistingObject): Promise<WrittenObject> {
  let latest: ExistingObject | undefined = found;
  let overwritten: JsonObject | undefined;
  return untilKnown(target, async (situation) => {
    const existing = latest ?? orThrow(await lookUp(target, { pages: "none", dryRuns: "without read" }));
    latest = undefined;
    if (existing.state === "absent") return { send: (start) => put(target, { begunAt: start }) };
    const desired = existing.object === undefined ? target : target.keeping(existing.object);
    const written = lostWriteOf(desired, existing, situation, overwritten);
    if (written !== undefined) return { done: written };
    const { text, writes, target: adopted } = adoptionOf(target, existing);
    target.session.noteOnce(text);
    overwritten = existing.object;
    if (!writes) return { done: { target: adopted, object: overwritten } };
    return { send: (start) => put(adopted, { overwritten: overwritten ?? {}, begunAt: start }) };
  });
}

/** How an object is written by PUT. */
interface Put {
  /** What is known of the object that it overwrites; absent if it creates one. Fields beyond our schema are kept. */
  readonly overwritten?: JsonObject;
  readonly createIfMissing?: boolean;
  readonly begunAt: number;
}

/** Writes the whole object, once. */
export async function put(
  target: Target,
  { overwritten, createIfMissing = true, begunAt }: Put,
): Promise<WrittenObject> {
  const { session, kind, slug } = target;
  const { object: answered, date } = await putKeepingNewer(target, overwritten ?? {}, (body) =>
    session.client.put(kind, slug, body, { dryRun: false, createIfMissing }),
  );
  const object = await proveWritten(target, answered, (found) => isAsSent(target, found, overwritten), overwritten);
  assertMeant(target, object, { overwritten, begunAt, date });
  return { target, object, overwritten };
}

/**
 * Makes sure that a write has met the object that it was meant for: the one that was read, or a new one.
 * @throws {ObservabilityError} of code `conflict` if it is proved to be another client's, unless it is to be adopted.
 */
export function assertMeant(
  target: Target,
  object: JsonObject | undefined,
  { overwritten, begunAt, date }: { overwritten: JsonObject | undefined; begunAt: number; date: number | undefined },
) {
  const created = object?.created_at;
  const isAnothers =
    overwritten === undefined
      ? isCreatedByAnother(object, begunAt, date)
      : isRecreatedByAnother(object, overwritten.created_at);
  if (!isAnothers) return;
  const verb = overwritten === undefined ? "created" : "recreated";
  const what = `another client ${verb} the object at the same time (${String(created)}), and this update overwrote it`;
  if (target.adopt === true) {
    return target.session.note(codedNote(`adopts ${target.kind.existingTitleOf(target.slug)}: ${what}`, "adopts"));
  }
  throw new ObservabilityError("conflict", `${what}. The state doesn't record the object`, {
    hint: "Tell its owner. Then choose another slug, or set adopt: true to manage the object here",
  });
}

/** Whether the times of the object that our request seems to have created show that another client has created it. */
function isCreatedByAnother(object: JsonObject | undefined, begunAt: number, date: number | undefined): boolean {
  const { created_at: created, updated_at: updated } = object ?? {};
  const lateness = latenessOf(updated, created);
  // Our own request explains a gap that is no longer than it took: a service reads its clock twice, and a gateway may
  // deliver a request twice.
  if (lateness !== undefined && lateness > performance.now() - begunAt) return true;
  // With a short gap, our request has created the object, even if the service's clock differs from its Date.
  const isShort = lateness !== undefined && lateness < clockLeewayMs;
  return !isShort && isSince(created, date, begunAt) === false;
}

/** Whether the times show that another client has recreated the object since it was read. */
function isRecreatedByAnother(object: JsonObject | undefined, recorded: unknown): boolean {
  const { created_at: created, updated_at: updated } = object ?? {};
  // If the object was deleted since, our PUT has created it, and has written it only once.
  const isOurOwn = isExact(created) && created === updated;
  return isSameTime(recorded, created) === false && !isOurOwn;
}

/** Whether an answer shows all that was sent, or can't be compared. */
const showsAllSent = (target: Target, object: JsonObject) => isAsWritten(target.shownDifferences(object) ?? []);

/** What the service shows, if that is what was sent; else the answer, which may be the object before the write, or a part. */
async function storedOr(target: Target, answered: JsonObject): Promise<JsonObject> {
  const found = await lookUp(target, { pages: "none" }).catch(() => undefined);
  return found?.state === "present" && showsAllSent(target, found.object) ? found.object : answered;
}

/**
 * The object that a write has left. Looks for it if the answer doesn't show it under our slug with all that was sent.
 * @param isConfirmed Whether what is found proves the write, if the answer has no object, or one with another slug.
 * @param overwritten The object before the write, if any.
 * @throws if neither shows that the object was written.
 */
export async function proveWritten(
  target: Target,
  answered: JsonObject | undefined,
  isConfirmed: (existing: Present) => boolean,
  overwritten?: JsonObject,
): Promise<JsonObject | undefined> {
  const { session, kind, slug, objectKey } = target;
  const hasOurSlug = answered === undefined || kind.isSingleton || answered.slug === slug;
  if (hasOurSlug) session.recentWrites.add(objectKey, overwritten, answered);
  if (hasOurSlug && answered !== undefined)
    return showsAllSent(target, answered) ? answered : storedOr(target, answered);
  // A success without the object, or with another one, could come from a gateway. Only the object confirms the write.
  const other = answered === undefined ? undefined : JSON.stringify(answered.slug);
  const success = `the service reported success but returned ${other === undefined ? "no object" : `an object with another slug, ${other}`}`;
  const declareSlug = `If the service has the object under that slug, declare slug: ${other} and set adopt: "identical"`;
  const look = lookUp(target, { pages: "none", dryRuns: "without operation" });
  const found = await look.then(orThrow).catch((failed: unknown) => {
    if (other === undefined) throw undecidedAfter(createRemedy, new UnexpectedAnswerError({ what: success }), failed);
    throw new ObservabilityError("unexpected_answer", success, { cause: failed, hint: declareSlug });
  });
  if (found.state === "present" && isConfirmed(found)) return found.object;
  if (found.state === "unshown") return undefined;
  const isAbsent = found.state === "absent";
  const what = `${success}, and ${isAbsent ? "no object with the declared slug was found afterward" : "the object in the service differs from what was sent"}`;
  // A service that changes the slug does so each time.
  if (other !== undefined) throw new ObservabilityError("unexpected_answer", what, { hint: declareSlug });
  const declareForm = isAbsent ? "" : ". If the service stores values in another form, declare the values in that form";
  throw new UnexpectedAnswerError({ what, hint: `Run again${declareForm}` });
}

/**
 * The outputs of an object that was just written, from the service's answer. If the answer cannot be read, records what
 * was sent: the object exists.
 * @param declared What the program declares: what was written may keep something else in its place.
 * @param state What an update started from.
 */
export function writtenOutputs(
  { desired: declared }: Target,
  written: WrittenObject,
  state?: RecordedState,
): Record<string, unknown> {
  const { target, object } = written;
  const { session, kind, title, desired } = target;
  const keepsIgnored = !isEquivalent(kind.root, declared, desired);
  try {
    if (object !== undefined) {
      noteStored(target, object);
      noteKept(target, object, { overwritten: written.overwritten, managed: state?.managed, ...state?.record });
    }
    return outputsOf(session, kind, desired, object, { keepsIgnored });
  } catch (error) {
    // Whatever it is: the object exists.
    session.note(`${title} was written, but the answer can't be parsed: ${(error as Error).message}`);
    return outputsOf(session, kind, desired, object, { keepsIgnored, answered: desired });
  }
}
