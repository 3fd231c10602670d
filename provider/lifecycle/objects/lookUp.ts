import { isDeepStrictEqual } from "node:util";
import { setTimeout as sleep } from "node:timers/promises";
import { isForbidden, isMissingOperation, isRejection, serviceCodes } from "../../client/failures";
import type { WriteAnswer } from "../../client/client";
import type { Found } from "../../client/lists";
import { ApiError, ObservabilityError, UnexpectedAnswerError } from "../../client/errors";
import { isAsWritten } from "../../values/differences";
import { isComparable, isSince } from "../../base/sameTime";
import { type JsonObject } from "../../wire/json";
import type { DryRun } from "./dryRuns";
import { Target } from "./target";

/** An object that the service shows. */
export interface Present {
  readonly state: "present";
  readonly object: JsonObject;
  /** The service's clock at the answer, in milliseconds since the epoch; undefined if the answer has none. */
  readonly date: number | undefined;
}

/** An object that the service has. */
export type ExistingObject =
  | Present
  /** It exists, but this service has no operation that shows it, or the token may not read it. */
  | { readonly state: "unshown"; readonly object?: undefined };

/** What is certain about a slug. */
export type Existence =
  | ExistingObject
  /** `isValidated`: a dry run of its creation has shown it. */
  | { readonly state: "absent"; readonly object?: undefined; readonly isValidated?: boolean };

/** What a look-up has found. The caller decides what is enough. */
export type LookedUp =
  | Existence
  /** The token may not read it, or the service lacks the operation, and no dry run was to decide. */
  | { readonly state: "uncertain"; readonly object?: undefined; readonly why: ObservabilityError };

/** How an object is looked for. */
interface Look {
  /**
   * Which pages of the kind's list may answer: `all` that were read since this process wrote something, or none. `decide`:
   * also show that the slug is free. That is enough for a preview; a write checks it again. Default: `all`.
   */
  readonly pages?: "all" | "none" | "decide";
  /**
   * When dry runs of the target, which is then a full declaration, decide: if the service can't show the object, or also if
   * the token may not read it. They write nothing unless the service ignores `dry_run`, so a read goes first.
   */
  readonly dryRuns?: "never" | "without operation" | "without read";
}

const absent = { state: "absent" } as const;

/**
 * An object whose creation time distinguishes it from a later one with its slug.
 * @throws {UnexpectedAnswerError} if the time has a form that can't be compared: it must not count as no time.
 */
function existenceOf({ kind, slug }: Target, found: Found | undefined): Existence {
  if (found === undefined) return absent;
  const { object, date } = found;
  const time = object.created_at;
  if (isComparable(time)) return { state: "present", object, date };
  throw new UnexpectedAnswerError({
    what: `the service shows created_at as ${JSON.stringify(time).slice(0, 100)}, not as a string, in ${kind.title} ${JSON.stringify(slug)}`,
    hint:
      "A proxy or gateway may change the service's answers. Nothing is written or deleted, because without the time the object " +
      "can't be distinguished from a later one with its slug",
  });
}

/** @throws why nothing is certain. */
export function orThrow(found: LookedUp): Existence {
  if (found.state === "uncertain") throw found.why;
  return found;
}

/**
 * Looks for an object. An answer that could come from a wrong URL, a gateway or a lost permission is an error. A 404 that may
 * also mean a missing operation counts as absent only where no dry run may decide.
 */
export async function lookUp(target: Target, { pages = "all", dryRuns = "never" }: Look = {}): Promise<LookedUp> {
  const { session, kind, slug } = target;
  const { reader, service } = session.client;
  if (pages === "decide" && (await reader.lacks(kind, slug))) return absent;
  const isListed = await service.readsByList(kind);
  const error = await upToDate(target, pages !== "none");
  if (!(error instanceof ApiError)) return existenceOf(target, error);
  const unlessTaken = async () => ((await askIfTaken(target)) ? ({ state: "unshown" } as const) : absent);
  if (isForbidden(error)) return dryRuns === "without read" ? unlessTaken() : { state: "uncertain", why: error };
  const { isNotFound, isHtml, serviceCode, operation } = error;
  const isProved = provesAbsence(target, error);
  const isOfObject =
    isNotFound && !isHtml && serviceCode !== serviceCodes.noSuchRoute && (isProved || operation.described);
  if (isListed || !(isOfObject || isMissingOperation(error))) throw error;
  // Without the service's own code, the 404 may come from a gateway: verify the URL again.
  if (isOfObject)
    await service.verify({ kind, since: serviceCode === serviceCodes.noSuchObject ? undefined : performance.now() });
  if (isOfObject && isProved) return absent;
  const found = await reader.readInstead(kind, slug);
  if (found !== "no list") return existenceOf(target, found);
  if (isOfObject) {
    if (dryRuns === "never" || session.settings.validate === "never") return absent;
    return unlessTaken().catch((failed: unknown) => {
      if (isForbidden(failed)) return absent;
      throw failed;
    });
  }
  if (dryRuns !== "never") return decideByDryRun(target, error);
  const why = new ObservabilityError(
    "not_implemented",
    [`this service can't show ${kind.manyTitle}: `, ...error.parts],
    {
      cause: error,
      hint: "Refer to the object by its slug. To manage it, declare it and set adopt: true",
    },
  );
  return { state: "uncertain", why };
}

/** Whether a "not found" is certainly about the object: the service reports that, or is known to have the operation. */
function provesAbsence({ session, kind }: Target, { isNotFound, status, serviceCode }: ApiError): boolean {
  const hasOperation =
    serviceCode === serviceCodes.noSuchObject || session.client.service.isUsable(kind.operations.read) === true;
  return isNotFound && (hasOperation || status === 410);
}

