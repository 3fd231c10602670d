import type { Field, Shape } from "../../provider/schema/field";
import type { Kind } from "../../provider/schema/kind";
import { environmentVariable, namespace } from "../../provider/schema/names";
import { settings } from "../../provider/schema/settings";
import { programsOf } from "./languages";
import { fieldDescription, upper } from "./source";

type Json = Record<string, unknown>;

const token = (name: string) => `${namespace}:index:${name}`;
const typeRef = (name: string): Json => ({ type: "object", $ref: `#/types/${token(name)}` });
const text = (description: string): Json => ({ type: "string", description });
const texts = (description: string): Json => ({ type: "array", items: { type: "string" }, description });

const times = {
  createdAt: text("When the object was created, RFC 3339 in UTC."),
  updatedAt: text("When the object was last written, RFC 3339 in UTC."),
};
const adopt = {
  oneOf: [{ type: "boolean" }, { type: "string" }],
  description:
    "Whether a create adopts an object that exists under the resource's slug: never (`false`), only if the object equals " +
    'the declaration (`"identical"`), or always, with an update (`true`). Default: the provider\'s `adopt`.',
};

/** What package.json has of the package's origin. Only a maintainer knows its repository, for example `git+https://github.com/…`. */
export interface Manifest {
  readonly version: string;
  readonly author?: string;
  readonly homepage?: string;
  readonly repository?: string | { readonly url: string };
}

/** Where the package comes from. The engine can download the plugin from the releases of a repository on GitHub. */
function originOf({ version, author: publisher, homepage, repository }: Manifest): Json {
  const url = typeof repository === "object" ? repository.url : repository;
  const github = /^(?:github:|(?:[\w+]+:\/\/)?(?:\w+@)?github\.com[:/])([\w.-]+\/[\w.-]+?)(?:\.git)?$/;
  const [, name] = github.exec(url ?? "") ?? [];
  if (name === undefined) return { publisher, homepage };
  return {
    publisher,
    homepage: homepage ?? `https://github.com/${name}`,
    repository: `https://github.com/${name}`,
    logoUrl: `https://raw.githubusercontent.com/${name}/v${version}/provider/plugin/logo.svg`,
    pluginDownloadURL: `github://api.github.com/${name}`,
  };
}

/** Pulumi's schema of the package, from which it generates SDKs for other languages. */
export function packageSchema(kinds: readonly Kind[], manifest: Manifest): Json {
  const types: Json = {};
  const config = propertiesOf(settings, types);
  return {
    name: namespace,
    displayName: "Observability",
    version: manifest.version,
    description: "Observability configuration as code.",
    keywords: ["pulumi", "observability", "category/monitoring", "kind/native"],
    license: "Apache-2.0",
    ...originOf(manifest),
    meta: { moduleFormat: "(.*)", supportPack: true },
    config: { variables: config },
    provider: { description: settings.description, inputProperties: fromEnvironment(config) },
    resources: Object.fromEntries(kinds.map((kind) => [token(kind.name), resource(kind, kinds, types)])),
    functions: Object.fromEntries(kinds.flatMap((kind) => functionsOf(kind, types))),
    types,
    language: {
      nodejs: { packageName: "pulumi-observability-sdk", respectSchemaVersion: true },
      python: {
        packageName: "pulumi_observability",
        pyproject: { enabled: true },
        readme:
          "Observability configuration as code, with Pulumi. The npm package `pulumi-observability` contains this SDK, the provider and\n" +
          "the steps to use them, in `docs/languages.md`. Each class has a complete example in its documentation.\n",
        respectSchemaVersion: true,
      },
      // No repository serves the module: a program replaces it by a folder.
      go: {
        importBasePath: "pulumi-observability/go/observability",
        modulePath: "pulumi-observability/go",
        generateResourceContainerTypes: true,
        respectSchemaVersion: true,
      },
      csharp: { respectSchemaVersion: true },
    },
  };
}

function resource(kind: Kind, kinds: readonly Kind[], types: Json): Json {
  const properties = propertiesOf(kind.args, types);
  const { slug, ...others } = properties;
  const own = kind.isSingleton ? {} : { slug: { ...(slug as Json), willReplaceOnChanges: true } };
  return {
    description: `${kind.description}\n\n${examplesOf(kind, kinds)}`,
    inputProperties: { ...others, ...own, adopt },
    properties: { ...properties, ...times },
    required: alwaysKnown(kind),
  };
}

