import { isDeepStrictEqual } from "node:util";
import type { Context } from "../../protocol";
import type { Kind } from "../../schema/kind";
import { settings } from "../../schema/settings";
import { doubtsIn } from "../../values/doubts";
import { outputTexts } from "../../values/outputTexts";
import { unknown } from "../../values/unknown";
import { type JsonObject, withoutAbsent } from "../../wire/json";
import { type DeclaredChange, changeOf, type ResourceDeclaration, declarationIn } from "./change";
import { claimObject, keepClaim } from "./claimObject";
import { noteDoubts, noteIgnoredItems, noteNulls, noteUnknowns } from "../notes/warnings";
import { explain, redact, secretTextsIn } from "../notes/explain";
import type { Run } from "../run";
import { Target } from "../objects/target";
import { validate } from "./validate";
import { accessFailures } from "./verifyAccess";

export interface Checked {
  /** The inputs to record: defaults filled in, our own keys left out, spelled as before if the meaning is the same. */
  readonly inputs: JsonObject;
  /** All problems of the declaration, by the names that the program uses. */
  readonly failures: readonly string[];
}

/**
 * Checks what a program declares: decides first what that changes, and then validates it, types and keys here, the rest
 * with a dry run. Skips the dry run if nothing changed. A value that is not known yet never fails. The first check of a
 * preview also checks URL and token.
 * @param olds The recorded inputs; empty for a new resource and for one that is being replaced.
 */
export async function check(run: Run, kind: Kind, olds: JsonObject, news: JsonObject): Promise<Checked> {
  const resource = declarationIn(run, kind, olds, news);
  const { context } = resource;
  // Without a class, the plugin does not know whether this is a preview.
  const mayBePreview = context.dryRun === true || context.validatesLater === true;
  const decidesVerifier = mayBePreview && run.validations.verifier === undefined;
  // Before the claim, from which the class learns of it. With an unknown slug there is no claim.
  if (decidesVerifier) {
    run.validations.verifier = sharesSettings(run, context) && news.slug !== unknown ? "class" : "check";
  }
  const result = await checkResource(resource);
  // A failure ends the program: one error is enough then.
  if (!decidesVerifier || run.validations.verifier === "class" || result.failures.length > 0) return result;
  // A new resource has no object to read.
  const recorded = new Target(run, kind, resource.before, resource.recordedSlug ?? "");
  return { ...result, failures: await accessFailures(recorded) };
}

async function checkResource(resource: ResourceDeclaration): Promise<Checked> {
  const { context, given, target, before, inputs } = resource;
  const isSlugKnown = target.slug !== unknown;
  try {
    const change = changeOf(resource);
    // Claimed first, even if types are wrong: a delete must see every declared object.
    const clash = resource.whyNoSlug ?? (isSlugKnown ? claimObject(resource, change) : undefined);
    const wrong = [...optionProblems(target, context), ...(await typeProblems(resource))];
    const problems = clash === undefined ? wrong : [...wrong, clash];
    if (problems.length > 0) return await rejection(resource, change, problems);
    if (isSlugKnown && change !== "unchanged") noteNulls(target, given);
    if (isSlugKnown) noteIgnoredItems(target, context);
    return { inputs, failures: change === "unchanged" ? [] : await validateChange(resource, change) };
  } catch (error) {
    return { inputs, failures: [explain(`validate ${target.title}`, error, target, before).message] };
  }
}

/** Wrong options, and defaults of another provider than the class knows: a transform may have chosen it since. */
function optionProblems({ run, kind }: Target, { adopt, mapsSignature, instance }: Context): readonly string[] {
  const isAdoptKnown = [undefined, null, ...(settings.fields.adopt?.options.values ?? [])].includes(adopt);
  const unlessKnown = String(adopt) === unknown ? ", not an output that is known only after the update" : "";
  const wrong = isAdoptKnown ? [] : [`adopt must be false, "identical" or true${unlessKnown}`];
  const from = Object.values(kind.args.fields).flatMap(({ options }) => options.defaultsFrom ?? []);
  // Without a context, as in an import, nothing is added.
  if (from.length === 0 || instance === undefined || mapsSignature === run.settings.mapsSignature) return wrong;
  return [
    ...wrong,
    `the program and the provider have different values of ${from.sort().join(" or ")}. If a transform sets the resource's ` +
      "provider, pass the provider with the option provider or providers instead. Otherwise, install only one version of pulumi-observability, and run " +
      "the program and the engine with the same environment variables",
  ];
}

/** Wrong types and unknown keys. Unchanged inputs were checked before: skipping them avoids loading zod. */
async function typeProblems({ given, target, before }: ResourceDeclaration): Promise<readonly string[]> {
  if (isDeepStrictEqual(target.desired, before)) return [];
  const { run, kind } = target;
  const { structureProblems } = await (structure ??= loadStructure());
  const declared = withoutAbsent(given);
  const { knownValues, unknownValues } = run.settings;
  const doubts =
    unknownValues === "warn" ? [] : doubtsIn(kind.root, target.desired, { marks: target.marks, knownValues });
  const problems = [
    ...structureProblems(kind.args, declared),
    ...outputTexts(declared, knownValues),
    ...doubts.map(({ why, places }) => `${places}: ${why}`),
  ];
  // A path may have the key of a map that is secret as a whole.
  return problems.map((problem) => redact(problem, target));
}

