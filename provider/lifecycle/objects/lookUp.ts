import { isDeepStrictEqual } from "node:util";
import { setTimeout as sleep } from "node:timers/promises";
import { isForbidden, isMissingOperation, isRefusal, refusalOf } from "../../client/answers";
import type { Verification } from "../../client/addressCheck";
import type { WriteAnswer } from "../../client/client";
import type { Found } from "../../client/reads";
import type { PagesUse } from "../../client/reader";
import { ApiError, ObservabilityError } from "../../client/errors";
import { serviceCodes } from "../../client/serviceCodes";
import { isAsWritten } from "../../values/differences";
import { isSince } from "../../base/sameTime";
import { type JsonObject } from "../../wire/json";
import type { DryRun } from "./dryRuns";
import { Target } from "./target";
import { putWhole } from "./wholePut";

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
  /** It exists, but this service has no operation that shows it. */
  | { readonly state: "unreadable" };

/** Whether an object exists under a slug. */
export type Existence =
  | ExistingObject
  /** `isValidated`: a dry run of its creation has shown it. */
  | { readonly state: "absent"; readonly isValidated?: boolean };

/*
 * Which function answers which question:
 * - `lookUp`: does the object exist? By reading it, else by dry runs. Certain, or an error.
 * - `existingAt`: the same before a PUT that may create it, also with a token that can't read.
 * - `shownObject`: what does the service show? For callers that do without an answer.
 * - `isUnlisted`: does the kind's list show that the slug is free? Enough for a preview.
 */

/** How an object is looked for. */
interface Look {
  /** Whether the target is a full declaration. If the object can't be read, a dry run of it decides. Default: true. */
  readonly isDeclared?: boolean;
  readonly pages?: PagesUse;
  /** Whether the caller's validation is in turn already, so that a dry run need not wait. Default: false. */
  readonly isInTurn?: boolean;
}

/**
 * Looks for an object. Reports it as absent only if that is certain: an answer that could come from a wrong URL, a gateway
 * or a lost permission is an error.
 */
export async function lookUp(
  target: Target,
  { isDeclared = true, pages = "all", isInTurn = false }: Look = {},
): Promise<Existence> {
  const { run, kind, slug } = target;
  const { client } = run;
  const isByList = client.reader.readsByList(kind);
  try {
    return existenceOf(await upToDate(target, pages));
  } catch (error) {
    if (isByList || !(error instanceof ApiError)) throw error;
    const { isNotFound, isHtml, serviceCode, operation } = error;
    const isProved = provesAbsence(target, error);
    if (isNotFound && !isHtml && serviceCode !== serviceCodes.noSuchRoute && (isProved || operation.described)) {
      // Without the service's own code, the 404 may come from a gateway: verify the URL again.
      await verifyService(target, { since: serviceCode === serviceCodes.noSuchObject ? undefined : performance.now() });
      return isProved ? { state: "absent" } : unlessShown(target, isDeclared, isInTurn);
    }
    if (!isMissingOperation(error)) throw error;
    const found = await client.reader.readFromList(kind, slug);
    if (found !== "no list") return existenceOf(found);
    if (isDeclared) return decideByDryRun(target, error, isInTurn);
    throw new ObservabilityError("not_implemented", [`this service can't show ${kind.manyTitle}: `, ...error.parts], {
      cause: error,
      hint: "Refer to the object by its slug. To manage it, declare it and set adopt: true",
    });
  }
}

/** Whether a "not found" is certainly about the object: the service reports that, or is known to have the operation. */
function provesAbsence({ run, kind }: Target, { isNotFound, status, serviceCode }: ApiError): boolean {
  const hasOperation = serviceCode === serviceCodes.noSuchObject || run.client.reads.hasSucceeded(kind.operations.read);
  return isNotFound && (hasOperation || status === 410);
}

