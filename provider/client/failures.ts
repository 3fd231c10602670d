import { ApiError, ConfigurationError, ConnectionError, RequestError, UnexpectedAnswerError } from "./errors";

/**
 * The reference service's numbers for causes that share a status (service/README.md). Another service need not send
 * them: they sharpen a message or save a request. Without them, reading the object decides the same.
 */
export const serviceCodes = {
  invalid: 400008,
  unknownReference: 40002,
  noSuchObject: 40401,
  noSuchRoute: 40402,
} as const;

/** Whether a service reports that the content of a request is invalid. */
export const isInvalidContent = ({ serviceCode }: { readonly serviceCode: number | undefined }) =>
  serviceCode === serviceCodes.invalid;

/** Statuses of access, rate limit and gateway: they do not concern the content. */
const notAboutTheRequest = [401, 403, 407, 408, 423, 425, 429];

/** A 4xx that rejects the content of the request. A page comes from a gateway, which has not seen the content. */
export function isRejection(error: unknown): error is ApiError {
  return (
    error instanceof ApiError &&
    error.status >= 400 &&
    error.status < 500 &&
    !notAboutTheRequest.includes(error.status) &&
    !error.isHtml &&
    !(error.operation.described && error.serviceCode === serviceCodes.noSuchRoute)
  );
}

/** The service doesn't let this token do it. */
export const isForbidden = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 403 && !error.isHtml;

/** The service lacks the operation: 405 or 501, and also 404 or 410 if the API spec does not contain it. */
export function isMissingOperation(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const { operation, status, isHtml } = error;
  return operation.described ? [405, 501].includes(status) && !isHtml : [404, 405, 410, 501].includes(status);
}

/** Why the service did not decide. Only if it is "away", every other request fails in the same way. */
export type Outage = "away" | "forbidden" | "unexpected";

/** Why the service did not decide: no answer, another server's answer, or one about the token or the rate; else undefined. */
export function outageOf(error: unknown): Outage | undefined {
  if (error instanceof UnexpectedAnswerError) return "unexpected";
  if (isForbidden(error)) return "forbidden";
  const isAway = error instanceof ConnectionError || error instanceof ConfigurationError;
  return isAway || (error instanceof ApiError && !isRejection(error)) ? "away" : undefined;
}

/** Whether a write may have been done although it failed with this error. */
export function mayHaveHappened(error: unknown): boolean {
  if (error instanceof RequestError && error.wasLost) return true;
  if (error instanceof ConnectionError) return error.facts.mayHaveArrived;
  if (error instanceof UnexpectedAnswerError) return true; // The answer was cut off or replaced on the way.
  if (!(error instanceof ApiError)) return false;
  // A gateway's page may replace the service's answer. With these statuses the gateway let no request through.
  if (error.isHtml) return ![401, 403, 407, 429].includes(error.status);
  // A gateway gives up with 408 or 499, whatever the service does. With a success status, an error may be a warning.
  return (error.status >= 500 && error.status !== 501) || [408, 499].includes(error.status) || error.status < 300;
}

/** A rejection that can mean a taken slug, or hide one: the service checks references before conflicts. */
export const mayBeTaken = (error: unknown) =>
  isRejection(error) && !isMissingOperation(error) && !isInvalidContent(error);

/** Whether the service is unavailable now: no sign of wrong settings. */
export const isAway = (error: unknown) =>
  error instanceof ConnectionError ||
  (error instanceof ApiError &&
    ((error.status >= 500 && error.status !== 501) || [408, 425, 429].includes(error.status)));
