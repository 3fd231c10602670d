import { mayBeTaken, mayHaveHappened } from "../../client/answers";
import { ApiError, messagePartsOf, ObservabilityError } from "../../client/errors";
import type { Kind } from "../../schema/kind";
import { type JsonObject } from "../../wire/json";
import { explain } from "../notes/explain";
import { type ExistingObject, existingAt, explainMissing, find, shownObject } from "../objects/lookUp";
import { argumentsOf, type WrittenObject, writtenOutputs } from "../objects/record";
import type { Run } from "../run";
import { Target } from "../objects/target";
import { adopt, assertMeant, confirmed, isOurs, put, untilKnown } from "./write";

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
    // Waits until reads no longer show the object that was just deleted under this slug.
    if (run.recentWrites.isDeleted(target.key)) await shownObject(target, "none");
    const written = await (kind.createsByPut ? createByPut(target) : createByPost(target));
    run.declarations.holds(kind, slug, written.object);
    return { id: slug, outputs: writtenOutputs(target, written) };
  } catch (error) {
    throw explain(`create ${title}`, await explainMissing(target, error), target);
  }
}

/** A PUT would overwrite an existing object, so each attempt first looks whether there is one. */
export async function createByPut(target: Target): Promise<WrittenObject> {
  return untilKnown(target, async ({ failure, since }) => {
    const creates = { send: (start: number) => put(target, { since: start }) };
    const isLost = mayHaveHappened(failure);
    // A dry run shows whether a slug is taken, not whose the object is.
    const existing = await (isLost ? find : existingAt)(target, { pages: "none" });
    if (existing.state === "absent") return creates;
    const written = isLost ? ours(target, existing, since) : undefined;
    if (written === undefined && isLost && target.adopt === false) throw undecided(failure);
    return written === undefined ? { instead: () => adopt(target, existing) } : { done: written };
  });
}

/** A POST fails if the slug is taken: looks the object up after each attempt that may have found or created one. */
async function createByPost(target: Target): Promise<WrittenObject> {
  const { run, kind, wire } = target;
  const post = async (since: number) => {
    const { object: answered, date } = await run.client.post(kind, wire, { dryRun: false });
    const object = await confirmed(target, answered, (found) => isOurs(target, found, undefined, since));
    // A service may overwrite the object that has the slug.
    assertMeant(target, object, { before: undefined, since, date });
    return { target, object };
  };
  return untilKnown(
    target,
    async ({ failure, since }) => {
      if (failure === undefined) return { send: post };
      // A read may lag behind the write that took the slug.
      if (failure instanceof ApiError && failure.status === 409) run.recentWrites.exists(target.key);
      const existing = await find(target, { pages: "none" });
      // Without an object there is nothing to adopt: a lost request is retried, and a rejection is thrown.
      if (existing.state === "absent") return { send: post };
      const written = mayHaveHappened(failure) ? ours(target, existing, since) : undefined;
      return written === undefined ? { instead: () => adopt(target, existing) } : { done: written };
    },
    { isOpen: (error) => mayHaveHappened(error) || mayBeTaken(error) },
  );
}

/** The object as written, if it is the result of our lost write. */
const ours = (target: Target, existing: ExistingObject, since: number): WrittenObject | undefined =>
  existing.state === "present" && isOurs(target, existing, undefined, since)
    ? { target, object: existing.object }
    : undefined;

/** The error of a PUT whose answer was lost, if the object may be another client's. */
const undecided = (lost: unknown) =>
  new ObservabilityError(
    "outcome_unknown",
    [
      "the answer was lost, and the object under this slug differs from what was sent, or can't be shown. Look at the " +
        "object. To adopt it, set adopt: true and run again; otherwise choose another slug. The write failed: ",
      ...messagePartsOf(lost),
    ],
    { cause: lost },
  );
