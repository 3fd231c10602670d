import { type Document, type OperationObject, refName, type Schema } from "./document.js";
import { isObject, type Json } from "./json.js";
import { present, text } from "./rules/constraints.js";
import { identifiable, identity, slug } from "./rules/identity.js";
import { shapes } from "./rules/index.js";
import type { Constraint, ShapeRules } from "./rules/rules.js";
import { largestPage } from "./pagination.js";

/** The document with the rules of its shapes; `part` chooses which of them. */
export function constrain(document: Document, part: (rules: ShapeRules) => Constraint | undefined): Document {
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) => {
    const isNamed = schema["x-title"] !== undefined && schema["x-singleton"] !== true;
    const rules = [filled(schema), isNamed ? identity : {}, part(shapes[name] ?? {}) ?? {}];
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

/** The document for clients: it says what the service refuses, as far as a schema can. */
export function told(document: Document, { strict }: { readonly strict: boolean }): Document {
  const close = strict ? closed : (schema: Schema) => schema;
  const { paths, components, ...rest } = constrain(document, ({ schema = {}, documented = {} }) =>
    merge(schema, documented),
  );
  return {
    ...rest,
    paths: mapValues(paths, (item) => mapValues(item, (operation) => toldOperation(operation, close))),
    components: { ...components, schemas: mapValues(components.schemas, close) },
  };
}

/** The schema without room for unknown fields. */
function closed(schema: Schema): Schema {
  return schema.properties === undefined ? schema : { ...schema, additionalProperties: false };
}

function toldOperation(operation: OperationObject, close: (schema: Schema) => Schema): OperationObject {
  const { parameters, requestBody } = operation;
  const body = requestBody?.content?.["application/json"]?.schema;
  return {
    ...operation,
    ...(parameters && {
      parameters: parameters.map((each) => ({ ...each, schema: merge(each.schema, parameterRules[each.name] ?? {}) })),
    }),
    ...(body && {
      requestBody: { ...requestBody, content: { "application/json": { schema: close(toldBody(operation, body)) } } },
    }),
  };
}

const parameterRules: Readonly<Record<string, Constraint>> = {
  slug,
  "page.max_size": { minimum: 0, maximum: largestPage },
  // Only the `next_token` of an answer is taken, and nobody can guess one.
  "page.token": { pattern: "^$|^[A-Za-z0-9_-]{23,}$" },
};

function toldBody({ "x-kind": kind, "x-verb": verb }: OperationObject, body: Schema): Schema {
  const one = Object.entries(body.properties ?? {}).find(([, property]) => refName(property) === kind)?.[0] ?? "";
  const ofVerb: Readonly<Record<string, Constraint>> = {
    create: identifiable,
    update: {
      description: "The path names the slug. Here it may be left out; a slug that differs from the path's is refused.",
      properties: { slug: { maxLength: 0 } },
    },
  };
  return merge(body, { required: [one], properties: { [one]: ofVerb[verb] ?? {} } });
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

function mapValues<T, R>(object: Readonly<Record<string, T>>, change: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}
