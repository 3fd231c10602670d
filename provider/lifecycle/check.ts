import { isDeepStrictEqual } from "node:util";
import { type Context, contextOf, followsOf } from "../protocol";
import type { Kind } from "../schema/kind";
import { formatPath } from "../schema/walk";
import { isZero, keepSpelling, sameMeaning } from "../values/equal";
import { secretTexts } from "../values/secrets";
import { slugFrom } from "../values/slug";
import { unknown, unknownPaths } from "../values/unknown";
import { type JsonObject, withoutAbsent } from "../wire/json";
import { cut, explain, oneLine } from "./explain";
import { type Claim } from "./operation";
import { prove } from "./proof";
import { argumentsOf } from "./record";
import { type Run, slugOf, type Steps, titleOf } from "./run";
import { Target } from "./target";
import { validate } from "./validate";

export interface Checked {
  /** The inputs to record: defaults filled in, our own keys left out, spelled as before if the meaning is the same. */
  readonly inputs: JsonObject;
  /** Every reason for which the resource cannot be as declared, in the resource's own terms. */
  readonly failures: readonly string[];
}

/**
 * Checks what a program declares: types and known keys here, everything else by dry run at the service, unless nothing
 * changed. Never fails for a value that is not known yet. The first check of a preview also proves address and token.
 * @param olds The inputs recorded before; empty for a new resource, and for one that is being replaced.
 */
export async function check(run: Run, kind: Kind, olds: JsonObject, news: JsonObject): Promise<Checked> {
  const context = contextOf(news);
  const isFirst = context.dryRun === true && run.prover === undefined;
  // Of an object whose slug is not known the class hears nothing.
  if (isFirst) run.prover = isOfClass(run, context) && news.slug !== unknown ? "class" : "check";
  const checked = await checkDeclared(declarationOf(run, kind, context, olds, news));
  // A failure ends the program: nothing else need be told then.
  if (!isFirst || run.prover === "class" || checked.failures.length > 0) return checked;
  return { ...checked, failures: await unproven(run, kind, olds) };
}

/** Why address and token cannot be proved. */
async function unproven(run: Run, kind: Kind, olds: JsonObject): Promise<readonly string[]> {
  const target = new Target(run, kind, argumentsOf(kind, olds));
  try {
    if (run.settings.validate === "never") return [];
    const hasObject = Object.keys(olds).length > 0;
    const verdict = await prove(hasObject ? target : new Target(run, kind, {}, ""));
    const { failures, warnings } = verdict();
    for (const warning of warnings) run.note(`warning: ${warning}`);
    return failures;
  } catch (error) {
    return [explain("check baseUrl and apiToken", error, target).message];
  }
}

/** What a program declares, beside what state records. */
interface Declaration {
  readonly run: Run;
  readonly kind: Kind;
  readonly context: Context;
  /** The arguments recorded before; empty if the engine has given none. */
  readonly before: JsonObject;
  /** As the program says it. */
  readonly declared: JsonObject;
  /** With name and slug, as far as there can be any. */
  readonly complete: JsonObject;
  /** Why there can be no slug. */
  readonly noSlug: string | undefined;
  readonly slug: string;
  /** For a new resource, and for one that is being replaced. */
  readonly hasNoOldInputs: boolean;
  readonly isNew: boolean;
  readonly isAsBefore: boolean;
  readonly steps: Steps;
}

function declarationOf(run: Run, kind: Kind, context: Context, olds: JsonObject, news: JsonObject): Declaration {
  const declared = withoutAbsent(Object.fromEntries(Object.entries(news).filter(([key]) => !key.startsWith("__"))));
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
    awaitsCreate: hasNoOldInputs,
    ...(hasNoOldInputs ? {} : { recordedSlug: slugOf(kind, before) }),
    ...(run.prover === "class" ? { classWillProve: true } : {}),
  };
  const noSlug = typeof identity === "string" ? identity : undefined;
  return { run, kind, context, before, declared, complete, noSlug, slug, hasNoOldInputs, isNew, isAsBefore, steps };
}

