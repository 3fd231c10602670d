import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import addFormatsModule from "ajv-formats";
import { type Document, resolve, type Schema } from "./document.js";
import type { Problem } from "./errors.js";
import { isObject, type Json, type JsonObject, mapEntries, step } from "./json.js";

// ajv-formats is CommonJS: TypeScript sees its default export only as a member.
const addFormats = addFormatsModule.default;

/** A request body without its ignored fields, and its problems. */
export interface Checked {
  readonly body: JsonObject;
  readonly problems: readonly Problem[];
}

export type CheckBody = (body: Json) => Checked;

/** Checks bodies against the document's schemas. `strict` refuses fields that the document does not have. */
export class Validator {
  readonly #document: Document;
  readonly #strict: boolean;
  readonly #ajv: Ajv2020;

  constructor(document: Document, { strict }: { readonly strict: boolean }) {
    this.#document = document;
    this.#strict = strict;
    // `strict: false` allows OpenAPI's own keywords; `verbose` gives the wrong value, for the message.
    this.#ajv = new Ajv2020({ allErrors: true, strict: false, verbose: true });
    addFormats(this.#ajv);
    this.#ajv.addSchema({ $id: "document", components: document.components });
  }

  /** The check of one request, compiled at its first use. */
  forRequest(request: Schema): CheckBody {
    let compiled: ValidateFunction | undefined;
    return (given) => {
      const problems: Problem[] = [];
      const body = this.#understood(request, given, "", problems);
      compiled ??= this.#ajv.compile(absolute(request));
      if (!compiled(body)) problems.push(...(compiled.errors ?? []).map((error) => problemFrom(error, body)));
      return { body: isObject(body) ? body : {}, problems };
    };
  }

  /** Leaves out fields that the service ignores: nulls, read-only fields, unknown fields. */
  #understood(schema: Schema, value: Json, path: string, problems: Problem[]): Json {
    const { properties, items, type } = resolve(this.#document, schema);
    if (isObject(value) && properties !== undefined) {
      return mapEntries(value, (each, key) => {
        const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
        if (property === undefined) {
          if (this.#strict) problems.push({ path: step(path, key), message: "unknown field" });
          return undefined;
        }
        if (each === null || property.readOnly === true) return undefined;
        return this.#understood(property, each, step(path, key), problems);
      });
    }
    if (Array.isArray(value) && items !== undefined) {
      return value.map((item: Json, index) => this.#understood(items, item, step(path, index), problems));
    }
    if (type === "integer" && Number.isInteger(value) && !Number.isSafeInteger(value)) {
      problems.push({ path, message: "is too large for an exact integer" });
    }
    return value;
  }
}

/** The schema with references into the document, so that it can be compiled by itself. */
function absolute(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema, (key, value) => (key === "$ref" ? `document${value}` : value))) as Schema;
}

function problemFrom(error: ErrorObject, body: Json): Problem {
  const path = pathIn(body, error.instancePath);
  // ajv's type of `params` depends on the keyword; only these two are read here.
  const { type, missingProperty } = error.params as { type?: string; missingProperty?: string };
  if (error.keyword === "type") {
    // Quotes the value only of a number that should be an integer: others may be secrets.
    const got = type === "integer" && typeof error.data === "number" ? error.data : nounOf(error.data as Json);
    return { path, message: `expected ${nouns[type ?? ""] ?? type}, got ${got}` };
  }
  if (error.keyword === "required") return { path: step(path, missingProperty ?? ""), message: "is required" };
  return { path, message: error.message ?? "is invalid" };
}

const nouns: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  integer: "an integer",
  boolean: "a boolean",
  array: "an array",
  object: "an object",
};

function nounOf(value: Json): string {
  if (value === null) return "null";
  return nouns[Array.isArray(value) ? "array" : typeof value] ?? typeof value;
}

/** `/overrides/0/op` → `overrides[0].op`. Needs the body, because only the data tells an index from a key. */
function pathIn(body: Json, pointer: string): string {
  let path = "";
  let at: Json | undefined = body;
  for (const token of pointer.split("/").slice(1)) {
    const key = token.replaceAll("~1", "/").replaceAll("~0", "~");
    path = step(path, Array.isArray(at) ? Number(key) : key);
    at = (at as Record<string, Json> | undefined)?.[key]; // a text also indexes an array
  }
  return path;
}
