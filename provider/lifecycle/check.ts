import { isDeepStrictEqual } from "node:util";
import { type Context, contextOf } from "../protocol";
import type { Kind } from "../schema/kind";
import { settings } from "../schema/settings";
import { formatPath } from "../schema/walk";
import { shownPart } from "../values/differences";
import { isZero, sameMeaning } from "../values/equal";
import { outputTexts } from "../values/outputTexts";
import { slugFrom, slugProblem } from "../values/slug";
import { keepSpelling } from "../values/spelling";
import { unknown, unknownPaths } from "../values/unknown";
import { type JsonObject, withoutAbsent } from "../wire/json";
import { doubts, tellNulls } from "./doubts";
import { cut, explain, oneLine, redact } from "./explain";
import { classWillValidate, isFollowed, isOfClass } from "./followed";
import { ignoringItems } from "./ignoring";
import { unknownNote, validating } from "./notes";
import { type Claim } from "./claims";
import { prove } from "./proof";
import { argumentsOf } from "./record";
import { objectAt, type Steps } from "./declarations";
import { type Run, slugOf, titleOf } from "./run";
import { Target } from "./target";
import { validate } from "./validate";

export interface Checked {
  /** The inputs to record: defaults filled in, our own keys left out, spelled as before if the meaning is the same. */
  readonly inputs: JsonObject;
  /** Everything that is wrong with the declaration, by the names that the program uses. */
  readonly failures: readonly string[];
}

/**
 * Checks what a program declares: types and keys here, the rest by dry run at the service. Skips the dry run if nothing
 * changed. A value that is not known yet never fails. The first check of a preview also proves address and token.
 * @param olds The recorded inputs; empty for a new resource and for one that is being replaced.
 */
export async function check(run: Run, kind: Kind, olds: JsonObject, news: JsonObject): Promise<Checked> {
  const context = contextOf(news);
  const isFirst = context.dryRun === true && run.validations.prover === undefined;
  // The class cannot prove anything with an unknown slug.
  if (isFirst) run.validations.prover = isOfClass(run, context) && news.slug !== unknown ? "class" : "check";
  const checked = await checkDeclared(declarationOf(run, kind, context, olds, news));
  // A failure ends the program: one error is enough then.
  if (!isFirst || run.validations.prover === "class" || checked.failures.length > 0) return checked;
  return { ...checked, failures: await unproven(run, kind, olds) };
}

/** Why address and token cannot be proved. */
async function unproven(run: Run, kind: Kind, olds: JsonObject): Promise<readonly string[]> {
  // A new resource has no object that could be read as proof.
  const slug = Object.keys(olds).length === 0 ? "" : undefined;
  const target = new Target(run, kind, argumentsOf(kind, olds), slug);
  try {
    if (run.settings.validate === "never") return [];
    const validation = await prove(target);
    const { failures, warnings } = validation();
    for (const warning of warnings) run.note(warning, "warning");
    return failures;
  } catch (error) {
    return [explain("check baseUrl and apiToken", error, target).message];
  }
}

/** What a program declares, together with what state records. */
interface Declaration {
  readonly run: Run;
  readonly kind: Kind;
  readonly context: Context;
  /** The arguments recorded before; empty if the engine has given none. */
  readonly before: JsonObject;
  /** The program's arguments, without the provider's own keys. */
  readonly given: JsonObject;
  /** The same without what is absent. */
  readonly declared: JsonObject;
  /** The same with name and slug filled in, if there can be a slug. */
  readonly complete: JsonObject;
  /** Why there can be no slug; undefined if there is one. */
  readonly noSlug: string | undefined;
  readonly slug: string;
  /** True for a new resource and for one that is being replaced. */
  readonly hasNoOldInputs: boolean;
  readonly isNew: boolean;
  readonly isAsBefore: boolean;
  readonly steps: Steps;
}

function declarationOf(run: Run, kind: Kind, context: Context, olds: JsonObject, news: JsonObject): Declaration {
  const given = Object.fromEntries(Object.entries(news).filter(([key]) => !key.startsWith("__")));
  const declared = withoutAbsent(given);
  const before = argumentsOf(kind, olds);
  const identity = identify(run, kind, before, declared, context);
  const complete = typeof identity === "string" ? declared : { ...declared, ...identity };
  const slug = slugOf(kind, complete);
  // Recorded inputs are never empty: they hold at least the provider's text.
  const hasNoOldInputs = Object.keys(olds).length === 0;
  const isNew = hasNoOldInputs || slugOf(kind, before) !== slug;
  const isAsBefore = isDeepStrictEqual(complete, before);
  const steps: Steps = {
    isWritten: isNew || !(isAsBefore || sameMeaning(kind.root, complete, before)),
    ...(hasNoOldInputs ? { creation: "awaited" } : { recordedSlug: slugOf(kind, before) }),
    ...(run.validations.prover === "class" ? { classWillProve: true } : {}),
  };
  const noSlug = typeof identity === "string" ? identity : undefined;
  return {
    run,
    kind,
    context,
    before,
    given,
    declared,
    complete,
    noSlug,
    slug,
    hasNoOldInputs,
    isNew,
    isAsBefore,
    steps,
  };
}

