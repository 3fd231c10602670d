import { isMissingOperation } from "../client/answers";
import { ApiError, ObservabilityError } from "../client/errors";
import type { Kind } from "../schema/kind";
import type { JsonObject } from "../wire/json";
import { explain } from "./explain";
import { find, proveService } from "./lookUp";
import { stateOf } from "./record";
import type { Run } from "./run";
import { assertSameService } from "./service";
import { Target } from "./target";

/** Deletes the object. Succeeds also if it is proved to be gone already. */
export async function remove(run: Run, kind: Kind, slug: string, outputs: JsonObject): Promise<void> {
  const state = stateOf(kind, outputs);
  const { managed, notes } = state;
  const target = new Target(run, kind, managed, slug);
  const { title } = target;
  const owner = run.declarations
    .claimsOf(kind.name, slug)
    .find((claim) => !run.declarations.operation.isReplacedBy(claim, notes?.owner));
  if (owner !== undefined) {
    run.note(`${title} is left in place, because the resource "${owner.name}" declares it`);
    return;
  }
  try {
    await assertSameService(target, state, outputs);
    // Proved first: after the DELETE, its answer alone decides.
    await proveService(target, { mayExist: true });
    await run.client.delete(kind, slug);
  } catch (error) {
    const cause = await whyStillThere(target, error).catch((failed: unknown) => failed);
    if (cause !== undefined) throw explain(`delete ${title}`, cause, target);
  }
}

/** Why the object still exists; undefined if it is gone, or if `onMissingDelete` lets it stay. */
async function whyStillThere(target: Target, error: unknown): Promise<unknown> {
  if (!(error instanceof ApiError) || !isMissingOperation(error)) return error;
  const { run, kind, title } = target;
  try {
    const existing = await find(target);
    if (existing.state === "absent") return undefined; // Already gone; that is what delete wants.
  } catch (undecided) {
    // A 404 can mean that the object is gone; 405 and 501 only mean that there is no such operation.
    if (error.status === 404 && run.settings.onMissingDelete !== "retain") return undecided;
  }
  if (run.settings.onMissingDelete === "retain") {
    run.note(`${title} stays at the service, which cannot delete it`);
    return undefined;
  }
  return new ObservabilityError(
    "not_implemented",
    [
      `this service cannot delete a ${kind.title}: to leave it there, run "pulumi config set ` +
        'observability:onMissingDelete retain", and add --run-program to "pulumi destroy" (',
      ...error.parts,
      ")",
    ],
    { cause: error },
  );
}
