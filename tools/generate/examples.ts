import { type Field, ObjectField, type Shape } from "../../provider/schema/field";
import type { Kind } from "../../provider/schema/kind";
import { snakeCase } from "../../provider/schema/names";
import { scalarsOf } from "../../provider/schema/walk";
import { sourceLiteral } from "../../cli/program/literal";

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
    const key = `${receiver}${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    return `${name}: ${options.secret === undefined ? '"team@example.com"' : `config.requireSecret("${key}")`}`;
  });
}

/** A kind's example as a program, after the objects that it refers to. Secrets come from the stack's config. */
export function programWith(kind: Kind, kinds: readonly Kind[]): string {
  const referred = new Set<Kind>();
  const secrets = secretsIn(kind);
  const instead = (_: unknown, field?: Field): string | undefined => {
    if (secrets.has(field)) return `new pulumi.Config().requireSecret("${secrets.get(field)}")`;
    const target = kinds.find(({ name }) => name === field?.options.refersTo);
    if (target === undefined) return undefined;
    referred.add(target);
    return `${variable(target)}.slug`;
  };
  const declare = (each: Kind): string =>
    `new obs.${each.name}("${slugOf(each)}", ${sourceLiteral(each.example, each.root, { instead, width: 88 })});`;
  const own = declare(kind);
  const others = [...referred].map((each) => `const ${variable(each)} = ${declare(each)}`);
  const imports = ['import * as obs from "pulumi-observability";', ""];
  if (own.includes("pulumi.")) imports.unshift('import * as pulumi from "@pulumi/pulumi";');
  return [...imports, ...others, own].join("\n");
}

/** The secret fields of a kind, with the names that their values have in stack config. */
export const secretsIn = (kind: Kind): ReadonlyMap<Field | undefined, string> =>
  new Map(
    scalarsOf(kind.root).flatMap(({ path, field }) => (field.options.secret ? [[field, String(path.at(-1))]] : [])),
  );

export const slugOf = ({ example }: Kind) => String(example.slug ?? "only");

const kebab = (name: string) => snakeCase(name).replaceAll("_", "-");

export const variable = ({ name }: Kind) => name.charAt(0).toLowerCase() + name.slice(1);
