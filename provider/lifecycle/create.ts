import { isDeepStrictEqual } from "node:util";
import { mayBeTaken, mayHaveHappened } from "../client/answers";
import { ObservabilityError, partsOf, UnexpectedAnswerError } from "../client/errors";
import { retryDelayMs } from "../client/retry";
import type { Kind } from "../schema/kind";
import { isWritten } from "../values/differences";
import { fromWirePath, WireShapeError } from "../wire/codec";
import { type JsonObject } from "../wire/json";
import { type Carried, carryUnknownFields } from "../wire/unknownFields";
import { differencesFrom, takenBy, takeOverOf } from "./adoption";
import { explain } from "./explain";
import { type Existence, explainMissing, find, isTaken, type Standing } from "./lookUp";
import { argumentsOf, writtenOutputs } from "./record";
import type { Run } from "./run";
import { Target } from "./target";

export interface Created {
  readonly id: string;
  readonly outputs: Record<string, unknown>;
}

/** Creates the object, or takes over an existing one if `adopt` allows it. Never overwrites one otherwise. */
export async function create(run: Run, kind: Kind, inputs: JsonObject): Promise<Created> {
  const target = new Target(run, kind, argumentsOf(kind, inputs));
  const { slug, title } = target;
  try {
    run.declarations.claim(kind, slug, { isWritten: true, awaitsCreate: false });
    const answered = kind.createsByPut ? await createByPut(target) : await createByPost(target);
    return { id: slug, outputs: writtenOutputs(target, answered) };
  } catch (error) {
    throw explain(`create ${title}`, await explainMissing(target, error), target);
  }
}

type Present = Extract<Existence, { state: "present" }>;

/** The object in the service's answer; undefined if the answer does not show it. */
type Answered = JsonObject | undefined;

async function createByPut(target: Target): Promise<Answered> {
  if (await isTaken(target)) {
    const existing = await takenBy(target);
    if (existing.state !== "absent") return takeOver(target, existing);
  }
  const start = Date.now();
  return putOrFind(target, (existing) => isOurWrite(target, existing, start));
}

async function createByPost(target: Target): Promise<Answered> {
  const { run, kind, wire } = target;
  const start = Date.now();
  let existing = { state: "absent" } as Existence;
  let mayBeOurs = false;
  const post = async () => {
    const answer = await run.client.post(kind, wire, { dryRun: false });
    return confirmed(target, answer.object, {
      look: findUnconfirmed,
      isWritten: (found) => isOurWrite(target, found, start),
    });
  };
  try {
    return await run.client.repeat(post, async (error, count) => {
      const isLost = mayHaveHappened(error);
      mayBeOurs ||= isLost;
      if (!isLost && !mayBeTaken(error)) return undefined;
      existing = await findLost(target, error);
      // Without an object, the service refused for another reason, or the request was lost: a repeat makes no duplicate.
      const repeatable = isLost && existing.state === "absent";
      return repeatable ? retryDelayMs({ repeatable, count, serviceSeen: true, error }) : undefined;
    });
  } catch (error) {
    if (existing.state === "absent") throw error;
    if (mayBeOurs && existing.state === "present" && isOurWrite(target, existing, start)) return existing.object;
    return takeOver(target, existing);
  }
}

/** Looks for the object after a failed write. If the look-up fails too, the error tells both. */
async function findLost(target: Target, error: unknown): Promise<Existence> {
  try {
    return await find(target);
  } catch (failed) {
    if (!mayHaveHappened(error)) throw error;
    throw new ObservabilityError(
      "outcome_unknown",
      [
        'the answer was lost, so it may exist; set adopt: "identical" and run again: ',
        ...partsOf(error),
        "; then, looking for it: ",
        ...partsOf(failed),
      ],
      { cause: failed },
    );
  }
}

/** The same after an answer of success without the object. */
const findUnconfirmed: typeof find = (target) =>
  findLost(target, new UnexpectedAnswerError({ what: "the service answered without the object" }));

/** Whether our lost write made the object: it equals what we sent and is no older than our first attempt. */
function isOurWrite(target: Target, existing: Present, start: number): boolean {
  const { object, date } = existing;
  const created = Date.parse(String(object.created_at));
  if (date === undefined || Number.isNaN(created)) return false;
  // By the service's clock, less 2 s: its Date header has whole seconds, and 1 s is leeway.
  const earliest = date - (Date.now() - start) - 2_000;
  return created >= earliest && saysWanted(target, existing);
}

