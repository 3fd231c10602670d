import type { Kind } from "../../provider/schema/kind";
import { fieldDescription, docComment } from "./source";
import { outputType } from "./typeScript";

/** The functions that read objects of one kind, each also in the form that takes and gives outputs. */
export function functions(kind: Kind): readonly string[] {
  const { name, title } = kind;
  const [one, many] = kind.functionNames;
  const single = kind.isSingleton ? `the ${title}` : `a ${title}`;
  return [
    docComment(`${capital(single)} as the service shows it. A secret that the service masks is left out.`),
    `export interface Get${name}Result {`,
    ...Object.entries(kind.args.fields).flatMap(([field, each]) => [
      docComment(fieldDescription(each), "  "),
      // Not optional: with "?", an output's property would be possibly undefined itself.
      `  readonly ${field}: ${outputType(field, each)};`,
    ]),
    docComment("When the object was created, RFC 3339 in UTC.", "  "),
    "  readonly createdAt: string;",
    docComment("When the object was last written, RFC 3339 in UTC.", "  "),
    "  readonly updatedAt: string;",
    "}",
    "",
    ...(kind.isSingleton ? [] : argumentTypes(`Get${name}`, [slugArgument(title)])),
    ...both({
      name: one ?? "",
      kind,
      args: kind.isSingleton ? {} : { slug: "text" },
      does: `Reads ${single} in the service while the program runs, in a preview too, and records nothing.`,
      fails: `Fails the run if there is no such ${title}, or if the service cannot show it.`,
    }),
    ...(many === undefined ? [] : listFunctions(kind, many)),
  ];
}

function listFunctions(kind: Kind, name: string): readonly string[] {
  const { manyTitle, manyName = "" } = kind;
  return [
    docComment(`The ${manyTitle} that match.`),
    `export interface ${capital(name)}Result {`,
    `  readonly ${manyName}: Get${kind.name}Result[];`,
    "}",
    "",
    ...argumentTypes(capital(name), [filterArgument("under", "slug"), filterArgument("with", "name")]),
    ...both({
      name,
      kind,
      many: manyName,
      args: { slugs: "texts", names: "texts" },
      does:
        `Reads all ${manyTitle} in the service that match every filter given, from all pages of the list, while the program ` +
        "runs, also in a preview, and records nothing.",
      fails: `Fails the run if the service cannot list ${manyTitle}.`,
    }),
  ];
}

interface Argument {
  readonly name: string;
  readonly doc: string;
  readonly isList?: boolean;
}

const slugArgument = (title: string): Argument => ({ name: "slug", doc: `The ${title}'s slug.` });

const filterArgument = (preposition: string, field: string): Argument => ({
  name: `${field}s`,
  doc: `Only those ${preposition} one of these ${field}s; none if it is empty. Default: every ${field}.`,
  isList: true,
});

/** The arguments, and the same as inputs. */
const argumentTypes = (prefix: string, args: readonly Argument[]): readonly string[] =>
  [false, true].flatMap((isOutput) => [
    docComment(`The arguments of \`get${prefix.slice("Get".length)}${isOutput ? "Output" : ""}\`.`),
    `export interface ${prefix}${isOutput ? "Output" : ""}Args {`,
    ...args.flatMap(({ name, doc, isList = false }) => {
      const input = isList ? "pulumi.Input<pulumi.Input<string>[] | undefined>" : "pulumi.Input<string>";
      const plain = isList ? "readonly string[] | undefined" : "string";
      return [docComment(doc, "  "), `  ${name}${isList ? "?" : ""}: ${isOutput ? input : plain};`];
    }),
    "}",
    "",
  ]);

interface FunctionText {
  readonly name: string;
  readonly kind: Kind;
  readonly many?: string;
  readonly args: Readonly<Record<string, "text" | "texts">>;
  readonly does: string;
  readonly fails: string;
}

/** A function in both forms. */
function both({ name, kind, many, args, does, fails }: FunctionText): readonly string[] {
  const names = Object.entries(args);
  const facts = [
    `name: "${name}"`,
    `kind: "${kind.name}"`,
    ...(many === undefined ? [] : [`many: "${many}"`]),
    `args: {${names.map(([each, holds]) => ` ${each}: "${holds}"`).join(",")}${names.length > 0 ? " " : ""}}`,
  ];
  const constant = `${name}Facts`;
  const type = capital(name);
  const parameter = (suffix: string) => {
    if (names.length === 0) return "";
    return names.some(([, holds]) => holds === "text") ? `args: ${type}${suffix}, ` : `args: ${type}${suffix} = {}, `;
  };
  const given = names.length === 0 ? "{}" : "args";
  const plainly = "The values are plain: nothing marks an address that carries a credential as a secret";
  return [
    `const ${constant}: FunctionFacts = { ${facts.join(", ")} };`,
    "",
    docComment(`${does} ${plainly}; \`${name}Output\` does.\n@throws ${fails}`),
    `export function ${name}(${parameter("Args")}opts?: pulumi.InvokeOptions): Promise<${type}Result> {`,
    `  return call(${constant}, ${given}, opts);`,
    "}",
    "",
    docComment(
      `${does} Takes outputs: the result is unknown in a preview if they are, or if they come from a resource that does not ` +
        `exist yet. All of it is a secret if the service shows a secret in plain text.\n@throws ${fails}`,
    ),
    `export function ${name}Output(${parameter("OutputArgs")}opts?: pulumi.InvokeOutputOptions): pulumi.Output<${type}Result> {`,
    `  return callOutput(${constant}, ${given}, opts);`,
    "}",
    "",
  ];
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
