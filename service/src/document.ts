import { readFileSync } from "node:fs";
import { isObject, type Json, own } from "./json.js";

/** The part of JSON Schema that this service reads itself; ajv reads all of it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly readOnly?: boolean;
  readonly "x-secret"?: boolean;
  readonly "x-secret-url"?: boolean;
  readonly "x-singleton"?: boolean;
  readonly "x-title"?: string;
}

export interface Content {
  readonly content?: { readonly "application/json"?: { readonly schema?: Schema } };
}

export type Verb = "create" | "read" | "update" | "list" | "delete";

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: Schema;
  /** False if the API spec does not describe it. */
  readonly "x-described"?: boolean;
  /** The fields that the values of this parameter are compared with. */
  readonly "x-filter"?: { readonly fields: readonly string[]; readonly match: "equals" | "contains" };
}

export interface OperationObject {
  readonly operationId: string;
  readonly "x-kind": string;
  readonly "x-verb": Verb;
  readonly "x-described": boolean;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

/** The API spec (OpenAPI 3.1) with the marks that this service reads. */
export interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const generated = new URL("../../provider/wire/openapi.gen.json", import.meta.url);

/** The API spec that the repository generates. */
export const loadDocument = () => JSON.parse(readFileSync(generated, "utf8")) as Document; // the generator wrote it

/** The document with only the operations and parameters that the API spec describes. */
export function restrict(document: Document): Document {
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const operations = Object.entries(item).filter(([, operation]) => operation["x-described"]);
    return [path, Object.fromEntries(operations.map(([method, each]) => [method, withoutOwn(each)]))] as const;
  });
  return { ...document, paths: Object.fromEntries(paths.filter(([, item]) => Object.keys(item).length > 0)) };
}

const withoutOwn = ({ parameters = [], ...operation }: OperationObject): OperationObject => ({
  ...operation,
  parameters: parameters.filter((parameter) => parameter["x-described"] !== false),
});

/** Schemas of a document with what their references name laid under them, each made once. */
export function resolver({ components: { schemas } }: Document): (schema: Schema) => Schema {
  const known = new WeakMap<Schema, Schema>();
  return (schema) => {
    const name = refName(schema);
    if (name === undefined) return schema;
    const { $ref, ...beside } = schema;
    const merged = known.get(schema) ?? merge(schemas[name] as Schema, beside); // the generator wrote both
    known.set(schema, merged);
    return merged;
  };
}

/** Lays `more` over a schema: objects into each other, lists behind each other. */
export function merge<T extends object>(schema: T, more: object): T {
  const merged = Object.entries(more).map(([key, value]: [string, unknown]) => {
    const own = (schema as Record<string, unknown>)[key];
    if (isObject(own) && isObject(value)) return [key, merge(own, value)];
    return [key, Array.isArray(own) && Array.isArray(value) ? [...(own as Json[]), ...(value as Json[])] : value];
  });
  return { ...schema, ...Object.fromEntries(merged) } as T; // The cast is safe: only keywords are added.
}

/**
 * A copy of a list or an object, in which each part is what `each` returns for it, without the fields for which it returns
 * nothing. Other values, and those whose parts have no schema, stay.
 */
export function mapParts(
  { properties, additionalProperties: values, items }: Schema,
  value: Json,
  each: (schema: Schema | undefined, part: Json, key: string | number) => Json | undefined,
): Json {
  if (Array.isArray(value))
    return items === undefined ? value : value.map((item: Json, i) => each(items, item, i) ?? item);
  if (!isObject(value) || (properties === undefined && typeof values !== "object")) return value;
  const entries = Object.entries(value).flatMap(([key, part]) => {
    const schema = properties === undefined ? values : own(properties, key);
    const kept = each(typeof schema === "object" ? schema : undefined, part, key);
    return kept === undefined ? [] : [[key, kept] as const];
  });
  // fromEntries, because an assignment would call the setter of "__proto__".
  return Object.fromEntries(entries);
}

/** The component that a schema refers to, `Monitor` of `#/components/schemas/Monitor`. */
export function refName(schema: Schema | undefined): string | undefined {
  return schema?.$ref?.match(/^#\/components\/schemas\/([^/]+)$/)?.[1];
}
