import type { Field, ScalarField } from "../../provider/schema/field";

/** The TypeScript type of a value: with `pulumi.Input` for arguments, plain for results. */
export const typeScript = (field: Field, side: "input" | "output"): string =>
  field.visit({
    scalar: scalarType,
    list: (list) => {
      const item = typeScript(list.item, side);
      return side === "input" ? `pulumi.Input<${item}>[]` : item.includes("|") ? `(${item})[]` : `${item}[]`;
    },
    map: () => `Record<string, ${side === "input" ? "pulumi.Input<string>" : "string"}>`,
    object: ({ shape }) => (side === "input" ? `types.${shape.name}Args` : `types.${shape.name}`),
  });

/** The type of an object's field. `check` fills in name and slug, so they are never empty. */
export const outputType = (name: string, field: Field): string =>
  name === "name" || name === "slug" ? typeScript(field, "output") : `${typeScript(field, "output")} | undefined`;

function scalarType({ type, options: { suggestions, values } }: ScalarField): string {
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(" | ");
  if (suggestions === undefined) return type === "integer" ? "number" : type;
  // `string & {}` keeps the editor's suggestions while any text stays allowed.
  return `${suggestions.map((value) => JSON.stringify(value)).join(" | ")} | (string & {})`;
}
