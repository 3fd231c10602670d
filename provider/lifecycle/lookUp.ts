import { isMissingOperation, isRefusal } from "../client/answers";
import { ApiError, ObservabilityError } from "../client/errors";
import { serviceCodes } from "../client/serviceCodes";
import { type JsonObject } from "../wire/json";
import type { Target } from "./target";

/** An object that the service has. */
export type Standing =
  | {
      readonly state: "present";
      readonly object: JsonObject;
      /** The service's clock at the answer, where it tells. */
      readonly date: number | undefined;
    }
  /** It exists, but this service has no operation that shows it. */
  | { readonly state: "unreadable" };

/** What the service says of the object under a slug. */
export type Existence = Standing | { readonly state: "absent" };

/**
 * Looks for an object, and calls it absent only on proof: an answer that could as well come from a wrong address, a
 * gateway or a lost permission is an error.
 * @param isDeclared Whether the service accepts what the target says: if the object cannot be read, a dry run with that
 * decides.
 */
export async function find(target: Target, { isDeclared = true } = {}): Promise<Existence> {
  const { kind, slug } = target;
  const { client } = target.run;
  if (kind.readsByList) {
    const found = await client.find(kind, slug);
    return found === undefined ? { state: "absent" } : { state: "present", object: found.object, date: found.date };
  }
  const { read } = kind.operations;
  const hasReadBefore = client.hasRead(read);
  try {
    const { object, date } = await client.get(kind, slug);
    return { state: "present", object, date };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 404 && error.isJson && error.serviceCode !== serviceCodes.noSuchRoute) {
      const isOfTheObject = read.described || hasReadBefore || error.serviceCode === serviceCodes.noSuchObject;
      if (isOfTheObject) {
        // Without the service's own code it could be a gateway that was not there a moment ago.
        const since = error.serviceCode === serviceCodes.noSuchObject ? undefined : performance.now();
        await proveService(target, { since });
        return { state: "absent" };
      }
    }
    if (!isMissingOperation(error)) throw error;
    if (!isDeclared) {
      throw new ObservabilityError("not_implemented", `this service cannot show a ${kind.title}: ${error.message}`);
    }
    return decideByDryRun(target, error);
  }
}

/**
 * The object under a slug, as far as this service and this token show it: for what is only better with it than without.
 * @throws if the service is away.
 */
export async function shown({ run, kind, slug }: Target): Promise<JsonObject | undefined> {
  const look = async () =>
    // One by one: whole pages would be read anew after each write.
    (kind.readsByList ? (await run.client.listBySlugs(kind, [slug]))[0] : await run.client.get(kind, slug))?.object;
  try {
    // A page comes from something on the way; one that comes again, from a service that has no such operation.
    return await look().catch((error: unknown) => {
      if (error instanceof ApiError && error.isPage) return look();
      throw error;
    });
  } catch (error) {
    if (isMissingOperation(error)) return undefined;
    if (error instanceof ApiError && error.status === 403 && !error.isPage) {
      run.noteOnce(
        `this token may not read a ${kind.title}: an update erases fields that this version of pulumi-observability does not know`,
      );
      return undefined;
    }
    if (isRefusal(error) && !error.isPage) return undefined;
    throw error;
  }
}

/**
 * "Gone" and "done" count only if the address is known to be the service's. Until it has given an answer that nothing
 * else could give, it is asked for one.
 * @param mayExist Whether the object itself can prove it.
 * @param since When the proof must have been asked for, in milliseconds of `performance.now()`.
 */
export async function proveService(
  { run, kind, slug }: Target,
  { mayExist = false, since }: { readonly mayExist?: boolean; readonly since?: number | undefined } = {},
): Promise<void> {
  await run.client.proveAddress({ kind, slug: mayExist ? slug : undefined, other: run.listable, since });
}

/** Whether a PUT-created kind's slug is in use: a dry run that may not create succeeds only on an existing object. */
export async function isTaken(target: Target): Promise<boolean> {
  return accepts(() => dryRunPut(target, { createIfMissing: false }));
}

/** Asks about the update of an object, or with `createIfMissing` about writing it whether or not it is there. */
export async function dryRunPut(
  { run, kind, slug, wire }: Target,
  { createIfMissing }: { readonly createIfMissing: boolean },
): Promise<void> {
  await run.client.put(kind, slug, wire, { dryRun: true, createIfMissing });
}

/** A write that this service does not have, in words; any other error as it is. */
export async function explainMissing(target: Target, error: unknown): Promise<unknown> {
  if (!(error instanceof ApiError) || !isMissingOperation(error)) return error;
  try {
    await proveService(target);
  } catch (unproven) {
    return unproven; // Nothing is missing: this is not the service.
  }
  const { kind } = target;
  const words =
    error.operation === kind.operations.create
      ? `create a ${kind.title}: use an existing one, with ${kind.name}.get`
      : `update a ${kind.title}: declare its existing values`;
  return new ObservabilityError("not_implemented", `this service cannot ${words} (${error.message})`, { cause: error });
}

async function accepts(ask: () => Promise<unknown>, onRefusal?: (refusal: ApiError) => void): Promise<boolean> {
  try {
    await ask();
    return true;
  } catch (error) {
    // What a gateway says in the service's place refuses nothing: "not found" on its page would make a slug look free.
    if (!isRefusal(error) || error.isPage) throw error;
    onRefusal?.(error);
    return false;
  }
}

async function decideByDryRun(target: Target, unread: ApiError): Promise<Existence> {
  const { run, kind, title, wire } = target;
  await proveService(target);
  let refusal = unread;
  const keep = (error: ApiError) => {
    refusal = error;
  };
  if (kind.createsByPut) {
    if (await isTaken(target)) return { state: "unreadable" };
    const isFree = await accepts(() => dryRunPut(target, { createIfMissing: true }), keep);
    if (isFree) return { state: "absent" };
  } else if (kind.isSingleton) {
    if (await accepts(() => run.client.post(kind, wire, { dryRun: true }), keep)) return { state: "absent" };
    if (refusal.status === 409) return { state: "unreadable" };
  }
  throw new ObservabilityError(
    refusal.code,
    `this service cannot show ${title}, and its dry runs do not tell whether it exists: ${refusal.message}`,
    { cause: refusal },
  );
}