/**
 * Reads the object, or returns the service's error. Looks again, for some seconds, while the answer may be older than this
 * process's latest write, and once after an HTML page, which comes from a gateway.
 */
async function upToDate(target: Target, mayUsePages: boolean): Promise<Found | ApiError | undefined> {
  const { session, objectKey } = target;
  for (let [pages, delay] = [mayUsePages, 100]; ; pages = false, delay = Math.min(delay * 2, 800)) {
    const first = await readOnce(target, pages);
    const result = first instanceof ApiError && first.isHtml ? await readOnce(target, pages) : first;
    if (result instanceof ApiError && !result.isNotFound) return result;
    if (!session.recentWrites.contradict(objectKey, result instanceof ApiError ? undefined : result?.object))
      return result;
    await sleep(delay);
  }
}

const readOnce = ({ session, kind, slug }: Target, mayUsePages: boolean) =>
  session.client.reader.read(kind, slug, mayUsePages).catch((error: unknown) => {
    if (error instanceof ApiError) return error;
    throw error;
  });

/** Why the service rejects a dry run; undefined if it accepts it. */
async function rejectionOf(dryRun: Promise<unknown>): Promise<ApiError | undefined> {
  try {
    await dryRun;
    return undefined;
  } catch (error) {
    // A gateway's HTML page is not a rejection: its "not found" would make a slug look free.
    if (!isRejection(error)) throw error;
    return error;
  }
}

/** Whether a dry run without create succeeds, which it does only on an object. */
const askIfTaken = async (target: Target) =>
  (await rejectionOf(sendDryRun(target, { method: "PUT", createIfMissing: false }))) === undefined;

async function decideByDryRun(target: Target, unread: ApiError): Promise<Existence> {
  const { session, kind, title } = target;
  await session.client.service.verify({ kind });
  let rejection: ApiError | undefined = unread;
  if (kind.createsByPut) {
    if (await askIfTaken(target)) return { state: "unshown" };
    rejection = await rejectionOf(sendDryRun(target, { method: "PUT", createIfMissing: true }));
  } else if (kind.isSingleton) {
    rejection = await rejectionOf(sendDryRun(target, { method: "POST" }));
    // A service may have another status for a conflict, or none: then its POST overwrites.
    if (rejection?.status === 409 || (await askIfTaken(target))) return { state: "unshown" };
  }
  if (rejection === undefined) return { state: "absent", isValidated: true };
  throw new ObservabilityError(
    rejection.code,
    [
      `this service can't show ${kind.manyTitle}, so the provider sent a dry run to find out whether ${title} exists. The service rejected the dry run: `,
      ...rejection.parts,
    ],
    { cause: rejection, hint: 'Correct the declared values and run "pulumi up"' },
  );
}

/**
 * Sends a dry run of a target when its turn comes, and makes sure that nothing was written, unless the service is known to
 * echo the object.
 * @param before What the service had before, if that is known.
 * @throws {ObservabilityError} of code `dry_run_ignored` otherwise.
 */
export async function sendDryRun(target: Target, dryRun: DryRun, before?: Existence): Promise<void> {
  const { session, kind, slug, wire } = target;
  const { dryRuns, client } = session;
  const { create, update } = kind.operations;
  const isNew = dryRun.method === "POST" || (dryRun.createIfMissing && before?.object === undefined);
  await dryRuns.inTurn(dryRun.method === "POST" ? create : update, isNew, async () => {
    const begunAt = performance.now();
    const answer =
      dryRun.method === "POST"
        ? await client.post(kind, wire, { dryRun: true })
        : await client.put(kind, slug, wire, { ...dryRun, dryRun: true, overwritten: before?.object });
    // A dry run's answer has no object. If it has one, the object in the service decides.
    const mayBeWritten = answer.object !== undefined || answer.status === 201;
    if (!mayBeWritten || dryRuns.isEchoed) return;
    // A service may make up a slug.
    const { slug: answered = slug } = answer.object ?? {};
    const written = new Target(session, kind, target.args, String(answered));
    if (await hasWritten(written, answer, begunAt, before)) throw (dryRuns.ignored ??= ignoredBy(written, isNew));
    dryRuns.isEchoed = true;
  });
}

/** Whether a dry run that may have written the object has done so. Only reads decide: another dry run might write, too. */
async function hasWritten(
  target: Target,
  { object, status, date }: WriteAnswer,
  begunAt: number,
  before: Existence | undefined,
) {
  const found = await lookUp(target, { pages: "none" });
  if (found.state === "absent") return false;
  if (found.state === "uncertain" && isForbidden(found.why)) throw found.why;
  // A service that can't show the object may have shown in its answer when it was written.
  if (found.state !== "present") return status === 201 || isSince(object?.updated_at, date, begunAt) === true;
  if (before?.state === "absent") return true;
  if (before?.object !== undefined) return !isDeepStrictEqual(before.object, found.object);
  return (
    isSince(found.object.updated_at, found.date, begunAt) !== false && isAsWritten(target.differencesFrom(found.object))
  );
}

function ignoredBy({ title }: Target, isNew: boolean): ObservabilityError {
  const [wrote, undo] = isNew ? ["created", "Delete"] : ["changed", "Restore"];
  const what = `a dry run ${wrote} ${title}, because the service, or a gateway in front of it, ignores dry_run. The process that prints this message sends no more dry runs`;
  const hint = `${undo} the object, unless another client ${wrote} it. Then fix the gateway, or set observability:validate to never`;
  return new ObservabilityError("dry_run_ignored", what, { hint });
}
