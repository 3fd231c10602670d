import type { JsonObject } from "../json.js";

/** Keywords of JSON Schema, added to those of a field or a shape in the document. */
export interface Constraint {
  /** The description of a valid value, for the message: `0 or more seconds`. */
  readonly "x-expected"?: string;
  /** The whole message, if no value is valid. */
  readonly "x-refusal"?: string;
  /** Keeps the value out of messages, because it may contain credentials. */
  readonly "x-unquoted"?: boolean;
  readonly [keyword: string]: unknown;
}

/** Reports a problem, if there is a message. */
export type ReportProblem = (path: string, message: string | undefined) => void;

export interface RuleOptions {
  /** Whether queries must be PromQL. */
  readonly parsesQueries: boolean;
  /** Counts characters of queries and regular expressions, and reports if the request has too many. */
  readonly spend: (characters: number) => string | undefined;
}

/** Reports errors that a schema cannot express, by path from this shape. Treats absent and zero alike. */
export type Rule = (value: JsonObject, report: ReportProblem, options: RuleOptions) => void;

/** The rules of shapes of the document, wherever a shape is used. */
export type Rules = Readonly<Record<string, Rule>>;

/** Fields as a body has them: each may be absent. */
export type Read<T> = T extends readonly (infer Item)[]
  ? readonly Read<Item>[]
  : T extends object
    ? { readonly [K in keyof T]?: Read<T[K]> }
    : T;

/** A rule typed by the fields that it reads. */
export function rule<T>(check: (value: Read<T>, report: ReportProblem, options: RuleOptions) => void): Rule {
  // The cast is safe: a rule runs only on values whose types the schema check has accepted.
  return check as unknown as Rule;
}

/** A reference inside a resource: the path of the slug, and the object that it names. */
export interface Mention {
  readonly path: string;
  readonly kind: string;
  readonly slug: string;
}

/** The objects that must exist, and that cannot be deleted while this one names them. */
export type Mentions = (resource: JsonObject) => readonly Mention[];

/** The alternatives in a message: `a, b or c`. */
export function either(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}
