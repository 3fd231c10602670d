import { type Field, ObjectField } from "../../provider/schema/field";
import { leaves, partsOf } from "../../provider/values/leaves";
import { grouped } from "../../provider/base/grouped";
import { sourceLiteral } from "./literal";
import { constantKey, type Declaration, width } from "./declaration";
import type { Item } from "./item";
import { type Names, variableOf } from "./names";

/** The values that the schema calls shared, such as a schedule, and that are there more than once. */
export function constantsOf(all: readonly Item[], names: Names): readonly Declaration[] {
  const shared = all.flatMap(({ kind, args }) => sharedIn(kind.root, args));
  return [...grouped(shared, ({ value }) => constantKey(value))].flatMap(([key, [first, second]]) => {
    if (first === undefined || second === undefined) return [];
    const { field, value } = first;
    const type = typeOf(field);
    const word = leaves(field, value).find((leaf) => typeof leaf.value === "string")?.value;
    const variable = names.free(variableOf(`${String(word ?? "")} ${type}`, "shared"));
    const literal = sourceLiteral(value, undefined, { instead: () => undefined, width });
    const text = `export const ${variable}: obs.types.${type} = ${literal};`;
    const usualFile = `${type.charAt(0).toLowerCase()}${type.slice(1)}s`;
    return [{ key, variable, type, usualFile, text, uses: new Set<string>(), readsSecrets: false }];
  });
}

function sharedIn(field: Field, value: unknown): readonly { readonly field: Field; readonly value: unknown }[] {
  if (value === undefined) return [];
  if (field.options.shared === true) return [{ field, value }];
  return partsOf(field, value).flatMap((part) => sharedIn(part.field, part.value));
}

const typeOf = (field: Field) => (field instanceof ObjectField ? field.shape.name : "");
