import { type Field, ListField, ObjectField } from "../../provider/schema/field";
import type { Kind } from "../../provider/schema/kind";
import { snakeCase } from "../../provider/schema/names";
import { items, type JsonObject } from "../../provider/wire/json";

/** The page of the Python SDK: how to install it, and a program with each kind's complete example. */
export const pythonReadme = (kinds: readonly Kind[]): string =>
  [
    "# pulumi-observability for Python",
    "",
    "Observability configuration as code, with Pulumi. The npm package `pulumi-observability` contains this SDK, the provider and",
    "the steps to use them, in `docs/languages.md`. A complete example of each kind:",
    "",
    "```python",
    "import pulumi_observability as obs",
    ...kinds.flatMap(({ name, args, example }) => {
      const given = Object.entries(example).map(
        ([key, value]) => `    ${snakeCase(key)}=${literal(value, args.fields[key])},\n`,
      );
      return ["", `obs.${name}(\n    ${JSON.stringify(example.slug ?? "only")},\n${given.join("")})`];
    }),
    "```",
    "",
  ].join("\n");

/** A value in Python. */
const literal = (value: unknown, field: Field | undefined): string =>
  JSON.stringify(inPython(value, field), null, 4)
    .replace(/\b(true|false)(?=,?$)/gm, (word) => (word === "true" ? "True" : "False"))
    .replaceAll("\n", "\n    ");

/** The value with the names of the SDK's arguments. */
function inPython(value: unknown, field: Field | undefined): unknown {
  if (field instanceof ListField) return items(value).map((each) => inPython(each, field.item));
  if (!(field instanceof ObjectField)) return value;
  const { fields } = field.shape;
  const entries = Object.entries(value as JsonObject); // as the field declares it
  return Object.fromEntries(entries.map(([key, each]) => [snakeCase(key), inPython(each, fields[key])]));
}
