import type { Effect } from "../../provider/schema/effect";
import { type Field, ObjectField, type Shape } from "../../provider/schema/field";
import type { Kind, Verb } from "../../provider/schema/kind";
import { environmentVariable, namespace, snakeCase } from "../../provider/schema/names";
import { settings } from "../../provider/schema/settings";
import { scalarsOf, shapeIn } from "../../provider/schema/walk";
import { programWith } from "./languages";
import { bullets, code, fieldDescription, page, pageHeader, pathsOfSecrets, requirement, table, upper } from "./source";

/** A kind's page: an example, every field, how to import it, what replaces it, its secrets, limits and operations. */
export function kindPage(kind: Kind, file: string, kinds: readonly Kind[]): string {
  const receivers = receiversExample(kind);
  const secrets = pathsOfSecrets(kind);
  return page(
    pageHeader(`provider/kinds/${file}.ts`),
    `# ${kind.name}`,
    kind.description,
    `See also: ${guidesFor(kind).join(", ")}.`,
    "## Example",
    code("ts", programWith(kind, kinds)),
    ...(receivers === undefined
      ? []
      : ["## Receivers", "`pulumi config set --secret <name>` sets each secret.", code("ts", receivers)]),
    "## Arguments",
    "All are optional in TypeScript. *Required* means that the reference service rejects an object without the field. A preview shows which fields your service requires.",
    table(["Field", "Type", "Meaning", "Required"], fieldRows(kind.args)),
    `Outputs: \`id\` (${kind.isSingleton ? `always \`${kind.singletonId}\`` : "the slug"}), \`createdAt\` and \`updatedAt\` (RFC 3339, in UTC).`,
    "## Import and replacement",
    `Declare the existing object with the option [\`adopt: "identical"\`](../how-it-works.md#adopt-an-existing-object), or write the program from a whole service with [\`pulumi-observability import\`](../import-existing.md). With the [plugin](../languages.md#import-an-existing-object), \`pulumi import ${namespace}:index:${kind.name} <name> ${kind.isSingleton ? kind.singletonId : "<slug>"}\` works too.`,
    kind.isSingleton
      ? "No change replaces the object. Every change is an update in place."
      : "Only a changed `slug` replaces the object. The new object is created before the old one is deleted. Every other change is an update in place. To give the resource another Pulumi name, use the option `aliases`. The slug stays.",
    ...(secrets.length === 0
      ? ["No field is secret."]
      : [
          "## Secrets",
          "These fields are encrypted in the state and redacted from messages, with the [exceptions](../../SECURITY.md#what-is-redacted):",
          bullets(secrets.map((path) => `\`${path}\``)),
        ]),
    ...(kind.limits.length === 0 ? [] : ["## Limits", bullets(kind.limits)]),
    "## Operations and functions",
    "Operations marked “no” may be missing in your service. [Functions](../organize.md#read-existing-objects) read existing objects while the program runs.",
    operationTable(kind),
  );
}

/** The pages about what a field decides. */
const guides: Readonly<Partial<Record<Effect, string>>> = {
  routes: "[how notifications reach a notifier](../how-it-works.md#how-notifications-reach-a-notifier)",
  threshold: "[when a monitor fires](../testing.md#rules-of-the-simulation)",
  schedule: "[helpers for schedules](../testing.md#schedules)",
  burnRate: "[what an SLO's alerts mean](../testing.md#what-an-slos-alerts-mean)",
  publishes: "[what depends on a metric](../review.md#resources-that-depend-on-a-changed-metric)",
};

function guidesFor(kind: Kind): readonly string[] {
  const effects = new Set(scalarsOf(kind.root).map(({ effect }) => effect));
  return [
    ...Object.entries(guides).flatMap(([effect, link]) => (effects.has(effect as Effect) ? [link] : [])),
    "[resource options](../how-it-works.md#resource-options)",
    "the [settings](../settings.gen.md) of a `Provider`",
  ];
}

function operationTable({ operations, functionNames: [one, many], isSingleton, manyName }: Kind): string {
  const functions: Partial<Record<Verb, string>> = {
    read: `\`${one}(${isSingleton ? "" : "{ slug }"})\``,
    ...(many !== undefined && { list: `\`${many}({ slugs, names })\`, which returns \`{ ${manyName} }\`` }),
  };
  return table(
    ["To", "Request", "In every service", "Function"],
    (Object.entries(operations) as [Verb, Kind["operations"]["create"]][]).map(
      ([verb, { method, path, described }]) => [
        verb,
        `${method} \`${path}\``,
        described ? "yes" : "no",
        functions[verb] ?? "",
      ],
    ),
  );
}

