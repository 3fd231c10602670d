import { isOutage } from "../../client/answers";
import type { Context, Validation } from "../../protocol";
import { cutFailures, explain } from "../notes/explain";
import { doubtsAbout } from "../notes/warnings";
import type { Target } from "../objects/target";
import type { Session } from "../session";
import { type DeclaredWrite, validate } from "./validate";

/** Whether the class reads the results that this process writes: it does in a preview, unless it runs on another machine. */
export const readsResults = (session: Session, { dryRun, resultsIn }: Context) =>
  dryRun === true && resultsIn === session.results.folder;

/**
 * Validates while the engine goes on: it waits for each check and each diff. The class reports the result.
 * @throws {ConfigurationError} if the result can't be written.
 */
export function beginValidation(target: Target, write: DeclaredWrite): void {
  const { session, context } = target;
  const { instance = "" } = context;
  const end = session.results.begin(instance);
  void session.during(async () => end(reportedOnce(session, await resultOf(target, write))));
}

async function resultOf(target: Target, write: DeclaredWrite): Promise<Validation> {
  const { title } = target;
  const before = write.is === "update" ? (write.before ?? {}) : {};
  try {
    const validation = await validate(target, write);
    return { ...validation, failures: cutFailures(validation.failures), doubts: doubtsAbout(target, before) };
  } catch (error) {
    const message = explain(`validate ${title}`, error, target, before).message;
    return { failures: [message], warnings: [], isOutage: isOutage(error) };
  }
}

/** If the service is unavailable, it is so for all resources: only the first failure says why. */
function reportedOnce({ progress, client }: Session, validation: Validation): Validation {
  if (validation.isOutage !== true) return validation;
  if (progress.isOutageReported) return { ...validation, failures: [] };
  progress.isOutageReported = true;
  // The requests that still wait would fail the same way.
  client.interrupt();
  return validation;
}
