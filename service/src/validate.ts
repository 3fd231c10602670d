import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import { type Document, mapParts, merge, refName, resolver, type Schema } from "./document.js";
import { Problems } from "./errors.js";
import { isObject, type Json, type JsonObject, quote, step, within } from "./json.js";
import { fields, isUrl, orEmpty, present, shapes, text, urlFormat } from "./rules/constraints.js";
import { identity } from "./rules/identity.js";
import { rules } from "./rules/index.js";
import type { Constraint, Rule, RuleOptions } from "./rules/rules.js";

/** Returns a request body without its ignored fields, and its problems. */
type CheckBody = (body: Json) => { readonly body: JsonObject; readonly problems: Problems };

interface Options extends Pick<RuleOptions, "parsesQueries"> {
  /** Rejects fields that the API spec does not have. */
  readonly strict: boolean;
}

/** A schema with its references resolved one level deep. */
interface Node {
  readonly schema: Schema;
  /** Checks a value without its contents. */
  readonly check: ValidateFunction;
  readonly rule: Rule | undefined;
}

/** The problems of one body. */
interface Found {
  readonly problems: Problems;
  wrongTypes: number;
  readonly options: RuleOptions;
}

// To check that many characters takes up to a fifth of a second, in which no other request is answered.
const mostChecked = 20_000;

// `strict: false` allows OpenAPI's own keywords; `verbose` gives the wrong value, for the message. `validateSchema`
// would check the document's schemas too, which takes 0.1 s of the first request.
const ajv = new Ajv2020({ allErrors: true, strict: false, strictNumbers: true, verbose: true, validateSchema: false });
ajv.addFormat(urlFormat, isUrl);

/** What was compiled, by the schema: many places, and all services of a process, have the same ones. */
const checks = new Map<string, ValidateFunction>();

function checkOf(schema: Schema): ValidateFunction {
  const key = JSON.stringify(schema);
  const check = checks.get(key) ?? ajv.compile(schema);
  checks.set(key, check);
  return check;
}

/** Checks bodies against the document's schemas and the rules of its shapes. */
export class Validator {
  readonly #resolve: (schema: Schema) => Schema;
  readonly #nodes = new WeakMap<Schema, Node>();

  constructor(
    document: Document,
    private readonly options: Options,
  ) {
    this.#resolve = resolver(constrain(document));
  }

  /** The check of one request. Paths are those inside the resource under the key `one`. */
  forRequest(request: Schema, one: string): CheckBody {
    return (given) => {
      let left = mostChecked;
      const spend = (characters: number) =>
        (left -= characters) < 0
          ? `is too large: a request has at most ${mostChecked} characters of queries and regular expressions, with counted repeats written out`
          : undefined;
      const found: Found = { problems: new Problems(), wrongTypes: 0, options: { ...this.options, spend } };
      const body = this.#understood(request, given, "", found, one);
      if (!isObject(body)) return { body: {}, problems: found.problems };
      if (body[one] === undefined) found.problems.add(one, "is required");
      return { body, problems: found.problems };
    };
  }

