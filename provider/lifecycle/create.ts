import { isDeepStrictEqual } from "node:util";
import { mayBeTaken, mayHaveHappened } from "../client/answers";
import { ObservabilityError, partsOf, UnexpectedAnswerError } from "../client/errors";
import { retryDelayMs } from "../client/retry";
import type { Kind } from "../schema/kind";
import { isWritten } from "../values/differences";
import { isSameTime } from "../values/sameTime";
import { fromWirePath, WireShapeError } from "../wire/codec";
import { type JsonObject } from "../wire/json";
import { type Carried, carryUnknownFields } from "../wire/unknownFields";
import { differencesFrom, adoptedBy, adoptionOf } from "./adoption";
import { explain } from "./explain";
import { type Existence, explainMissing, find, isTaken, type Existing } from "./lookUp";
import { adoptionNote } from "./notes";
import { argumentsOf, type Written, writtenOutputs } from "./record";
import type { Run } from "./run";
import { Target } from "./target";

export interface Created {
  readonly id: string;
  readonly outputs: Record<string, unknown>;
}

/** Creates the object, or adopts an existing one if `adopt` allows it. Never overwrites one otherwise. */
export async function create(run: Run, kind: Kind, inputs: JsonObject): Promise<Created> {
  const target = new Target(run, kind, argumentsOf(kind, inputs));
  const { slug, title } = target;
  try {
    run.declarations.claim(kind, slug, { isWritten: true, creation: "begun" });
    const written = await (kind.createsByPut ? createByPut(target) : createByPost(target));
    run.declarations.holds(kind, slug, written.object);
    return { id: slug, outputs: writtenOutputs(target, written) };
  } catch (error) {
    throw explain(`create ${title}`, await explainMissing(target, error), target);
  }
}

type Present = Extract<Existence, { state: "present" }>;
type IsWritten = (existing: Present) => boolean;

/** The result of one attempt to create the object. */
type Outcome = Written | { readonly error: unknown; readonly mayRepeat: boolean };

/**
 * Attempts until the object is written, or until another attempt makes no sense or comes too late.
 * @param attempt Sends the write at most once. It gets the error of an earlier attempt that may have created the object.
 */
async function repeated({ run }: Target, attempt: (lost: unknown) => Promise<Outcome>): Promise<Written> {
  const repetition = run.client.repetition();
  for (;;) {
    const outcome = await attempt(repetition.lost);
    if (!("error" in outcome)) return outcome;
    const { error, mayRepeat } = outcome;
    const delay = retryDelayMs({ repeatable: true, count: repetition.count, serviceSeen: true, error });
    await repetition.waitAfter(error, mayRepeat ? delay : undefined);
  }
}

/** A PUT would overwrite an existing object: looks it up before each attempt, and at the end if an answer was lost. */
export async function createByPut(target: Target): Promise<Written> {
  const isOurs = ourWrites(target);
  try {
    return await repeated(target, (lost) => attemptPut(target, lost, isOurs));
  } catch (error) {
    if (!mayHaveHappened(error)) throw error;
    return foundAfter(target, error, isOurs);
  }
}

async function attemptPut(target: Target, lost: unknown, isOurs: IsWritten): Promise<Outcome> {
  try {
    if (await isTaken(target)) {
      if (lost !== undefined && target.adopt === false) return await foundAfter(target, lost, isOurs);
      const existing = await adoptedBy(target);
      if (existing.state !== "absent") return await adopt(target, existing);
    }
  } catch (error) {
    // With the lost one itself, the object was deleted since.
    return { error, mayRepeat: error === lost };
  }
  try {
    return newlyMade(await put(target, { once: true, look: findUnconfirmed }));
  } catch (error) {
    return { error, mayRepeat: true };
  }
}

