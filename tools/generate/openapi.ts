import { grouped } from "../../provider/base/grouped";
import { type Field, ObjectField, type Shape } from "../../provider/schema/field";
import type { Kind, Operation, OperationName } from "../../provider/schema/kind";
import { shapesOf } from "../../provider/schema/walk";

type Json = Record<string, unknown>;

const operationVerbs = {
  post: "create",
  list: "list",
  get: "get",
  put: "update",
  delete: "delete",
} satisfies Record<OperationName, string>;

const text = { type: "string" };
const texts = { type: "array", items: text };
const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: Json): Json => ({ content: { "application/json": { schema } } });
const timestamp = (description: string): Json => ({ type: "string", format: "date-time", readOnly: true, description });

/** The API spec as OpenAPI 3.1, with every operation of every kind, described or only by convention. */
export function openapi(kinds: readonly Kind[], version: string): Json {
  const shapes = [...new Set(kinds.flatMap((kind) => shapesOf(kind.args)))];
  return {
    openapi: "3.1.0",
    info: {
      title: "Configuration service",
      version,
      description:
        "The configuration API. `x-described` marks the operations that every service has; the others follow their " +
        "conventions. `x-secret` marks what is answered masked, `x-secret-url` what is stored encrypted but answered. " +
        "`x-filter` names the fields that a parameter is compared with. `x-title` names a kind in messages.",
    },
    security: [{ apiToken: [] }],
    paths: pathsOf(kinds),
    components: {
      securitySchemes: { apiToken: { type: "apiKey", in: "header", name: "API-Token" } },
      schemas: {
        ...Object.fromEntries(kinds.map((kind) => [kind.name, kindSchema(kind)])),
        ...Object.fromEntries(shapes.map((shape) => [shape.name, shapeSchema(shape)])),
        Error: {
          type: "object",
          description: "Why a request was refused.",
          properties: {
            code: { type: "integer", format: "int32" },
            message: text,
            errors: { type: "array", items: { type: "object", properties: { path: text, message: text } } },
          },
        },
      },
    },
  };
}

function kindSchema(kind: Kind): Json {
  const schema = shapeSchema(kind.args);
  return {
    ...schema,
    "x-title": kind.title,
    ...(kind.isSingleton ? { "x-singleton": true } : {}),
    properties: {
      ...schema.properties,
      created_at: timestamp("When the object was created."),
      updated_at: timestamp("When the object was last written."),
    },
  };
}

function pathsOf(kinds: readonly Kind[]): Record<string, Json> {
  const paths: Record<string, Json> = {};
  for (const kind of kinds) {
    for (const [name, operation] of Object.entries(kind.family) as [OperationName, Operation][]) {
      const item = (paths[operation.path] ??= {});
      item[operation.method.toLowerCase()] = operationObject(kind, name, operation);
    }
  }
  return paths;
}

function operationObject(kind: Kind, name: OperationName, { path, described }: Operation): Json {
  const { one, many = one } = kind.wire;
  const subject = name === "list" ? kind.plural(kind.name) : kind.name;
  const inBody = name === "post" || name === "put";
  const answer =
    name === "list"
      ? { [many]: { type: "array", items: ref(kind.name) }, page: { type: "object", properties: { next_token: text } } }
      : name === "delete"
        ? {}
        : { [one]: ref(kind.name) };
  const parameters = [
    ...(path.includes("{slug}") ? [{ name: "slug", in: "path", required: true, schema: text }] : []),
    ...(name === "list"
      ? [
          { name: "page.max_size", in: "query", schema: { type: "integer", format: "int64" } },
          { name: "page.token", in: "query", schema: text },
          ...filtersOf(kind),
        ]
      : []),
  ];
  return {
    operationId: operationVerbs[name] + subject,
    "x-kind": kind.name,
    "x-verb": name === "get" ? "read" : operationVerbs[name],
    "x-described": described,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(inBody ? { requestBody: { required: true, ...json(envelope(kind, name)) } } : {}),
    responses: {
      200: { description: "Done.", ...json({ type: "object", properties: answer }) },
      default: { description: "Refused.", ...json(ref("Error")) },
    },
  };
}

/** The parameters that filter a list: by every text that names something. Only two of them are in every service. */
function filtersOf({ args }: Kind): Json[] {
  const paths = args.members.flatMap(({ wireName, field }) => [
    wireName,
    ...(field instanceof ObjectField ? field.shape.members : []).map((inner) => `${wireName}.${inner.wireName}`),
  ]);
  const slugs = paths.filter((path) => /(?:^|[._])slug$/.test(path));
  const names = paths.filter((path) => /^(?:\w+_)?name$/.test(path));
  // `collection.slug` is another spelling of `collection_slug`.
  const equals = grouped([...slugs, ...names], (path) => `${path.replace(".", "_")}s`);
  const filters = [
    ...[...equals].map(([name, fields]) => [name, { fields, match: "equals" }] as const),
    ...names.map((path) => [`${path}_contains`, { fields: [path], match: "contains" }] as const),
  ];
  return filters.map(([name, filter]) => ({
    name,
    in: "query",
    schema: texts,
    style: "form",
    explode: true,
    ...(["slugs", "names"].includes(name) ? {} : { "x-described": false }),
    "x-filter": filter,
  }));
}

function envelope(kind: Kind, name: OperationName): Json {
  const flag = { type: "boolean" };
  return {
    type: "object",
    properties: {
      ...(name === "put" ? { create_if_missing: flag } : {}),
      dry_run: flag,
      [kind.wire.one]: ref(kind.name),
    },
  };
}

/** The JSON Schema of a shape in wire spelling. */
function shapeSchema({ description, members }: Shape) {
  const properties: Json = Object.fromEntries(members.map(({ wireName, field }) => [wireName, fieldSchema(field)]));
  const required = members.filter(({ field }) => field.options.required === "always").map(({ wireName }) => wireName);
  return { type: "object", description, properties, ...(required.length === 0 ? {} : { required }) };
}

/** Named shapes are references. */
const fieldSchema = (field: Field): Json =>
  documented(
    field,
    field.visit<Json>({
      scalar: ({ type }) => ({ type }),
      list: ({ item }) => ({ type: "array", items: fieldSchema(item) }),
      map: ({ item }) => ({ type: "object", additionalProperties: fieldSchema(item) }),
      object: ({ shape }) => ref(shape.name),
    }),
  );

function documented({ description: text, options: { unit, suggestions, secret } }: Field, schema: Json): Json {
  const description = unit === undefined ? text : `${text} (${unit})`;
  return {
    ...schema,
    ...(description === "" ? {} : { description }),
    ...(suggestions === undefined ? {} : { examples: suggestions }),
    ...(secret === "value" ? { "x-secret": true } : {}),
    ...(secret === "url" ? { "x-secret-url": true } : {}),
  };
}