  /**
   * Checks a value, and leaves out what the service ignores: nulls, read-only fields, unknown fields. It walks by
   * itself, with the library at each value: on its way into references, the library copies its list of errors each time.
   */
  #understood(schema: Schema, value: Json, path: string, found: Found, resource?: string): Json {
    const { schema: here, check, rule } = this.#nodeOf(schema);
    const wrongBefore = found.wrongTypes;
    const kept = mapParts(here, value, (inner, part, key) => {
      if (inner === undefined) {
        if (this.options.strict) found.problems.add(step(path, key), "unknown field");
        return undefined;
      }
      const isField = here.properties !== undefined;
      if (isField && (part === null || inner.readOnly === true)) return undefined;
      return this.#understood(inner, part, key === resource ? "" : step(path, key), found);
    });
    if (!check(kept)) {
      // Errors in keys are reported separately.
      const errors = (check.errors ?? []).filter(({ keyword }) => keyword !== "propertyNames");
      // One problem is enough for all keywords that a string or number violates.
      for (const error of isObject(kept) ? errors : errors.slice(0, 1)) {
        if (error.keyword === "type") found.wrongTypes++;
        found.problems.add(...problemFrom(error, path));
      }
    } else if (here.type === "integer" && !Number.isSafeInteger(kept)) {
      found.problems.add(path, "is too large for an exact integer");
    }
    // Rules read only values of right types.
    if (isObject(kept) && found.wrongTypes === wrongBefore) {
      const report = (inner: string, message: string | undefined) => {
        if (message !== undefined) found.problems.add(within(path, inner), message);
      };
      rule?.(kept, report, found.options);
    }
    return kept;
  }

  #nodeOf(schema: Schema): Node {
    const known = this.#nodes.get(schema);
    if (known !== undefined) return known;
    const merged = this.#resolve(schema);
    const { properties, additionalProperties, items, ...own } = merged;
    const node = { schema: merged, check: checkOf(own), rule: rules[refName(schema) ?? ""] };
    this.#nodes.set(schema, node);
    return node;
  }
}

/** The API spec with the rules of its fields and shapes that a schema can express. */
function constrain(document: Document): Document {
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) => {
    const isNamed = schema["x-title"] !== undefined && schema["x-singleton"] !== true;
    const constraints = [{ properties: fieldsOf(schema) }, isNamed ? identity : {}, shapes[name] ?? {}];
    return [name, constraints.reduce(merge, schema)] as const;
  });
  return { ...document, components: { ...document.components, schemas: Object.fromEntries(schemas) } };
}

/** The rules of each field. A required text is not blank, and a required secret is there. */
function fieldsOf({ properties = {}, required = [] }: Schema): Readonly<Record<string, Constraint>> {
  const all = Object.entries(properties).map(([name, { type, "x-secret": isSecret }]) => {
    const rules = (type !== undefined && fields[name]) || {}; // A shape has rules of its own.
    if (!required.includes(name)) return [name, orEmpty(rules)] as const;
    return [name, { ...(type === "string" ? (isSecret ? present : text) : {}), ...rules }] as const;
  });
  return Object.fromEntries(all);
}

/** The path and message of the library's error in the value at `around`. */
function problemFrom(
  { keyword, params, data, message, propertyName, parentSchema = {} }: ErrorObject,
  around: string,
): [string, string] {
  const path = propertyName === undefined ? around : step(around, propertyName);
  // ajv's type of `params` depends on the keyword; only these two are read here.
  const { type, missingProperty } = params as { type?: string; missingProperty?: string };
  const value = data as Json; // It is a part of the body.
  if (keyword === "type") {
    // JSON.parse reads 1e400 as Infinity.
    if (value === Infinity || value === -Infinity) return [path, "is too large for a number"];
    // Quotes the value only of a number that should be an integer: others may be secrets.
    const got = type === "integer" && typeof value === "number" ? value : nounOf(value);
    return [path, `expected ${nouns[type ?? ""] ?? type}, got ${got}`];
  }
  if (keyword === "required") return [step(path, missingProperty ?? ""), "is required"];
  const { "x-expected": expected, "x-refusal": refusal, "x-unquoted": unquoted } = parentSchema as Constraint;
  if (value === "" && propertyName === undefined) return [path, "is required"];
  if (refusal !== undefined) return [path, refusal];
  // A keyword of the API spec itself has no description here.
  if (expected === undefined) return [path, message ?? "is invalid"];
  return [path, `expected ${expected}${unquoted ? "" : gotFrom(value)}`];
}

function gotFrom(value: Json): string {
  if (Array.isArray(value)) return ", got none";
  return `, got ${typeof value === "string" ? quote(value) : String(value)}`;
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
