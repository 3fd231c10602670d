import { mayHaveHappened } from "../../client/failures";
import {
  type ErrorCode,
  messagePartsOf,
  ObservabilityError,
  RequestError,
  UnexpectedAnswerError,
} from "../../client/errors";
import { isAsWritten } from "../../values/differences";
import { isEquivalent } from "../../values/equal";
import { type JsonObject } from "../../wire/json";
import { noteKept, noteStored } from "../notes/stored";
import { type ExistingObject, lookUp, orThrow, type Present } from "../objects/lookUp";
import { outputsOf, type RecordedState } from "../objects/record";
import type { Target } from "../objects/target";
import { assertMeant, isAsSent, isOurs } from "./proof";

/** The result of a write. */
export interface WrittenObject {
  /** The declaration, with the existing object's values in the places that the program ignores. */
  readonly target: Target;
  /** The object in the service's answer; undefined if the answer does not show it. */
  readonly object: JsonObject | undefined;
  /** The object that was overwritten, as far as it was shown. */
  readonly overwritten?: JsonObject | undefined;
}

/** What a decision knows. */
export interface Situation {
  /**
   * Right after an attempt: its error. Before the next one: the last error that leaves open whether a write was done;
   * undefined if there is none.
   */
  readonly failure: unknown;
  /** When the first attempt began that may have been done: milliseconds of `performance.now()`. Means nothing without `failure`. */
  readonly begunAt: number;
}

/**
 * What to do about an object: nothing more, because its state is known, or another write decides it; or this write. After a
 * failed attempt, `send` is no verdict and is not called: the error decides whether there is another attempt. It gets the
 * start of the first attempt that may have been done, itself included.
 */
export type NextStep<T> = { readonly done: T | Promise<T> } | { readonly send: (start: number) => Promise<T> };

/**
 * Writes until it is known what became of it. No write is retried blindly: each attempt begins with a look at the object,
 * and one that may have been done although it failed ends with one. Two are repeated without: a POST if no earlier attempt can
 * have been done, because the service rejects a taken slug, and a PUT of an object that the service can't show.
 * @param decide Looks at the object, and decides what to do.
 * @param isOpen Whether an error leaves open what the service has.
 * @param remedy What to do if the answer was lost and the object can't be looked up.
 */
export async function untilKnown<T>(
  { session }: Target,
  decide: (situation: Situation) => Promise<NextStep<T>>,
  {
    isOpen = mayHaveHappened,
    remedy = createRemedy,
  }: { readonly isOpen?: typeof mayHaveHappened; readonly remedy?: string } = {},
): Promise<T> {
  const repetition = session.client.repetition();
  let begunAt = performance.now();
  const decided = async (failure: unknown) => {
    try {
      return await decide({ failure, begunAt });
    } catch (failed) {
      const isDecided = failed instanceof ObservabilityError && decisive.includes(failed.code);
      if (failure === undefined || isDecided) throw failed;
      throw mayHaveHappened(failure) ? undecidedAfter(remedy, failure, failed) : failure;
    }
  };
  for (;;) {
    const step = await decided(repetition.lost);
    if ("done" in step) return step.done;
    if (repetition.lost === undefined) begunAt = performance.now();
    try {
      return await step.send(begunAt);
    } catch (error) {
      // An earlier attempt may have been done, whatever error this one has.
      const wasLost = repetition.lost !== undefined && error instanceof RequestError;
      const failure = wasLost ? error.after({ wasLost }) : error;
      if (isOpen(failure)) {
        const verdict = await decided(failure);
        if ("done" in verdict) return verdict.done;
      }
      await repetition.waitOrThrow(error);
    }
  }
}

export const createRemedy = 'the object may exist. Set adopt: "identical" and run again';
/** The remedy for an update or a delete. */
export const changeRemedy = "it is unknown whether the service made the change. Run again";

/** Errors of a look-up that decide, so that nothing about the failed write has to be added. */
const decisive: readonly ErrorCode[] = ["conflict", "configuration", "outcome_unknown"];

/** The error of a write that may have been done, if the object can't be looked up. */
function undecidedAfter(remedy: string, lost: unknown, failed: unknown): ObservabilityError {
  return new ObservabilityError(
    "outcome_unknown",
    [
      `the answer was lost, so ${remedy}. The request failed: `,
      ...messagePartsOf(lost),
      ". The following lookup failed too: ",
      ...messagePartsOf(failed),
    ],
    { cause: failed },
  );
}

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
  const { session, kind, slug, wire } = target;
  const options = { dryRun: false, createIfMissing, overwritten };
  const { object: answered, date } = await session.client.put(kind, slug, wire, options);
  const object = await proveWritten(target, answered, (found) => isAsSent(target, found, overwritten), overwritten);
  assertMeant(target, object, { overwritten, begunAt, date });
  return { target, object, overwritten };
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
  { args: declared }: Target,
  written: WrittenObject,
  state?: RecordedState,
): Record<string, unknown> {
  const { target, object } = written;
  const { session, kind, title, args } = target;
  const keepsIgnored = !isEquivalent(kind.root, declared, args);
  try {
    if (object !== undefined) {
      noteStored(target, object);
      noteKept(target, object, { overwritten: written.overwritten, managed: state?.managed, ...state?.record });
    }
    return outputsOf(target, object, { keepsIgnored });
  } catch (error) {
    // Whatever it is: the object exists.
    session.note(`${title} was written, but the answer can't be parsed: ${(error as Error).message}`);
    return outputsOf(target, object, { keepsIgnored, answered: args });
  }
}