/**
 * Whether the object is what we wrote. The service may have filled in what we left out.
 * @param overwritten The object before the write. If it is unchanged and still differs, nothing was written.
 */
function saysWanted(target: Target, { object }: Present, overwritten?: JsonObject): boolean {
  const found = differencesFrom(target, object);
  return isWritten(found) && (found.length === 0 || !isDeepStrictEqual(object, overwritten));
}

async function takeOver(target: Target, existing: Standing): Promise<Answered> {
  const { text, writes } = takeOverOf(target, existing);
  target.run.note(text);
  const object = existing.state === "present" ? existing.object : undefined;
  if (!writes) return object;
  return putOrFind(target, (found) => saysWanted(target, found, object), object);
}

/**
 * Writes by PUT. If the answer is lost, looks the object up, and returns it if it is what was written.
 * @throws the original error if there is no object; one of code `outcome_unknown` if the object may be another one.
 */
async function putOrFind(
  target: Target,
  isWritten: (existing: Present) => boolean,
  overwritten?: JsonObject,
): Promise<Answered> {
  try {
    return await put(target, { overwritten, look: findUnconfirmed });
  } catch (error) {
    if (!mayHaveHappened(error)) throw error;
    const existing = await findLost(target, error);
    if (existing.state === "absent") throw error;
    if (existing.state === "present" && isWritten(existing)) return existing.object;
    throw new ObservabilityError(
      "outcome_unknown",
      [
        "the answer was lost, so it may exist; the object under its slug is not what was sent, or cannot be shown: look at it, " +
          "and run again with adopt: true to take it over, or choose another slug: ",
        ...partsOf(error),
      ],
      { cause: error },
    );
  }
}

/**
 * Writes the whole object, and creates it if it is missing.
 * @param overwritten The existing object, if the service shows it: its fields beyond our schema are kept.
 */
export async function put(
  target: Target,
  { overwritten = {}, look = find }: { readonly overwritten?: JsonObject | undefined; readonly look?: typeof find },
): Promise<Answered> {
  const { run, kind, slug } = target;
  const answer = await run.client.put(kind, slug, bodyOf(target, overwritten), {
    dryRun: false,
    createIfMissing: true,
  });
  return confirmed(target, answer.object, {
    look,
    isWritten: (existing) => saysWanted(target, existing, overwritten),
  });
}

/** @throws {ObservabilityError} of code `conflict` if a field of a newer service would be erased. */
function bodyOf({ kind, wire }: Target, overwritten: JsonObject): JsonObject {
  let carried: Carried;
  try {
    carried = carryUnknownFields(kind.root, wire, overwritten);
  } catch (error) {
    if (error instanceof WireShapeError) return wire; // The existing object does not have the interface's form.
    throw error;
  }
  if (carried.lost.length === 0) return carried.object;
  const places = carried.lost.map((path) => fromWirePath(kind.root, path)).join(", ");
  throw new ObservabilityError(
    "conflict",
    `the service has fields in ${places} that this version of pulumi-observability does not know, and this change ` +
      "would erase them: install a newer version, or remove them at the service",
  );
}

/** Returns the object of an answer to a write, after making sure that it exists under our slug. */
async function confirmed(
  target: Target,
  answered: Answered,
  { look, isWritten }: { readonly look: typeof find; readonly isWritten: (existing: Present) => boolean },
): Promise<Answered> {
  const { kind, slug } = target;
  if (answered !== undefined && (kind.isSingleton || answered.slug === slug)) return answered;
  if (answered !== undefined) {
    throw new ObservabilityError(
      "unexpected_answer",
      `the service wrote it under the slug "${String(answered.slug)}" instead: to keep it, declare that slug and adopt: "identical"; else delete it at the service`,
    );
  }
  // A success without the object could come from a gateway: only the object itself proves the write.
  const existing = await look(target);
  if (existing.state === "absent") {
    throw new ObservabilityError(
      "unexpected_answer",
      "the service answered with success, but the object was not found afterwards: run again",
    );
  }
  if (existing.state === "present" && !isWritten(existing)) {
    throw new UnexpectedAnswerError({
      what: "the service answered with success, but the existing object is not what was sent",
      hint: "run again",
    });
  }
  return existing.state === "present" ? existing.object : undefined;
}
