import { setTimeout as sleep } from "node:timers/promises";
import { isMissingOperation, isRefusal } from "../client/answers";
import type { PagesUse, Verification } from "../client/client";
import type { Found } from "../client/pages";
import { ApiError, ObservabilityError } from "../client/errors";
import { serviceCodes } from "../client/serviceCodes";
import { type JsonObject } from "../wire/json";
import { sendDryRun } from "./dryRuns";
import type { Target } from "./target";

/** An object that the service shows. */
export interface Present {
  readonly state: "present";
  readonly object: JsonObject;
  /** The service's clock at the answer, in milliseconds since the epoch; undefined if the answer has none. */
  readonly date: number | undefined;
}

/** An object that the service has. */
export type Existing =
  | Present
  /** It exists, but this service has no operation that shows it. */
  | { readonly state: "unreadable" };

/** Whether an object exists under a slug. */
export type Existence = Existing | { readonly state: "absent" };

/**
 * Looks for an object. Reports it as absent only if that is certain: an answer that could come from a wrong URL, a gateway
 * or a lost permission is an error.
 * @param isDeclared Whether the target is a full declaration. If the object can't be read, a dry run of it decides.
 */
export async function find(
  target: Target,
  { isDeclared = true, pages = "all" }: { readonly isDeclared?: boolean; readonly pages?: PagesUse } = {},
): Promise<Existence> {
  const { run, kind, slug } = target;
  const { client } = run;
  const { read } = kind.operations;
  const isByList = client.readsByList(kind);
  const hasOperation = read.described || client.hasRead(read);
  try {
    return existenceOf(await upToDate(target, pages));
  } catch (error) {
    if (isByList || !(error instanceof ApiError)) throw error;
    const { status, isNotFound, isPage, serviceCode } = error;
    const isOfTheObject = serviceCode === serviceCodes.noSuchObject || hasOperation || status === 410;
    if (isNotFound && !isPage && serviceCode !== serviceCodes.noSuchRoute && isOfTheObject) {
      // Without the service's own code, the 404 may come from a gateway: verify the URL again.
      await verifyService(target, { since: serviceCode === serviceCodes.noSuchObject ? undefined : performance.now() });
      return { state: "absent" };
    }
    if (!isMissingOperation(error)) throw error;
    const found = await client.findWithoutGet(kind, slug);
    if (found !== "no list") return existenceOf(found);
    if (isDeclared) return decideByDryRun(target, error);
    throw new ObservabilityError("not_implemented", [`this service can't show ${kind.manyTitle}: `, ...error.parts], {
      cause: error,
    });
  }
}

/** As `Client.find`. Looks again, for some seconds, while the answer may be older than this process's latest write. */
async function upToDate({ run, kind, slug, key }: Target, pages: PagesUse): Promise<Found | undefined> {
  for (let [from, delay] = [pages, 100]; ; from = "none", delay = Math.min(delay * 2, 800)) {
    const result = await run.client.find(kind, slug, from).catch((error: unknown) => {
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
export async function shown(target: Target, pages: PagesUse): Promise<Present | undefined> {
  const { run, kind } = target;
  const look = async () => presentOf(await upToDate(target, pages));
  try {
    // An HTML page comes from a gateway: ask again. A second page means that the service has no such operation.
    return await look().catch((error: unknown) => {
      if (error instanceof ApiError && error.isPage) return look();
      throw error;
    });
  } catch (error) {
    if (isMissingOperation(error)) return undefined;
    if (error instanceof ApiError && error.status === 403 && !error.isPage) {
      run.noteOnce(
        `this token can't read ${kind.manyTitle}, so an update erases fields that this version of pulumi-observability doesn't support. To keep them, use a token with read access`,
      );
      return undefined;
    }
    if (isRefusal(error)) return undefined;
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
  await run.client.verifyAddress({ kind, slug: mayExist ? slug : undefined, other: run.listable, ...times });
}

/** Whether the kind's list shows that a slug is free. That is enough for a preview; a write checks it again. */
export async function isUnlisted({ run, kind, slug }: Target): Promise<boolean> {
  return run.client.lacks(kind, slug);
}

/** Whether the slug of a kind that is created by PUT is taken: a dry run without create succeeds only on an object. */
export async function isTaken(target: Target): Promise<boolean> {
  const { settings } = target.run;
  // A service that ignores dry_run would overwrite the object.
  if (settings.validate === "never") return (await find(target, { pages: "none" })).state !== "absent";
  return isTakenByDryRun(target);
}

const isTakenByDryRun = async (target: Target) =>
  (await refusalOf(sendDryRun(target, { method: "PUT", createIfMissing: false }))) === undefined;

/** Explains an error that means that the service lacks the write. Returns any other error unchanged. */
export async function explainMissing(target: Target, error: unknown): Promise<unknown> {
  if (!(error instanceof ApiError) || !isMissingOperation(error)) return error;
  try {
    await verifyService(target);
  } catch (error) {
    return error; // The operation is not missing: the URL is not the service's.
  }
  const { kind } = target;
  const [verb, hint] =
    error.operation === kind.operations.create
      ? ["create", `Use an existing one, with ${kind.name}.get`]
      : ["update", "Declare its existing values"];
  return new ObservabilityError(
    "not_implemented",
    [`this service can't ${verb} ${kind.manyTitle} (`, ...error.parts, ")"],
    {
      cause: error,
      hint,
    },
  );
}

/** Why the service rejects a dry run; undefined if it accepts it. */
async function refusalOf(dryRun: Promise<unknown>): Promise<ApiError | undefined> {
  try {
    await dryRun;
    return undefined;
  } catch (error) {
    // A gateway's HTML page is not a rejection: its "not found" would make a slug look free.
    if (!isRefusal(error)) throw error;
    return error;
  }
}

async function decideByDryRun(target: Target, unread: ApiError): Promise<Existence> {
  const { kind, title } = target;
  await verifyService(target);
  let refusal: ApiError | undefined = unread;
  if (kind.createsByPut) {
    if (await isTakenByDryRun(target)) return { state: "unreadable" };
    refusal = await refusalOf(sendDryRun(target, { method: "PUT", createIfMissing: true }));
  } else if (kind.isSingleton) {
    refusal = await refusalOf(sendDryRun(target, { method: "POST" }));
    if (refusal?.status === 409) return { state: "unreadable" };
  }
  if (refusal === undefined) return { state: "absent" };
  throw new ObservabilityError(
    refusal.code,
    [`this service can't show ${title}, and its dry runs don't show whether it exists: `, ...refusal.parts],
    { cause: refusal },
  );
}