async function checkDeclared(declaration: Declaration): Promise<Checked> {
  const { run, kind, before, complete, slug, isAsBefore, steps } = declaration;
  // The cast holds: respelling an object gives an object.
  const inputs = isAsBefore ? before : (keepSpelling(kind.root, complete, before) as JsonObject);
  try {
    // Claimed first, even if types are wrong: a delete must see every declared object.
    const clash = declaration.noSlug ?? (slug === unknown ? undefined : claim(declaration));
    const problems = [...(await typeProblems(declaration)), ...(clash === undefined ? [] : [clash])];
    if (problems.length > 0) return await refused(declaration, problems);
    const { ignoreChanges } = declaration.context;
    if (steps.isWritten && slug !== unknown) tellNulls(new Target(run, kind, complete), declaration.given);
    const ignored = slug === unknown ? [] : ignoringItems(kind, titleOf(kind, slug), complete, ignoreChanges);
    for (const warning of ignored) run.noteOnce(warning, "warning");
    return { inputs, failures: steps.isWritten ? await validated(declaration, inputs) : [] };
  } catch (error) {
    const target = new Target(run, kind, complete);
    return { inputs, failures: [explain(validating(target.title), error, target, before).message] };
  }
}

/** Wrong types and unknown keys. Unchanged inputs were checked before: skipping them avoids loading zod. */
async function typeProblems({
  run,
  kind,
  context,
  declared,
  complete,
  isAsBefore,
}: Declaration): Promise<readonly string[]> {
  const isAdoptKnown = [undefined, null, ...(settings.fields.adopt?.options.values ?? [])].includes(context.adopt);
  const wrongOption = isAdoptKnown ? [] : ['adopt must be false, "identical" or true'];
  const wrong = [...wrongOption, ...defaultsProblems(run, kind, context)];
  if (isAsBefore) return wrong;
  const { structureProblems } = await (structure ??= loadStructure());
  const found = [...structureProblems(kind.args, declared), ...outputTexts(declared, run.settings.knownValues)];
  // A path may have the key of a map that is secret as a whole.
  return [...wrong, ...found.map((text) => redact(text, new Target(run, kind, complete)))];
}

/** The class adds the defaults of the provider that it knows; a transform may have chosen another one since. */
function defaultsProblems({ settings }: Run, { args }: Kind, { defaults, instance }: Context): readonly string[] {
  const from = Object.values(args.fields).flatMap(({ options }) => options.defaultsFrom ?? []);
  // Without a class, as in an import, nothing is added.
  if (from.length === 0 || instance === undefined || defaults === settings.mapsSignature) return [];
  return [
    `the provider has other ${from.sort().join(" or ")} than the program sees: pass an obs.Provider by the option provider ` +
      "or providers, not by a transform; set the same environment variables for both; and install one version of " +
      "pulumi-observability",
  ];
}

/** A failed check ends the program and hides other errors. In a preview the class reports it instead, if it can. */
async function refused(declaration: Declaration, failures: readonly string[]): Promise<Checked> {
  const { run, kind, context, before, complete, slug, isNew, steps } = declaration;
  const { structureProblems } = await (structure ??= loadStructure());
  // Leaves out wrong arguments: the engine would show a secret in a wrong place.
  const isSound = ([key, value]: [string, unknown]) => structureProblems(kind.args, { [key]: value }).length === 0;
  const sound = Object.fromEntries(Object.entries(complete).filter(isSound));
  // The class validates only what changes.
  const isSeen = isNew || !sameMeaning(kind.root, sound, before);
  if (!isSeen || !isFollowed(run, context)) return { inputs: complete, failures };
  run.declarations.remember(kind, slug, context);
  run.declarations.claim(kind, slug, { ...steps, failures });
  return { inputs: sound, failures: [] };
}

/** Asks the service, or leaves that to the class. Returns the service's reasons to refuse. */
async function validated(declaration: Declaration, inputs: JsonObject): Promise<readonly string[]> {
  const { run, kind, context, before, complete, slug, hasNoOldInputs, isNew, steps } = declaration;
  const tell = () => {
    if (slug === unknown) return;
    for (const { what, object } of doubts(new Target(run, kind, complete), before)) {
      run.noteTogether(what, object, "warning");
    }
  };
  const replacesItself = hasNoOldInputs && replaces(run, kind, slug, context);
  if (!replacesItself && classWillValidate(run, kind, context, inputs, before)) {
    if (slug !== unknown) run.declarations.claim(kind, slug, { ...steps, classWillValidate: true });
    if (!isValidated(run, context, false) || reportUnknowns(run, kind, slug, complete, context)) tell();
    return [];
  }
  // If the old object is deleted first and the new one is refused, the user has neither.
  const deletesFirst = replacesItself || (isNew && context.deleteBeforeReplace === true);
  tell();
  if (!isValidated(run, context, deletesFirst) || reportUnknowns(run, kind, slug, complete, context)) return [];
  const mayReplaceItself = hasNoOldInputs && recordedOf(run, context) === undefined;
  const { createdAt } = run.declarations.claimBy(kind, slug) ?? {};
  const how = isNew && !replacesItself ? { mayReplaceItself } : { before, createdAt };
  const { failures, warnings, notes = [] } = await validate(new Target(run, kind, inputs), how);
  for (const warning of warnings) run.noteOnce(warning, "warning");
  for (const note of notes) run.noteOnce(note);
  return failures;
}