async function checkDeclared(declaration: Declaration): Promise<Checked> {
  const { run, kind, before, complete, slug, isAsBefore, steps } = declaration;
  // An object's other spelling is an object.
  const inputs = isAsBefore ? before : (keepSpelling(kind.root, complete, before) as JsonObject);
  try {
    // Before all else, and also if more is wrong: what is declared is not deleted.
    const clash = declaration.noSlug ?? (slug === unknown ? undefined : claim(declaration));
    const problems = [...(await typeProblems(declaration)), ...(clash === undefined ? [] : [clash])];
    if (problems.length > 0) return await refused(declaration, problems);
    return { inputs, failures: steps.isWritten ? await validated(declaration, inputs) : [] };
  } catch (error) {
    const target = new Target(run, kind, complete);
    return { inputs, failures: [explain(`validate ${target.title}`, error, target, before).message] };
  }
}

/** Wrong types and unknown keys. Unchanged inputs were checked before: skipping them avoids loading zod. */
async function typeProblems({ kind, context, declared, isAsBefore }: Declaration): Promise<readonly string[]> {
  const isAdoptKnown = [undefined, null, false, "identical", true].includes(context.adopt);
  const wrongOption = isAdoptKnown ? [] : ['adopt must be false, "identical" or true'];
  if (isAsBefore) return wrongOption;
  const { structureProblems } = await (structure ??= loadStructure());
  return [...wrongOption, ...structureProblems(kind.args, declared)];
}

/** A failed check ends the program, and hides what else is wrong: in a preview the class reports it, if it listens. */
async function refused(declaration: Declaration, failures: readonly string[]): Promise<Checked> {
  const { run, kind, context, before, complete, slug, isNew, steps } = declaration;
  const { structureProblems } = await (structure ??= loadStructure());
  // Without what is at fault: a secret in a wrong place would be shown.
  const isSound = ([key, value]: [string, unknown]) => structureProblems(kind.args, { [key]: value }).length === 0;
  const sound = Object.fromEntries(Object.entries(complete).filter(isSound));
  // The class looks only at what changes.
  const isSeen = isNew || !sameMeaning(kind.root, sound, before);
  if (!isSeen || !isFollowed(run, context)) return { inputs: complete, failures };
  run.remember(kind, slug, context);
  run.claim(kind, slug, { ...steps, failures });
  return { inputs: sound, failures: [] };
}

/** Asks the service, or leaves that to the class; answers with why it refuses. */
async function validated(declaration: Declaration, inputs: JsonObject): Promise<readonly string[]> {
  const { run, kind, context, before, slug, hasNoOldInputs, isNew, steps } = declaration;
  const replacesItself = hasNoOldInputs && replaces(run, kind, slug, context);
  if (!replacesItself && classWillValidate(run, kind, context, inputs, before)) {
    if (slug !== unknown) run.claim(kind, slug, { ...steps, classWillValidate: true });
    if (isValidated(run, context, false)) reportUnknowns(run, kind, slug, inputs, context);
    return [];
  }
  // An object that is deleted first is lost if its successor is refused then.
  const deletesFirst = replacesItself || (isNew && context.deleteBeforeReplace === true);
  if (!isValidated(run, context, deletesFirst) || reportUnknowns(run, kind, slug, inputs, context)) return [];
  const mayReplaceItself = hasNoOldInputs && recordedOf(run, context) === undefined;
  const creation = isNew && !replacesItself ? { mayReplaceItself } : undefined;
  const { failures, warnings, notes = [] } = await validate(new Target(run, kind, inputs), creation, before);
  for (const warning of warnings) run.noteOnce(`warning: ${warning}`);
  for (const note of notes) run.noteOnce(note);
  return failures;
}

/** The object that state records for a resource: the engine checks one that it replaces a second time, as if it were new. */
const recordedOf = (run: Run, { instance }: Context) =>
  instance === undefined ? undefined : run.operation.recordedOf(instance);

/** The slug of that object. */
function recordedSlug(run: Run, kind: Kind, context: Context): string | undefined {
  const all = run.objectAt(kind.name, "");
  const recorded = recordedOf(run, context);
  return recorded?.startsWith(all) ? recorded.slice(all.length) : undefined;
}

/** Whether a resource that is checked as if it were new replaces its own object, which is deleted before. */
const replaces = (run: Run, kind: Kind, slug: string, context: Context) =>
  recordedOf(run, context) === run.objectAt(kind.name, slug) &&
  context.deleteBeforeReplace !== false &&
  context.retainOnDelete !== true;

