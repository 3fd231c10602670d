import type { Kind } from "../schema/kind";
import { isWithin } from "../schema/walk";
import { withKnownSecrets } from "../values/drift";
import { sameMeaning } from "../values/equal";
import { isPublicPlace } from "../values/secrets";
import { isObject, type JsonObject } from "../wire/json";
import { explain } from "./explain";
import { argumentsOf, markedIn, stateOf } from "./record";
import { type Run, slugOf } from "./run";
import { assertSameService } from "./service";
import { Target } from "./target";

export interface Difference {
  readonly changes: boolean;
  /** The arguments whose change needs a new object, which is created before the old one is deleted. */
  readonly replaces: readonly string[];
  /**
   * Whether the engine can name the changed places: it fails if a map's key is empty or ends with a backslash, and may
   * find none if only a secret's mark is new.
   */
  readonly isNameable: boolean;
}

/** Compares recorded with declared arguments by meaning: another spelling is no change. */
export async function diff(
  run: Run,
  kind: Kind,
  slug: string,
  outputs: JsonObject,
  inputs: JsonObject,
): Promise<Difference> {
  const state = stateOf(kind, outputs);
  const { notes } = state;
  const target = new Target(run, kind, state.managed, slug);
  try {
    await assertSameService(target, state, outputs);
  } catch (error) {
    throw explain(`compare ${target.title}`, error, target);
  }
  const wanted = argumentsOf(kind, inputs);
  const managed = withKnownSecrets(kind.root, state.managed, notes?.filledIn ?? {}, wanted);
  if (sameMeaning(kind.root, managed, wanted)) {
    // State holds a value in clear until it is written anew.
    const fresh = markedIn(run, kind, wanted).filter((path) => !isWithin(path, notes?.secrets ?? []));
    const isExposed = fresh.some((path) => isPublicPlace(kind.root, wanted, path));
    return { changes: isExposed, replaces: [], isNameable: !isExposed };
  }
  return {
    changes: true,
    replaces: slugOf(kind, managed) === slugOf(kind, wanted) ? [] : ["slug"],
    isNameable: !hasUnnameableKey(managed) && !hasUnnameableKey(wanted),
  };
}

function hasUnnameableKey(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasUnnameableKey);
  return (
    isObject(value) &&
    Object.entries(value).some(([key, each]) => key === "" || key.endsWith("\\") || hasUnnameableKey(each))
  );
}
