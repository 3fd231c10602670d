import { isDeepStrictEqual } from "node:util";
import { type Context, contextOf } from "../../protocol";
import type { Kind } from "../../schema/kind";
import { certainPart } from "../../schema/walk";
import { isZero } from "../../values/equal";
import { slugFrom, slugProblem } from "../../schema/names";
import { keepSpelling } from "../../values/spelling";
import { type JsonObject, withoutAbsent } from "../../wire/json";
import { type Claim, slugIn } from "../objects/claims";
import { cutBytes } from "../notes/explain";
import { argumentsOf } from "../objects/record";
import type { Session } from "../session";
import { Target } from "../objects/target";

/** What a program declares, next to what state records of it. */
export interface ResourceDeclaration {
  /** The arguments as the program gives them, with nulls. */
  readonly given: JsonObject;
  /** The declared object, with name and slug filled in. */
  readonly target: Target;
  /** Why there can be no slug; undefined if there is one. */
  readonly whyNoSlug: string | undefined;
  /** The recorded arguments; empty without old inputs. */
  readonly before: JsonObject;
  /** The inputs to record: the declared ones, spelled as before if the meaning is the same. */
  readonly inputs: JsonObject;
  /** The slug in the old inputs; undefined without old inputs. */
  readonly recordedSlug: string | undefined;
  /** What this resource claimed at its last check in this run. */
  readonly lastClaim: Claim | undefined;
}

/** @param olds The recorded inputs; empty for a new resource and for one that is being replaced. */
export function declarationIn(session: Session, kind: Kind, olds: JsonObject, news: JsonObject): ResourceDeclaration {
  const sent = contextOf(news);
  // The recorded order of an unordered list may differ from the program's: any of its items may be the secret.
  const secrets = sent.secrets?.map((path) => certainPart(kind.root, path));
  const context = secrets === undefined ? sent : { ...sent, secrets };
  const given = Object.fromEntries(Object.entries(news).filter(([key]) => !key.startsWith("__")));
  const before = argumentsOf(kind, olds);
  const lastClaim = session.claims.latestOf(context.instance);
  const claimedSlug = lastClaim?.recordedKey && slugIn(lastClaim.recordedKey);
  const declared = withoutAbsent(given);
  const recorded = isZero(before.slug) ? { ...before, slug: claimedSlug } : before;
  const { whyNoSlug, ...nameAndSlug } = nameAndSlugIn(session, kind, context, declared, recorded);
  const args = { ...declared, ...nameAndSlug };
  const target = new Target(session, kind, args, undefined, { context });
  // The cast is safe: respelling an object gives an object.
  const respelled = () => keepSpelling(kind.root, args, before) as JsonObject;
  const inputs = isDeepStrictEqual(args, before) ? before : respelled();
  // Old inputs have at least the provider's text. Only a plugin's object without arguments may have none.
  const recordedSlug = Object.keys(olds).length > 0 ? kind.slugOf(before) : undefined;
  return { given, target, whyNoSlug, before, inputs, recordedSlug, lastClaim };
}

const secretSlug =
  "slug: the program marks the slug as secret, but state and all output show the slug in plain text, as the resource's id. " +
  "Set a slug that isn't secret, or remove the mark with the SDK's unsecret";

/** The resulting name and slug; empty for a singleton. */
function nameAndSlugIn(
  session: Session,
  kind: Kind,
  context: Context,
  declared: JsonObject,
  recorded: JsonObject,
): { readonly name?: unknown; readonly slug?: unknown; readonly whyNoSlug?: string } {
  if (kind.isSingleton) return {};
  if (context.secrets?.some((path) => path.length === 1 && path[0] === "slug")) return { whyNoSlug: secretSlug };
  const name = isZero(declared.name) ? (context.name ?? recorded.name) : declared.name;
  if (!isZero(declared.slug)) return { name, slug: declared.slug };
  // Once created under a slug, a resource keeps it: a new prefix or an aliased rename replaces nothing.
  if (recorded.slug !== undefined) return { name, slug: recorded.slug };
  const slug = slugFrom(session.settings.slugPrefix, context.name ?? "");
  const whyNoSlug = slugProblem(cutBytes(context.name ?? "", 80), slug);
  return whyNoSlug === undefined ? { name, slug } : { whyNoSlug };
}

/** What the run does with the object of a declared resource. */
export type DeclaredChange =
  /** State records the object, and the declaration has the same meaning. */
  | "unchanged"
  /** State records the object, and the declaration has another meaning. */
  | "updated"
  /**
   * The engine gives no old inputs: state records no object, or "--replace" keeps it from us, or a plugin's object has no
   * arguments. Only the comparison with state tells the last one apart.
   */
  | "new"
  /** State records an object under another slug, or one that is not deleted first. The declared object is created beside it. */
  | "replaced"
  /** State records the object, which is deleted first and then created again. */
  | "recreated";

/**
 * Decides what the run does. The engine gives no old inputs for a new resource, for one that "--replace" names, and
 * for the second check of one that it replaces. Then the claim of the first check has what state records.
 */
export function changeOf({ target, before, inputs, recordedSlug, lastClaim }: ResourceDeclaration): DeclaredChange {
  const { session, objectKey, slug, context } = target;
  if (recordedSlug !== undefined) {
    if (recordedSlug !== slug) return "replaced";
    // What is spelled as before is `before` itself.
    return inputs === before ? "unchanged" : "updated";
  }
  if (lastClaim?.recordedKey === undefined) return "new";
  const isDeletedFirst =
    lastClaim.recordedKey === objectKey &&
    // Without the option, `diff` asks for it. The engine calls no `diff` if an option such as `replacementTrigger` forces
    // the replacement.
    (context.deleteBeforeReplace ?? session.compared.has(lastClaim.instance)) &&
    // An object that is retained, or that the service can't delete, still exists when the new one is created.
    context.retainOnDelete !== true &&
    session.settings.onMissingDelete !== "retain";
  return isDeletedFirst ? "recreated" : "replaced";
}