/** Asks in other ways for an object whose GET answers 404, and has not worked in this process: the service may lack it. */
async function unlessShown(target: Target, isDeclared: boolean, isInTurn: boolean): Promise<Existence> {
  const { run, kind, slug } = target;
  const found = await run.client.reader.readFromList(kind, slug);
  if (found !== "no list") return existenceOf(found);
  if (!isDeclared || run.settings.validate === "never") return { state: "absent" };
  const isThere = await askIfTaken(target, { isInTurn }).catch((error: unknown) => {
    if (isForbidden(error)) return false;
    throw error;
  });
  return { state: isThere ? "unreadable" : "absent" };
}

/** As `Reader.read`. Looks again, for some seconds, while the answer may be older than this process's latest write. */
async function upToDate({ run, kind, slug, key }: Target, pages: PagesUse): Promise<Found | undefined> {
  for (let [from, delay] = [pages, 100]; ; from = "none", delay = Math.min(delay * 2, 800)) {
    const result = await run.client.reader.read(kind, slug, from).catch((error: unknown) => {
      if (error instanceof ApiError && error.isNotFound) return error;
      throw error;
    });
    const isError = result instanceof ApiError;
    if (run.recentWrites.contradict(key, isError ? undefined : result?.object)) await sleep(delay);
    else if (isError) throw result;
    else return result;
  }
}

const presentOf = (found: Found | undefined): Present | undefined =>
  found && { state: "present", object: found.object, date: found.date };

const existenceOf = (found: Found | undefined): Existence => presentOf(found) ?? { state: "absent" };

/**
 * The object under a slug; undefined if this service or this token does not show it. For callers that don't need it.
 * @throws if the service does not answer.
 */
export async function shownObject(target: Target, pages: PagesUse): Promise<Present | undefined> {
  const { run, kind } = target;
  const look = async () => presentOf(await upToDate(target, pages));
  try {
    // An HTML page comes from a gateway: ask again. A second page means that the service has no such operation.
    return await look().catch((error: unknown) => {
      if (error instanceof ApiError && error.isHtml) return look();
      throw error;
    });
  } catch (error) {
    const isUnproved = error instanceof ApiError && !provesAbsence(target, error);
    if (isUnproved && (isMissingOperation(error) || (isRefusal(error) && error.isNotFound))) {
      const found = await run.client.reader.readFromList(kind, target.slug);
      return found === "no list" ? undefined : presentOf(found);
    }
    if (isForbidden(error)) {
      run.noteOnce(
        `this token can't read ${kind.manyTitle}, so an update erases fields that this version of pulumi-observability doesn't support. To keep them, use a token with read access`,
      );
      return undefined;
    }
    if (isRefusal(error) && error.isNotFound) return undefined;
    throw error;
  }
}

/**
 * Makes sure that the URL is the service's. Only then its "not found" and "done" count. Sends no request if the service has
 * already given an answer that only it can give.
 * @param mayExist Whether the object may exist, so that reading it can verify the URL.
 */
export async function verifyService(
  { run, kind, slug }: Target,
  { mayExist = false, ...times }: { readonly mayExist?: boolean } & Pick<Verification, "since" | "until"> = {},
): Promise<void> {
  await run.client.address.ask({ kind, slug: mayExist ? slug : undefined, other: run.listable, ...times });
}

/** Whether the kind's list shows that a slug is free. That is enough for a preview; a write checks it again. */
export const isUnlisted = async ({ run, kind, slug }: Target) => run.client.reader.lacks(kind, slug);

/**
 * The object under a slug before a PUT that may create it. A read decides, because a service that ignores dry_run would
 * overwrite the object; with a token that can't read, a dry run without create, which succeeds only on an object.
 */
export async function existingAt(target: Target, look: Pick<Look, "pages" | "isInTurn">): Promise<Existence> {
  try {
    return await lookUp(target, look);
  } catch (error) {
    if (!isForbidden(error)) throw error;
    return (await askIfTaken(target, look)) ? { state: "unreadable" } : { state: "absent" };
  }
}

const askIfTaken = async (target: Target, { isInTurn = false }: Pick<Look, "isInTurn">) =>
  (await refusalOf(sendInTurn(target, { method: "PUT", createIfMissing: false }, isInTurn))) === undefined;

