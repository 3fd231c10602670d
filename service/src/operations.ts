import { type Content, type Document, refName, resolve, type Schema, type Verb } from "./document.js";
import { mentions } from "./rules/index.js";
import type { Mentions } from "./rules/rules.js";
import { type MapSecrets, mapSecretsOf } from "./secrets.js";
import type { Filter } from "./store/store.js";

/** One kind of resource, as the document has it. */
export interface Kind {
  /** `TraceMetricsRule` */
  readonly name: string;
  /** `trace metrics rule`: the kind in a message. */
  readonly title: string;
  /** The key of one resource in requests and answers, `trace_metrics_rule`. */
  readonly one: string;
  readonly isSingleton: boolean;
  readonly mapSecrets: MapSecrets;
  /** The kinds that its objects refer to; undefined if there are none. */
  readonly mentions: Mentions | undefined;
}

export interface Operation {
  /** `updateMonitor` */
  readonly id: string;
  readonly verb: Verb;
  readonly kind: Kind;
  /** `GET`, `PUT` … */
  readonly method: string;
  /** The path template, `/api/v1/config/monitors/{slug}`. */
  readonly path: string;
  /** Whether this service answers it. */
  readonly served: boolean;
  /** The schema of the whole body; undefined if there is no body. */
  readonly request: Schema | undefined;
  /** The key of the resources in a list answer, `monitors`. */
  readonly many: string | undefined;
  /** The names of all query parameters. */
  readonly query: ReadonlySet<string>;
  readonly filters: readonly FilterParameter[];
}

/** A query parameter that filters a list. */
export interface FilterParameter extends Omit<Filter, "values"> {
  readonly name: string;
}

export type Profile = "described" | "all";

const methods = new Set(["get", "post", "put", "delete"]);

/** Every operation of the document. `described` serves only what the API spec describes. */
export function operationsOf(document: Document, profile: Profile): readonly Operation[] {
  const isServed = (marked: { readonly "x-described"?: boolean }) =>
    profile === "all" || marked["x-described"] !== false;
  const kinds = new Map<string, Kind>();
  const all = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) => (methods.has(method) ? [{ path, method, operation }] : [])),
  );
  for (const name of new Set(all.map(({ operation }) => operation["x-kind"]))) {
    const own = all.flatMap(({ operation }) => (operation["x-kind"] === name ? [bodyOf(operation.requestBody)] : []));
    kinds.set(name, kindFrom(document, name, own));
  }
  return all.map(({ path, method, operation }) => {
    const kind = operation["x-kind"];
    const query = (operation.parameters ?? []).filter((each) => each.in === "query" && isServed(each));
    return {
      id: operation.operationId,
      verb: operation["x-verb"],
      kind: kinds.get(kind) as Kind, // each operation's kind is there
      method: method.toUpperCase(),
      path,
      served: isServed(operation),
      request: bodyOf(operation.requestBody),
      many: keyOf(bodyOf(operation.responses["200"]), (schema) => refName(schema.items) === kind),
      query: new Set(query.map(({ name }) => name)),
      filters: query.flatMap(({ name, "x-filter": filter }) => (filter === undefined ? [] : [{ name, ...filter }])),
    };
  });
}

const bodyOf = (content: Content | undefined) => content?.content?.["application/json"]?.schema;

/** @param requests The schemas of the kind's request bodies. */
function kindFrom(document: Document, name: string, requests: readonly (Schema | undefined)[]): Kind {
  const { [name]: schema = {} } = document.components.schemas;
  return {
    name,
    title: schema["x-title"] ?? name,
    one: requests.map((each) => keyOf(each, (property) => refName(property) === name)).find(Boolean) ?? name,
    isSingleton: schema["x-singleton"] === true,
    mapSecrets: mapSecretsOf(schema, (each) => resolve(document, each)),
    mentions: mentions[name],
  };
}

function keyOf(schema: Schema | undefined, matches: (property: Schema) => boolean): string | undefined {
  return Object.entries(schema?.properties ?? {}).find(([, property]) => matches(property))?.[0];
}
