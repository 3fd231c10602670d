import { isDeepStrictEqual } from "node:util";
import { mayHaveHappened } from "../../client/answers";
import {
  type ErrorCode,
  ObservabilityError,
  messagePartsOf,
  RequestError,
  UnexpectedAnswerError,
} from "../../client/errors";
import { mapIn } from "../../schema/walk";
import { isWritten } from "../../values/differences";
import { isExact, isSameTime, isSince, latenessOf } from "../../values/sameTime";
import { type JsonObject } from "../../wire/json";
import { adoptionOf } from "../objects/adoption";
import { type ExistingObject, existingAt, find, type Present } from "../objects/lookUp";
import { codedNote } from "../notes/notes";
import type { WrittenObject } from "../objects/record";
import type { Target } from "../objects/target";
import { putWhole } from "../objects/wholePut";

/** What a decision knows. */
export interface Situation {
  readonly isFirst: boolean;
  /**
   * Right after an attempt: its error. Before the next one: the last error that leaves open whether a write was done;
   * undefined if there is none.
   */
  readonly failure: unknown;
  /** When the first attempt began that may have been done, else this one: milliseconds since the epoch. */
  readonly since: number;
}

/** What to do about an object: nothing more, because its state is known; this write; or another one in its place. */
export type NextStep<T> =
  { readonly done: T } | { readonly send: (since: number) => Promise<T> } | { readonly instead: () => Promise<T> };

/**
 * Writes until it is known what became of it. No write is retried blindly: each attempt begins with a look at the object,
 * and one that may have been done although it failed ends with one. Only a POST is repeated without a look, if no earlier
 * attempt can have been done: the service rejects a taken slug.
 * @param decide Looks at the object, and decides what to do.
 * @param isOpen Whether an error leaves open what the service has.
 * @param remedy What to do if the answer was lost and the object can't be looked up.
 */
export async function untilKnown<T>(
  { run }: Target,
  decide: (situation: Situation) => Promise<NextStep<T>>,
  {
    isOpen = mayHaveHappened,
    remedy = mayExist,
  }: { readonly isOpen?: typeof mayHaveHappened; readonly remedy?: string } = {},
): Promise<T> {
  const repetition = run.client.repetition();
  let [since, isFirst] = [Date.now(), true];
  const decided = async (failure: unknown) => {
    const situation = { isFirst, failure, since };
    isFirst = false;
    try {
      return await decide(situation);
    } catch (failed) {
      const isDecided = failed instanceof ObservabilityError && decisive.includes(failed.code);
      if (failure === undefined || isDecided) throw failed;
      throw mayHaveHappened(failure) ? unknownAfter(remedy, failure, failed) : failure;
    }
  };
  for (;;) {
    const step = await decided(repetition.lost);
    if (!("send" in step)) return ended(step);
    if (repetition.lost === undefined) since = Date.now();
    try {
      return await step.send(since);
    } catch (error) {
      // An earlier attempt may have been done, whatever error this one has.
      const wasLost = repetition.lost !== undefined && error instanceof RequestError;
      const failure = wasLost ? error.after({ wasLost }) : error;
      const next = isOpen(failure) ? await decided(failure) : step;
      if (!("send" in next)) return ended(next);
      await repetition.waitAfter(error);
    }
  }
}

const ended = <T>(step: Exclude<NextStep<T>, { send: unknown }>) => ("done" in step ? step.done : step.instead());

const mayExist = 'the object may exist. Set adopt: "identical" and run again';
/** The remedy for an update or a delete. */
export const runAgain = "it is unknown whether the service has done it. Run again";

/** Errors of a look-up that decide, so that nothing about the failed write has to be added. */
const decisive: readonly ErrorCode[] = ["conflict", "configuration", "outcome_unknown"];

/** The error of a write that may have been done, if the object can't be looked up. */
function unknownAfter(remedy: string, lost: unknown, failed: unknown): ObservabilityError {
  return new ObservabilityError(
    "outcome_unknown",
    [
      `the answer was lost, so ${remedy}. The request failed: `,
      ...messagePartsOf(lost),
      ". The lookup after it failed: ",
      ...messagePartsOf(failed),
    ],
    { cause: failed },
  );
}

/**
 * Whether the object is what we wrote. The service may have filled in what we left out.
 * @param overwritten The object before the write. If it is unchanged and still differs, nothing was written.
 */
function isAsSent(target: Target, { object }: Present, overwritten: JsonObject | undefined): boolean {
  const found = target.differencesFrom(object);
  // A service fills in fields, and people add entries to maps, such as labels.
  if (found.some(({ path, isMasked }) => !isMasked && mapIn(target.kind.root, path) !== undefined)) return false;
  return isWritten(found) && (found.length === 0 || !isDeepStrictEqual(object, overwritten));
}

/**
 * Whether the object is the result of our write whose answer was lost.
 * @param overwritten The object that it overwrote. Without one, it is ours only if it was created since our first attempt.
 */
export function isOurs(target: Target, existing: Present, overwritten: JsonObject | undefined, since: number): boolean {
  const isOwn = overwritten !== undefined || isSince(existing.object.created_at, existing.date, since) === true;
  return isOwn && isAsSent(target, existing, overwritten);
}

/**
 * Adopts an existing object.
 * @param found What was just found: the first attempt need not look.
 * @throws {ObservabilityError} of code `conflict` if `adopt` does not allow it.
 */