/** The recorded object of a resource, from its first check. The engine checks a replaced one again as a new one. */
const recordedOf = (run: Run, { instance }: Context) =>
  instance === undefined ? undefined : run.declarations.claims.recordedOf(instance);

/** The slug of the recorded object, if it is of this kind. */
function recordedSlug(run: Run, kind: Kind, context: Context): string | undefined {
  const all = objectAt(kind.name, "");
  const recorded = recordedOf(run, context);
  return recorded?.startsWith(all) ? recorded.slice(all.length) : undefined;
}

/**
 * Whether a resource that is checked as new replaces its own object, which is deleted first: because the option says so,
 * or because `diff` has. The engine asks no `diff` if another option forces the replacement, such as `replacementTrigger`.
 * What is retained, or cannot be deleted, is taken over or in the way.
 */
const replaces = (run: Run, kind: Kind, slug: string, context: Context) =>
  recordedOf(run, context) === objectAt(kind.name, slug) &&
  (context.deleteBeforeReplace ?? run.declarations.claimBy(kind, slug)?.isCompared === true) &&
  context.retainOnDelete !== true &&
  run.settings.onMissingDelete !== "retain";

// Imported once: a repeated import costs 0.1 ms, and the engine waits for each check.
const loadStructure = () => import("../values/types.js");
let structure: ReturnType<typeof loadStructure> | undefined;

const secretSlug =
  "slug: the program marks it as secret, but it becomes the resource's id, which state and every output of a run show in " +
  "clear: set a slug that is no secret, or pulumi.unsecret(slug) if it is none";

/** The resulting name and slug, or the reason why there can be no slug. */
function identify(
  run: Run,
  kind: Kind,
  before: JsonObject,
  declared: JsonObject,
  context: Context,
): JsonObject | string {
  if (kind.isSingleton) return {};
  if (context.secrets?.some((path) => path.length === 1 && path[0] === "slug")) return secretSlug;
  const name = isZero(declared.name) ? (context.name ?? before.name) : declared.name;
  if (!isZero(declared.slug)) return { name, slug: declared.slug };
  // Once created under a slug, a resource keeps it: a new prefix or an aliased rename replaces nothing.
  const slugBefore = isZero(before.slug) ? recordedSlug(run, kind, context) : before.slug;
  if (slugBefore !== undefined) return { name, slug: slugBefore };
  const slug = slugFrom(run.settings.slugPrefix, context.name ?? "");
  return slugProblem(cut(context.name ?? "", 80), slug) ?? { name, slug };
}

/** Claims the object for this resource. Returns an error if another resource of the program declares it. */
function claim({ run, kind, slug, context, steps }: Declaration): string | undefined {
  const { declarations } = run;
  const { name = slug, instance = objectAt(kind.name, slug) } = context;
  const { address, token } = declarations.origin;
  const others = declarations.othersOf(kind, slug, instance).filter((other) => other.address === address);
  const rival = others.find((other) => other.token === token);
  const both = (other: Claim) => `both "${other.name}" and "${name}" declare ${titleOf(kind, slug)}`;
  if (rival === undefined) {
    declarations.remember(kind, slug, context);
    declarations.claim(kind, slug, steps);
    for (const other of others) {
      run.noteOnce(
        `${both(other)}, each with its own token: if both tokens see the same object, each update overwrites it; set slug on one of them`,
        "warning",
      );
    }
    return undefined;
  }
  return kind.isSingleton
    ? `there is one ${kind.title} per service, and both "${rival.name}" and "${name}" declare it: keep one of them`
    : `${both(rival)}: set slug on one of them`;
}

/** With "never" a preview sends no request; an update still asks before it deletes first. */
function isValidated({ settings: { validate } }: Run, { dryRun }: Context, deletesFirst: boolean): boolean {
  const isUpdate = dryRun === false;
  if (validate === "never") return isUpdate && deletesFirst;
  return validate === "always" || !isUpdate || deletesFirst;
}

/** Tells the user which values are not validated before the update. Returns whether there are any. */
function reportUnknowns(run: Run, kind: Kind, slug: string, complete: JsonObject, { name }: Context): boolean {
  // Sorted: the engine checks a replaced resource twice, with its fields in different orders.
  const { secrets } = new Target(run, kind, complete);
  const open = unknownPaths(complete)
    .map((path) => formatPath(shownPart(kind.root, path, secrets)))
    .sort();
  if (open.length === 0) return false;
  // Slug and name may both be unknown.
  const shown = [slug, complete.name].find((each) => each !== unknown) ?? name;
  const title = oneLine(titleOf(kind, String(shown)));
  run.noteOnce(unknownNote(title, open));
  return true;
}
