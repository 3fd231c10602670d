import { isOutage } from "../../client/answers";
import type { Registered, Validation } from "../../protocol";
import type { Claim } from "../objects/claims";
import { doubtsAbout } from "../notes/warnings";
import { explain, cutFailures } from "../notes/explain";
import { type Run, kindNamed, startRun } from "../run";
import { Target } from "../objects/target";
import { validate } from "./validate";
import { verifyAccess } from "./verifyAccess";

/** What a class calls, behind one import. */
export { startRun };

/** Verifies URL and token in the class. */
export function verifyAccessOf(
  run: Run,
  { kindName, inputs, context }: Pick<Registered, "kindName" | "inputs" | "context">,
  slug: string,
): Promise<() => Validation> {
  const kind = kindNamed(kindName);
  run.declarations.remember(kind, slug, context);
  return verifyAccess(new Target(run, kind, inputs, slug));
}

/**
 * Validates in the class what `check` would: the classes work in parallel, the engine checks one after another.
 * @param claim What `check` has claimed for the resource.
 */
export async function validateRegistered(
  run: Run,
  registered: Registered,
  claim: Claim | undefined,
): Promise<Validation> {
  const { kindName, inputs, context, isNew, isComplete } = registered;
  const kind = kindNamed(kindName);
  const target = new Target(run, kind, inputs);
  const { slug, title } = target;
  // No claim here: `check` validated it, or its process writes to another folder.
  if (!isComplete || claim?.classWillValidate !== true) return { failures: [], warnings: [] };
  run.declarations.remember(kind, slug, context);
  try {
    // `check` validates with deleteBeforeReplace: here the old object still has the slug.
    const validation = await validate(
      target,
      isNew ? { is: "create", mayReplaceItself: false } : { is: "update", createdAt: claim.createdAt },
    );
    // The requests that still wait would fail the same way.
    if (validation.isOutage) void run.interrupt();
    return { ...validation, failures: cutFailures(validation.failures), doubts: doubtsAbout(target, {}) };
  } catch (error) {
    const message = explain(`validate ${title}`, error, target).message;
    return { failures: [message], warnings: [], isOutage: isOutage(error) };
  }
}
