import { isOutage } from "../client/answers";
import type { Registered, Verdict } from "../protocol";
import { explain, readable } from "./explain";
import { prove } from "./proof";
import type { Run } from "./run";
import { kindNamed, startRun } from "./start";
import { Target } from "./target";
import { validate } from "./validate";

export { startRun };

/** The proof of address and token, where `check` leaves it to the class. */
export const proveAccess = (run: Run, kindName: string, slug: string): Promise<() => Verdict> =>
  prove(new Target(run, kindNamed(kindName), {}, slug));

/** What `check` would have said of it, asked by its class: many at a time, where the engine checks one after another. */
export async function validateRegistered(run: Run, registered: Registered): Promise<Verdict> {
  const { kindName, inputs, context, isNew, isComplete } = registered;
  const kind = kindNamed(kindName);
  const target = new Target(run, kind, inputs);
  const { slug, title } = target;
  const claim = run.claimsOf(kind.name, slug).find(({ instance }) => instance === context.instance);
  // Also if `check` writes elsewhere: then it has left nothing.
  if (!isComplete || claim?.classWillValidate !== true) return { failures: [], warnings: [] };
  run.remember(kind, slug, context);
  try {
    // An object that is deleted before its successor is created is left to check: here another one has the slug.
    const verdict = await validate(target, isNew ? { mayReplaceItself: false } : undefined);
    // What waits for its turn would only wait for the same.
    if (verdict.isOutage) void run.interrupt();
    return { ...verdict, failures: readable(verdict.failures) };
  } catch (error) {
    const told = explain(`validate ${title}`, error, target).message;
    return { failures: [told], warnings: [], isOutage: isOutage(error) };
  }
}
