import {
  isInvalidContent,
  isMissingOperation,
  isRejection,
  mayBeTaken,
  outageOf,
  serviceCodes,
} from "../../client/failures";
import { type ApiError, ObservabilityError, type Problem, sentences, withEnd } from "../../client/errors";
import type { Validation } from "../../protocol";
import type { Kind } from "../../schema/kind";
import { formatPath } from "../../schema/walk";
import { leaves } from "../../values/leaves";
import { fromWirePath, fromWireWords } from "../../wire/codec";
import { type JsonObject } from "../../wire/json";
import { adoptionOf } from "./adoption";
import { cutBytes, cutFailures, explain, oneLine, redact } from "../notes/explain";
import { doubtsAbout } from "../notes/warnings";
import { explainMissing } from "./explainMissing";
import { isAnother, noteUnread, notOurs, type Recorded } from "../objects/ownership";
import { objectKey } from "../objects/claims";
import type { DryRun } from "../objects/dryRuns";
import { type Existence, type ExistingObject, lookUp, orThrow, type Present, sendDryRun } from "../objects/lookUp";
import { codedNote } from "../notes/notes";
import type { Target } from "../objects/target";
import type { Session } from "../session";

/** The warnings and notes of a validation, in addition to its failures. */
interface Reported {
  readonly warnings: string[];
  readonly notes: string[];
}

/**
 * How a declaration is written. A new one may be the resource's own object, which "--replace" replaces. `before` has the old
 * arguments, whose secrets the service may echo. An object that was not created at `createdAt` is not updated.
 */
export type DeclaredWrite =
  | { readonly is: "create"; readonly mayReplaceItself: boolean }
  | { readonly is: "update"; readonly before?: JsonObject; readonly createdAt?: string | undefined };

/** Whether the class reads the results that this process writes: it does in a preview, unless it runs on another machine. */
export const readsResults = ({ session, context: { dryRun, resultsIn } }: Target) =>
  dryRun === true && resultsIn === session.results.folder;

/**
 * Begins the validation, for which the engine does not wait. The class reports the result.
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
    return { failures: [message], warnings: [], outage: outageOf(error) };
  }
}

/** Of the validations that the service did not decide for the same reason, only the first says why. */
function reportedOnce({ progress, client }: Session, validation: Validation): Validation {
  const { outage } = validation;
  if (outage === undefined) return validation;
  if (progress.reported.has(outage)) return { ...validation, failures: [] };
  progress.reported.add(outage);
  // The requests that still wait would fail the same way.
  if (outage === "away") client.interrupt();
  return validation;
}

/** Validates a new or changed declaration by dry runs of what create or update would send. */
export function validate(target: Target, write: DeclaredWrite): Promise<Validation> {
  const { session, kind, args } = target;
  return session.progress.once([kind.name, write.is === "create" ? write : undefined, args], () =>
    write.is === "create"
      ? validateCreate(target, write.mayReplaceItself)
      : validateUpdate(target, write.createdAt, write.before),
  );
}

async function validateUpdate(target: Target, createdAt: string | undefined, before = {}): Promise<Validation> {
  return validationOf(target, before, async (reported) => {
    const existing = createdAt === undefined ? undefined : await assertRecorded(target, { createdAt }, reported);
    const { title } = target;
    if (existing !== undefined && target.shownDifferences(existing.object)?.length === 0)
      reported.notes.push(`${title} already has the declared values. An interrupted update may have written them`);
    try {
      await sendDryRun(target, update, existing);
    } catch (error) {
      // The object does not exist, or the operation is missing, or the content is invalid: then this request fails too.
      if (!isRejection(error) || isInvalidContent(error)) throw error;
      if (existing !== undefined && !error.isNotFound) throw error;
      await sendDryRun(target, createOrUpdate);
      reported.warnings.push(codedNote(`${title} no longer exists in the service: the update recreates it`, "gone"));
    }
  });
}

/** Makes sure that the object is the recorded one, or may be adopted. Returns it, if the service shows it. */
export async function assertRecorded(
  target: Target,
  recorded: Recorded,
  reported: Reported,
): Promise<Present | undefined> {
  const existing = await lookUp(target);
  noteUnread(target, existing);
  if (existing.state !== "present") return undefined;
  if (!isAnother(recorded, existing.object)) return existing;
  if (target.adopt === false) throw notOurs(recorded, existing.object);
  allowExisting(target, existing, false, reported);
  return existing;
}

const update: DryRun = { method: "PUT", createIfMissing: false };
const createOrUpdate: DryRun = { method: "PUT", createIfMissing: true };

/** Also checks whether the slug is free. */
async function validateCreate(target: Target, mayReplaceItself: boolean): Promise<Validation> {
  return validationOf(target, {}, async (reported) => {
    const existing = await (target.kind.createsByPut ? dryRunPut(target) : dryRunPost(target));
    if (existing.state === "absent") return;
    const writes = allowExisting(target, existing, mayReplaceItself, reported);
    if (writes) await sendDryRun(target, createOrUpdate, existing);
  });
}

