import { isDeepStrictEqual } from "node:util";
import { type Context, contextOf } from "../protocol";
import type { Kind } from "../schema/kind";
import { settings } from "../schema/settings";
import { isZero, isEquivalent } from "../values/equal";
import { outputTexts } from "../values/outputTexts";
import { slugFrom, slugProblem } from "../values/slug";
import { keepSpelling } from "../values/spelling";
import { unknown } from "../values/unknown";
import { type JsonObject, withoutAbsent } from "../wire/json";
import { reportDoubts, reportIgnoredItems, reportNulls, reportUnknowns } from "./doubts";
import { cut, explain, redact } from "./explain";
import { classWillValidate, isTracked, isOfClass } from "./tracked";
import { type Claim } from "./claims";
import { verifyAccess } from "./verifyAccess";
import { argumentsOf } from "./record";
import { objectAt } from "./declarations";
import { type Run, slugOf } from "./run";
import { Target } from "./target";
import { validate, type Write } from "./validate";

export interface Checked {
  /** The inputs to record: defaults filled in, our own keys left out, spelled as before if the meaning is the same. */
  readonly inputs: JsonObject;
  /** All problems of the declaration, by the names that the program uses. */
  readonly failures: readonly string[];
}

/**
 * Checks what a program declares: types and keys here, the rest with a dry run. Skips the dry run if nothing changed. A
 * value that is not known yet never fails. The first check of a preview also checks URL and token.
 * @param olds The recorded inputs; empty for a new resource and for one that is being replaced.
 */
export async function check(run: Run, kind: Kind, olds: JsonObject, news: JsonObject): Promise<Checked> {
  const context = contextOf(news);
  const isPreview = context.dryRun === true || context.validatesLater === true;
  const isFirst = isPreview && run.validations.verifier === undefined;
  // The class cannot check anything with an unknown slug.
  if (isFirst) run.validations.verifier = isOfClass(run, context) && news.slug !== unknown ? "class" : "check";
  const checked = await checkDeclared(run, kind, context, olds, news);
  // A failure ends the program: one error is enough then.
  if (!isFirst || run.validations.verifier === "class" || checked.failures.length > 0) return checked;
  return { ...checked, failures: await accessFailures(run, kind, olds) };
}

/** Why the check of URL and token fails. */
async function accessFailures(run: Run, kind: Kind, olds: JsonObject): Promise<readonly string[]> {
  // A new resource has no object to read.
  const slug = Object.keys(olds).length === 0 ? "" : undefined;
  const target = new Target(run, kind, argumentsOf(kind, olds), slug);
  try {
    if (run.settings.validate === "never") return [];
    const validation = await verifyAccess(target);
    const { failures, warnings } = validation();
    for (const warning of warnings) run.note(warning, "warning");
    return failures;
  } catch (error) {
    return [explain("check baseUrl and apiToken", error, target).message];
  }
}

/** A declared resource, together with its recorded arguments. */
interface Declaration {
  /** The declared object, with name and slug filled in, if there can be a slug. */
  readonly target: Target;
  readonly context: Context;
  /** The recorded arguments; empty without old inputs. */
  readonly before: JsonObject;
  readonly hasOldInputs: boolean;
  /** The change that the operation makes to the declared object. */
  readonly change: "none" | "update" | "create" | "replaceSelf" | "replaceOther";
}

/**
 * Decides what the operation does. The engine gives no old inputs for a new resource, for one that "--replace" names, and
 * for the second check of one that it replaces. Then the claim of the first check has what state records.
 *
 * | Old inputs | Recorded object                               | Change         |
 * | ---------- | --------------------------------------------- | -------------- |
 * | some       | the declared one, with the same meaning       | `none`         |
 * | some       | the declared one, with another meaning        | `update`       |
 * | some       | another one                                   | `replaceOther` |
 * | none       | not known: there is none, or "--replace"      | `create`       |
 * | none       | the declared one, which is deleted first      | `replaceSelf`  |
 * | none       | the declared one, which stays, or another one | `replaceOther` |
 */
function changeOf(
  { target, context, before, hasOldInputs }: Omit<Declaration, "change">,
  earlier: Claim | undefined,
): Declaration["change"] {
  const { run, kind, slug, desired } = target;
  if (hasOldInputs) {
    if (slugOf(kind, before) !== slug) return "replaceOther";
    return isDeepStrictEqual(desired, before) || isEquivalent(kind.root, desired, before) ? "none" : "update";
  }
  if (earlier?.recorded === undefined) return "create";
  const isDeletedFirst =
    earlier.recorded === objectAt(kind.name, slug) &&
    // `diff` demands it, too. The engine does not call it if another option forces the replacement, as `replacementTrigger`.
    (context.deleteBeforeReplace ?? earlier.isCompared === true) &&
    // What is retained, or cannot be deleted, is adopted or in the way.
    context.retainOnDelete !== true &&
    run.settings.onMissingDelete !== "retain";
  return isDeletedFirst ? "replaceSelf" : "replaceOther";
}

