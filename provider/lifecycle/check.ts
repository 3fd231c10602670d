import { isDeepStrictEqual } from "node:util";
import type { Kind } from "../schema/kind";
import { formatPath } from "../schema/walk";
import type { JsonObject } from "../wire/codec";
import { explain } from "./explain";
import { isZero, keepSpelling, withoutAbsent } from "./meaning";
import { type Context, contextKey, contextOf, type Run, slugOf, titleOf } from "./run";
import { secretTexts } from "./secrets";
import { argumentsOf } from "./state";
import { unknown, unknownPaths } from "./unknown";
import { validate } from "./validate";

export interface Checked {
  /**
   * The inputs to record: defaults filled in, our own keys left out, spelled as before where the meaning is the same.
   * In a preview, our key that is still there tells a class that announced it would validate not to.
   */
  readonly inputs: JsonObject;
  /** Every reason for which the resource cannot be as declared, in the resource's own terms. */
  readonly failures: readonly string[];
}

/**
 * Checks what a program declares: types and known keys here, everything else by dry run at the service, unless nothing
 * changed. Never fails for a value that is not known yet.
 * @param olds The inputs recorded before; empty for a new resource, and for one that is being replaced.
 */
export async function check(run: Run, kind: Kind, olds: JsonObject, news: JsonObject): Promise<Checked> {
  const context = contextOf(news);
  const declared = withoutAbsent(Object.fromEntries(Object.entries(news).filter(([key]) => !key.startsWith("__"))));
  const before = argumentsOf(kind, olds);
  const identity = identify(run, kind, before, declared, context);
  const complete = typeof identity === "string" ? declared : { ...declared, ...identity };
  // What is as it was recorded has been checked, and most of what a stack declares is: only the rest loads the schemas.
  const isAsBefore = isDeepStrictEqual(complete, before);
  if (!isAsBefore) {
    const { structureProblems } = await (structure ??= loadStructure());
    const problems = structureProblems(kind.args, declared);
    if (problems.length > 0) return { inputs: declared, failures: problems };
  }
  if (typeof identity === "string") return { inputs: declared, failures: [identity] };
  // An object's other spelling is an object.
  const inputs = isAsBefore ? before : (keepSpelling(kind.root, complete, before) as JsonObject);
  const slug = slugOf(kind, inputs);
  if (slug !== unknown) {
    const clash = claim(run, kind, slug, context);
    if (clash !== undefined) return { inputs, failures: [clash] };
  }

  // Recorded inputs are never empty: they hold at least the provider's text.
  const replaces = Object.keys(olds).length === 0;
  const isNew = replaces || slugOf(kind, before) !== slug;
  if (isNew && slug !== unknown) run.plan(kind, slug);
  if (!isNew && inputs === before) return { inputs, failures: [] };
  try {
    const isLeft = isLeftToClass(run, kind, context, inputs, before);
    const answer = context.validates === undefined || isLeft ? inputs : { ...inputs, [contextKey]: "checked" };
    const isJudged = isValidated(run, context, isNew) && !notesUnknowns(run, kind, slug, inputs, context) && !isLeft;
    if (!isJudged) return { inputs: answer, failures: [] };
    const { failures, warnings } = await validate(run, kind, slug, inputs, isNew ? { replaces } : undefined, before);
    for (const warning of warnings) run.noteOnce(`warning: ${warning}`);
    return { inputs: answer, failures };
  } catch (error) {
    return { inputs, failures: [explain(`validate ${titleOf(kind, slug)}`, error, run, kind, inputs, before).message] };
  }
}

// Loaded once: to import again what is loaded costs a tenth of a millisecond, and the engine waits for each check.
const loadStructure = () => import("./structure.js");
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
  if (!isZero(before.slug)) return { name, slug: before.slug };
  const slug = slugFrom(run.settings.slugPrefix, context.name ?? "");
  if (slug === "" || slug.length > 255) {
    return `slug: the resource's name "${context.name ?? ""}" makes ${slug === "" ? "an empty slug" : "a slug of over 255 characters"}; set slug`;
  }
  return { name, slug };
}

/** The prefix and a Pulumi resource name in slug form: `Checkout errors!` → `checkout-errors`. */
export function slugFrom(prefix: string, name: string): string {
  const form = name
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return form === "" ? "" : prefix + form;
}

/** Takes the slug for this resource, or says which other one of the program has it. */
function claim(run: Run, kind: Kind, slug: string, context: Context): string | undefined {
  const { instance, name } = context;
  const other = run.context(kind, slug);
  if (instance !== undefined && other.instance !== undefined && other.instance !== instance) {
    return kind.isSingleton
      ? `there is one ${kind.title} per service, and both "${other.name}" and "${name}" declare it: keep one of them`
      : `both "${other.name}" and "${name}" declare ${titleOf(kind, slug)}: set slug on one of them`;
  }
  run.remember(kind, slug, context);
  return undefined;
}

function isValidated(run: Run, context: Context, isNew: boolean): boolean {
  const { validate } = run.settings;
  if (validate === "never") return false;
  if (validate === "always" || context.dryRun !== false) return true;
  // What is deleted first is lost if its successor is refused then.
  return isNew && context.deleteBeforeReplace === true;
}

/**
 * Whether the class will ask the service the very same: it goes by the same settings, and sees all that is declared. It
 * does not where another one than this process's environment rules, or where a transform has added an argument. Nor
 * does it know a secret that is being replaced, which the service may echo.
 */
function isLeftToClass(run: Run, kind: Kind, { validates }: Context, inputs: JsonObject, before: JsonObject): boolean {
  const [signature, ...seen] = validates?.split(",") ?? [];
  if (signature !== run.settings.signature) return false;
  if (!Object.keys(inputs).every((key) => seen.includes(key))) return false;
  const secrets = secretTexts(kind.root, before);
  const known = secrets.length === 0 ? [] : secretTexts(kind.root, inputs);
  return secrets.every((secret) => known.includes(secret));
}

/** Says what cannot be validated before the update, if anything. */
function notesUnknowns(run: Run, kind: Kind, slug: string, inputs: JsonObject, { name }: Context): boolean {
  // In one order: of a resource that may be replaced the engine asks twice, with its fields in different ones.
  const open = unknownPaths(inputs).map(formatPath).sort();
  if (open.length === 0) return false;
  // The best name there is: not every one is known.
  const shown = [slug, inputs.name].find((each) => each !== unknown) ?? name;
  run.noteOnce(
    `${titleOf(kind, String(shown))}: not validated yet, because these are known only after the update: ${open.join(", ")}`,
  );
  return true;
}
