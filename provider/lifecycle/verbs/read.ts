import { isDeepStrictEqual } from "node:util";
import { ConfigurationError, ObservabilityError } from "../../client/errors";
import { editsKey } from "../../protocol";
import type { Kind } from "../../schema/kind";
import { formatPath } from "../../schema/walk";
import { declaredPart } from "../../values/declared";
import { differences, shownPart } from "../../values/differences";
import { isZero } from "../../values/equal";
import { leaves } from "../../values/leaves";
import { isSecret, withoutSecrets } from "../../values/secrets";
import { fromWire } from "../../wire/codec";
import { type JsonObject } from "../../wire/json";
import { explain } from "../notes/explain";
import { assertSameService, isAnother, withTimes } from "../objects/ownership";
import { lookUp, orThrow } from "../objects/lookUp";
import { managedNow, outputsOf, stateOf } from "../objects/record";
import type { Session } from "../session";
import { Target } from "../objects/target";

export interface Read {
  readonly outputs: Record<string, unknown>;
  /**
   * The declaration that would change nothing. Absent if it equals the recorded inputs, which the engine then keeps.
   * Absent too if the object is managed elsewhere.
   */
  readonly inputs?: JsonObject;
}

/**
 * Reads the object, limited to what the user manages; undefined if it certainly does not exist.
 * @param outputs The recorded outputs. A first `.get` has neither a record nor a declaration, and shows everything but
 * secrets; an import file that a user has written brings in a declaration without a record.
 */
export async function read(session: Session, kind: Kind, slug: string, outputs: JsonObject): Promise<Read | undefined> {
  const state = stateOf(kind, outputs);
  const { managed, record } = state;
  const target = Target.checked(session, kind, managed, record, slug);
  const isDeclared = record !== undefined || isDeclaration(kind, managed);
  const isExternal = !isDeclared || record?.external === true;
  try {
    const existing = await lookUp(target, { dryRuns: isDeclared ? "without operation" : "never" }).then(orThrow);
    assertSameService(target, state, existing.object);
    if (existing.state === "present") {
      const actual = fromWire(kind.root, existing.object);
      if (!isExternal && isAnother(state, existing.object)) {
        const what = "recreated outside this stack. The refresh accepts the new object, so a destroy deletes it";
        session.noteShared(what, withTimes(target, state, existing.object), "warning");
      }
      if (isExternal) {
        const shown = withoutSecrets(kind.root, actual) as JsonObject; // still an object without its secrets
        const declared = session.claims.declaredMarks(target.objectKey);
        const secrets = declared.length > 0 ? declared : (record?.secrets ?? []);
        return {
          outputs: outputsOf(target.with(shown), existing.object, { external: true, answered: actual, secrets }),
        };
      }
      const { owner, secrets = [], secretOutputs = [], keepsIgnored = false } = record ?? {};
      const inputs = managedNow(state, target, actual);
      const kept = { owner, secrets, secretOutputs, keepsIgnored };
      const found = outputsOf(target.with(inputs), existing.object, { answered: actual, ...kept });
      if (isDeepStrictEqual(inputs, managed)) return { outputs: found };
      // No mask is left in what is compared.
      const edits = differences(kind.root, managed, inputs, () => false).map(({ path }) => path);
      const shown = edits.map((path) => shownPart(kind.root, path, target.marks));
      return { outputs: { ...found, [editsKey]: shown }, inputs };
    }
    if (existing.state === "absent") {
      if (!isDeclared) throw new ObservabilityError("not_found", "not found", { hint: "Check the slug and baseUrl" });
      return undefined;
    }
    session.noteOnce(`this service can't show ${kind.manyTitle}, so a refresh finds deleted objects, but no edits`);
    const { [editsKey]: _, ...others } = outputs;
    return { outputs: others };
  } catch (error) {
    throw explain(`read ${target.title}`, error, target);
  }
}

/** Whether arguments may be all of a resource. A transformation adds some to a `.get`, but not those that a kind requires. */
export function isDeclaration({ args }: Kind, managed: JsonObject): boolean {
  const required = Object.entries(args.fields).flatMap(([name, { options }]) => (options.required ? [name] : []));
  const decisive = required.length > 0 ? required : Object.keys(args.fields).filter((name) => name !== "slug");
  return decisive.some((name) => name in managed);
}

/**
 * The object under a slug as the declaration that would change only its secrets; undefined if there is none. `pulumi import`
 * prints the declaration, so it has none of the secrets, not even those that the service shows.
 * @param owner The qualified name of the resource that imports it.
 * @throws an error in words for the user if the service cannot show it, or if a singleton has another id.
 */
export async function importObject(
  session: Session,
  kind: Kind,
  slug: string,
  owner: string,
): Promise<Read | undefined> {
  const target = new Target(session, kind, {}, slug);
  try {
    if (kind.isSingleton && slug !== kind.singletonId)
      throw new ConfigurationError(`the id of the only object is "${kind.singletonId}", not "${slug}"`);
    const existing = await lookUp(target).then(orThrow);
    if (existing.object === undefined) return undefined;
    const live = fromWire(kind.root, existing.object);
    const inputs = declaredPart(kind.root, live, () => undefined) as JsonObject; // an object stays one
    const secrets = leaves(kind.root, live).filter(({ field, value }) => isSecret(field) && !isZero(value));
    const places = secrets.map(({ path }) => formatPath(path)).join(", ");
    const what = `${target.title} is imported without its secrets. Declare them, and the next update sends them`;
    if (places !== "") session.noteOnce(`${what}: ${places}`);
    const answered = withoutSecrets(kind.root, live) as JsonObject; // still an object
    return { inputs, outputs: outputsOf(target.with(inputs), existing.object, { owner, secrets: [], answered }) };
  } catch (error) {
    throw explain(`read ${target.title}`, error, target);
  }
}
