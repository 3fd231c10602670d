import { readFileSync } from "node:fs";
import { join } from "node:path";
import { kinds as schemas } from "../../../dist/provider/kinds/index.gen.js";

export type Json = Readonly<Record<string, unknown>>;

export interface Operation {
  /** `PUT /api/v1/config/monitors/{slug}` */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly kind: string;
  readonly verb: "create" | "read" | "update" | "list" | "delete";
  /** Whether it is one of the interface document's eleven. */
  readonly described: boolean;
  /** The keys of the answer. */
  readonly answer: readonly string[];
}

/** One kind as the OpenAPI document tells it. */
export interface Kind {
  readonly name: string;
  /** The path of one object, `/api/v1/config/monitors/{slug}`. */
  readonly path: string;
  /** The key of one object, `monitor`. */
  readonly one: string;
  /** A complete object, typed by hand. */
  readonly example: Json;
}

export interface ListedKind extends Kind {
  /** `/api/v1/config/monitors` */
  readonly listPath: string;
  /** `monitors` */
  readonly many: string;
  /** Whether the list is among the interface document's eleven operations. */
  readonly described: boolean;
}

// The part of OpenAPI that is read here.
interface Document {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly "x-kind": string;
            readonly "x-verb": Operation["verb"];
            readonly "x-described": boolean;
            readonly responses: {
              readonly 200: {
                readonly content: { readonly "application/json": { readonly schema: { properties: Json } } };
              };
            };
          }
        >
      >
    >
  >;
}

const document: Document = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../../provider/wire/openapi.gen.json"), "utf8"),
);

const operations: readonly Operation[] = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    kind: operation["x-kind"],
    verb: operation["x-verb"],
    described: operation["x-described"],
    answer: Object.keys(operation.responses[200].content["application/json"].schema.properties),
  })),
);

export const kinds: readonly Kind[] = operations
  .filter(({ verb }) => verb === "read")
  .map(({ kind, path, answer: [one = ""] }) => {
    const example = schemas.find(({ name }) => name === kind)?.example.wire;
    if (example === undefined) throw new Error(`${kind} has no example`);
    return { name: kind, path, one, example };
  });

/** The kinds that can be listed. */
export const listedKinds: readonly ListedKind[] = kinds.flatMap((kind) =>
  operations
    .filter(({ verb, kind: name }) => verb === "list" && name === kind.name)
    .map(({ path, described, answer }) => ({
      ...kind,
      listPath: path,
      many: answer.find((key) => key !== "page") ?? "",
      described,
    })),
);

/** The interface document's own first, each with the word for it. */
const tabled = <T extends { readonly described: boolean }>(each: readonly T[]) => [
  ...each.filter(({ described }) => described).map((one) => ["described", one] as const),
  ...each.filter(({ described }) => !described).map((one) => ["sibling", one] as const),
];

/** The lists as rows of a table: kind, profile, and all about it. */
export const lists = tabled(listedKinds).map(([profile, kind]) => [kind.name, profile, kind] as const);

/** Operations as rows of a table: request, profile, and all about it. */
export const rows = (wanted: (operation: Operation) => boolean) =>
  tabled(operations.filter(wanted)).map(([profile, operation]) => [operation.name, profile, operation] as const);

export function kindNamed(wanted: string): Kind {
  const found = kinds.find(({ name }) => name === wanted);
  if (found === undefined) throw new Error(`the OpenAPI document has no ${wanted}`);
  return found;
}

export const isSingleton = ({ path }: Kind) => !path.includes("{slug}");

/** Fields that make another valid object of the example. */
export const otherFields = (kind: Kind): Json =>
  isSingleton(kind) ? { default_dataset: { allocation: { percent_of_license: 10 } } } : { name: "Another name" };

/** The numbers by which an error's cause is told. */
export const codes = {
  invalid: 400008,
  badPageToken: 40004,
  unauthenticated: 40101,
  noSuchObject: 40401,
};