/** A kind's example in each language, in the form from which Pulumi's generators and registry choose one. */
const examplesOf = (kind: Kind, kinds: readonly Kind[]) =>
  [
    "{{% examples %}}",
    "## Example Usage",
    "{{% example %}}",
    ...programsOf(kind, kinds).map(([language, program]) => `\n\`\`\`${language}\n${program}\n\`\`\``),
    "\n{{% /example %}}",
    "{{% /examples %}}",
  ].join("\n");

const alwaysKnown = ({ isSingleton }: Kind) => [...(isSingleton ? [] : ["name", "slug"]), "createdAt", "updatedAt"];

function functionsOf(kind: Kind, types: Json): [string, Json][] {
  const [one, many] = kind.functionNames;
  const shown = {
    type: "object",
    description: kind.description,
    properties: { ...propertiesOf(kind.args, types), ...times },
  };
  const result = { ...shown, required: alwaysKnown(kind) };
  const slug = { slug: text(`The slug of the ${kind.title}.`) };
  const single: Json = {
    description: `Reads one ${kind.title} from the service.`,
    ...(kind.isSingleton ? {} : { inputs: { type: "object", properties: slug, required: ["slug"] } }),
    outputs: result,
  };
  if (many === undefined || kind.manyName === undefined) return [[token(one), single]];
  types[token(`${kind.name}Result`)] = result;
  const filters = {
    slugs: texts("Only those with one of these slugs."),
    names: texts("Only those with one of these names."),
  };
  const list = { [kind.manyName]: { type: "array", items: typeRef(`${kind.name}Result`) } };
  const all: Json = {
    description: `Reads all ${kind.manyTitle} that match from the service.`,
    inputs: { type: "object", properties: filters },
    outputs: { type: "object", properties: list, required: [kind.manyName] },
  };
  return [
    [token(one), single],
    [token(many), all],
  ];
}

const propertiesOf = (shape: Shape, types: Json): Json =>
  Object.fromEntries(
    shape.members.map(({ name, field }) => {
      const description = fieldDescription(field, "argument");
      const secret = field.options.secret === undefined ? {} : { secret: true };
      const typeName = shape.name + upper(name);
      return [name, { ...typeOf(field, types, typeName), description, ...secret }];
    }),
  );

/** @param name Of the type of an enumeration. Enumerations are open: any other string is allowed. */
const typeOf = (field: Field, types: Json, name: string): Json =>
  field.visit<Json>({
    scalar: ({ type, options: { values = [], suggestions } }) => {
      if (values.some((each) => typeof each !== "string")) return { oneOf: [{ type: "boolean" }, { type: "string" }] };
      if (suggestions === undefined) return { type };
      types[token(name)] = { type, enum: suggestions.map((value) => ({ value, name: pascalCase(value) })) };
      return { oneOf: [{ type }, { type, $ref: `#/types/${token(name)}` }] };
    },
    list: ({ item }) => ({ type: "array", items: typeOf(item, types, name) }),
    map: () => ({ type: "object", additionalProperties: { type: "string" } }),
    object: ({ shape }) => {
      if (types[token(shape.name)] === undefined) {
        types[token(shape.name)] = {}; // A shape may contain itself.
        types[token(shape.name)] = {
          type: "object",
          description: shape.description,
          properties: propertiesOf(shape, types),
        };
      }
      return typeRef(shape.name);
    },
  });

/** `NOT_EXISTS` as `NotExists`, from which each language makes a name of its own. */
const pascalCase = (text: string) =>
  text.toLowerCase().replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** SDKs read only plain values from the environment; the provider reads all. */
const fromEnvironment = (config: Json): Json =>
  Object.fromEntries(
    Object.entries(config).map(([name, property]) => {
      const { type } = property as Json;
      const isPlain = type !== undefined && type !== "array" && type !== "object";
      const environment = { defaultInfo: { environment: [environmentVariable(name)] } };
      return [name, isPlain ? { ...(property as Json), ...environment } : property];
    }),
  );