// Loaded once: to import again what is loaded costs a tenth of a millisecond, and the engine waits for each check.
const loadStructure = () => import("../values/types.js");
let structure: ReturnType<typeof loadStructure> | undefined;

/** Name and slug as they will be, or why there can be none. */
function identify(
  run: Run,
  kind: Kind,
  before: JsonObject,
  declared: JsonObject,
  context: Context,
): JsonObject | string {
  if (kind.isSingleton) return {};
  const name = isZero(declared.name) ? (context.name ?? before.name) : declared.name;
  if (!isZero(declared.slug)) return { name, slug: declared.slug };
  // Once created under a slug, a resource keeps it: a new prefix or an aliased rename replaces nothing.
  const slugBefore = isZero(before.slug) ? recordedSlug(run, kind, context) : before.slug;
  if (slugBefore !== undefined) return { name, slug: slugBefore };
  const slug = slugFrom(run.settings.slugPrefix, context.name ?? "");
  if (slug === "" || slug.length > 255) {
    const fault = slug === "" ? "has no character that a slug may hold" : "makes a slug of over 255 characters";
    return `slug: the resource's name "${cut(context.name ?? "", 80)}" ${fault}; set slug`;
  }
  return { name, slug };
}

/** Claims the object for this resource; answers with the other one of the program that has it, if any. */
function claim({ run, kind, slug, context, steps }: Declaration): string | undefined {
  const { instance, name } = context;
  const others = run.claimsOf(kind.name, slug).filter((other) => instance !== undefined && other.instance !== instance);
  const rival = others.find((other) => run.isSameAccount(other));
  const both = (other: Claim) => `both "${other.name}" and "${name}" declare ${titleOf(kind, slug)}`;
  if (rival === undefined) {
    run.remember(kind, slug, context);
    run.claim(kind, slug, steps);
    for (const other of others) {
      run.noteOnce(
        `warning: ${both(other)}, each with its own token: if both tokens see the same object, each update overwrites it; set slug on one of them`,
      );
    }
    return undefined;
  }
  return kind.isSingleton
    ? `there is one ${kind.title} per service, and both "${rival.name}" and "${name}" declare it: keep one of them`
    : `${both(rival)}: set slug on one of them`;
}

function isValidated({ settings: { validate } }: Run, { dryRun }: Context, deletesFirst: boolean): boolean {
  if (validate === "never") return false;
  return validate === "always" || dryRun !== false || deletesFirst;
}

/** Whether the class follows its resource in this preview, and reads what this run writes. */
const isFollowed = (run: Run, context: Context) =>
  context.dryRun === true && followsOf(context).folder === run.operation.folder;

/** Whether the class asks the service by the same settings; where another environment rules than this process's, not. */
const isOfClass = (run: Run, context: Context) =>
  followsOf(context).signature === run.settings.signature && isFollowed(run, context);

/**
 * Whether the class will ask the service the very same: it goes by the same settings, and sees all that is declared,
 * unless a transform has added an argument. It does not know what deleteBeforeReplace makes room for, nor a secret that
 * is being replaced, which the service may echo.
 */
function classWillValidate(run: Run, kind: Kind, context: Context, inputs: JsonObject, before: JsonObject): boolean {
  if (!isOfClass(run, context) || context.deleteBeforeReplace === true) return false;
  const { keys } = followsOf(context);
  if (!Object.keys(inputs).every((key) => keys.includes(key))) return false;
  const secrets = secretTexts(kind.root, before);
  const known = secrets.length === 0 ? [] : secretTexts(kind.root, inputs);
  return secrets.every((secret) => known.includes(secret));
}

/** Says what cannot be validated before the update; answers whether there is anything. */
function reportUnknowns(run: Run, kind: Kind, slug: string, inputs: JsonObject, { name }: Context): boolean {
  // In one order: of a resource that may be replaced the engine asks twice, with its fields in different ones.
  const open = unknownPaths(inputs).map(formatPath).sort();
  if (open.length === 0) return false;
  // The best name there is: not every one is known.
  const shown = [slug, inputs.name].find((each) => each !== unknown) ?? name;
  const title = oneLine(titleOf(kind, String(shown)));
  run.noteOnce(`${title}: not validated yet, because these are known only after the update: ${open.join(", ")}`);
  return true;
}