/** A POST fails if the slug is taken: looks the object up after each attempt that may have found or created one. */
async function createByPost(target: Target): Promise<Written> {
  const { run, kind, wire } = target;
  const isOurs = ourWrites(target);
  return repeated(target, async (lost) => {
    try {
      const answer = await run.client.post(kind, wire, { dryRun: false });
      return { target, object: await confirmed(target, answer.object, { look: findUnconfirmed, isWritten: isOurs }) };
    } catch (error) {
      const isLost = mayHaveHappened(error);
      if (!isLost && !mayBeTaken(error)) return { error, mayRepeat: false };
      const existing = await findLost(target, error);
      // Without an object, the service rejected it for another reason, or the request was lost: a retry makes no duplicate.
      if (existing.state === "absent") return { error, mayRepeat: isLost };
      const mayBeOurs = (isLost || lost !== undefined) && existing.state === "present";
      return mayBeOurs && isOurs(existing) ? { target, object: existing.object } : adopt(target, existing);
    }
  });
}

/**
 * Makes sure that the PUT has created the object: one that is older than its last write existed already.
 * @throws {ObservabilityError} of code `conflict` otherwise: another client was faster, and the PUT overwrote its object.
 */
function newlyMade(written: Written): Written {
  const { target, object } = written;
  const [created, updated] = [object?.created_at, object?.updated_at];
  const isOlder = Date.parse(String(created)) < Date.parse(String(updated));
  if (!isOlder || isSameTime(created, updated) !== false) return written;
  const what = `another client created it at the same time (${String(object?.created_at)}), and this update overwrote it`;
  if (target.adopt === true) {
    target.run.note(adoptionNote(target.title, `: ${what}`));
    return written;
  }
  throw new ObservabilityError("conflict", `${what}, but did not record it in state`, {
    hint: "Tell its owner. To keep managing it here, set adopt: true; otherwise choose another slug",
  });
}

/** Looks for the object after a failed write. If the lookup fails too, the error contains both failures. */
async function findLost(target: Target, error: unknown): Promise<Existence> {
  try {
    return await find(target);
  } catch (failed) {
    if (!mayHaveHappened(error)) throw error;
    throw new ObservabilityError(
      "outcome_unknown",
      [
        'the answer was lost, so the object may exist. Set adopt: "identical" and run again. The create failed: ',
        ...partsOf(error),
        ". The lookup after it failed: ",
        ...partsOf(failed),
      ],
      { cause: failed },
    );
  }
}

/** Looks for the object after a success answer that does not show it. */
const findUnconfirmed: typeof find = (target) =>
  findLost(target, new UnexpectedAnswerError({ what: "the service reported success but returned no object" }));

/** Tests whether a write from now on made an object: it equals what we sent and is no older than our first attempt. */
function ourWrites(target: Target): IsWritten {
  const start = Date.now();
  return (existing) => {
    const { object, date } = existing;
    const created = Date.parse(String(object.created_at));
    if (date === undefined || Number.isNaN(created)) return false;
    // By the service's clock, less 2 s: its Date header has whole seconds, and 1 s is leeway.
    const earliest = date - (Date.now() - start) - 2_000;
    return created >= earliest && isAsDesired(target, existing);
  };
}

/**
 * Whether the object is what we wrote. The service may have filled in what we left out.
 * @param overwritten The object before the write. If it is unchanged and still differs, nothing was written.
 */
function isAsDesired(target: Target, { object }: Present, overwritten?: JsonObject): boolean {
  const found = differencesFrom(target, object);
  return isWritten(found) && (found.length === 0 || !isDeepStrictEqual(object, overwritten));
}

/** @throws {ObservabilityError} of code `conflict` if `adopt` does not allow it. */
export async function adopt(target: Target, existing: Existing): Promise<Written> {
  const { text, writes, desired } = adoptionOf(target, existing);
  target.run.note(text);
  const actual = existing.state === "present" ? existing.object : undefined;
  if (!writes) return { target: desired, object: actual };
  try {
    return await put(desired, { overwritten: actual, look: findUnconfirmed });
  } catch (error) {
    if (!mayHaveHappened(error)) throw error;
    return foundAfter(desired, error, (found) => isAsDesired(desired, found, actual));
  }
}

