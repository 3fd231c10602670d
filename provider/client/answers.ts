import { ApiError, ConfigurationError, ConnectionError, ObservabilityError, UnexpectedAnswerError } from "./errors";
import { serviceCodes } from "./serviceCodes";

/** Auth, rate-limit and gateway statuses: no verdict on what was asked. */
const notAboutTheRequest = [401, 403, 407, 408, 423, 425, 429];

/** A refusal for what was asked. */
export function isRefusal(error: unknown): error is ApiError {
  return (
    error instanceof ApiError && error.status >= 400 && error.status < 500 && !notAboutTheRequest.includes(error.status)
  );
}

/** A router's 404, a 405 or a 501 where the document describes no such operation: the service lacks it. */
export function isMissingOperation(error: unknown): boolean {
  return error instanceof ApiError && !error.operation.described && [404, 405, 501].includes(error.status);
}

/** No word of the service about what was asked: no answer, somebody else's, or one about who asks. */
export function isOutage(error: unknown): boolean {
  return (
    error instanceof ConnectionError ||
    error instanceof UnexpectedAnswerError ||
    error instanceof ConfigurationError ||
    (error instanceof ApiError && !isRefusal(error))
  );
}

/** Whether a write may have been done, though this is all that came of it. */
export function mayHaveHappened(error: unknown): boolean {
  if (error instanceof ObservabilityError && error.wasLostBefore) return true;
  if (error instanceof ConnectionError) return error.mayHaveArrived;
  if (error instanceof UnexpectedAnswerError) return true; // Cut off, or replaced on the way.
  if (!(error instanceof ApiError)) return false;
  // A page may stand in the answer's place, but for those that let nothing through.
  if (error.isPage) return ![401, 403, 407, 429].includes(error.status);
  return error.status >= 500 && error.status !== 501;
}

/** A refusal that can mean that the slug is in use, or hide that it is: references are looked at before conflicts. */
export const mayBeTaken = (error: unknown) =>
  isRefusal(error) && !isMissingOperation(error) && error.serviceCode !== serviceCodes.invalid;

/** Whether the service does not answer now: this says nothing of the settings. */
export const isAway = (error: unknown) =>
  error instanceof ConnectionError ||
  (error instanceof ApiError &&
    ((error.status >= 500 && error.status !== 501) || [408, 425, 429].includes(error.status)));
