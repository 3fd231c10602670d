import type { Field, Shape } from "../../provider/schema/field";
import type { Kind, Operation, Verb } from "../../provider/schema/kind";
import { environmentVariable, namespace } from "../../provider/schema/names";
import { settings } from "../../provider/schema/settings";
import { scalarsOf, shapesOf } from "../../provider/schema/walk";
import { completeExample, functionsExample, importExample, minimalExample, receiversExample } from "./examples";
import { addition, header, markdownComment, requirement, spelling } from "./source";

/** A kind's page: what it is, examples, every field, how to import it, what replaces it, its limits and operations. */
export function kindPage(kind: Kind, file: string, kinds: readonly Kind[]): string {
  const shapes = shapesOf(kind.args);
  const receivers = receiversExample(kind);
  return [
    header(markdownComment, `provider/kinds/${file}.ts`),
    "",
    `# ${kind.name}`,
    "",
    kind.description,
    "",
    "## Example",
    "",
    "A minimal program:",
    "",
    ...code(minimalExample(kind, kinds)),
    ...(receivers === undefined
      ? []
      : [
          "",
          "## One example for each receiver",
          "",
          "`pulumi config set --secret <name>` sets each secret.",
          "",
          ...code(receivers),
        ]),
    "",
    "## Complete example",
    "",
    ...code(completeExample(kind, kinds)),
    "",
    "## Arguments",
    "",
    "Which arguments are required depends on the service, so the types make all optional. The column shows what the reference service requires; a preview shows what yours does. See also the [resource options](../resource-options.md) and the [settings](../settings.gen.md) of a `Provider`.",
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
    ...functionLines(kind),
    ...importLines(kind),
    "## What causes a replacement",
    "",
    kind.isSingleton
      ? "Nothing. Every change is an update in place."
      : "Only a changed `slug`: the new object is created before the old one is deleted. Every other change is an update in place. To give the resource another Pulumi name, use the option `aliases`. The slug stays.",
    "",
    ...secretLines(kind),
    ...(kind.limits.length === 0 ? [] : ["", "## Limits", "", ...kind.limits.map((limit) => `- ${limit}`)]),
    "",
    ...operationLines(kind),
  ].join("\n");
}

function functionLines(kind: Kind): string[] {
  return [
    "## Functions",
    "",
    "Functions read existing objects while the program runs, also in a preview, and record nothing in the state.",
    "",
    ...code(functionsExample(kind)),
    "",
    "| Function | Result | In every service |",
    "|---|---|---|",
    ...functionRows(kind),
    "",
    `Each function has two forms: \`${kind.functionNames[0]}\` returns a promise, and \`${kind.functionNames[0]}Output\` takes and returns outputs. The result leaves out a secret that the service masks. If the service shows a secret in plain text, the output is secret, but a promise contains the plain text.`,
    "",
  ];
}

function importLines(kind: Kind): string[] {
  return [
    "## Import",
    "",
    `\`pulumi import <type> <name> <id>\` doesn't work for dynamic resources. To bring an existing object under Pulumi's control, declare it and set \`adopt\`:`,
    "",
    ...code(importExample(kind)),
    "",
    `With \`"identical"\`, the preview fails and lists the differences if the object has other values. With \`true\`, the update changes the object to the declared values. You can remove the option after the update. ${kind.isSingleton ? "" : "Set `slug` if the object's slug differs from the one derived from the prefix and resource name. "}To write the program from a whole service, use [\`pulumi-observability import\`](../import-existing.md).`,
    "",
  ];
}

function secretLines(kind: Kind): string[] {
  const secrets = scalarsOf(kind.root).filter(({ field }) => field.options.secret !== undefined);
  return [
    "## Secrets",
    "",
    ...(secrets.length === 0
      ? ["No field is secret."]
      : [
          "These fields are encrypted in the state and never shown:",
          "",
          ...secrets.map(({ path }) => `- \`${path.join(".")}\``),
        ]),
  ];
}

function operationLines({ operations }: Kind): string[] {
  return [
    "## Operations",
    "",
    "Operations marked “no” may be missing in your service.",
    "",
    "| To | Request | In every service |",
    "|---|---|---|",
    ...(Object.entries(operations) as [Verb, Kind["operations"]["create"]][]).map(
      ([verb, { method, path, described }]) => `| ${verb} | ${method} \`${path}\` | ${described ? "yes" : "no"} |`,
    ),
    "",
  ];
}

function functionRows(kind: Kind): string[] {
  const { title, manyTitle, manyName, operations } = kind;
  const [one, many] = kind.functionNames;
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
    "| Stack config | Environment | Type | Meaning | Required |",
    "|---|---|---|---|---|",
    ...Object.entries(settings.fields).map(
      ([name, field]) =>
        `| \`${namespace}:${name}\` | \`${environmentVariable(name)}\` | ${typeName(field)} | ${effect(field)} | ${requirement(field) ?? "no"} |`,
    ),
    "",
    "The arguments of a provider win over stack config, and stack config wins over the environment. Arguments have the names of the stack config without `observability:`:",
    "",
    ...code(providerExample),
    "",
    "In the environment, write a list with commas or as JSON, and a map as JSON:",
    "",
    "```sh",
    "# stack config",
    `pulumi config set --path ${namespace}:defaultLabels.team checkout`,
    "# environment",
    `export ${environmentVariable("defaultLabels")}='{"team":"checkout"}'`,
    "```",
    "",
  ].join("\n");

function fieldTable(shape: Shape): string[] {
  return [
    "| Field | Type | Meaning | Required |",
    "|---|---|---|---|",
    ...Object.entries(shape.fields).map(
      ([name, field]) => `| \`${name}\` | ${typeName(field)} | ${effect(field)} | ${requirement(field) ?? "no"} |`,
    ),
  ];
}

const code = (text: string): readonly string[] => ["```ts", text, "```"];

const providerExample = `import * as pulumi from "@pulumi/pulumi";
import * as obs from "pulumi-observability";

const provider = new obs.Provider("checkout", {
  baseUrl: "https://config.example.com",
  apiToken: new pulumi.Config("checkout").requireSecret("apiToken"),
  slugPrefix: "checkout-",
});

new obs.Notifier("pager", { email: { to: "checkout@example.com" } }, { provider });`;

function effect({ description, defaultText, options }: Field): string {
  const { unit, suggestions, secret, refersTo } = options;
  return [
    description,
    unit && `Unit or format: ${unit}.`,
    spelling(options),
    defaultText && `Default: ${defaultText}.`,
    suggestions && `Known values: ${suggestions.map((value) => `\`${value}\``).join(", ")}.`,
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
