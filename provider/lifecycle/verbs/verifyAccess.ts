import { isAway, serviceCodes } from "../../client/failures";
import {
  addressDoubt,
  ApiError,
  ConfigurationError,
  ObservabilityError,
  type RequestError,
  sentences,
  UnexpectedAnswerError,
} from "../../client/errors";
import { assertReadable } from "../../client/settings";
import { accessOf, type Validation } from "../../protocol";
import { explain } from "../notes/explain";
import type { Target } from "../objects/target";
import { readsResults } from "./validate";

/** The longest time that a preview waits for this check. */
const longestMs = 10_000;

const nothing: Validation = { failures: [], warnings: [] };

/**
 * Asks once whether the service is at the URL and accepts the token: a preview checks this even if nothing changes,
 * and all settings with it.
 * @param target An object that the service may have; its slug is empty if there is none.
 * @returns a function to call after all validations, so that no cause is reported twice.
 */
async function verifyAccess(target: Target): Promise<() => Validation> {
  try {
    assertReadable(target.session.settings);
    const { session, kind, slug } = target;
    await session.client.service.verify({ kind, slug: slug || undefined, until: performance.now() + longestMs });
    return () => nothing;
  } catch (error) {
    return () => describeFailure(target, error);
  }
}

function describeFailure(target: Target, error: unknown): Validation {
  const { session } = target;
  // This code comes only from the service: it is there, and the token was accepted.
  if (error instanceof ApiError && error.serviceCode === serviceCodes.noSuchObject) return nothing;
  // Other validations may have succeeded: the token may write but not read, or the service is back.
  const isOpen = isAway(error) || (error instanceof ApiError && error.status === 403);
  if (session.progress.result === "in vain" || (isOpen && session.progress.result === "something")) return nothing;
  const doing = error instanceof ConfigurationError ? "read the settings" : "check baseUrl and apiToken";
  const message = (cause: unknown) => explain(doing, cause, target).message;
  if (isAway(error)) {
    const warning = sentences(message(error), "It is unknown whether an update can reach the service");
    return { failures: [], warnings: [warning] };
  }
  if (!mayBeGateway(error)) return { failures: [message(error)], warnings: [] };
  const { code, parts, hint = addressDoubt(session.client.baseUrl) } = error;
  return { failures: [message(new ObservabilityError(code, parts, { cause: error, hint }))], warnings: [] };
}

/** Whether something other than the service may have answered. */
const mayBeGateway = (error: unknown): error is RequestError =>
  error instanceof UnexpectedAnswerError ||
  (error instanceof ApiError && (error.isHtml || (error.status >= 400 && ![401, 403].includes(error.status))));

/** Verifies them while the engine goes on. The class reports the result after all validations. */
function beginAccess(target: Target, instance: string): void {
  const { session } = target;
  const record = session.results.begin(accessOf(instance));
  void session.during(async () => {
    const describe = await verifyAccess(target);
    const end = () => record(describe());
    session.progress.onProgress = end;
    end();
  });
}

/** Why URL or token can't be used; empty if the class reports that later. */
export async function accessFailures(target: Target): Promise<readonly string[]> {
  const { session, context } = target;
  try {
    if (session.settings.validate === "never") return [];
    if (context.instance !== undefined && readsResults(target)) {
      beginAccess(target, context.instance);
      return [];
    }
    const { failures, warnings } = (await verifyAccess(target))();
    for (const warning of warnings) session.note(warning, "warning");
    return failures;
  } catch (error) {
    return [explain("check baseUrl and apiToken", error, target).message];
  }
}