async function checkDeclared(
  run: Run,
  kind: Kind,
  context: Context,
  olds: JsonObject,
  news: JsonObject,
): Promise<Checked> {
  const given = Object.fromEntries(Object.entries(news).filter(([key]) => !key.startsWith("__")));
  const declared = withoutAbsent(given);
  const before = argumentsOf(kind, olds);
  const earlier = run.declarations.claims.known(context.instance);
  const recordedSlug = earlier?.recorded?.slice(objectAt(kind.name, "").length);
  const recorded = isZero(before.slug) ? { ...before, slug: recordedSlug } : before;
  const identity = identify(run, kind, context, declared, recorded);
  const noSlug = typeof identity === "string" ? identity : undefined;
  const target = new Target(run, kind, typeof identity === "string" ? declared : { ...declared, ...identity });
  const { slug, desired } = target;
  const isAsBefore = isDeepStrictEqual(desired, before);
  // The cast is safe: respelling an object gives an object.
  const inputs = isAsBefore ? before : (keepSpelling(kind.root, desired, before) as JsonObject);
  try {
    // Recorded inputs are never empty: they have at least the provider's text.
    const known = { target, context, before, hasOldInputs: Object.keys(olds).length > 0 };
    const declaration = { ...known, change: changeOf(known, earlier) };
    const isChanged = declaration.change !== "none";
    // Claimed first, even if types are wrong: a delete must see every declared object.
    const clash = noSlug ?? (slug === unknown ? undefined : claim(declaration));
    const wrong = isAsBefore ? [] : await typeProblems(target, declared);
    const problems = [...optionProblems(run, kind, context), ...wrong, ...(clash === undefined ? [] : [clash])];
    if (problems.length > 0) return await refused(declaration, problems);
    if (isChanged && slug !== unknown) reportNulls(target, given);
    if (slug !== unknown) reportIgnoredItems(target, context);
    return { inputs, failures: isChanged ? await validated(declaration, inputs) : [] };
  } catch (error) {
    return { inputs, failures: [explain(`validate ${target.title}`, error, target, before).message] };
  }
}

/** Wrong types and unknown keys. Unchanged inputs were checked before: skipping them avoids loading zod. */
async function typeProblems(target: Target, declared: JsonObject): Promise<readonly string[]> {
  const { run, kind } = target;
  const { structureProblems } = await (structure ??= loadStructure());
  const problems = [...structureProblems(kind.args, declared), ...outputTexts(declared, run.settings.knownValues)];
  // A path may have the key of a map that is secret as a whole.
  return problems.map((problem) => redact(problem, target));
}

/** Wrong options, and defaults of another provider than the class knows: a transform may have chosen it since. */
function optionProblems(run: Run, { args }: Kind, { adopt, defaults, instance }: Context): readonly string[] {
  const isAdoptKnown = [undefined, null, ...(settings.fields.adopt?.options.values ?? [])].includes(adopt);
  const wrong = isAdoptKnown ? [] : ['adopt must be false, "identical" or true'];
  const from = Object.values(args.fields).flatMap(({ options }) => options.defaultsFrom ?? []);
  // Without a class, as in an import, nothing is added.
  if (from.length === 0 || instance === undefined || defaults === run.settings.mapsSignature) return wrong;
  return [
    ...wrong,
    `the provider's ${from.sort().join(" or ")} differ from those that the program sees. Pass an obs.Provider with the ` +
      "option provider or providers, not with a transform; set the same environment variables for both; and install one " +
      "version of pulumi-observability",
  ];
}

/** A failed check ends the program and hides other errors. In a preview the class reports it instead, if it can. */
async function refused(declaration: Declaration, failures: readonly string[]): Promise<Checked> {
  const { target, context, before, change } = declaration;
  const { run, kind, desired } = target;
  const { structureProblems } = await (structure ??= loadStructure());
  // Leaves out wrong arguments: the engine would show a secret in a wrong place.
  const isSound = ([key, value]: [string, unknown]) => structureProblems(kind.args, { [key]: value }).length === 0;
  const sound = Object.fromEntries(Object.entries(desired).filter(isSound));
  // The class validates only what changes.
  const isOfRecorded = change === "none" || change === "update";
  const isSeen = !isOfRecorded || !isEquivalent(kind.root, sound, before);
  if (!isSeen || !isTracked(run, context)) return { inputs: desired, failures };
  keepClaim(declaration, { failures });
  return { inputs: sound, failures: [] };
}