// Imported once: a repeated import costs 0.1 ms, and the engine waits for each check.
const loadStructure = () => import("../../values/types.js");
let structure: ReturnType<typeof loadStructure> | undefined;

/**
 * The result for a declaration with failures. A failed check ends the program and hides other errors, so it leaves them to
 * the class in a preview, even to one with other settings, or to the plugin's call that follows.
 */
async function rejection(
  resource: ResourceDeclaration,
  change: DeclaredChange,
  failures: readonly string[],
): Promise<Checked> {
  const { context, target } = resource;
  const { run, kind, desired } = target;
  const { validatesLater = false } = context;
  if (!validatesLater && !isTracked(run, context)) return { inputs: desired, failures };
  const { structureProblems } = await (structure ??= loadStructure());
  // Leaves out wrong arguments: the engine would show a secret in a wrong place.
  const isSound = ([key, value]: [string, unknown]) => structureProblems(kind.args, { [key]: value }).length === 0;
  const sound = Object.fromEntries(Object.entries(desired).filter(isSound));
  keepClaim(resource, change, { failures });
  return { inputs: sound, failures: [] };
}

/** Asks the service, or leaves that to the class or to a later call. Returns the service's reasons to reject it. */
async function validateChange(resource: ResourceDeclaration, change: DeclaredChange): Promise<readonly string[]> {
  const { context, target, before, inputs } = resource;
  const { run, kind, slug } = target;
  const validator = validatorOf(resource, change);
  if (validator === "class" && slug !== unknown) run.declarations.amend(kind, slug, { classWillValidate: true });
  const hasUnknown = validator !== "nobody" && noteUnknowns(target, context);
  // The class validates only complete arguments, and notes their doubts then.
  if (validator !== "class" || hasUnknown) noteDoubts(target, before);
  if (hasUnknown) return [];
  const ask = (deletedSlug?: string) => {
    const { isCompared, createdAt } = run.declarations.claimBy(kind, slug) ?? {};
    // A plugin's object without arguments has no old inputs: then only the comparison shows that it is recorded.
    const isNew = change === "replaced" || (change === "new" && isCompared !== true);
    const isCreated = deletedSlug === undefined ? isNew : deletedSlug !== slug;
    return validate(
      new Target(run, kind, inputs),
      isCreated ? { is: "create", mayReplaceItself: change === "new" } : { is: "update", before, createdAt },
    );
  };
  if (context.validatesLater === true) {
    run.validations.later.set(context.instance ?? "", ask);
    return [];
  }
  if (validator !== "here") return [];
  const validation = await ask();
  run.noteValidation(validation);
  return validation.failures;
}

/** Who validates a change. With "never" a preview sends no request; an update still asks before it deletes first. */
function validatorOf(resource: ResourceDeclaration, change: DeclaredChange): "class" | "here" | "nobody" {
  if (change !== "recreated" && canClassValidate(resource)) return "class";
  const { context, target } = resource;
  const { validate: when } = target.run.settings;
  const isUpdate = context.dryRun === false;
  // If the old object is deleted first and the new one is rejected, the user has neither.
  const deletesFirst = change === "recreated" || (change !== "updated" && context.deleteBeforeReplace === true);
  const isDue = when === "never" ? isUpdate && deletesFirst : when === "always" || !isUpdate || deletesFirst;
  return isDue ? "here" : "nobody";
}

/** Whether this is a preview in which the class reads the claims that this process writes. */
const isTracked = (run: Run, { dryRun, tracking }: Context) =>
  dryRun === true && tracking?.folder === run.declarations.claims.folder;

/** Whether the class follows the resource, with the same settings: another environment may give it other ones. */
const sharesSettings = (run: Run, context: Context) =>
  context.tracking?.signature === run.settings.signature && isTracked(run, context);

/**
 * Whether the class can send the same dry run: that requires the same settings and all arguments, and a transform may have
 * added one. With deleteBeforeReplace it would find the old object under the slug. It does not know a secret that is
 * being replaced, so it could not redact it in the service's answer.
 */
function canClassValidate({ context, target, before, inputs }: ResourceDeclaration): boolean {
  if (!sharesSettings(target.run, context) || context.deleteBeforeReplace === true) return false;
  const { keys = [] } = context.tracking ?? {};
  if (!Object.keys(inputs).every((key) => keys.includes(key))) return false;
  const secrets = secretTextsIn(target, before);
  const known = secrets.length === 0 ? [] : secretTextsIn(target, inputs);
  return secrets.every((secret) => known.includes(secret));
}
