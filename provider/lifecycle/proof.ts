import { isAway } from "../client/answers";
import { addressDoubt, ApiError, UnexpectedAnswerError } from "../client/errors";
import { serviceCodes } from "../client/serviceCodes";
import type { Verdict } from "../protocol";
import { explain } from "./explain";
import type { Target } from "./target";

/** The longest time that a preview waits for the proof. */
const longestMs = 10_000;

const nothing: Verdict = { failures: [], warnings: [] };

/**
 * Asks once whether the service is at the address and accepts the token: a preview checks this even if nothing changes.
 * @param target An object that the service may have; its slug is empty if there is none.
 * @returns a function to call after all validations, so that no cause is reported twice.
 */
export async function prove(target: Target): Promise<() => Verdict> {
  const { run, kind, slug } = target;
  try {
    await run.client.proveAddress({
      kind,
      slug: slug || undefined,
      other: run.listable,
      until: Date.now() + longestMs,
    });
    return () => nothing;
  } catch (error) {
    return () => unproven(target, error);
  }
}

function unproven(target: Target, error: unknown): Verdict {
  const { run } = target;
  // This code comes only from the service: it is there, and the token was accepted.
  if (error instanceof ApiError && error.serviceCode === serviceCodes.noSuchObject) return nothing;
  // Other validations may have succeeded: the token may write but not read, or the service is back.
  const isOpen = isAway(error) || (error instanceof ApiError && error.status === 403);
  if (run.validations.result === "in vain" || (isOpen && run.validations.result === "something")) return nothing;
  const told = explain("check baseUrl and apiToken", error, target).message;
  if (isAway(error)) {
    const warning = `${told}; this preview does not show whether an update can reach the service`;
    return { failures: [], warnings: [warning] };
  }
  if (!isElsewhere(error)) return { failures: [told], warnings: [] };
  const question = addressDoubt(run.client.baseUrl);
  return { failures: [told.includes(question) ? told : `${told}; ${question}`], warnings: [] };
}

/** Whether something other than the service may have answered. */
const isElsewhere = (error: unknown) =>
  error instanceof UnexpectedAnswerError ||
  (error instanceof ApiError && (error.isPage || (error.status >= 400 && ![401, 403].includes(error.status))));
