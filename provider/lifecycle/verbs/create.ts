import { mayBeTaken, mayHaveHappened } from "../../client/failures";
import { ApiError, messagePartsOf, ObservabilityError } from "../../client/errors";
import type { Kind } from "../../schema/kind";
import { type JsonObject } from "../../wire/json";
import { explain } from "../notes/explain";
import { explainMissing } from "./explainMissing";
import { lookUp, orThrow } from "../objects/lookUp";
import { argumentsOf } from "../objects/record";
import type { Session } from "../session";
import { Target } from "../objects/target";
import { adopt } from "./adoption";
import { assertMeant, isOurs } from "./proof";
import { lostWriteOf, proveWritten, put, untilKnown, type WrittenObject, writtenOutputs } from "./write";

interface Created {
  readonly id: string;
  readonly outputs: Record<string, unknown>;
}

/** Creates the object, or adopts an existing one if `adopt` allows it. */
export async function create(session: Session, kind: Kind, inputs: JsonObject): Promise<Created> {
  const target = Target.checked(session, kind, argumentsOf(kind, inputs));
  const { slug, title } = target;
  try {
    target.claim({ step: "begun" });
    // Waits until reads no longer show the object that was just deleted under this slug.
    if (session.recentWrites.isDeleted(target.objectKey)) await lookUp(target, { pages: "none" });
    const written = await (kind.createsByPut ? createByPut(target) : createByPost(target));
    target.claimWritten(written.object);
    return { id: slug, outputs: writtenOutputs(target, written) };
  } catch (error) {
    throw explain(`create ${title}`, await explainMissing(target, error), target);
  }
}

/** A POST fails if the slug is taken: looks the object up after each attempt that may have found or created one. */
async function createByPost(target: Target): Promise<WrittenObject> {
  const { session, kind, wire } = target;
  const post = async (begunAt: number) => {
    const { object: answered, date } = await session.client.post(kind, wire, { dryRun: false });
    const object = await proveWritten(target, answered, (found) => isOurs(target, found, undefined, begunAt));
    // A service may overwrite the object that has the slug.
    assertMeant(target, object, { overwritten: undefined, begunAt, date });
    return { target, object };
  };
  return untilKnown(
    target,
    async (situation) => {
      const { failure } = situation;
      if (failure === undefined) return { send: post };
      // A read may lag behind the write that took the slug.
      if (failure instanceof ApiError && failure.status === 409) session.recentWrites.recordExists(target.objectKey);
      const existing = await lookUp(target, { pages: "none", dryRuns: "without operation" }).then(orThrow);
      // Without an object there is nothing to adopt: a lost request is retried, and a rejection is thrown.
      if (existing.state === "absent") return { send: post };
      const written = lostWriteOf(target, existing, situation);
      return { done: written ?? adopt(target, existing) };
    },
    { isOpen: (error) => mayHaveHappened(error) || mayBeTaken(error) },
  );
}

/** A PUT would overwrite an existing object, so each attempt first looks whether there is one. */
export async function createByPut(target: Target): Promise<WrittenObject> {
  return untilKnown(target, async (situation) => {
    const isLost = mayHaveHappened(situation.failure);
    // A dry run shows whether a slug is taken, not whose the object is.
    const dryRuns = isLost ? "without operation" : "without read";
    const existing = await lookUp(target, { pages: "none", dryRuns }).then(orThrow);
    if (existing.state === "absent") return { send: (start) => put(target, { begunAt: start }) };
    const written = lostWriteOf(target, existing, situation);
    if (written === undefined && isLost && target.adopt === false) throw undecided(situation.failure);
    return { done: written ?? adopt(target, existing) };
  });
}

/** The error of a PUT whose answer was lost, if the object may be another client's. */
const undecided = (lost: unknown) =>
  new ObservabilityError(
    "outcome_unknown",
    [
      "the answer was lost, and the object under this slug differs from what was sent, or can't be shown. Look at the " +
        "object. If it is yours, set adopt: true and run again. Otherwise choose another slug. The write failed: ",
      ...messagePartsOf(lost),
    ],
    { cause: lost },
  );
