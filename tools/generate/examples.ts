import { ObjectField, type Shape } from "../../provider/schema/field";
import type { Kind } from "../../provider/schema/kind";
import { snakeCase } from "../../provider/schema/names";

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

const kebab = (name: string) => snakeCase(name).replaceAll("_", "-");
