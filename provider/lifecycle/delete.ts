import { ApiError, ObservabilityError } from "../client/errors";
import type { Kind } from "../schema/kind";
import type { JsonObject } from "../wire/codec";
import { find, isMissingOperation, proveService } from "./existence";
import { explain } from "./explain";
import { type Run, titleOf } from "./run";
import { assertSameService } from "./service";
import { stateOf } from "./state";

/** Deletes the object; one that is proved to be gone already is deleted. */
export async function remove(run: Run, kind: Kind, slug: string, outputs: JsonObject): Promise<void> {
  const { managed, notes } = stateOf(kind, outputs);
  const title = titleOf(kind, slug);
  // Also where the take-over was in an earlier run that failed half-way: what the program still declares has an owner.
  const { instance, deleteBeforeReplace } = run.context(kind, slug);
  if (run.hasTaken(kind, slug) || (instance !== undefined && deleteBeforeReplace !== true)) {
    run.note(`${title} is left in place: the program declares it, or has just taken it over`);
    return;
  }
  try {
    assertSameService(run, notes?.baseUrl);
    // First, so that nothing stands between the answer to a DELETE and success.
    await proveService(run);
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
