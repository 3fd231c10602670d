import { stringify } from "yaml";
import { sourceLiteral } from "../../cli/program/literal";
import type { Field, ScalarField, Shape } from "../../provider/schema/field";
import type { Kind } from "../../provider/schema/kind";
import { namespace, snakeCase } from "../../provider/schema/names";
import { scalarsOf } from "../../provider/schema/walk";
import { entries, items, type JsonObject } from "../../provider/wire/json";
import { upper } from "./source";

/** How a language writes the values of an example. */
interface Writer<Written = unknown> {
  scalar(value: unknown, type: ScalarField["type"]): Written;
  list(values: readonly Written[], item: Field): Written;
  map(entries: readonly (readonly [key: string, value: Written])[]): Written;
  object(members: readonly (readonly [name: string, value: Written])[], shape: Shape): Written;
  /** A secret of stack config. */
  secret(name: string): Written;
  /** The slug of another resource of the program. */
  slugOf(kind: Kind): Written;
  /** A program that declares kinds, the last of which is the one that the example is for. */
  program(declared: readonly Declared<Written>[], secrets: readonly string[]): string;
}

interface Declared<Written> {
  readonly kind: Kind;
  readonly name: string;
  readonly args: readonly (readonly [name: string, value: Written])[];
}

/** A kind's example as a program in each language, by the name of its code block, after the objects that it refers to. */
export const programsOf = (kind: Kind, kinds: readonly Kind[]): readonly (readonly [string, string])[] => [
  ["typescript", programWith(kind, kinds)],
  ["python", writtenBy(python, kind, kinds)],
  ["go", writtenBy(go, kind, kinds)],
  ["yaml", writtenBy(yaml, kind, kinds)],
];

function writtenBy<Written>(writer: Writer<Written>, kind: Kind, kinds: readonly Kind[]): string {
  // With the names that their values have in stack config.
  const secrets = new Map<Field, string>(
    scalarsOf(kind.root).flatMap(({ path, field }) => (field.options.secret ? [[field, String(path.at(-1))]] : [])),
  );
  const used = new Set<string>();
  const referred = new Set<Kind>();
  const written = (field: Field, value: unknown): Written => {
    const secret = secrets.get(field);
    if (secret !== undefined) {
      used.add(secret);
      return writer.secret(secret);
    }
    const target = kinds.find(({ name }) => name === field.options.refersTo);
    if (target !== undefined) {
      referred.add(target);
      return writer.slugOf(target);
    }
    return field.visit({
      scalar: ({ type }) => writer.scalar(value, type),
      list: ({ item }) =>
        writer.list(
          items(value).map((each) => written(item, each)),
          item,
        ),
      map: ({ item }) => writer.map(Object.entries(entries(value)).map(([key, each]) => [key, written(item, each)])),
      object: ({ shape }) => writer.object(members(shape, entries(value)), shape),
    });
  };
  const members = ({ fields }: Shape, value: JsonObject) =>
    Object.entries(value).map(([name, each]) => [name, written(fields[name] as Field, each)] as const); // An example has no other.
  const declared = (each: Kind) => ({
    kind: each,
    name: String(each.example.slug ?? "only"),
    args: members(each.args, each.example),
  });
  const own = declared(kind);
  return writer.program([...[...referred].map(declared), own], [...used]);
}

const variable = ({ name }: Kind) => name.charAt(0).toLowerCase() + name.slice(1);

/** The values themselves, for a language whose printer takes them. */
const values = {
  scalar: (value: unknown) => value,
  list: (all: readonly unknown[]) => all,
  map: Object.fromEntries,
  object: Object.fromEntries,
};

/** Source instead of a value. */
class Source {
  constructor(readonly text: string) {}
}

const typescript: Writer = {
  ...values,
  secret: (name) => new Source(`new pulumi.Config().requireSecret("${name}")`),
  slugOf: (kind) => new Source(`${variable(kind)}.slug`),
  program: (declared, secrets) =>
    [
      ...(secrets.length > 0 ? ['import * as pulumi from "@pulumi/pulumi";'] : []),
      'import * as obs from "pulumi-observability";',
      "",
      ...declared.map(({ kind, name, args }, i) => {
        const instead = (value: unknown) => (value instanceof Source ? value.text : undefined);
        const given = sourceLiteral(Object.fromEntries(args), kind.root, { instead, width: 88 });
        const assigned = i < declared.length - 1 ? `const ${variable(kind)} = ` : "";
        return `${assigned}new obs.${kind.name}("${name}", ${given});`;
      }),
    ].join("\n"),
};

/** A kind's example as a program in TypeScript. */
export const programWith = (kind: Kind, kinds: readonly Kind[]) => writtenBy(typescript, kind, kinds);

