import type { Field, ObjectField } from "../schema/field";

/** A value as TypeScript source. `reference` may return other source for a scalar. */
export function literal(
  value: unknown,
  field: Field | undefined,
  reference: (field: Field) => string | undefined,
  indent = "",
): string {
  const inner = `${indent}  `;
  const replaced = field && reference(field);
  if (replaced !== undefined) return replaced;
  if (Array.isArray(value)) {
    const item = field?.visit({ list: (list) => list.item, scalar: none, map: none, object: none });
    const items = value.map((each) => literal(each, item, reference, inner));
    const flat = `[${items.join(", ")}]`;
    return fits(flat, indent) ? flat : `[\n${items.map((each) => `${inner}${each},\n`).join("")}${indent}]`;
  }
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = field?.visit<ObjectField["shape"]["fields"] | undefined>({
    object: ({ shape }) => shape.fields,
    scalar: none,
    map: none,
    list: none,
  });
  const entries = Object.entries(value).map(
    ([name, each]) => `${property(name)}: ${literal(each, fields?.[name], reference, inner)}`,
  );
  if (entries.length === 0) return "{}";
  const flat = `{ ${entries.join(", ")} }`;
  return fits(flat, indent) ? flat : `{\n${entries.map((entry) => `${inner}${entry},\n`).join("")}${indent}}`;
}

const none = () => undefined;
const property = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));
const fits = (text: string, indent: string) => !text.includes("\n") && indent.length + text.length <= 88;
