import type { Context } from "../protocol";
import type { Kind } from "../schema/kind";
import type { JsonObject } from "../wire/json";
import { secretsIn } from "./explain";
import type { Run } from "./run";
import { Target } from "./target";

/** Whether this is a preview in which the class reads the claims that this process writes. */
export const isTracked = (run: Run, context: Context) =>
  context.dryRun === true && context.tracking?.folder === run.declarations.claims.folder;

/** Whether the class has the same settings: another environment may give it other ones. */
export const isOfClass = (run: Run, context: Context) =>
  context.tracking?.signature === run.settings.signature && isTracked(run, context);

/**
 * Whether the class will send the same dry run: that requires the same settings and all arguments, and a transform may have
 * added one. With deleteBeforeReplace it would find the old object under the slug. It does not know a secret that is
 * being replaced, so it could not redact it in the service's answer.
 */
export function classWillValidate(
  run: Run,
  kind: Kind,
  context: Context,
  inputs: JsonObject,
  before: JsonObject,
): boolean {
  if (!isOfClass(run, context) || context.deleteBeforeReplace === true) return false;
  const { keys = [] } = context.tracking ?? {};
  if (!Object.keys(inputs).every((key) => keys.includes(key))) return false;
  const target = new Target(run, kind, inputs);
  const secrets = secretsIn(target, before);
  const known = secrets.length === 0 ? [] : secretsIn(target, inputs);
  return secrets.every((secret) => known.includes(secret));
}
