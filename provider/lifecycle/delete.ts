import { ApiError, ObservabilityError } from "../client/errors";
import type { Kind } from "../schema/kind";
import type { JsonObject } from "../wire/json";
import { find, proveService } from "./lookUp";
import { isMissingOperation } from "../client/answers";
import { explain } from "./explain";
import { type Run, titleOf } from "./run";
import { assertSameService } from "./service";
import { stateOf } from "./record";

/** Deletes the object; one that is proved to be gone already is deleted. */
export async function remove(run: Run, kind: Kind, slug: string, outputs: JsonObject): Promise<void> {
  const state = stateOf(kind, outputs);
  const { managed, notes } = state;
  const title = titleOf(kind, slug);
  const owner = run.claimsOf(kind.name, slug).find((claim) => !run.operation.isReplacedBy(claim, notes?.owner));
  if (owner !== undefined) {
    run.note(`${title} is left in place: "${owner.name}" declares it`);
    return;
  }
  try {
    await assertSameService(run, kind, slug, state, outputs);
    // First, so that nothing stands between the answer to a DELETE and success.
    await proveService(run, kind, slug);
    await run.client.delete(kind, slug);
  } catch (error) {
    const cause = await undeleted(run, kind, slug, managed, error).catch((failed: unknown) => failed);
    if (cause !== undefined) throw explain(`delete ${title}`, cause, run, kind, managed);
  }
}

/** Why the object is still there; nothing where it is gone, or may be left. */
async function undeleted(run: Run, kind: Kind, slug: string, managed: JsonObject, error: unknown): Promise<unknown> {
  if (!(error instanceof ApiError) || !isMissingOperation(error)) return error;
  try {
    const existing = await find(run, kind, slug, managed);
    if (existing.state === "absent") return undefined; // Already gone; that is what delete wants.
  } catch (undecided) {
    // A 404 can mean that it is gone; the others only say that there is no such operation.
    if (error.status === 404 && run.settings.onMissingDelete !== "retain") return undecided;
  }
  const title = titleOf(kind, slug);
  if (run.settings.onMissingDelete === "retain") {
    run.note(`${title} stays at the service, which has no operation that deletes it`);
    return undefined;
  }
  return new ObservabilityError(
    "not_implemented",
    `this service has no operation that deletes a ${kind.title}, so it would stay there: set the resource option ` +
      `retainOnDelete, or observability:onMissingDelete to "retain", to leave it (${error.message})`,
    { cause: error },
  );
}