export async function adopt(target: Target, found: ExistingObject): Promise<WrittenObject> {
  let latest: ExistingObject | undefined = found;
  let overwritten: JsonObject | undefined;
  return untilKnown(target, async ({ failure, since }) => {
    const existing = latest ?? (await existingAt(target, { pages: "none" }));
    latest = undefined;
    if (existing.state === "absent") return { send: (start) => put(target, { since: start }) };
    const isLost = mayHaveHappened(failure) && existing.state === "present";
    if (isLost && isOurs(target.keeping(existing.object), existing, overwritten, since)) {
      return { done: { target: target.keeping(existing.object), object: existing.object, overwritten } };
    }
    const { text, writes, desired } = adoptionOf(target, existing);
    target.run.noteOnce(text);
    overwritten = existing.state === "present" ? existing.object : undefined;
    if (!writes) return { done: { target: desired, object: overwritten } };
    return { send: (start) => put(desired, { overwrites: overwritten ?? {}, since: start }) };
  });
}

/** How an object is written by PUT. */
interface Put {
  /** What is known of the object that it overwrites; absent if it creates one. Fields beyond our schema are kept. */
  readonly overwrites?: JsonObject;
  readonly createIfMissing?: boolean;
  readonly since: number;
}

/** Writes the whole object, once. */
export async function put(target: Target, { overwrites, createIfMissing = true, since }: Put): Promise<WrittenObject> {
  const { run, kind, slug } = target;
  const { object: answered, date } = await putWhole(target, overwrites ?? {}, (body) =>
    run.client.put(kind, slug, body, { dryRun: false, createIfMissing }),
  );
  const object = await confirmed(target, answered, (found) => isAsSent(target, found, overwrites), overwrites);
  assertMeant(target, object, { before: overwrites, since, date });
  return { target, object, overwritten: overwrites };
}

/**
 * Makes sure that a PUT has written the object that it was meant for: the one that was read, or a new one.
 * @throws {ObservabilityError} of code `conflict` if it is proved to be another client's, unless it is to be adopted.
 */
export function assertMeant(
  { run, title, adopt }: Target,
  object: JsonObject | undefined,
  { before, since, date }: { before: JsonObject | undefined; since: number; date: number | undefined },
) {
  const { created_at: created, updated_at: updated } = object ?? {};
  const lateness = latenessOf(updated, created);
  const isOtherClients =
    before === undefined
      ? // Our own request explains a gap that is no longer than it took: a service reads its clock twice, and a gateway may
        // deliver a request twice.
        // With a short gap, this PUT has created the object, even if the service's clock differs from its Date.
        (lateness ?? 0) > Date.now() - since ||
        ((lateness ?? 2_000) >= 2_000 && isSince(created, date, since) === false)
      : // If the object was deleted since it was read, this PUT has created it, and has written it only once.
        isSameTime(before.created_at, created) === false && !(isExact(created) && created === updated);
  if (!isOtherClients) return;
  const verb = before === undefined ? "created" : "recreated";
  const what = `another client ${verb} it at the same time (${String(created)}), and this update overwrote it`;
  if (adopt === true) return run.note(codedNote(`adopts the existing ${title}: ${what}`, "adopts"));
  throw new ObservabilityError("conflict", `${what}, but did not record it in state`, {
    hint: "Tell its owner. To keep managing it here, set adopt: true; otherwise choose another slug",
  });
}

/** Whether an answer shows all that was sent, or can't be compared. */
const isAsDeclared = (target: Target, object: JsonObject) => isWritten(target.shownDifferences(object) ?? []);

/** The object itself, if an answer shows the one before the write, or only a part of it. */
async function asStored(target: Target, answered: JsonObject): Promise<JsonObject> {
  const found = await find(target, { isDeclared: false, pages: "none" }).catch(() => undefined);
  return found?.state === "present" && isAsDeclared(target, found.object) ? found.object : answered;
}

/**
 * Returns the object of an answer to a write, after making sure that it exists under our slug.
 * @param before The object that was overwritten, if any.
 */
export async function confirmed(
  target: Target,
  answered: JsonObject | undefined,
  isConfirmed: (existing: Present) => boolean,
  before?: JsonObject,
): Promise<JsonObject | undefined> {
  const { run, kind, slug, key } = target;
  const hasOurSlug = answered === undefined || kind.isSingleton || answered.slug === slug;
  if (hasOurSlug) run.recentWrites.add(key, before, answered);
  if (hasOurSlug && answered !== undefined)
    return isAsDeclared(target, answered) ? answered : asStored(target, answered);
  // A success without the object, or with another one, could come from a gateway. Only the object confirms the write.
  const other = answered === undefined ? undefined : JSON.stringify(answered.slug);
  const success = `the service reported success but returned ${other === undefined ? "no object" : `an object with another slug, ${other}`}`;
  const remedy =
    other === undefined
      ? "Run again"
      : `If the service has the object under that slug, declare slug: ${other} and set adopt: "identical"`;
  const found = await find(target, { pages: "none" }).catch((failed: unknown) => {
    if (other === undefined) throw unknownAfter(mayExist, new UnexpectedAnswerError({ what: success }), failed);
    throw new ObservabilityError("unexpected_answer", success, { cause: failed, hint: remedy });
  });
  if (found.state === "present" && isConfirmed(found)) return found.object;
  if (found.state === "unreadable") return undefined;
  const what = `${success}, and ${found.state === "absent" ? "the object was not found afterward" : "the existing object is not what was sent"}`;
  // A service that changes the slug does so each time.
  if (other !== undefined) throw new ObservabilityError("unexpected_answer", what, { hint: remedy });
  throw new UnexpectedAnswerError({ what, hint: remedy });
}
