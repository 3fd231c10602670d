import type { Field, ScalarField } from "../../dist/provider/schema/field.js";
import type { Kind } from "../../dist/provider/schema/kind.js";
import type { Path } from "../../dist/provider/schema/walk.js";
import { isObject, isZero, type Json, isEquivalent, setAt } from "./equivalence.js";
import { isValid } from "./rules.js";

export interface Edit {
  readonly config: Json;
  /** The place that says something else now. */
  readonly path: Path;
}

interface Change {
  readonly path: Path;
  readonly value: unknown;
}

/**
 * The configuration with one place changed in meaning, still valid: one of its own values varied, or one copied
 * from `other`. `choice` is any whole number.
 */
export function edit(
  kind: Kind,
  config: Json,
  other: Json,
  choice: number,
  accepts: (edited: Json) => boolean = () => true,
): Edit | undefined {
  const changes = [...variations(kind.root, config, []), ...takenOver(kind.root, config, other, [])];
  for (let i = 0; i < changes.length; i++) {
    const change = changes[(choice + i) % changes.length];
    if (change === undefined || change.path[0] === "slug") continue;
    if (change.path[0] === "name" && isZero(change.value)) continue;
    const edited = setAt(config, change.path, change.value) as Json;
    if (!isValid(kind, edited) || isEquivalent(kind.root, config, edited) || !accepts(edited)) continue;
    return { config: edited, path: change.path };
  }
  return undefined;
}

/** A small change of every value that is there, and a beginning of every one that is not. */
function variations(field: Field, value: any, path: Path): Change[] {
  return field.visit<Change[]>({
    scalar: (scalar) => [{ path, value: varied(scalar, value) }],
    list: ({ item }) => {
      const list: unknown[] = value ?? [];
      const isData = !item.visit({ object: () => true, scalar: () => false, list: () => true, map: () => true });
      return [
        ...(isData
          ? [{ path, value: [...list, varied(item as ScalarField, list.at(-1))] }]
          : [{ path, value: [...list, {}] }]),
        ...(list.length > 0 ? [{ path, value: list.slice(0, -1) }] : []),
        ...(list.length > 1 ? [{ path, value: [...list].reverse() }] : []),
        ...list.flatMap((each, i) => variations(item, each, [...path, i])),
      ];
    },
    map: () => [
      ...Object.entries((value ?? {}) as Json).flatMap(([key, each]) => [
        { path: [...path, key], value: `${each}x` },
        { path: [...path, key], value: undefined },
      ]),
      { path: [...path, "added/by~somebody else"], value: "" },
    ],
    object: ({ shape }) =>
      isObject(value)
        ? [
            ...(typeof path.at(-1) === "string" ? [{ path, value: undefined }] : []),
            ...Object.entries(shape.fields).flatMap(([name, inner]) => variations(inner, value[name], [...path, name])),
          ]
        : [{ path, value: {} }],
  });
}

const varied = ({ type }: ScalarField, value: any) =>
  ({
    string: `${value ?? ""}x`,
    boolean: value !== true,
    number: (value ?? 0) + 0.5,
    integer: (value ?? 0) > 0 ? value - 1 : (value ?? 0) + 1,
  })[type];

/** Every place where `other` says something else, with what it says. */
function takenOver(field: Field, value: any, other: any, path: Path): Change[] {
  if (isEquivalent(field, value, other)) return [];
  const here = path.length === 0 ? [] : [{ path, value: other }];
  return field.visit<Change[]>({
    scalar: () => here,
    map: () => here,
    list: ({ item }) => [
      ...here,
      ...((value ?? []) as unknown[]).flatMap((each, i) =>
        i in (other ?? []) ? takenOver(item, each, other[i], [...path, i]) : [],
      ),
    ],
    object: ({ shape }) => [
      ...here,
      ...(isObject(value) && isObject(other)
        ? Object.entries(shape.fields).flatMap(([name, inner]) =>
            takenOver(inner, value[name], other[name], [...path, name]),
          )
        : []),
    ],
  });
}
