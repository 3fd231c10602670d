import { isDeepStrictEqual } from "node:util";
import type { Kind } from "../../schema/kind";
import { settings } from "../../schema/settings";
import { mapIn } from "../../schema/walk";
import { unknown } from "../../values/unknown";
import { type JsonObject, withoutAbsent } from "../../wire/json";
import { type DeclaredChange, changeOf, type ResourceDeclaration, declarationIn } from "./change";
import { type Claim, nameOf, objectKey } from "../objects/claims";
import { noteDoubts, noteNulls, noteOptionPaths, noteUnknowns } from "../notes/warnings";
import { explain, redact } from "../notes/explain";
import type { Session } from "../session";
import { recordIn } from "../objects/record";
import { Target } from "../objects/target";
import { beginValidation, type DeclaredWrite, readsResults, validate } from "./validate";
import { accessFailures } from "./verifyAccess";

interface Checked {
  /** The inputs to record: defaults filled in, our own keys left out, spelled as before if the meaning is the same. */
  readonly inputs: JsonObject;
  /** All problems of the declaration, by the names that the program uses. */
  readonly failures: readonly string[];
}

/**
 * Checks what a program declares: decides first what that changes, and then validates it, types and keys here, the rest
 * with a dry run. Skips the dry run if nothing changed. An argument that is not known yet never fails. The first check of a
 * preview also checks URL and token.
 * @param olds The recorded inputs; empty for a new resource and for one that is being replaced.
 */
export async function check(session: Session, kind: Kind, olds: JsonObject, news: JsonObject): Promise<Checked> {
  const resource = declarationIn(session, kind, olds, news);
  const { context } = resource.target;
  // Without a class, the plugin does not know whether this is a preview.
  const mayBePreview = context.dryRun === true || context.validatesLater === true;
  const isFirst = mayBePreview && !session.progress.isAccessChecked;
  session.progress.isAccessChecked ||= isFirst;
  const result = await checkResource(resource);
  // A failure ends the program: one error is enough then.
  if (!isFirst || result.failures.length > 0) return result;
  // A new resource has no object to read.
  const recorded = resource.target.with(resource.before, resource.recordedSlug ?? "");
  return { ...result, failures: await accessFailures(recorded) };
}

async function checkResource(resource: ResourceDeclaration): Promise<Checked> {
  const { given, target, before, inputs } = resource;
  const { session, context } = target;
  const isSlugKnown = target.slug !== unknown;
  try {
    const change = changeOf(resource);
    // Claimed first, even if types are wrong: a delete must see every declared object.
    const clash = resource.whyNoSlug ?? (isSlugKnown ? claimObject(resource, change) : undefined);
    const wrong = [...optionProblems(target), ...(await typeProblems(resource))];
    const problems = clash === undefined ? wrong : [...wrong, clash];
    if (problems.length > 0) return await withFailures(resource, change, problems);
    session.results.decide(context.instance ?? "", []);
    if (isSlugKnown && change !== "unchanged") noteNulls(target, given);
    noteOptionPaths(target);
    return { inputs, failures: change === "unchanged" ? [] : await validateChange(resource, change) };
  } catch (error) {
    return { inputs, failures: [explain(`validate ${target.title}`, error, target, before).message] };
  }
}

/** Claims the object for this resource. Returns an error if another resource of the program declares it. */
function claimObject(resource: ResourceDeclaration, change: DeclaredChange): string | undefined {
  const { session, kind, slug, objectKey: key, title, context } = resource.target;
  const { name = slug, instance = key } = context;
  const { serviceUrl, token } = session.origin;
  const others = session.claims
    .claimsOn(key)
    .filter((other) => other.instance !== instance && other.serviceUrl === serviceUrl);
  const both = (other: Claim) => `${title} is declared by both "${nameOf(other)}" and "${name}"`;
  const conflict = others.find((other) => other.token === token);
  if (conflict !== undefined) {
    return kind.isSingleton
      ? `${both(conflict)}, but a service has only one. Remove one of them`
      : `${both(conflict)}. Set another slug on one of them`;
  }
  session.contexts.set(key, context);
  keepClaim(resource, change);
  for (const other of others) {
    session.noteOnce(
      `${both(other)}, with different tokens. If both tokens see the same object, each resource overwrites the other's values. Set another slug on one of them`,
      "warning",
    );
  }
  return undefined;
}

function keepClaim({ target, recordedSlug }: ResourceDeclaration, change: DeclaredChange) {
  const { kind, marks } = target;
  target.claim({
    step: change === "unchanged" ? change : recordedSlug === undefined ? "awaited" : "updated",
    ...(recordedSlug === undefined ? {} : { recordedKey: objectKey(kind.name, recordedSlug) }),
    // A key may be secret too, and other processes read the claim.
    ...(marks.length === 0 ? {} : { marks: marks.map((path) => mapIn(kind.root, path) ?? path) }),
  });
}

