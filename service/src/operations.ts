import { type Content, type Document, refName, resolver, type Schema, type Verb } from "./document.js";
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
  /** The key of the resources in a list answer, `trace_metrics_rules`; empty for a singleton. */
  readonly many: string;
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
  /** The names of all query parameters. */
  readonly query: ReadonlySet<string>;
  readonly filters: readonly FilterParameter[];
}

/** A query parameter that filters a list. */
export interface FilterParameter extends Omit<Filter, "values"> {
  readonly name: string;
}

export type Profile = "described" | "all";

/** Every operation of the document. `described` serves only what the API spec describes. */
export function operationsOf(document: Document, profile: Profile): readonly Operation[] {
  const isServed = (marked: { readonly "x-described"?: boolean }) =>
    profile === "all" || marked["x-described"] !== false;
  const all = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );
  const bodies = all.flatMap(({ operation: { requestBody, responses } }) =>
    [requestBody, responses["200"]].map(bodyOf),
  );
  const kinds = kindsOf(document, bodies);
  return all.map(({ path, method, operation }) => {
    const query = (operation.parameters ?? []).filter((each) => each.in === "query" && isServed(each));
    return {
      id: operation.operationId,
      verb: operation["x-verb"],
      kind: kinds.get(operation["x-kind"]) as Kind, // each operation's kind is there
      method: method.toUpperCase(),
      path,
      served: isServed(operation),
      request: bodyOf(operation.requestBody),
      query: new Set(query.map(({ name }) => name)),
      filters: query.flatMap(({ name, "x-filter": filter }) => (filter === undefined ? [] : [{ name, ...filter }])),
    };
  });
}

const bodyOf = (content: Content | undefined) => content?.content?.["application/json"]?.schema;

/** @param bodies The schemas of all requests and answers, in which a kind's objects have its keys. */
function kindsOf(document: Document, bodies: readonly (Schema | undefined)[]): ReadonlyMap<string, Kind> {
  const resolve = resolver(document);
  const properties = bodies.flatMap((body) => Object.entries(body?.properties ?? {}));
  const keyOf = (matches: (schema: Schema) => boolean) => properties.find(([, schema]) => matches(schema))?.[0] ?? "";
  const kinds = Object.entries(document.components.schemas).flatMap(([name, schema]) => {
    const { "x-title": title, "x-singleton": isSingleton = false } = schema;
    if (title === undefined) return [];
    const [one, many] = [keyOf((each) => refName(each) === name), keyOf(({ items }) => refName(items) === name)];
    const mapSecrets = mapSecretsOf(schema, resolve);
    return [[name, { name, title, one, many, isSingleton, mapSecrets, mentions: mentions[name] }] as const];
  });
  return new Map(kinds);
}
