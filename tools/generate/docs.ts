import type { Field, Shape } from "../../provider/schema/field";
import type { Kind, Operation, Verb } from "../../provider/schema/kind";
import { environmentVariable, namespace } from "../../provider/schema/names";
import { settings } from "../../provider/schema/settings";
import { scalarsOf, shapesOf } from "../../provider/schema/walk";
import { literal } from "../../provider/values/literal";
import { functionNames } from "./functions";
import { addition, header, markdownComment, spelling } from "./source";

/** A kind's page: what it is, a complete program, every field, what replaces it, its limits and its operations. */
export function kindPage(kind: Kind, file: string, kinds: readonly Kind[]): string {
  const shapes = shapesOf(kind.args);
  const secrets = scalarsOf(kind.args).filter(({ field }) => field.options.secret !== undefined);
  return [
    header(markdownComment, `provider/kinds/${file}.ts`),
    "",
    `# ${kind.name}`,
    "",
    kind.description,
    "",
    "## Example",
    "",
    "```ts",
    exampleProgram(kind, kinds),
    "```",
    "",
    "## Arguments",
    "",
    "All are optional in TypeScript; the column “needed” says what the reference service asks for. The service has the last word: its answer is shown at preview.",
    "",
    ...fieldTable(kind.args),
    ...shapes.flatMap((shape) => ["", `### ${shape.name}`, "", shape.description, "", ...fieldTable(shape)]),
    "",
    "## Read-only outputs",
    "",
    "| Output | Type | Meaning |",
    "|---|---|---|",
    `| \`id\` | string | ${kind.isSingleton ? `Always \`${kind.singletonId}\`.` : "The slug."} |`,
    "| `createdAt` | string | When the object was created, RFC 3339 in UTC. |",
    "| `updatedAt` | string | When the object was last written, RFC 3339 in UTC. |",
    "",
    "## Functions",
    "",
    `Each reads what the service has while the program runs, also in a preview, and records nothing. With the ending \`Output\` (\`${functionNames(kind)[0]}Output\`) it takes and gives outputs. A secret that the service masks is left out; one that it shows in clear makes the output secret, and is plain in the promise.`,
    "",
    "| Function | Result | Described |",
    "|---|---|---|",
    ...functionRows(kind),
    "",
    "## What replaces it",
    "",
    kind.isSingleton
      ? "Nothing does."
      : "A changed `slug`, new one first. Everything else is an update in place. To give the resource another Pulumi name, use the option `aliases`: the slug stays.",
    "",
    "## Secrets",
    "",
    ...(secrets.length === 0
      ? ["None of its fields is a secret."]
      : ["Encrypted in state, and shown nowhere:", "", ...secrets.map(({ path }) => `- \`${path.join(".")}\``)]),
    ...(kind.limits.length === 0 ? [] : ["", "## Limits", "", ...kind.limits.map((limit) => `- ${limit}`)]),
    "",
    ...operationLines(kind),
  ].join("\n");
}

function operationLines({ operations }: Kind): string[] {
  return [
    "## Operations",
    "",
    "“Described” operations are those of the interface document; a service may lack the others.",
    "",
    "| To | Request | Described |",
    "|---|---|---|",
    ...(Object.entries(operations) as [Verb, Kind["operations"]["create"]][]).map(
      ([verb, { method, path, described }]) => `| ${verb} | ${method} \`${path}\` | ${described ? "yes" : "no"} |`,
    ),
    "",
  ];
}

function functionRows(kind: Kind): string[] {
  const { title, manyTitle, manyName, operations } = kind;
  const [one, many] = functionNames(kind);
  const isDescribed = (operation?: Operation) => (operation?.described ? "yes" : "no");
  return [
    `| \`${one}(${kind.isSingleton ? "" : "{ slug }"})\` | the ${title}; fails if there is none | ${isDescribed(operations.read)} |`,
    ...(many === undefined
      ? []
      : [
          `| \`${many}({ slugs, names })\` | \`{ ${manyName} }\`: all ${manyTitle} that match every filter given | ${isDescribed(operations.list)} |`,
        ]),
  ];
}

/** The page of the provider's settings. */
export const settingsPage = (): string =>
  [
    header(markdownComment, "provider/schema/settings.ts"),
    "",
    "# Settings",
    "",
    "| Stack config | Environment | Type | Meaning | Needed |",
    "|---|---|---|---|---|",
    ...Object.entries(settings.fields).map(
      ([name, field]) =>
        `| \`${namespace}:${name}\` | \`${environmentVariable(name)}\` | ${typeName(field)} | ${effect(field)} | ${field.options.required ?? ""} |`,
    ),
    "",
    "A list is written with commas or as JSON, a map as JSON:",
    "",
    "```sh",
    `pulumi config set --path ${namespace}:defaultLabels.team checkout`,
    `export ${environmentVariable("defaultLabels")}='{"team":"checkout"}'`,
    "```",
    "",
  ].join("\n");

function fieldTable(shape: Shape): string[] {
  return [
    "| Field | Type | Meaning | Needed |",
    "|---|---|---|---|",
    ...Object.entries(shape.fields).map(
      ([name, field]) => `| \`${name}\` | ${typeName(field)} | ${effect(field)} | ${field.options.required ?? ""} |`,
    ),
  ];
}

function effect({ description, defaultText, options }: Field): string {
  const { unit, suggestions, secret, refersTo } = options;
  return [
    description,
    unit && `Unit or format: ${unit}.`,
    spelling(options),
    defaultText && `Default: ${defaultText}.`,
    suggestions && `Seen in practice: ${suggestions.map((value) => `\`${value}\``).join(", ")}.`,
    secret && "**Secret.**",
    refersTo && `Pass the \`slug\` of a ${refersTo}.`,
    addition(options),
  ]
    .filter(Boolean)
    .join(" ")
    .replaceAll("|", "\\|");
}

const typeName = (field: Field): string =>
  field.visit({
    scalar: ({ type, options: { values } }) => values?.map((value) => `\`${String(value)}\``).join(", ") ?? type,
    map: () => "map of strings",
    list: ({ item }) => `array of ${typeName(item)}`,
    object: ({ shape }) => `[${shape.name}](#${shape.name.toLowerCase()})`,
  });

/** The example as a whole program, which declares the objects it refers to first. */
function exampleProgram(kind: Kind, kinds: readonly Kind[]): string {
  const referred = new Set<Kind>();
  const instead = (_: unknown, field?: Field): string | undefined => {
    const target = kinds.find(({ name }) => name === field?.options.refersTo);
    if (target === undefined) return undefined;
    referred.add(target);
    return `${variable(target)}.slug`;
  };
  const declare = (each: Kind): string =>
    `const ${variable(each)} = new obs.${each.name}("${each.example.wire.slug ?? "only"}", ` +
    `${literal(each.example.args, each.root, { instead, width: 88 })});`;
  const own = declare(kind).replace(/^const \w+ = /, "");
  return ['import * as obs from "pulumi-observability";', "", ...[...referred].map(declare), own].join("\n");
}

const variable = ({ name }: Kind) => name.charAt(0).toLowerCase() + name.slice(1);
