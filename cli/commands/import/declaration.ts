import type { ScalarField } from "../../../provider/schema/field";
import type { Kind } from "../../../provider/schema/kind";
import { formatPath, type Path } from "../../../provider/schema/walk";
import { declaredPart } from "../../../provider/values/declared";
import { isZero } from "../../../provider/values/equal";
import type { MaskTest } from "../../../provider/values/secrets";
import { entries, type JsonObject } from "../../../provider/wire/json";
import { ConfigSecret, type Item, withSecrets } from "../../program/item";
import { type Names, upperFirst, variableOf } from "../../program/names";

/** A secret that the program reads from stack config. */
interface NeededSecret {
  /** The name in stack config, without the project. */
  readonly key: string;
  readonly kind: string;
  readonly slug: string;
  /** The argument: `oncallB.routingKey`. */
  readonly path: string;
}

/** An existing object as a program declares it. */
export interface DeclaredObject {
  readonly item: Item;
  readonly slug: string;
  /** The complete arguments without secrets, as state records them. */
  readonly recorded: JsonObject;
  readonly secrets: readonly NeededSecret[];
  /** The entries that the provider adds and the object lacks: `labels.team`. */
  readonly added: readonly string[];
}

export interface Surroundings {
  readonly isMask: MaskTest;
  /** The names of secrets in stack config. */
  readonly keys: Names;
  /** The entries that the provider adds, by setting. */
  readonly defaults: Readonly<Record<string, JsonObject>>;
  /** The label that the program keeps although the provider adds it, because it determines the resource's file. */
  readonly groupBy?: string | undefined;
}

/**
 * @param live The object in the arguments' spelling.
 * @param called The Pulumi name.
 */
export function declarationOf(
  kind: Kind,
  live: JsonObject,
  called: string,
  surroundings: Surroundings,
): DeclaredObject {
  const { isMask, keys } = surroundings;
  const slug = kind.slugOf(live);
  const secrets: NeededSecret[] = [];
  const secretAt = (path: Path, value: string | undefined) => {
    const own = variableOf(called, kind.name);
    const key = keys.free(own + upperFirst(String(path.at(-1))), own + path.map(String).map(upperFirst).join(""));
    secrets.push({ key, kind: kind.name, slug, path: formatPath(path) });
    return new ConfigSecret(key, value);
  };
  const secretPart = (field: ScalarField, value: unknown, path: Path) => {
    if (!isZero(value)) return secretAt(path, isMask(field, value) ? undefined : String(value));
    // A service may omit a secret instead of masking it. Then only a required secret is sure to exist.
    const { secret, required } = field.options;
    return secret === "value" && required === "always" ? secretAt(path, undefined) : undefined;
  };
  const declared = declaredPart(kind.root, live, secretPart) as JsonObject; // An object stays one.
  const { name, slug: _, ...rest } = declared;
  // With both, the resource can be renamed in the program and keeps its object.
  const nameAndSlug = kind.isSingleton ? {} : { name: isZero(name) ? slug : name, slug };
  const args = { ...nameAndSlug, ...withoutDefaults(kind, rest, surroundings) };
  return {
    item: { kind, name: called, args, comments: [] },
    slug,
    recorded: { ...(secrets.length === 0 ? rest : withSecrets(rest, () => undefined)), ...nameAndSlug },
    secrets,
    added: addedTo(kind, rest, surroundings),
  };
}

/** The arguments without the entries that the provider adds anyway. */
function withoutDefaults(kind: Kind, args: JsonObject, { defaults, groupBy }: Surroundings): JsonObject {
  const own = Object.entries(args).flatMap(([name, value]): readonly (readonly [string, unknown])[] => {
    const added = defaults[kind.args.fields[name]?.options.defaultsFrom ?? ""];
    if (added === undefined) return [[name, value]];
    const all = Object.entries(entries(value));
    const kept = all.filter(([key, text]) => key === groupBy || !Object.hasOwn(added, key) || added[key] !== text);
    if (kept.length === all.length) return [[name, value]];
    return kept.length === 0 ? [] : [[name, Object.fromEntries(kept)]];
  });
  return Object.fromEntries(own);
}

const addedTo = (kind: Kind, args: JsonObject, { defaults }: Surroundings): readonly string[] =>
  Object.entries(kind.args.fields).flatMap(([name, { options }]) => {
    const added = Object.keys(defaults[options.defaultsFrom ?? ""] ?? {});
    return added.filter((key) => !Object.hasOwn(entries(args[name]), key)).map((key) => formatPath([name, key]));
  });
