import type { Document, Schema } from "./document.js";
import { isObject, type Json } from "./json.js";
import { present, text } from "./rules/constraints.js";
import { identity } from "./rules/identity.js";
import { shapes } from "./rules/index.js";
import type { Constraint } from "./rules/rules.js";

/** The document with the rules of its shapes that a schema can tell. */
export function constrain(document: Document): Document {
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) => {
    const isNamed = schema["x-title"] !== undefined && schema["x-singleton"] !== true;
    const rules = [filled(schema), isNamed ? identity : {}, shapes[name]?.schema ?? {}];
    return [name, rules.reduce(merge, schema)] as const;
  });
  return { ...document, components: { ...document.components, schemas: Object.fromEntries(schemas) } };
}

/** A required text is not blank, and a required secret is there. */
function filled({ properties = {}, required = [] }: Schema): Constraint {
  const texts = required.filter((name) => properties[name]?.type === "string");
  return {
    properties: Object.fromEntries(texts.map((name) => [name, properties[name]?.["x-secret"] ? present : text])),
  };
}

/** Lays `more` over a schema: objects into each other, lists behind each other. */
export function merge<T extends object>(schema: T, more: Constraint): T {
  const merged = Object.entries(more).map(([key, value]) => {
    const own = (schema as Record<string, unknown>)[key];
    if (isObject(own) && isObject(value)) return [key, merge(own, value)];
    return [key, Array.isArray(own) && Array.isArray(value) ? [...(own as Json[]), ...value] : value];
  });
  return { ...schema, ...Object.fromEntries(merged) } as T; // The cast holds: only keywords are added.
}
