/** The types that the API spec gives its fields. */
export type WireType =
  "string" | "secret string" | "enum" | "boolean" | "integer" | "number" | "map" | "secret map" | "date-time";

/** Every leaf of an object on the wire; `[]` stands for the items of an array. */
export type Paths = Readonly<Record<string, WireType>>;

/**
 * Every field of an object on the wire in a few words: `"string selects promql"`. First its type; an object and an array
 * have none. Then its meaning, unless it has that of the field around it; `unordered`; its format; `=` and its default
 * as JSON; the values of an enumeration: `A|B`.
 */
export type Fields = Readonly<Record<string, string>>;

/** Names with the types that the API spec gives them; `[]` marks an array. */
export type Members = Readonly<Record<string, string>>;

/** One operation of the API spec. */
export interface InterfaceOperation {
  readonly path: Members;
  readonly query: Members;
  /** The keys of the body's envelope; none if there is no body. */
  readonly request: Members;
  /** The keys of the answer's envelope. */
  readonly response: Members;
}

/** Arguments of a resource class. */
export type Args = Readonly<Record<string, unknown>>;

/** Arguments that the service refuses, and the place it names, in the arguments' spelling. */
export interface Refused {
  readonly change: Args;
  readonly path: string;
}

/** One kind of the API spec, typed by hand, and what else its tests need. */
export interface Witness {
  /** The kind's name. */
  readonly name: string;
  /** Every field of its objects on the wire. */
  readonly fields: Fields;
  /** The operations that the API spec describes. */
  readonly operations?: Readonly<Record<string, InterfaceOperation>>;
  /**
   * For a top-level field, arguments that change it and stay valid; `undefined` takes an argument away. A field that is
   * not here gets another value of its type.
   */
  readonly changes?: Readonly<Record<string, Args>>;
  /** By default a name that is too long. */
  readonly refused?: Refused;
}

/** A shape that the document shares, at one of its places; its path "" is the place itself. */
export const under = (place: string, shape: Fields): Fields =>
  Object.fromEntries(Object.entries(shape).map(([path, words]) => [path === "" ? place : `${place}.${path}`, words]));

const none: Members = {};
const slug: Members = { slug: "string" };
const listQuery: Members = {
  "page.max_size": "int64",
  "page.token": "string",
  slugs: "string[]",
  names: "string[]",
};

type OperationOf = (key: string, kind: string) => InterfaceOperation;

/** The four forms of operations, by the key of the object or of the objects in the envelope. */
export const reads: OperationOf = (one, kind) => ({
  path: slug,
  query: none,
  request: none,
  response: { [one]: kind },
});
export const lists: OperationOf = (many, kind) => ({
  path: none,
  query: listQuery,
  request: none,
  response: { [many]: `${kind}[]`, "page.next_token": "string" },
});
export const posts: OperationOf = (one, kind) => ({
  path: none,
  query: none,
  request: { [one]: kind, dry_run: "boolean" },
  response: { [one]: kind },
});
export const puts: OperationOf = (one, kind) => ({
  path: slug,
  query: none,
  request: { [one]: kind, create_if_missing: "boolean", dry_run: "boolean" },
  response: { [one]: kind },
});
