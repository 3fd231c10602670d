import type { Field } from "../../provider/schema/field";
import { leaves } from "../../provider/values/leaves";
import { grouped } from "../../provider/values/grouped";
import { entries, isObject, items } from "../../provider/wire/json";
import type { Item } from "./item";
import { type Names, variableOf } from "./names";

/** A value that several resources share, such as a schedule. */
export interface Constant {
  /** A text that is the same for equal values. */
  readonly key: string;
  readonly value: unknown;
  /** Its type in the SDK: `Schedule`. */
  readonly type: string;
  readonly variable: string;
}

/** The values that the schema calls shared and that are there more than once. */
export function constantsOf(all: readonly Item[], names: Names): readonly Constant[] {
  const shared = all.flatMap(({ kind, args }) => sharedIn(kind.root, args));
  return [...grouped(shared, ({ value }) => constantKey(value))].flatMap(([key, [first, second]]) => {
    if (first === undefined || second === undefined) return [];
    const { field, value } = first;
    const type = typeOf(field);
    const text = leaves(field, value).find((leaf) => typeof leaf.value === "string")?.value;
    return [{ key, value, type, variable: names.free(variableOf(`${String(text ?? "")} ${type}`, "shared")) }];
  });
}

export const constantKey = (value: unknown) => JSON.stringify(value);

function sharedIn(field: Field, value: unknown): readonly { readonly field: Field; readonly value: unknown }[] {
  if (value === undefined) return [];
  if (field.options.shared === true) return [{ field, value }];
  return field.visit({
    scalar: () => [],
    map: ({ item }) => Object.values(entries(value)).flatMap((each) => sharedIn(item, each)),
    list: ({ item }) => items(value).flatMap((each) => sharedIn(item, each)),
    object: ({ shape }) =>
      isObject(value) ? Object.entries(shape.fields).flatMap(([name, inner]) => sharedIn(inner, value[name])) : [],
  });
}

const none = () => "";
const typeOf = (field: Field) =>
  field.visit<string>({ object: ({ shape }) => shape.name, scalar: none, list: none, map: none });
