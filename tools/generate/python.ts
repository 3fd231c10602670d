import type { Field } from "../../provider/schema/field";
import type { Kind } from "../../provider/schema/kind";
import { snakeCase } from "../../provider/schema/names";

/** The page of the Python SDK: how to install it, and a program with each kind's complete example. */
export const pythonReadme = (kinds: readonly Kind[]): string =>
  [
    "# pulumi-observability for Python",
    "",
    "Observability configuration as code, with Pulumi. The provider is a Node.js program of the npm package",
    "`pulumi-observability`, which contains this SDK. `docs/plugin.md` in that package has all steps. In a Pulumi project:",
    "",
    "```sh",
    "npm install pulumi-observability",
    "pip install node_modules/pulumi-observability/python",
    "```",
    "",
    "An example of each kind:",
    "",
    "```python",
    "import pulumi_observability as obs",
    ...kinds.flatMap(({ name, args, example }) => {
      const given = Object.entries(example).map(
        ([key, value]) => `    ${snakeCase(key)}=${literal(value, args.fields[key], "    ")},\n`,
      );
      return ["", `obs.${name}(\n    ${JSON.stringify(example.slug ?? "only")},\n${given.join("")})`];
    }),
    "```",
    "",
  ].join("\n");

/** A value in Python: an object is a dictionary with the names of the SDK's arguments. */
function literal(value: unknown, field: Field | undefined, indent: string): string {
  const inner = `${indent}    `;
  const lines = (each: readonly string[], [open, close]: string) =>
    `${open}\n${each.map((line) => `${inner}${line},\n`).join("")}${indent}${close}`;
  if (Array.isArray(value)) {
    const item = field?.visit<Field | undefined>({
      scalar: () => undefined,
      map: () => undefined,
      object: () => undefined,
      list: (list) => list.item,
    });
    return lines(
      value.map((each) => literal(each, item, inner)),
      "[]",
    );
  }
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = field?.visit<Readonly<Record<string, Field>> | undefined>({
    scalar: () => undefined,
    map: () => undefined,
    list: () => undefined,
    object: ({ shape }) => shape.fields,
  });
  const entries = Object.entries(value).map(([key, each]) => {
    const name = fields === undefined ? key : snakeCase(key);
    return `${JSON.stringify(name)}: ${literal(each, fields?.[key], inner)}`;
  });
  return lines(entries, "{}");
}
