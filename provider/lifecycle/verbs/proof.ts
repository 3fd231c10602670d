import { isDeepStrictEqual } from "node:util";
import { ObservabilityError } from "../../client/errors";
import { clockLeewayMs, isExact, isSameTime, isSince, latenessOf } from "../../base/sameTime";
import { mapIn } from "../../schema/walk";
import { isAsWritten } from "../../values/differences";
import { type JsonObject } from "../../wire/json";
import { codedNote } from "../notes/notes";
import type { Present } from "../objects/lookUp";
import type { Target } from "../objects/target";

/**
 * Whether the object is what we wrote. The service may have filled in what we left out.
 * @param overwritten The object before the write. If it is unchanged and still differs, nothing was written.
 */
export function isAsSent(target: Target, { object }: Present, overwritten: JsonObject | undefined): boolean {
  const found = target.differencesFrom(object);
  // A service fills in fields, and people add entries to maps, such as labels.
  if (found.some(({ path, isMasked }) => !isMasked && mapIn(target.kind.root, path) !== undefined)) return false;
  return isAsWritten(found) && (found.length === 0 || !isDeepStrictEqual(object, overwritten));
}

/**
 * Whether the object is the result of our write whose answer was lost.
 * @param overwritten The object that it overwrote, which the caller has found to be the same one. Without it, the object is
 *   ours only if it was created since our first attempt.
 */
export function isOurs(
  target: Target,
  existing: Present,
  overwritten: JsonObject | undefined,
  begunAt: number,
): boolean {
  const isOwn = overwritten !== undefined || isSince(existing.object.created_at, existing.date, begunAt) === true;
  return isOwn && isAsSent(target, existing, overwritten);
}

/**
 * Makes sure that a write has met the object that it was meant for: the one that was read, or a new one.
 * @throws {ObservabilityError} of code `conflict` if it is proved to be another client's, unless it is to be adopted.
 */
export function assertMeant(
  target: Target,
  object: JsonObject | undefined,
  { overwritten, begunAt, date }: { overwritten: JsonObject | undefined; begunAt: number; date: number | undefined },
) {
  const created = object?.created_at;
  const isAnothers =
    overwritten === undefined
      ? isCreatedByAnother(object, begunAt, date)
      : isRecreatedByAnother(object, overwritten.created_at);
  if (!isAnothers) return;
  const verb = overwritten === undefined ? "created" : "recreated";
  const what = `another client ${verb} the object at the same time (${String(created)}), and this update overwrote it`;
  if (target.adopt === true) {
    return target.session.note(codedNote(`adopts ${target.kind.existingTitleOf(target.slug)}: ${what}`, "adopts"));
  }
  throw new ObservabilityError("conflict", `${what}. The state doesn't record the object`, {
    hint: "Tell its owner. Then choose another slug, or set adopt: true to manage the object here",
  });
}

/** Whether the times of the object that our request seems to have created show that another client has created it. */
function isCreatedByAnother(object: JsonObject | undefined, begunAt: number, date: number | undefined): boolean {
  const { created_at: created, updated_at: updated } = object ?? {};
  const lateness = latenessOf(updated, created);
  // Our own request explains a gap that is no longer than it took: a service reads its clock twice, and a gateway may
  // deliver a request twice.
  if (lateness !== undefined && lateness > performance.now() - begunAt) return true;
  // With a short gap, our request has created the object, even if the service's clock differs from its Date.
  const isShort = lateness !== undefined && lateness < clockLeewayMs;
  return !isShort && isSince(created, date, begunAt) === false;
}

/** Whether the times show that another client has recreated the object since it was read. */
function isRecreatedByAnother(object: JsonObject | undefined, recorded: unknown): boolean {
  const { created_at: created, updated_at: updated } = object ?? {};
  // If the object was deleted since, our PUT has created it, and has written it only once.
  const isOurOwn = isExact(created) && created === updated;
  return isSameTime(recorded, created) === false && !isOurOwn;
}