/** Wrong options, and defaults of another provider than the class knows: a transform may have chosen it since. */
function optionProblems({ session, kind, context: { adopt, defaultsDigest, instance } }: Target): readonly string[] {
  const isAdoptKnown = [undefined, null, ...(settings.fields.adopt?.options.values ?? [])].includes(adopt);
  const unlessKnown = String(adopt) === unknown ? ", not an output that is known only after the update" : "";
  const wrong = isAdoptKnown ? [] : [`adopt must be false, "identical" or true${unlessKnown}`];
  const from = Object.values(kind.args.fields).flatMap(({ options }) => options.defaultsFrom ?? []);
  // Without a context, as in an import, nothing is added.
  if (from.length === 0 || instance === undefined || defaultsDigest === session.settings.defaultsDigest) return wrong;
  return [
    ...wrong,
    `the program and the provider have different values of ${from.sort().join(" or ")}. If a transform sets the resource's ` +
      "provider, pass the provider with the option provider or providers instead. Otherwise, install only one version of pulumi-observability, and run " +
      "the program and the engine with the same environment variables",
  ];
}

/** Unchanged inputs were checked before: skipping them avoids loading zod. */
async function typeProblems({ given, target, before }: ResourceDeclaration): Promise<readonly string[]> {
  if (isDeepStrictEqual(target.args, before)) return [];
  const { session, kind, marks } = target;
  const { knownValues, unknownValues } = session.settings;
  const { problemsOf } = await (types ??= loadTypes());
  const problems = problemsOf(kind.root, withoutAbsent(given), { knownValues, unknownValues, marks });
  // A path may have the key of a map that is secret as a whole.
  return problems.map((problem) => redact(problem, target));
}

// Imported once: a repeated import costs 0.1 ms, and the engine waits for each check.
const loadTypes = () => import("../../values/types.js");
let types: ReturnType<typeof loadTypes> | undefined;

/**
 * The result for a declaration with failures. A failed check ends the program and hides other errors, so it leaves them to
 * the class in a preview, or to the plugin's call that follows.
 */
async function withFailures(
  resource: ResourceDeclaration,
  change: DeclaredChange,
  failures: readonly string[],
): Promise<Checked> {
  const { target } = resource;
  const { session, kind, args, context } = target;
  if (context.validatesLater !== true && !readsResults(target)) return { inputs: args, failures };
  const { structureProblems } = await (types ??= loadTypes());
  // Leaves out wrong arguments: the engine would show a secret in a wrong place.
  const isSound = ([key, value]: [string, unknown]) => structureProblems(kind.args, { [key]: value }).length === 0;
  const sound = Object.fromEntries(Object.entries(args).filter(isSound));
  keepClaim(resource, change);
  session.results.decide(context.instance ?? "", failures);
  return { inputs: sound, failures: [] };
}

/** Begins the validation, or leaves it to a later call, or waits for it. Returns the service's reasons to reject it. */
async function validateChange(resource: ResourceDeclaration, change: DeclaredChange): Promise<readonly string[]> {
  const { target, before, inputs } = resource;
  const { session, kind, slug, context } = target;
  const isDue = isValidationDue(target, change);
  const hasUnknown = isDue && noteUnknowns(target);
  const isReported = isDue && !hasUnknown && readsResults(target);
  // Otherwise they are part of the result.
  if (!isReported) noteDoubts(target, before);
  if (hasUnknown) return [];
  const declared = target.with(inputs);
  const writeAs = (deletedSlug?: string): DeclaredWrite => {
    const { recordedKey, createdAt } = target.ownClaim ?? {};
    // A plugin's object without arguments has no old inputs: then only the comparison shows that it is recorded.
    const isNew = change !== "updated" && (change !== "new" || recordedKey === undefined);
    const isCreated = deletedSlug === undefined ? isNew && change !== "recreated" : deletedSlug !== slug;
    return isCreated ? { is: "create", mayReplaceItself: change === "new" } : { is: "update", before, createdAt };
  };
  if (context.validatesLater === true) {
    session.progress.leftForLater.set(context.instance ?? "", (outputs, deletedSlug) =>
      validate(Target.checked(session, kind, inputs, recordIn(outputs)), writeAs(deletedSlug)),
    );
    return [];
  }
  if (!isDue) return [];
  if (isReported) {
    // The recorded times of an update are known only when the engine compares it: `diff` begins then.
    if (change !== "updated") beginValidation(declared, writeAs());
    return [];
  }
  const validation = await validate(declared, writeAs());
  session.noteValidation(validation);
  return validation.failures;
}

/** Whether a change is validated. With "never" a preview sends no request; an update still asks before it deletes first. */
function isValidationDue({ session, context }: Target, change: DeclaredChange): boolean {
  const { validate: when } = session.settings;
  const isUpdate = context.dryRun === false;
  // If the old object is deleted first and the new one is rejected, the user has neither.
  const deletesFirst = change === "recreated" || (change !== "updated" && context.deleteBeforeReplace === true);
  return when === "never" ? isUpdate && deletesFirst : when === "always" || !isUpdate || deletesFirst;
}