/** Sends a dry run when its turn comes, unless its validation is in turn already. */
async function sendInTurn(target: Target, dryRun: DryRun, isInTurn: boolean): Promise<void> {
  const { dryRuns } = target.run;
  const send = () => sendDryRun(target, dryRun);
  return isInTurn ? send() : dryRuns.inTurn(operationOf(target, dryRun), { isNew: false }, send);
}

const operationOf = ({ kind: { operations } }: Target, { method }: DryRun) =>
  method === "POST" ? operations.create : operations.update;

async function decideByDryRun(target: Target, unread: ApiError, isInTurn: boolean): Promise<Existence> {
  const { kind, title } = target;
  await verifyService(target);
  let refusal: ApiError | undefined = unread;
  if (kind.createsByPut) {
    if (await askIfTaken(target, { isInTurn })) return { state: "unreadable" };
    refusal = await refusalOf(sendInTurn(target, { method: "PUT", createIfMissing: true }, isInTurn));
  } else if (kind.isSingleton) {
    refusal = await refusalOf(sendInTurn(target, { method: "POST" }, isInTurn));
    // A service may have another status for a conflict, or none: then its POST overwrites.
    if (refusal?.status === 409 || (await askIfTaken(target, { isInTurn }))) return { state: "unreadable" };
  }
  if (refusal === undefined) return { state: "absent", isValidated: true };
  throw new ObservabilityError(
    refusal.code,
    [
      `this service can't show ${kind.manyTitle}, so the provider sent a dry run to find out whether ${title} exists. The service rejected the dry run: `,
      ...refusal.parts,
    ],
    { cause: refusal, hint: 'Correct the declared values and run "pulumi up"' },
  );
}

/**
 * Sends a dry run of a target, and makes sure that nothing was written.
 * @param before What the service had before, if that is known.
 * @throws {ObservabilityError} of code `dry_run_ignored` otherwise.
 */
export async function sendDryRun(target: Target, dryRun: DryRun, before?: Existence): Promise<void> {
  const { run, kind, slug, wire } = target;
  if (run.dryRuns.ignored !== undefined) throw run.dryRuns.ignored;
  const begunAt = performance.now();
  const answer =
    dryRun.method === "POST"
      ? await run.client.post(kind, wire, { dryRun: true })
      : await putWhole(target, before?.state === "present" ? before.object : {}, (body) =>
          run.client.put(kind, slug, body, { dryRun: true, createIfMissing: dryRun.createIfMissing }),
        );
  // A dry run's answer has no resource: an answer that has one contradicts that, so the object decides.
  const mayBeWritten = answer.object !== undefined || answer.status === 201;
  if (mayBeWritten && !run.dryRuns.isEchoed) {
    // A service may make up a slug.
    const { slug: answered = slug } = answer.object ?? {};
    const written = new Target(run, kind, target.desired, String(answered));
    if (await hasWritten(written, answer, begunAt, before)) {
      const isNew = dryRun.method === "POST" || (dryRun.createIfMissing && before?.state !== "present");
      const error = ignoredBy(written, isNew);
      run.dryRuns.ignored ??= error;
      throw error;
    }
    run.dryRuns.isEchoed = true;
  }
  run.dryRuns.recordHonored(operationOf(target, dryRun));
}

/** Whether a dry run that may have written the object has done so. Only reads decide: another dry run might write, too. */
async function hasWritten(
  target: Target,
  { object, status, date }: WriteAnswer,
  begunAt: number,
  before: Existence | undefined,
) {
  const found = await lookUp(target, { isDeclared: false, pages: "none" }).catch((error: unknown) => {
    if (error instanceof ObservabilityError && error.code === "not_implemented") return undefined;
    throw error;
  });
  if (found?.state === "absent") return false;
  // A service that can't show the object may have shown in its answer when it was written.
  if (found?.state !== "present") return status === 201 || isSince(object?.updated_at, date, begunAt) === true;
  if (before?.state === "absent") return true;
  if (before?.state === "present") return !isDeepStrictEqual(before.object, found.object);
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