/** The object under the slug of a kind that is created by PUT. If there is none, a dry run validates its creation. */
async function dryRunPut(target: Target): Promise<Existence> {
  const existing = await lookUp(target, { pages: "decide", dryRuns: "without read" }).then(orThrow);
  if (existing.state === "absent" && existing.isValidated !== true) await sendDryRun(target, createOrUpdate, existing);
  return existing;
}

/** The object under the slug of a kind that is created by POST: a service may reject its dry run, or overwrite the object. */
async function dryRunPost(target: Target): Promise<Existence> {
  try {
    await sendDryRun(target, { method: "POST" });
    // The dry run has passed: what can't be read is left to the create.
    return await lookUp(target, { pages: "decide" })
      .then(orThrow)
      .catch(() => ({ state: "absent" }));
  } catch (error) {
    if (!mayBeTaken(error)) throw error;
    // A failed lookup must not hide the service's rejection.
    const look = lookUp(target, { dryRuns: "without operation" });
    const existing = await look.then(orThrow).catch(() => {
      throw error;
    });
    if (existing.state === "absent") throw error;
    return existing;
  }
}

/**
 * Allows a create although the slug is taken, or throws. Reports what it does to the object.
 * @returns whether it writes the object.
 */
function allowExisting(
  target: Target,
  existing: ExistingObject,
  mayReplaceItself: boolean,
  reported: Reported,
): boolean {
  const { title, adopt } = target;
  const isDeletable = target.session.settings.onMissingDelete !== "retain";
  const replacesFirst = mayReplaceItself && isDeletable && target.context.deleteBeforeReplace === true;
  if (replacesFirst && adopt === false && isLikelyOwn(target, existing)) {
    reported.warnings.push(
      `${title} already exists. If this update replaces the resource that created the object, it deletes the object first (deleteBeforeReplace). Otherwise the update fails`,
    );
    return true;
  }
  const { text, writes, overwrites } = adoptionOf(target, existing);
  (overwrites ? reported.warnings : reported.notes).push(text);
  return writes;
}

/** Whether the object may be the resource's own: it equals the declaration, or the service does not show it. */
const isLikelyOwn = (target: Target, existing: ExistingObject) =>
  existing.state === "unshown" || target.differencesFrom(existing.object).every(({ isMasked }) => isMasked);

/** Turns the result of the dry runs into failures, warnings and notes. */
async function validationOf(
  target: Target,
  before: JsonObject,
  ask: (reported: Reported) => Promise<void>,
): Promise<Validation> {
  const reported: Reported = { warnings: [], notes: [] };
  const { dryRuns, progress } = target.session;
  try {
    if (!progress.reported.has(dryRuns.ignored)) await ask(reported);
    return { failures: [], ...reported };
  } catch (error) {
    if (error instanceof ObservabilityError && error.code === "dry_run_ignored") {
      if (progress.reported.has(error)) return { failures: [], warnings: [] };
      progress.reported.add(error);
    }
    const reason = explain(`validate ${target.title}`, await explainMissing(target, error), target, before).message;
    if (isRejection(error) && !isMissingOperation(error)) {
      const { problems, isUndecided } = decided(target, error);
      const warnings = [...reported.warnings, codedNote(sentences(reason, laterHint), "not-validated")];
      if (isUndecided) return { failures: [], ...reported, warnings };
      const redacted = (text: string) => oneLine(redact(text, target, before));
      const failures = problems.map((problem) => problemText(target.kind, error, problem, redacted));
      if (error.problems.length > 0) return { failures, ...reported };
    }
    return { failures: [reason], warnings: [], outage: outageOf(error) };
  }
}

/**
 * What a rejection decides: the service does not have the objects yet that this run creates.
 * @returns the problems that do not refer to them; and whether there may be none, because the service names no others.
 */
function decided(target: Target, rejection: ApiError): { problems: readonly Problem[]; isUndecided: boolean } {
  const { problems, serviceCode } = rejection;
  const planned = isInvalidContent(rejection) ? [] : plannedReferences(target);
  const open = problems.filter(({ path }) => !planned.includes(fromWirePath(target.kind.root, path)));
  const isUnknownReference = serviceCode === serviceCodes.unknownReference;
  return { problems: open, isUndecided: planned.length > 0 && !isUnknownReference && open.length === 0 };
}

const laterHint = "The update validates the resource after it creates the objects that the resource refers to";
const longestProblem = 500;

function problemText(
  kind: Kind,
  { serviceCode }: ApiError,
  { path, message }: Problem,
  redacted: (text: string) => string,
): string {
  // Secrets are redacted first: respelling a secret would hide it from the search.
  const place = fromWirePath(kind.root, redacted(path));
  const hint =
    serviceCode === serviceCodes.unknownReference
      ? "If this program declares it, pass its slug output instead of a string"
      : undefined;
  const words = fromWireWords(kind.args, cutBytes(redacted(message), longestProblem));
  return withEnd(`${place === "" ? "" : `${place}: `}${words}`, { hint });
}

/** The paths of references to objects that this run writes: the service may not know them yet. */
function plannedReferences({ session, kind, args }: Target): string[] {
  return leaves(kind.root, args)
    .filter(
      ({ field: { options }, value }) =>
        options.refersTo !== undefined &&
        typeof value === "string" &&
        session.isPlanned(objectKey(options.refersTo, value)),
    )
    .map(({ path }) => formatPath(path));
}
