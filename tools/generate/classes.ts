import type { Shape } from "../../provider/schema/field";
import type { Kind } from "../../provider/schema/kind";
import { namespace } from "../../provider/schema/names";
import { mapSettings, settings } from "../../provider/schema/settings";
import { shapesOf } from "../../provider/schema/walk";
import { functions } from "./functions";
import { programWith } from "./languages";
import { docComment, interfaceOf, memberLines, pathsOfSecrets, sourceFile } from "./source";
import { outputType, typeScript } from "./typeScript";

/** The typed resource class of one kind with its argument interface, and the functions that read its objects. */
export function resourceClass(kind: Kind, file: string, kinds: readonly Kind[]): string {
  return sourceFile(
    `provider/kinds/${file}.ts`,
    'import type * as pulumi from "@pulumi/pulumi";',
    'import { call, callOutput, type FunctionFacts } from "./functions";',
    'import type { ResourceFacts, ResourceOptions } from "./options";',
    'import { ConfigurationResource } from "./resource";',
    ...(shapesOf(kind.args).length > 0 ? ['import type * as types from "./types.gen";'] : []),
    "",
    ...factsOf(kind),
    "",
    ...interfaceOf(`${kind.name}Args`, `The arguments of a ${kind.name}.`, argumentLines(kind.args)),
    docComment(
      `${kind.description} All arguments: \`docs/kinds/${file}.gen.md\` in this package.\n` +
        `@example\n\`\`\`ts\n${programWith(kind, kinds)}\n\`\`\``,
    ),
    `export class ${kind.name} extends ConfigurationResource {`,
    ...members(kind),
    "}",
    "",
    ...functions(kind),
  );
}

const listOf = (names: readonly string[]) => `[${names.map((name) => `"${name}"`).join(", ")}]`;

function factsOf(kind: Kind): string[] {
  const defaultsFrom = Object.entries(kind.args.fields).flatMap(([name, { options }]) =>
    options.defaultsFrom === undefined ? [] : [`${name}: "${options.defaultsFrom}"`],
  );
  return [
    "const facts: ResourceFacts = {",
    `  kind: "${kind.name}",`,
    `  keys: ${listOf(Object.keys(kind.args.fields))},`,
    `  derived: ${listOf(kind.isSingleton ? [] : ["name", "slug"])},`,
    `  secrets: ${listOf(pathsOfSecrets(kind))},`,
    `  defaultsFrom: {${defaultsFrom.length === 0 ? "" : ` ${defaultsFrom.join(", ")} `}},`,
    "};",
  ];
}

function members(kind: Kind): string[] {
  const id = kind.isSingleton ? `id: pulumi.Input<pulumi.ID> = "${kind.singletonId}"` : "id: pulumi.Input<pulumi.ID>";
  return [
    "  static {",
    "    this.defineAbsentOutputs(facts);",
    "  }",
    "",
    docComment(
      `Reads an existing ${kind.title} without managing it.\n` +
        `@param name The Pulumi name of the resource.\n` +
        `@param id The ${kind.isSingleton ? "id of the single instance" : `${kind.title}'s slug`}.\n` +
        `@throws Fails the run where there is no such ${kind.title}.`,
      "  ",
    ),
    `  static get(name: string, ${id}, opts: pulumi.CustomResourceOptions = {}): ${kind.name} {`,
    `    return new ${kind.name}(name, {}, { ...opts, id });`,
    "  }",
    "",
    docComment(`Whether a value is a ${kind.name}, also one made by another copy of this package.`, "  "),
    `  static override isInstance(value: unknown): value is ${kind.name} {`,
    "    return ConfigurationResource.isOfKind(facts, value);",
    "  }",
    "",
    ...memberLines(
      kind.args,
      "output",
      (name, field) => `declare readonly ${name}: pulumi.Output<${outputType(name, field)}>`,
    ),
    "",
    docComment(
      `@param name The Pulumi name of the resource${kind.isSingleton ? "" : "; the default of `name` and, in slug form, of `slug`"}.`,
      "  ",
    ),
    `  constructor(name: string, args: ${kind.name}Args, opts: ResourceOptions = {}) {`,
    "    super(facts, name, args, opts);",
    "  }",
  ];
}

const argumentLines = (shape: Shape) =>
  memberLines(shape, "argument", (name, field) => `${name}?: pulumi.Input<${typeScript(field, "input")} | undefined>`);

/** The interfaces of every nested shape, as arguments and as results. */
export function shapeTypes(kinds: readonly Kind[]): string {
  const shapes = [...new Set(kinds.flatMap((kind) => shapesOf(kind.args)))].sort((a, b) => (a.name < b.name ? -1 : 1));
  return sourceFile(
    "provider/kinds",
    'import type * as pulumi from "@pulumi/pulumi";',
    // The file imports itself under the name that the classes use.
    'import type * as types from "./types.gen";',
    "",
    ...shapes.flatMap((shape) => [
      ...interfaceOf(`${shape.name}Args`, shape.description, argumentLines(shape)),
      ...interfaceOf(
        shape.name,
        shape.description,
        memberLines(shape, "output", (name, field) => `readonly ${name}?: ${typeScript(field, "output")}`),
      ),
    ]),
  );
}

/** The arguments of an explicit provider. */
export function providerArgs(): string {
  return sourceFile(
    "provider/schema/settings.ts",
    'import type * as pulumi from "@pulumi/pulumi";',
    "",
    ...interfaceOf("ProviderArgs", settings.description, argumentLines(settings)),
    docComment("The namespace of stack config."),
    `export const namespace = "${namespace}";`,
    "",
    docComment("The settings' names."),
    `export const settingNames = ${listOf(Object.keys(settings.fields))} as const;`,
    "",
    docComment("The settings that are maps."),
    `export const mapSettings = ${listOf(mapSettings)} as const;`,
  );
}
