import { isForbidden } from "../../client/failures";
import { ApiError, ObservabilityError, UnexpectedAnswerError } from "../../client/errors";
import type { Kind } from "../../schema/kind";
import { environmentVariable } from "../../schema/names";
import { isExact, isSameTime } from "../../base/sameTime";
import type { JsonObject } from "../../wire/json";
import { explain } from "../notes/explain";
import { isMissingWrite, missingWrite } from "./explainMissing";
import { assertSameService, isAnother, noteUncomparedTime, withTimes } from "../objects/ownership";
import { type LookedUp, lookUp, orThrow } from "../objects/lookUp";
import { type Claim, isReplacedBy, nameOf } from "../objects/claims";
import { type RecordedState, stateOf } from "../objects/record";
import type { Session } from "../session";
import { Target } from "../objects/target";
import { type NextStep, type Situation, changeRemedy, untilKnown } from "./write";

/** Deletes the object, unless it is known to be another one, or declared. Succeeds also if it was certainly deleted already. */
export async function remove(session: Session, kind: Kind, slug: string, outputs: JsonObject): Promise<void> {
  const state = stateOf(kind, outputs);
  const target = Target.checked(session, kind, state.managed, state.record, slug);
  const { title } = target;
  try {
    const owner = ownerOf(target, state);
    if (owner !== undefined) {
      const isSure = owner.token === session.origin.token || isSameTime(owner.createdAt, state.createdAt) === true;
      const doubt = isSure ? "" : ". If that resource's token is for another tenant, delete the object in the service";
      session.note(`${title} is not deleted, because the resource "${nameOf(owner)}" declares it${doubt}`);
      return;
    }
    const decide = async ({ failure }: Situation): Promise<NextStep<void>> => {
      const existing = await lookFor(target);
      const { object } = existing;
      assertSameService(target, state, object);
      const done = { done: undefined };
      if (existing.state === "absent") {
        if (failure === undefined)
          session.noteShared("nothing to delete, because this token finds no such object", title);
        return done;
      }
      if (object !== undefined && isAnother(state, object)) {
        const what =
          "not deleted, because the object was recreated outside this stack. If no one needs it, delete it in the service";
        session.noteShared(what, withTimes(target, state, object));
        return done;
      }
      if (object !== undefined) noteUncomparedTime(target, state, object, "deletes");
      return {
        send: async () => {
          const isProved = await session.client.delete(kind, slug);
          session.recentWrites.add(target.objectKey, object, "none");
          if (!isProved) await assertGone(target, state);
        },
      };
    };
    await untilKnown(target, decide, { remedy: changeRemedy });
  } catch (error) {
    const cause = await whyStillThere(target, error).catch((failed: unknown) => failed);
    if (cause !== undefined) throw explain(`delete ${title}`, cause, target);
  }
}

/**
 * The resource that declares the object, unless the object is about to be recreated for that very resource.
 * @throws {ObservabilityError} of code `conflict` if that is not known yet.
 */
function ownerOf({ session, objectKey }: Target, { createdAt, record }: RecordedState): Claim | undefined {
  const { claims, origin } = session;
  const declaring = claims.claimsOn(objectKey);
  const replaced = declaring.filter((claim) => isReplacedBy(claims.all(), claim, record?.owner));
  const isReplacedHere = replaced.some(({ serviceUrl }) => serviceUrl === origin.serviceUrl);
  for (const claim of declaring) {
    if (replaced.includes(claim)) continue;
    // One service may have several URLs. Then only an exact creation time identifies the object.
    const isSame = isExact(createdAt) ? isSameTime(claim.createdAt, createdAt) : undefined;
    const isAtUrl = claim.serviceUrl === origin.serviceUrl;
    // One URL may have several tenants, each with its own object under the slug. A time from state may be an earlier object's.
    const isOtherToken = claim.token !== origin.token;
    if (isAtUrl && isOtherToken && isSame === false && claim.step === "done") continue;
    if (isAtUrl || isSame === true) return claim;
    if (!isReplacedHere && (claim.step === "awaited" || claim.step === "begun")) {
      throw new ObservabilityError(
        "conflict",
        `the resource "${nameOf(claim)}" of this program declares the same slug at "${claim.serviceUrl}" and was not created, so ` +
          "this may be its object",
        { hint: "Run again after that resource is created" },
      );
    }
  }
  return undefined;
}

/** The object before the delete. Verifies the URL. */
async function lookFor(target: Target): Promise<LookedUp> {
  const { session, kind, slug, title } = target;
  const existing = await lookUp(target, certain);
  if (existing.state === "uncertain") {
    // Where everything is closed to the token, only the answer to the delete itself shows whose it is.
    await session.client.service.verify({ kind, slug }).catch((closed: unknown) => {
      if (!isForbidden(closed)) throw closed;
    });
  }
  if (existing.state === "uncertain" || existing.state === "unshown") {
    const why = existing.state === "uncertain" ? "this token can't read" : "this service can't show";
    const what = `${why} ${kind.manyTitle}, so the provider can't verify that this stack created the object, and deletes it anyway`;
    session.noteShared(what, title);
  }
  return existing;
}

const certain = { pages: "none", dryRuns: "without operation" } as const;

/** Looks again after a success answer that does not confirm the delete. */
async function assertGone(target: Target, state: RecordedState): Promise<void> {
  const existing = await lookUp(target, certain).then(orThrow);
  if (existing.state !== "present" || isAnother(state, existing.object)) return;
  throw new UnexpectedAnswerError({
    what: "the service reported success, but the object still exists",
    hint: "Run again",
  });
}

/** Whether no resource of this run uses the token, and it is not that of the environment. */
function isTokenOnlyInState({ claims, origin, settings }: Session): boolean {
  const isDeclared = claims.all().some(({ token }) => token === origin.token);
  return !isDeclared && settings.apiToken !== process.env[environmentVariable("apiToken")];
}

const recordedTokenHint =
  "The token is from state, because no resource of the program uses this provider. Set a valid token, and keep the provider " +
  'in the program for one update. For "pulumi destroy", add --run-program';

/** Why the object still exists; undefined if it does not, or if `onMissingDelete` lets it stay. */
async function whyStillThere(target: Target, error: unknown): Promise<unknown> {
  const { session, kind, title } = target;
  if (!(error instanceof ApiError)) return error;
  if (error.code === "unauthenticated" && isTokenOnlyInState(session))
    return new ObservabilityError(error.code, error.parts, { cause: error, hint: recordedTokenHint });
  if (!isMissingWrite(error, kind.operations.delete)) return error;
  try {
    const existing = await lookUp(target, certain).then(orThrow);
    if (existing.state === "absent") return undefined; // It was deleted already.
  } catch (undecided) {
    // A 404 can mean that the object does not exist; 405 and 501 only mean that there is no such operation.
    if (error.status === 404 && session.settings.onMissingDelete !== "retain") return undecided;
  }
  if (session.settings.onMissingDelete === "retain") {
    session.note(`${title} stays in the service, which can't delete it`);
    return undefined;
  }
  const hint =
    'To keep the object in the service, run "pulumi config set observability:onMissingDelete retain", and add ' +
    '--run-program to "pulumi destroy"';
  return missingWrite(kind, "delete", error, hint);
}