/** Lines between brackets, each with a comma behind it. */
const block = (open: string, lines: readonly string[], close: string, indent: string) =>
  lines.length === 0
    ? open + close
    : `${open}\n${lines.map((line) => `${indent}${line.replaceAll("\n", `\n${indent}`)},\n`).join("")}${close}`;

const pythonBlock = (open: string, lines: readonly string[], close: string) => block(open, lines, close, "    ");

const pythonMap = (all: readonly (readonly [string, string])[]) => {
  const lines = all.map(([key, value]) => `${JSON.stringify(key)}: ${value}`);
  return pythonBlock("{", lines, "}");
};

const python: Writer<string> = {
  scalar: (value) => (typeof value === "boolean" ? (value ? "True" : "False") : JSON.stringify(value)),
  list: (values) => pythonBlock("[", values, "]"),
  map: pythonMap,
  object: (members) => pythonMap(members.map(([name, value]) => [snakeCase(name), value])),
  secret: (name) => `pulumi.Config().require_secret("${name}")`,
  slugOf: (kind) => `${snakeCase(variable(kind))}.slug`,
  program: (declared, secrets) =>
    [
      ...(secrets.length > 0 ? ["import pulumi"] : []),
      "import pulumi_observability as obs",
      ...declared.map(({ kind, name, args }, i) => {
        const given = args.map(([key, value]) => `${snakeCase(key)}=${value}`);
        const assigned = i < declared.length - 1 ? `${snakeCase(variable(kind))} = ` : "";
        return `\n${assigned}${pythonBlock(`obs.${kind.name}(`, [JSON.stringify(name), ...given], ")")}`;
      }),
    ].join("\n"),
};

const yaml: Writer = {
  ...values,
  secret: (name) => `\${${name}}`,
  slugOf: (kind) => `\${${variable(kind)}.slug}`,
  program: (declared, secrets) =>
    stringify(
      {
        ...(secrets.length > 0 && {
          config: Object.fromEntries(secrets.map((name) => [name, { type: "string", secret: true }])),
        }),
        resources: Object.fromEntries(
          declared.map(({ kind, name, args }) => [
            variable(kind),
            { type: `${namespace}:${kind.name}`, name, properties: Object.fromEntries(args) },
          ]),
        ),
      },
      { lineWidth: 110 },
    ).trimEnd(),
};

const goTypes = { string: "String", boolean: "Bool", number: "Float64", integer: "Int" } as const;

const goBlock = (open: string, lines: readonly string[]) => block(`${open}{`, lines, "}", "\t");

const goMembers = (members: readonly (readonly [string, string])[]) =>
  members.map(([name, value]) => `${upper(name)}: ${value}`);

const go: Writer<string> = {
  scalar: (value, type) => `pulumi.${goTypes[type]}(${JSON.stringify(value)})`,
  list: (values, item) =>
    goBlock(
      item.visit({
        scalar: ({ type }) => `pulumi.${goTypes[type]}Array`,
        object: ({ shape }) => `obs.${shape.name}Array`,
        list: () => "pulumi.Array",
        map: () => "pulumi.StringMapArray",
      }),
      values,
    ),
  map: (all) =>
    goBlock(
      "pulumi.StringMap",
      all.map(([key, value]) => `${JSON.stringify(key)}: ${value}`),
    ),
  object: (members, { name }) => goBlock(`obs.${name}Args`, goMembers(members)),
  secret: (name) => `config.RequireSecret(ctx, "${name}")`,
  slugOf: (kind) => `${variable(kind)}.Slug`,
  program: (declared, secrets) => {
    const lines = declared.flatMap(({ kind, name, args }, i) => {
      const given = goBlock(`&obs.${kind.name}Args`, goMembers(args));
      const call = `obs.New${kind.name}(ctx, ${JSON.stringify(name)}, ${given})`;
      if (i < declared.length - 1) return [`${variable(kind)}, err := ${call}`, "if err != nil {", "\treturn err", "}"];
      return [`_, err ${i === 0 ? ":=" : "="} ${call}`, "return err"];
    });
    const body = lines.map((line) => `\t\t${line.replaceAll("\n", "\n\t\t")}`);
    return [
      "package main",
      "",
      "import (",
      '\tobs "pulumi-observability/go/observability"',
      "",
      '\t"github.com/pulumi/pulumi/sdk/v3/go/pulumi"',
      ...(secrets.length > 0 ? ['\t"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"'] : []),
      ")",
      "",
      "func main() {",
      "\tpulumi.Run(func(ctx *pulumi.Context) error {",
      ...body,
      "\t})",
      "}",
    ].join("\n");
  },
};
