import { mayHaveHappened } from "../../client/answers";
import { type ErrorCode, messagePartsOf, ObservabilityError, RequestError } from "../../client/errors";
import type { Target } from "../objects/target";

/** What a decision knows. */
export interface Situation {
  /**
   * Right after an attempt: its error. Before the next one: the last error that leaves open whether a write was done;
   * undefined if there is none.
   */
  readonly failure: unknown;
  /** When the first attempt began that may have been done: milliseconds of `performance.now()`. Without `failure` there is none. */
  readonly begunAt: number;
}

/**
 * What to do about an object: nothing more, because its state is known; this write; or another one in its place. After a
 * failed attempt, `send` is no verdict and is not called: the error decides whether there is another attempt. It gets the
 * start of the first attempt that may have been done, itself included.
 */
export type NextStep<T> =
  { readonly done: T } | { readonly send: (start: number) => Promise<T> } | { readonly instead: () => Promise<T> };

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
  const repetition = session.client.transport.repetition();
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
    if (!("send" in step)) return ended(step);
    if (repetition.lost === undefined) begunAt = performance.now();
    try {
      return await step.send(begunAt);
    } catch (error) {
      // An earlier attempt may have been done, whatever error this one has.
      const wasLost = repetition.lost !== undefined && error instanceof RequestError;
      const failure = wasLost ? error.after({ wasLost }) : error;
      if (isOpen(failure)) {
        const verdict = await decided(failure);
        if (!("send" in verdict)) return ended(verdict);
      }
      await repetition.waitOrThrow(error);
    }
  }
}

const ended = <T>(step: Exclude<NextStep<T>, { send: unknown }>) => ("done" in step ? step.done : step.instead());

export const createRemedy = 'the object may exist. Set adopt: "identical" and run again';
/** The remedy for an update or a delete. */
export const changeRemedy = "it is unknown whether the service made the change. Run again";

/** Errors of a look-up that decide, so that nothing about the failed write has to be added. */
const decisive: readonly ErrorCode[] = ["conflict", "configuration", "outcome_unknown"];

/** The error of a write that may have been done, if the object can't be looked up. */
export function undecidedAfter(remedy: string, lost: unknown, failed: unknown): ObservabilityError {
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
