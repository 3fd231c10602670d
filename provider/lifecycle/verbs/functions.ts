import { isMissingOperation } from "../../client/failures";
import type { Filters } from "../../client/reader";
import { ApiError, ObservabilityError } from "../../client/errors";
import { kinds } from "../../kinds/index.gen";
import type { Kind } from "../../schema/kind";
import { markedTexts, secretTexts, withoutSecrets } from "../../values/secrets";
import { unknownPaths } from "../../values/unknown";
import { fromWire } from "../../wire/codec";
import { type JsonObject, withoutAbsent } from "../../wire/json";
import { explain } from "../notes/explain";
import { objectKey } from "../objects/claims";
import { lookUp, orThrow } from "../objects/lookUp";
import { type Session, kindNamed, startSession } from "../session";
import { Target } from "../objects/target";

export { startSession };

/** The result of a function that a program calls. */
export interface Shown {
  readonly value: JsonObject;
  /** Whether it contains a secret that the service shows unmasked, or a value that a resource of this run marks. */
  readonly isSecret: boolean;
}

/** The provider's process may write objects meanwhile. */
const asks = { pages: "none" } as const;

/**
 * The object under a slug; for a singleton, the only one.
 * @throws an error in words for the user if there is none, or if the service cannot show it.
 */
export async function showOne(
  session: Session,
  kindName: string,
  slug = kindNamed(kindName).singletonId,
): Promise<Shown> {
  const kind = kindNamed(kindName);
  const target = new Target(session, kind, {}, slug);
  try {
    const existing = await lookUp(target, asks).then(orThrow);
    const planned = session.progress.previewed.get(target.objectKey);
    const shown = existing.object && shownOf(session, kind, existing.object);
    // The engine accepts no unknown value in an answer.
    if (planned !== undefined)
      return { isSecret: false, value: { ...shown?.value, ...withoutUnknowns(withoutSecrets(kind.root, planned)) } };
    if (shown !== undefined) return shown;
    if (session.isPlanned(target.objectKey))
      throw new ObservabilityError("not_found", "the object exists only after the update. Use its resource's outputs");
    const hint = `If the object may be missing, call get${kind.plural(kind.name)}({ slugs: ["${slug}"] }), which returns an empty list instead`;
    throw new ObservabilityError("not_found", "not found", kind.isSingleton ? {} : { hint });
  } catch (error) {
    throw explain(`read ${target.title}`, withRemedy(error), target);
  }
}

/**
 * All objects of a kind that match the filters, under the name of the kind's list.
 * @param name The key of the list in the answer.
 * @throws an error in words for the user if the service cannot list them.
 */
export async function showMany(session: Session, kindName: string, name: string, filters: Filters): Promise<Shown> {
  const kind = kindNamed(kindName);
  const target = new Target(session, kind, {}, "");
  try {
    const all = (await listObjects(target, filters)).map((object) => shownOf(session, kind, object));
    return { value: { [name]: all.map(({ value }) => value) }, isSecret: all.some(({ isSecret }) => isSecret) };
  } catch (error) {
    throw explain(`list ${kind.manyTitle}`, withRemedy(error), target);
  }
}

async function listObjects(target: Target, filters: Filters): Promise<readonly JsonObject[]> {
  const { session, kind } = target;
  try {
    return (await session.client.reader.list(kind, filters)).map(({ object }) => object);
  } catch (error) {
    if (!(error instanceof ApiError) || !isMissingOperation(error)) throw error;
    // Otherwise the URL may not be the service's.
    await session.client.service.verify({ kind });
    const { slugs, names } = filters;
    if (slugs !== undefined && kind.operations.read.described) {
      const targets = [...new Set(slugs)].map((slug) => new Target(session, kind, {}, slug));
      const found = await Promise.all(targets.map((each) => lookUp(each, asks).then(orThrow)));
      const objects = found.map(({ object }) => object).filter((object) => object !== undefined);
      return objects.filter(({ name }) => names === undefined || names.includes(String(name)));
    }
    throw new ObservabilityError("not_implemented", ["this service lacks that operation (", ...error.parts, ")"], {
      cause: error,
    });
  }
}

function shownOf(session: Session, kind: Kind, object: JsonObject): Shown {
  const shown = withoutSecrets(kind.root, fromWire(kind.root, object), session.isMask) as JsonObject; // still an object
  const marks = session.claims.declaredMarks(objectKey(kind.name, kind.slugOf(shown)));
  return {
    value: { ...shown, ...withoutAbsent({ createdAt: object.created_at, updatedAt: object.updated_at }) },
    isSecret: secretTexts(kind.root, shown).length > 0 || markedTexts(kind.root, shown, marks).length > 0,
  };
}

const withoutUnknowns = (value: unknown) =>
  Object.fromEntries(Object.entries(value as JsonObject).filter(([, each]) => unknownPaths(each).length === 0)); // an object

/** If the service lacks an operation, adds which reads every service has. */
function withRemedy(error: unknown): unknown {
  if (!(error instanceof ObservabilityError) || error.code !== "not_implemented") return error;
  const described = kinds.filter(({ operations }) => operations.read.described);
  const lists = described.filter(({ readsByList }) => readsByList).map(({ manyTitle }) => manyTitle);
  const singles = described.filter(({ readsByList }) => !readsByList).map(({ title }) => title);
  const hint = `Only the functions for lists of ${inWords(lists)}, and for a single ${inWords(singles)}, work in every service. For an object of this program, use its resource's outputs`;
  return new ObservabilityError(error.code, error.parts, { cause: error, hint });
}

const inWords = (words: readonly string[]) =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