/**
 * Looks the object up after a PUT whose answer was lost, and returns it if it is what was written.
 * @throws the original error if there is no object; one of code `outcome_unknown` if the object may be another one.
 */
async function foundAfter(target: Target, error: unknown, isWritten: IsWritten): Promise<Written> {
  const existing = await findLost(target, error);
  if (existing.state === "absent") throw error;
  if (existing.state === "present" && isWritten(existing)) return { target, object: existing.object };
  throw new ObservabilityError(
    "outcome_unknown",
    [
      "the answer was lost, and the object under this slug differs from what was sent, or can't be shown. Look at the " +
        "object. To adopt it, set adopt: true and run again; otherwise choose another slug. The write failed: ",
      ...partsOf(error),
    ],
    { cause: error },
  );
}

/** How an object is written by PUT. */
interface Put {
  /** The existing object, if the service shows it: its fields beyond our schema are kept. */
  readonly overwritten?: JsonObject | undefined;
  readonly createIfMissing?: boolean;
  /** Whether the caller retries it. */
  readonly once?: boolean;
  readonly look?: typeof find;
}

/** Writes the whole object. */
export async function put(
  target: Target,
  { overwritten, createIfMissing = true, once = false, look = find }: Put,
): Promise<Written> {
  const { run, kind, slug } = target;
  const answer = await run.client.put(kind, slug, bodyOf(target, overwritten ?? {}), {
    dryRun: false,
    createIfMissing,
    once,
  });
  const object = await confirmed(target, answer.object, {
    look,
    isWritten: (existing) => isAsDesired(target, existing, overwritten ?? {}),
  });
  return { target, object };
}

/** @throws {ObservabilityError} of code `conflict` if a field of a newer service would be erased. */
function bodyOf({ kind, wire }: Target, overwritten: JsonObject): JsonObject {
  let carried: Carried;
  try {
    carried = carryUnknownFields(kind.root, wire, overwritten);
  } catch (error) {
    if (error instanceof WireShapeError) return wire; // The existing object does not match the API spec.
    throw error;
  }
  if (carried.lost.length === 0) return carried.object;
  const places = carried.lost.map((path) => fromWirePath(kind.root, path)).join(", ");
  throw new ObservabilityError(
    "conflict",
    `the service has fields in ${places} that this version of pulumi-observability doesn't support, and this change ` +
      "would erase them. Install a newer version, or remove the fields in the service",
  );
}

/** Returns the object of an answer to a write, after making sure that it exists under our slug. */
async function confirmed(
  target: Target,
  answered: JsonObject | undefined,
  { look, isWritten }: { readonly look: typeof find; readonly isWritten: IsWritten },
): Promise<JsonObject | undefined> {
  const { kind, slug } = target;
  if (answered !== undefined && (kind.isSingleton || answered.slug === slug)) return answered;
  // A success without the object, or with another one, could come from a gateway. Only the object confirms the write.
  const what = answered === undefined ? "no object" : `an object with another slug, ${JSON.stringify(answered.slug)}`;
  const existing = await look(target);
  if (existing.state === "absent") {
    const hint =
      answered === undefined || kind.createsByPut
        ? {}
        : { hint: 'If the service created the object under that slug, declare that slug and adopt: "identical"' };
    const words = `the service reported success but returned ${what}, and the object was not found afterward. Run again`;
    throw new ObservabilityError("unexpected_answer", words, hint);
  }
  if (existing.state === "present" && !isWritten(existing)) {
    throw new UnexpectedAnswerError({
      what: `the service reported success but returned ${what}, and the existing object is not what was sent`,
      hint: "Run again",
    });
  }
  return existing.state === "present" ? existing.object : undefined;
}
