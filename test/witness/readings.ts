import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Field } from "../../dist/provider/schema/field.js";
import type { Kind } from "../../dist/provider/schema/kind.js";
import type { Effect } from "../../dist/provider/schema/effect.js";
import { effectOf } from "../../dist/provider/schema/walk.js";
import type { InterfaceOperation, Members } from "./witness.js";

type Found = Record<string, string>;

/** A part of the document, untyped on purpose: the tests read it as any reader of OpenAPI does. */
type Part = any;

/** The generated OpenAPI document, fresh at every call. */
export const readDocument = (): Part =>
  JSON.parse(readFileSync(join(import.meta.dirname, "../../provider/wire/openapi.gen.json"), "utf8"));

const at = (place: string, name: string) => (place === "" ? name : `${place}.${name}`);

/** Every leaf of a kind's arguments in the schema module, by its wire path. */
export function pathsInSchema(kind: Kind): Found {
  const read = (field: Field, place: string): Found =>
    field.visit<Found>({
      scalar: ({ type, options: { secret, suggestions } }) => ({
        [place]: secret === "value" ? `secret ${type}` : type === "string" && suggestions !== undefined ? "enum" : type,
      }),
      map: ({ options }) => ({ [place]: options.secret === "value" ? "secret map" : "map" }),
      list: ({ item }) => read(item, `${place}[]`),
      object: ({ shape }) =>
        Object.assign({}, ...shape.members.map(({ wireName, field: inner }) => read(inner, at(place, wireName)))),
    });
  return read(kind.root, "");
}

/** What the schema module says of each field beyond its type, in the words of a witness. */
export function readingsInSchema(kind: Kind): Found {
  const read = (field: Field, place: string, around?: Effect): Found => {
    const { unordered, format, defaultValue, suggestions } = field.options;
    const effect = effectOf(field, around);
    const words = [
      unordered && "unordered",
      format,
      defaultValue !== undefined && `=${JSON.stringify(defaultValue)}`,
      suggestions?.join("|"),
    ].filter(Boolean);
    const own = words.length === 0 ? {} : { [place]: words.join(" ") };
    const leaf = () => ({ [place]: [effect, ...words].join(" ") });
    return field.visit<Found>({
      scalar: leaf,
      map: leaf,
      list: ({ item }) => ({ ...own, ...read(item, `${place}[]`, effect) }),
      object: ({ shape }) =>
        Object.assign(own, ...shape.members.map((each) => read(each.field, at(place, each.wireName), effect))),
    });
  };
  return read(kind.root, "");
}

/** Every leaf of a component of the OpenAPI document. */
export function pathsInDocument({ components }: Part, component: string): Found {
  const read = (schema: Part, place: string): Found => {
    if (schema === undefined) throw new Error(`the document has no schema for ${place} of ${component}`);
    if (schema.$ref !== undefined) return read(components.schemas[nameOf(schema.$ref)], place);
    if (schema.properties !== undefined)
      return Object.assign(
        {},
        ...Object.entries(schema.properties).map(([name, inner]) => read(inner, at(place, name))),
      );
    if (schema.type === "object" && schema.additionalProperties !== undefined)
      return { [place]: schema["x-secret"] ? "secret map" : "map" };
    if (schema.type === "array") return read(schema.items, `${place}[]`);
    return { [place]: typeOf(schema) };
  };
  return read(components.schemas[component], "");
}

// Each format of the document stands on one type.
const formats: Found = { "date-time": "string", int64: "integer" };

function typeOf({ type, format, examples, "x-secret": secret }: Part): string {
  if (secret) return `secret ${type}`;
  if (type === "string" && examples !== undefined) return "enum";
  if (format === undefined) return String(type);
  return formats[format] === type ? format : `${type} ${format}`;
}

/** The operations of the OpenAPI document that it marks as described. */
export function operationsInDocument(document: Part): Record<string, InterfaceOperation> {
  const operations = Object.entries<Part>(document.paths).flatMap(([path, item]) =>
    Object.entries<Part>(item)
      .filter(([, operation]) => operation["x-described"])
      .map(([method, { parameters = [], requestBody, responses }]) => {
        const placed = (place: string): Members =>
          Object.fromEntries(
            parameters
              .filter((each: Part) => each.in === place && each["x-described"] !== false)
              .map(({ name, schema }: Part) => [name, memberType(schema)]),
          );
        const operation: InterfaceOperation = {
          path: placed("path"),
          query: placed("query"),
          request: membersOf(requestBody),
          response: membersOf(responses["200"]),
        };
        return [`${method.toUpperCase()} ${path}`, operation] as const;
      }),
  );
  return Object.fromEntries(operations);
}

function membersOf(body: Part): Members {
  const read = (schema: Part, place: string): Found =>
    schema.properties === undefined
      ? { [place]: memberType(schema) }
      : Object.assign({}, ...Object.entries(schema.properties).map(([name, inner]) => read(inner, at(place, name))));
  return body === undefined ? {} : read(body.content["application/json"].schema, "");
}

function memberType(schema: Part): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  return schema.items === undefined ? typeOf(schema) : `${memberType(schema.items)}[]`;
}

const nameOf = (ref: string) => ref.replace("#/components/schemas/", "");
