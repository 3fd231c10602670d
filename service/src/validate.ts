import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import addFormatsModule from "ajv-formats";
import { type Document, resolve, type Schema } from "./document.js";
import type { Problem } from "./errors.js";
import { isObject, type Json, type JsonObject, mapEntries, step } from "./json.js";

// ajv-formats is CommonJS, and TypeScript sees its default export only as a member.
const addFormats = addFormatsModule.default;

/** A request body as the service understands it, and what is wrong with it. */
export interface Checked {
  readonly body: JsonObject;
  readonly problems: readonly Problem[];
}

export type CheckBody = (body: Json) => Checked;

/** Checks bodies against the document's schemas; `strict` refuses fields that the document does not hold. */
export class Validator {
  readonly #document: Document;
  readonly #strict: boolean;
  readonly #ajv: Ajv2020;

  constructor(document: Document, { strict }: { readonly strict: boolean }) {
    this.#document = document;
    this.#strict = strict;
    // OpenAPI's own keywords are no errors; the data of a failure is needed to say what was got.
    this.#ajv = new Ajv2020({ allErrors: true, strict: false, verbose: true });
    addFormats(this.#ajv);
    this.#ajv.addSchema({ $id: "document", components: document.components });
  }

  /** The check of one request; it is compiled when it is first needed. */
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

  /** Leaves out what is absent by agreement: nulls, read-only fields, unknown fields. */
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

/** The schema with its references pointing into the document, wherever it stands itself. */
function absolute(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema, (key, value) => (key === "$ref" ? `document${value}` : value))) as Schema;
}

function problemFrom(error: ErrorObject, body: Json): Problem {
  const path = pathIn(body, error.instancePath);
  // ajv types `params` by keyword only for those who name each; these two are all that is read here.
  const { type, missingProperty } = error.params as { type?: string; missingProperty?: string };
  if (error.keyword === "type") {
    // The value itself is told only of a number that should be an integer: elsewhere it may be a secret.
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

/** `/overrides/0/op` as `overrides[0].op`; only the data tells an index from a key. */
function pathIn(body: Json, pointer: string): string {
  let path = "";
  let at: Json | undefined = body;
  for (const token of pointer.split("/").slice(1)) {
    const key = token.replaceAll("~1", "/").replaceAll("~0", "~");
    path = step(path, Array.isArray(at) ? Number(key) : key);
    at = (at as Record<string, Json> | undefined)?.[key]; // An array, too, is indexed by text.
  }
  return path;
}
