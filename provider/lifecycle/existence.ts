import { ApiError, ObservabilityError } from "../client/errors";
import { serviceCodes } from "../client/serviceCodes";
import type { Kind } from "../schema/kind";
import { type JsonObject, toWire } from "../wire/codec";
import { type Run, titleOf } from "./run";

/** What the service says of the object under a slug. */
export type Existence =
  | {
      readonly state: "present";
      readonly object: JsonObject;
      /** The service's clock at the answer, where it tells. */
      readonly date: number | undefined;
    }
  | { readonly state: "absent" }
  /** It exists, but this service has no operation that shows it. */
  | { readonly state: "unreadable" };

/**
 * Looks for an object, and calls it absent only on proof: an answer that could as well come from a wrong address, a
 * gateway or a lost permission is an error.
 * @param wanted Arguments that the service accepts for the object, where there are any: where the object cannot be read,
 * a dry run with them decides.
 */
export async function find(run: Run, kind: Kind, slug: string, wanted: JsonObject | undefined): Promise<Existence> {
  const { client } = run;
  if (kind.readsByList) {
    const [found] = await client.listBySlugs(kind, [slug]);
    return found?.object === undefined
      ? { state: "absent" }
      : { state: "present", object: found.object, date: found.date };
  }
  const { read } = kind.operations;
  const readBefore = client.hasSucceeded(read);
  try {
    const { object, date } = await client.get(kind, slug);
    return object === undefined ? { state: "unreadable" } : { state: "present", object, date };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 404 && error.serviceCode !== serviceCodes.noSuchRoute) {
      const isOfTheObject = read.described || readBefore || error.serviceCode === serviceCodes.noSuchObject;
      if (isOfTheObject) {
        await proveService(run);
        return { state: "absent" };
      }
    }
    if (!isMissingOperation(error)) throw error;
    if (wanted === undefined) {
      throw new ObservabilityError("not_implemented", `this service has no operation that shows it: ${error.message}`);
    }
    return decideByDryRun(run, kind, slug, wanted, error);
  }
}

/** A 404 counts only where the address is known to be the service's: where nothing described has succeeded yet, a list is asked. */
async function proveService(run: Run): Promise<void> {
  if (!run.client.hasSucceeded()) await run.client.probe(run.listable);
}

/** A router's 404, a 405 or a 501 where the document describes no such operation: the service lacks it. */
export function isMissingOperation(error: unknown): boolean {
  return error instanceof ApiError && !error.operation.described && [404, 405, 501].includes(error.status);
}

/** A refusal for what was asked; not one for who asked, how often, or the service's own state. */
export function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status < 500 && ![401, 403, 429].includes(error.status);
}

async function decideByDryRun(
  run: Run,
  kind: Kind,
  slug: string,
  wanted: JsonObject,
  unread: ApiError,
): Promise<Existence> {
  const accepts = async (send: () => Promise<unknown>): Promise<boolean> => {
    try {
      await send();
      return true;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refusal = error;
      return false;
    }
  };
  let refusal = unread;
  const { client } = run;
  const object = toWire(kind.root, wanted) as JsonObject; // an object's wire form is an object
  if (kind.createsByPut) {
    const put = (createIfMissing: boolean) => () => client.put(kind, slug, object, { dryRun: true, createIfMissing });
    if (await accepts(put(false))) return { state: "unreadable" };
    if (await accepts(put(true))) return { state: "absent" };
  } else if (kind.isSingleton) {
    if (await accepts(() => client.post(kind, object, { dryRun: true }))) return { state: "absent" };
    if (refusal.status === 409) return { state: "unreadable" };
  }
  throw new ObservabilityError(
    refusal.code,
    `this service cannot show ${titleOf(kind, slug)}, and its dry runs do not tell whether it exists: ${refusal.message}`,
    { cause: refusal },
  );
}
