import { type Field, ObjectField, type Shape } from "../../provider/schema/field";
import type { Kind } from "../../provider/schema/kind";
import { snakeCase } from "../../provider/schema/names";
import { scalarsOf } from "../../provider/schema/walk";
import { sourceLiteral } from "../../provider/values/literal";

type Values = Readonly<Record<string, unknown>>;

/** A kind's complete example, as a program. */
export const completeExample = (kind: Kind, kinds: readonly Kind[]): string => program(kind, kinds, kind.example);

/** A program with little more than the service requires. */
export const minimalExample = (kind: Kind, kinds: readonly Kind[]): string => program(kind, kinds, minimalArgs(kind));

/** Adopts the object of that example, and refers to others by their slugs. */
export const importExample = (kind: Kind): string => program(kind, [], minimalArgs(kind), 'adopt: "identical"');

/** Reads the object of that example, and all objects of the kind. */
export function functionsExample(kind: Kind): string {
  const [one = "", many] = kind.functionNames;
  const given = kind.isSingleton ? "" : `{ slug: "${slugOf(kind)}" }`;
  return [
    'import * as obs from "pulumi-observability";',
    "",
    `export const ${variable(kind)} = obs.${one}Output(${given});`,
    ...(many === undefined
      ? []
      : [
          `export const ${kind.manyName} = obs.${many}Output().${kind.manyName}.apply((all) => all.map(({ slug }) => slug));`,
        ]),
  ].join("\n");
}

/** One object for each receiver, with the fields that the service requires. Undefined for a kind without receivers. */
export function receiversExample(kind: Kind): string | undefined {
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
      const args = receiverArgs(name, shape).map((arg) => `    ${arg},\n`);
      return `\nnew obs.${kind.name}("${kebab(name)}", {\n  ${name}: {\n${args.join("")}  },\n});`;
    }),
  ].join("\n");
}

function receiverArgs(receiver: string, shape: Shape): readonly string[] {
  const required = Object.entries(shape.fields).filter(([, { options }]) => options.required !== undefined);
  const always = required.filter(([, { options }]) => options.required === "always");
  const chosen = always.length > 0 ? always : required.slice(0, 1);
  return chosen.map(([name, { options }]) => {
    const key = `${receiver}${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    return `${name}: ${options.secret === undefined ? '"team@example.com"' : `config.requireSecret("${key}")`}`;
  });
}

/** The fields that the service requires, or else the first one, without their optional objects and lists. */
function minimalArgs({ args: { fields }, example }: Kind): Values {
  const { name: _name, slug: _slug, ...own } = example;
  const required = Object.keys(own).filter((name) => fields[name]?.options.required !== undefined);
  const kept = required.length > 0 ? required : Object.keys(own).slice(0, 1);
  return Object.fromEntries(kept.map((name) => [name, minimal(own[name], fields[name])]));
}

/** Of an object, its required fields, strings and numbers, or else its first field. Of a list, the first item. */
function minimal(value: unknown, field: Field | undefined): unknown {
  if (Array.isArray(value)) return value.slice(0, 1);
  if (!(field instanceof ObjectField)) return value;
  const { fields } = field.shape;
  const entries = Object.entries(value as Values);
  const kept = entries.filter(
    ([name, each]) => fields[name]?.options.required !== undefined || /string|number/.test(typeof each),
  );
  return Object.fromEntries(
    (kept.length > 0 ? kept : entries.slice(0, 1)).map(([name, each]) => [name, minimal(each, fields[name])]),
  );
}

/** A program with one object of a kind, after the objects that it refers to. Secrets come from the stack's config. */
function program(kind: Kind, kinds: readonly Kind[], args: Values, options?: string): string {
  const referred = new Set<Kind>();
  const secrets = new Map<Field | undefined, string>(
    scalarsOf(kind.root).flatMap(({ path, field }) => (field.options.secret ? [[field, String(path.at(-1))]] : [])),
  );
  const instead = (_: unknown, field?: Field): string | undefined => {
    if (secrets.has(field)) return `new pulumi.Config().requireSecret("${secrets.get(field)}")`;
    const target = kinds.find(({ name }) => name === field?.options.refersTo);
    if (target === undefined) return undefined;
    referred.add(target);
    return `${variable(target)}.slug`;
  };
  const declare = (each: Kind, given: Values): string =>
    `new obs.${each.name}("${slugOf(each)}", ${sourceLiteral(given, each.root, { instead, width: 88 })}${
      each === kind && options !== undefined ? `, { ${options} }` : ""
    });`;
  const own = declare(kind, args);
  const others = [...referred].map((each) => `const ${variable(each)} = ${declare(each, each.example)}`);
  const imports = ['import * as obs from "pulumi-observability";', ""];
  if (own.includes("pulumi.")) imports.unshift('import * as pulumi from "@pulumi/pulumi";');
  return [...imports, ...others, own].join("\n");
}

const slugOf = ({ example }: Kind) => String(example.slug ?? "only");

const kebab = (name: string) => snakeCase(name).replaceAll("_", "-");

const variable = ({ name }: Kind) => name.charAt(0).toLowerCase() + name.slice(1);