/** Asks the service, or leaves that to the class. Returns the service's reasons to reject it. */
async function validated(declaration: Declaration, inputs: JsonObject): Promise<readonly string[]> {
  const { target, context, before, change } = declaration;
  const { run, kind, slug } = target;
  if (change !== "replaceSelf" && classWillValidate(run, kind, context, inputs, before)) {
    if (slug !== unknown) run.declarations.amend(kind, slug, { classWillValidate: true });
    if (!isValidated(run, context, false) || reportUnknowns(target, context)) reportDoubts(target, before);
    return [];
  }
  reportDoubts(target, before);
  // If the old object is deleted first and the new one is rejected, the user has neither.
  const deletesFirst = change === "replaceSelf" || (change !== "update" && context.deleteBeforeReplace === true);
  if (!isValidated(run, context, deletesFirst) || reportUnknowns(target, context)) return [];
  const ask = () => validate(new Target(run, kind, inputs), writeOf(declaration));
  if (context.validatesLater === true && !deletesFirst) {
    run.validations.later.set(context.instance ?? "", ask);
    return [];
  }
  const validation = await ask();
  run.noteAll(validation);
  return validation.failures;
}

/** How the operation will write the declared object. */
function writeOf({ target, before, change }: Declaration): Write {
  const { run, kind, slug } = target;
  switch (change) {
    case "create":
      return { is: "create", mayReplaceItself: true };
    case "replaceOther":
      return { is: "create", mayReplaceItself: false };
    case "none":
    case "update":
    case "replaceSelf":
      return { is: "update", before, createdAt: run.declarations.claimBy(kind, slug)?.createdAt };
  }
}

// Imported once: a repeated import costs 0.1 ms, and the engine waits for each check.
const loadStructure = () => import("../values/types.js");
let structure: ReturnType<typeof loadStructure> | undefined;

const secretSlug =
  "slug: the program marks the slug as secret, but the slug becomes the resource's id, which state and all output show in " +
  "plain text. Set a slug that isn't secret, or pass pulumi.unsecret(slug)";

/** The resulting name and slug, or the reason why there can be no slug. */
function identify(
  run: Run,
  kind: Kind,
  context: Context,
  declared: JsonObject,
  recorded: JsonObject,
): JsonObject | string {
  if (kind.isSingleton) return {};
  if (context.secrets?.some((path) => path.length === 1 && path[0] === "slug")) return secretSlug;
  const name = isZero(declared.name) ? (context.name ?? recorded.name) : declared.name;
  if (!isZero(declared.slug)) return { name, slug: declared.slug };
  // Once created under a slug, a resource keeps it: a new prefix or an aliased rename replaces nothing.
  if (recorded.slug !== undefined) return { name, slug: recorded.slug };
  const slug = slugFrom(run.settings.slugPrefix, context.name ?? "");
  return slugProblem(cut(context.name ?? "", 80), slug) ?? { name, slug };
}

/** Claims the object for this resource. Returns an error if another resource of the program declares it. */
function claim(declaration: Declaration): string | undefined {
  const { target, context } = declaration;
  const { run, kind, slug, title } = target;
  const { name = slug, instance = objectAt(kind.name, slug) } = context;
  const { address, token } = run.declarations.origin;
  const others = run.declarations
    .claimsOf(kind.name, slug)
    .filter((other) => other.instance !== instance && other.address === address);
  const both = (other: Claim) => `${title} is declared by both "${other.name}" and "${name}"`;
  const conflict = others.find((other) => other.token === token);
  if (conflict !== undefined) {
    return kind.isSingleton
      ? `${both(conflict)}, but a service has only one. Remove one of them`
      : `${both(conflict)}. Set another slug on one of them`;
  }
  keepClaim(declaration);
  for (const other of others) {
    run.noteOnce(
      `${both(other)}, with different tokens. If both tokens see the same object, each update overwrites it. Set another slug on one of them`,
      "warning",
    );
  }
  return undefined;
}

function keepClaim({ target, context, before, hasOldInputs, change }: Declaration, more: Pick<Claim, "failures"> = {}) {
  const { run, kind, slug } = target;
  run.declarations.remember(kind, slug, context);
  run.declarations.claim(kind, slug, {
    isWritten: change !== "none",
    ...(hasOldInputs ? { recordedSlug: slugOf(kind, before) } : { creation: "awaited" }),
    ...(run.validations.verifier === "class" ? { classWillVerify: true } : {}),
    ...more,
  });
}

/** With "never" a preview sends no request; an update still asks before it deletes first. */
function isValidated({ settings: { validate } }: Run, { dryRun }: Context, deletesFirst: boolean): boolean {
  const isUpdate = dryRun === false;
  if (validate === "never") return isUpdate && deletesFirst;
  return validate === "always" || !isUpdate || deletesFirst;
}