/** The settings that a provider's arguments have, too. */
export const settingsTable = (...more: readonly (readonly string[])[]): string =>
  table(
    ["Stack config", "Environment", "Type", "Meaning", "Required"],
    [
      ...Object.entries(settings.fields).map(([name, field]) => [
        `\`${namespace}:${name}\``,
        `\`${environmentVariable(name)}\``,
        ...cellsOf(field),
      ]),
      ...more,
    ],
  );

/** The page of the provider's settings. */
export const settingsPage = (): string =>
  page(
    pageHeader("provider/schema/settings.ts"),
    "# Settings",
    settingsTable([
      `\`${namespace}:host\``,
      `\`${environmentVariable("host")}\``,
      "`dynamic`, `plugin`",
      "Where the provider of a [TypeScript program](languages.md#a-typescript-program) runs. Not an argument of a provider. Default: dynamic.",
      "no",
    ]),
    "The arguments of a provider take precedence over stack config, which takes precedence over the environment. Arguments have the names of the stack config without `observability:`:",
    code("ts", providerExample),
    "In the environment, write a list with commas or as JSON, and a map as JSON:",
    code(
      "sh",
      `# stack config
pulumi config set --path ${namespace}:defaultLabels.team checkout
# environment
export ${environmentVariable("defaultLabels")}='{"team":"checkout"}'`,
    ),
  );

/** A row for each field, by its path. The fields of a shape that occurs again are not repeated. */
function fieldRows(shape: Shape, prefix = "", shown = new Map<Shape, string>()): string[][] {
  return Object.entries(shape.fields).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const inner = shapeIn(field);
    const before = inner && shown.get(inner);
    // Its first sentence says what the field's own description says of this place.
    const rules = inner?.description === field.description ? [] : (inner?.description.split(/(?<=\.) /).slice(1) ?? []);
    const others = before === undefined ? rules : [`Its fields are those of \`${before}\`.`];
    const row = [`\`${path}\``, ...cellsOf(field, others)];
    if (inner === undefined || before !== undefined) return [row];
    shown.set(inner, path);
    return [row, ...fieldRows(inner, `${path}${field instanceof ObjectField ? "" : "[]"}.`, shown)];
  });
}

const providerExample = `import * as pulumi from "@pulumi/pulumi";
import * as obs from "pulumi-observability";

const provider = new obs.Provider("checkout", {
  baseUrl: "https://config.example.com",
  apiToken: new pulumi.Config("checkout").requireSecret("apiToken"),
  slugPrefix: "checkout-",
});

new obs.Notifier("pager", { email: { to: "checkout@example.com" } }, { provider });`;

/** A field's type, meaning and requirement, as cells of a table. */
const cellsOf = (field: Field, others: readonly string[] = []): string[] => [
  typeName(field),
  [fieldDescription(field, "page").replaceAll("|", "\\|"), ...others].join(" "),
  requirement(field) ?? "no",
];

const typeName = (field: Field): string =>
  field.visit({
    scalar: ({ type, options: { values } }) => values?.map((value) => `\`${String(value)}\``).join(", ") ?? type,
    map: () => "map of strings",
    list: ({ item }) => `array of ${typeName(item)}`,
    object: () => "object",
  });

/** One object for each receiver, with the fields that the service requires. Undefined for a kind without receivers. */
function receiversExample(kind: Kind): string | undefined {
  const receivers = Object.entries(kind.args.fields).filter(
    (entry): entry is [string, ObjectField] =>
      entry[1] instanceof ObjectField && entry[1].options.required?.startsWith("exactly one receiver") === true,
  );
  if (receivers.length === 0) return undefined;
  return [
    'import * as pulumi from "@pulumi/pulumi";',
    'import * as obs from "pulumi-observability";',
    "",
    "const config = new pulumi.Config();",
    ...receivers.map(([name, { shape }]) => {
      const args = receiverArgs(name, shape).join(", ");
      return `\n// ${shape.description}\nnew obs.${kind.name}("${kebab(name)}", { ${name}: { ${args} } });`;
    }),
  ].join("\n");
}

function receiverArgs(receiver: string, shape: Shape): readonly string[] {
  const required = Object.entries(shape.fields).filter(([, { options }]) => options.required !== undefined);
  const always = required.filter(([, { options }]) => options.required === "always");
  const chosen = always.length > 0 ? always : required.slice(0, 1);
  return chosen.map(([name, { options }]) => {
    const key = `${receiver}${upper(name)}`;
    return `${name}: ${options.secret === undefined ? '"team@example.com"' : `config.requireSecret("${key}")`}`;
  });
}

const kebab = (name: string) => snakeCase(name).replaceAll("_", "-");
