import { setTimeout as sleep } from "node:timers/promises";
import { ApiError, ConnectionError, ObservabilityError } from "../client/errors";
import { retryDelayMs } from "../client/retry";
import { isAboutContent } from "../client/serviceCodes";
import type { Kind } from "../schema/kind";
import { fromWire, type JsonObject, toWire } from "../wire/codec";
import { adoptOf, assertAdoptable } from "./adoption";
import { type Existence, find, isMissingOperation, isRefusal } from "./existence";
import { explain } from "./explain";
import { contradictions } from "./projection";
import { type Run, slugOf, titleOf } from "./run";
import { argumentsOf, outputsOf } from "./state";
import { explainMissing, isTaken } from "./validate";

export interface Created {
  readonly id: string;
  readonly outputs: Record<string, unknown>;
}

/** Creates the object, or takes over an existing one where `adopt` says so. Never overwrites one otherwise. */
export async function create(run: Run, kind: Kind, inputs: JsonObject): Promise<Created> {
  const wanted = argumentsOf(kind, inputs);
  const slug = slugOf(kind, wanted);
  try {
    const object = kind.createsByPut
      ? await createByPut(run, kind, slug, wanted)
      : await createByPost(run, kind, slug, wanted);
    run.take(kind, slug);
    return { id: slug, outputs: outputsOf(kind, run.client.baseUrl, wanted, object) };
  } catch (error) {
    throw explain(`create ${titleOf(kind, slug)}`, explainMissing(kind, error), run, kind, wanted);
  }
}

/** The object as the service has it; nothing where the service cannot show it. */
type Standing = JsonObject | undefined;

async function createByPut(run: Run, kind: Kind, slug: string, wanted: JsonObject): Promise<Standing> {
  if (await isTaken(run, kind, slug, wanted)) {
    const existing: Existence =
      adoptOf(run, kind, slug) === "identical" ? await find(run, kind, slug, wanted) : { state: "unreadable" };
    if (existing.state !== "absent") return takeOver(run, kind, slug, wanted, existing);
  }
  return put(run, kind, slug, wanted);
}

async function createByPost(run: Run, kind: Kind, slug: string, wanted: JsonObject): Promise<Standing> {
  const object = toWire(kind.root, wanted) as JsonObject; // an object's wire form is an object
  const start = Date.now();
  let mayBeOurs = false;
  for (let count = 1; ; count++) {
    try {
      const answer = await run.client.post(kind, object, { dryRun: false });
      return await confirmed(run, kind, slug, wanted, answer.object);
    } catch (error) {
      const answerIsLost = mayHaveHappened(error);
      mayBeOurs ||= answerIsLost;
      if (!answerIsLost && !mayBeTaken(error)) throw error;
      const existing = await find(run, kind, slug, wanted);
      if (existing.state === "absent") {
        // Refused for another reason, or lost before it was done: then a repeat makes no second one.
        const delay = answerIsLost ? retryDelayMs({ repeatable: true, count, serviceSeen: true, error }) : undefined;
        if (delay === undefined || Date.now() + delay - start > run.settings.retryBudgetSecs * 1000) throw error;
        await sleep(delay);
        continue;
      }
      if (mayBeOurs && existing.state === "present" && isOurs(run, kind, wanted, existing, start))
        return existing.object;
      return takeOver(run, kind, slug, wanted, existing);
    }
  }
}

/** A refusal that can mean that the slug is in use. */
const mayBeTaken = (error: unknown) =>
  isRefusal(error) && !isMissingOperation(error) && !isAboutContent(error.serviceCode);

/** A POST whose outcome the error does not tell. */
function mayHaveHappened(error: unknown): boolean {
  if (error instanceof ConnectionError) return error.mayHaveArrived;
  return error instanceof ApiError && error.status >= 500 && error.status !== 501;
}

/** Whether an object is the one whose answer was lost: it says what we sent, and is no older than our first attempt. */
function isOurs(
  run: Run,
  kind: Kind,
  wanted: JsonObject,
  { object, date }: Extract<Existence, { state: "present" }>,
  start: number,
): boolean {
  const created = Date.parse(String(object.created_at));
  if (date === undefined || Number.isNaN(created)) return false;
  // On the service's own clock, less its header's full seconds and a second of leeway.
  const earliest = date - (Date.now() - start) - 2_000;
  return created >= earliest && contradictions(kind.root, wanted, fromWire(kind.root, object), run.isMask).length === 0;
}

async function takeOver(
  run: Run,
  kind: Kind,
  slug: string,
  wanted: JsonObject,
  existing: Exclude<Existence, { state: "absent" }>,
): Promise<Standing> {
  assertAdoptable(run, kind, slug, wanted, existing);
  if (adoptOf(run, kind, slug) === "identical" && existing.state === "present") return existing.object;
  return put(run, kind, slug, wanted);
}

/** Writes the whole object, making it where it is missing. */
export async function put(run: Run, kind: Kind, slug: string, wanted: JsonObject): Promise<Standing> {
  const object = toWire(kind.root, wanted) as JsonObject; // as above
  const answer = await run.client.put(kind, slug, object, { dryRun: false, createIfMissing: true });
  return confirmed(run, kind, slug, wanted, answer.object);
}

/** The object of an answer to a write, once it is sure that it is there under our slug. */
async function confirmed(
  run: Run,
  kind: Kind,
  slug: string,
  wanted: JsonObject,
  answered: JsonObject | undefined,
): Promise<Standing> {
  if (answered !== undefined && (kind.isSingleton || answered.slug === slug)) return answered;
  if (answered !== undefined) {
    throw new ObservabilityError(
      "unexpected_answer",
      `the service wrote it under the slug "${String(answered.slug)}" instead: look at that object, and delete it where it is not wanted`,
    );
  }
  // A success without the object could come from a gateway: only the object itself proves the write.
  const existing = await find(run, kind, slug, wanted);
  if (existing.state === "absent") {
    throw new ObservabilityError("unexpected_answer", "the service answered with success, but there is no such object");
  }
  return existing.state === "present" ? existing.object : undefined;
}
