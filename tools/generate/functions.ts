import type { Kind } from "../../provider/schema/kind";
import { scalarsOf } from "../../provider/schema/walk";
import { docComment, memberLines } from "./source";
import { outputType } from "./typeScript";

/** The functions that read objects of one kind, each also in the form that takes and gives outputs. */
export function functions(kind: Kind): readonly string[] {
  const { name, title } = kind;
  const [one, many] = kind.functionNames;
  const single = kind.isSingleton ? `the ${title}` : `a ${title}`;
  return [
    docComment(`${capital(single)} as the service shows it. A secret that the service masks is left out.`),
    `export interface Get${name}Result {`,
    // Not optional: with "?", an output's property would be possibly undefined itself.
    ...memberLines(kind.args, "output", (field, each) => `readonly ${field}: ${outputType(field, each)}`),
    docComment("When the object was created, RFC 3339 in UTC.", "  "),
    "  readonly createdAt: string;",
    docComment("When the object was last written, RFC 3339 in UTC.", "  "),
    "  readonly updatedAt: string;",
    "}",
    "",
    ...both({
      name: one ?? "",
      kind,
      args: kind.isSingleton ? {} : { slug: ["text", `The ${title}'s slug.`] },
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
    ...both({
      name,
      kind,
      many: manyName,
      args: {
        slugs: ["texts", "Only those under one of these slugs; none if it is empty. Default: every slug."],
        names: ["texts", "Only those with one of these names; none if it is empty. Default: every name."],
      },
      does:
        `Reads all ${manyTitle} in the service that match every filter given, from all pages of the list, while the program ` +
        "runs, also in a preview, and records nothing.",
      fails: `Fails the run if the service cannot list ${manyTitle}.`,
    }),
  ];
}

/** The arguments of a function by their names: what each holds, and its documentation. */
type Arguments = Readonly<Record<string, readonly [holds: "text" | "texts", doc: string]>>;

/** The arguments, and the same as inputs. */
const argumentTypes = (name: string, args: Arguments): readonly string[] =>
  ["", "Output"].flatMap((suffix) => [
    docComment(`The arguments of \`${name}${suffix}\`.`),
    `export interface ${capital(name)}${suffix}Args {`,
    ...Object.entries(args).flatMap(([each, [holds, doc]]) => {
      const [plain, input] =
        holds === "text"
          ? [": string", ": pulumi.Input<string>"]
          : ["?: readonly string[] | undefined", "?: pulumi.Input<pulumi.Input<string>[] | undefined>"];
      return [docComment(doc, "  "), `  ${each}${suffix === "" ? plain : input};`];
    }),
    "}",
    "",
  ]);

interface FunctionText {
  readonly name: string;
  readonly kind: Kind;
  readonly many?: string;
  readonly args: Arguments;
  readonly does: string;
  readonly fails: string;
}

/** A function in both forms, after the types of its arguments. */
function both({ name, kind, many, args, does, fails }: FunctionText): readonly string[] {
  const names = Object.entries(args);
  const facts = [
    `name: "${name}"`,
    `kind: "${kind.name}"`,
    ...(many === undefined ? [] : [`many: "${many}"`]),
    `args: {${names.map(([each, [holds]]) => ` ${each}: "${holds}"`).join(",")}${names.length > 0 ? " " : ""}}`,
  ];
  const constant = `${name}Facts`;
  const type = capital(name);
  const parameter = (suffix: string) => {
    if (names.length === 0) return "";
    return names.some(([, [holds]]) => holds === "text") ? `args: ${type}${suffix}, ` : `args: ${type}${suffix} = {}, `;
  };
  const given = names.length === 0 ? "{}" : "args";
  const [plainly, isSecret] = scalarsOf(kind.root).some(({ field }) => field.options.secret !== undefined)
    ? [
        "A URL or key that the service shows in plain text isn't marked as secret",
        "the service shows a secret in plain text, or a resource of the program marks one of its values",
      ]
    : [
        "A value that a resource of the program marks as secret isn't marked",
        "a resource of the program marks one of its values",
      ];
  return [
    ...(names.length === 0 ? [] : argumentTypes(name, args)),
    `const ${constant}: FunctionFacts = { ${facts.join(", ")} };`,
    "",
    docComment(`${does} ${plainly}; \`${name}Output\` marks it.\n@throws ${fails}`),
    `export function ${name}(${parameter("Args")}opts?: pulumi.InvokeOptions): Promise<${type}Result> {`,
    `  return call(${constant}, ${given}, opts);`,
    "}",
    "",
    docComment(
      `${does} Takes outputs: the result is unknown in a preview if they are, or if they come from a resource that does not ` +
        `exist yet. All of it is a secret if ${isSecret}.\n@throws ${fails}`,
    ),
    `export function ${name}Output(${parameter("OutputArgs")}opts?: pulumi.InvokeOutputOptions): pulumi.Output<${type}Result> {`,
    `  return callOutput(${constant}, ${given}, opts);`,
    "}",
    "",
  ];
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
