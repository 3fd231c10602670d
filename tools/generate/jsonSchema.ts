import type { Field, Shape } from "../../provider/schema/field";

type Json = Record<string, unknown>;

/** The JSON Schema of a shape in wire spelling. */
export function shapeSchema({ description, members }: Shape) {
  const properties: Json = Object.fromEntries(members.map(({ wireName, field }) => [wireName, fieldSchema(field)]));
  const required = members.filter(({ field }) => field.options.required === "always").map(({ wireName }) => wireName);
  return { type: "object", description, properties, ...(required.length === 0 ? {} : { required }) };
}

/** Named shapes are references. */
const fieldSchema = (field: Field): Json =>
  documented(
    field,
    field.visit<Json>({
      scalar: ({ type }) => ({ type }),
      list: ({ item }) => ({ type: "array", items: fieldSchema(item) }),
      map: ({ item }) => ({ type: "object", additionalProperties: fieldSchema(item) }),
      object: ({ shape }) => ({ $ref: `#/components/schemas/${shape.name}` }),
    }),
  );

function documented({ description: text, options: { unit, suggestions, secret } }: Field, schema: Json): Json {
  const description = unit === undefined ? text : `${text} (${unit})`;
  return {
    ...schema,
    ...(description === "" ? {} : { description }),
    ...(suggestions === undefined ? {} : { examples: suggestions }),
    ...(secret === "value" ? { "x-secret": true } : {}),
    ...(secret === "url" ? { "x-secret-url": true } : {}),
  };
}
