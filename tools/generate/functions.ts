import type { Kind } from "../../provider/schema/kind";
import { docComment, interfaceOf, memberLines, pathsOfSecrets, upper } from "./source";
import { outputType } from "./typeScript";

interface FunctionText {
  readonly name: string;
  /** The key of the objects in the result of a list. */
  readonly many?: string;
  /** By their names, with their documentation. Those of a list are arrays, and optional. */
  readonly args: Readonly<Record<string, string>>;
  readonly does: string;
  readonly fails: string;
}

/** The functions that read objects of one kind, each also in the form that takes and gives outputs. */
export function functions(kind: Kind): readonly string[] {
  const { name, title, manyTitle, manyName = "" } = kind;
  const [one = "", many] = kind.functionNames;
  const single = kind.isSingleton ? `the ${title}` : `a ${title}`;
  return [
    ...interfaceOf(
      `Get${name}Result`,
      `${upper(single)} as the service shows it. A secret that the service masks is left out.`,
      [
        // Not optional: with "?", an output's property would be possibly undefined itself.
        ...memberLines(kind.args, "output", (field, each) => `readonly ${field}: ${outputType(field, each)}`),
        docComment("When the object was created, RFC 3339 in UTC.", "  "),
        "  readonly createdAt: string;",
        docComment("When the object was last written, RFC 3339 in UTC.", "  "),
        "  readonly updatedAt: string;",
      ],
    ),
    ...both(kind, {
      name: one,
      args: kind.isSingleton ? {} : { slug: `The ${title}'s slug.` },
      does: `Reads ${single} in the service while the program runs, in a preview too, and records nothing.`,
      fails: `Fails the run if there is no such ${title}, or if the service cannot show it.`,
    }),
    ...(many === undefined
      ? []
      : [
          ...interfaceOf(`${upper(many)}Result`, `The ${manyTitle} that match.`, [
            `  readonly ${manyName}: Get${name}Result[];`,
          ]),
          ...both(kind, {
            name: many,
            many: manyName,
            args: {
              slugs: "Only those under one of these slugs; none if it is empty. Default: every slug.",
              names: "Only those with one of these names; none if it is empty. Default: every name.",
            },
            does:
              `Reads all ${manyTitle} in the service that match every filter given, from all pages of the list, while the ` +
              "program runs, also in a preview, and records nothing.",
            fails: `Fails the run if the service cannot list ${manyTitle}.`,
          }),
        ]),
  ];
}

/** A function in both forms, after the types of its arguments. */
function both(kind: Kind, { name, many, args, does, fails }: FunctionText): readonly string[] {
  const isList = many !== undefined;
  const type = upper(name);
  const [plain, input] = isList
    ? ["?: readonly string[] | undefined", "?: pulumi.Input<pulumi.Input<string>[] | undefined>"]
    : [": string", ": pulumi.Input<string>"];
  const argumentsOf = (suffix: string, holds: string) =>
    interfaceOf(
      `${type}${suffix}Args`,
      `The arguments of \`${name}${suffix}\`.`,
      Object.entries(args).flatMap(([each, doc]) => [docComment(doc, "  "), `  ${each}${holds};`]),
    );
  const hasArgs = Object.keys(args).length > 0;
  const held = Object.keys(args).map((each) => ` ${each}: "${isList ? "texts" : "text"}"`);
  const facts = [
    `name: "${name}"`,
    `kind: "${kind.name}"`,
    ...(isList ? [`many: "${many}"`] : []),
    `args: {${held.join(",")}${hasArgs ? " " : ""}}`,
  ];
  const parameter = (suffix: string) => (hasArgs ? `args: ${type}${suffix}${isList ? " = {}" : ""}, ` : "");
  const given = `${name}Facts, ${hasArgs ? "args" : "{}"}, opts`;
  const [plainly, isSecret] =
    pathsOfSecrets(kind).length > 0
      ? [
          "A URL or key that the service shows in plain text isn't marked as secret",
          "the service shows a secret in plain text, or a resource of the program marks one of its values",
        ]
      : [
          "A value that a resource of the program marks as secret isn't marked",
          "a resource of the program marks one of its values",
        ];
  return [
    ...(hasArgs ? [...argumentsOf("", plain), ...argumentsOf("Output", input)] : []),
    `const ${name}Facts: FunctionFacts = { ${facts.join(", ")} };`,
    "",
    docComment(`${does} ${plainly}; \`${name}Output\` marks it.\n@throws ${fails}`),
    `export function ${name}(${parameter("Args")}opts?: pulumi.InvokeOptions): Promise<${type}Result> {`,
    `  return call(${given});`,
    "}",
    "",
    docComment(
      `${does} Takes outputs: the result is unknown in a preview if they are, or if they come from a resource that does not ` +
        `exist yet. All of it is a secret if ${isSecret}.\n@throws ${fails}`,
    ),
    `export function ${name}Output(${parameter("OutputArgs")}opts?: pulumi.InvokeOutputOptions): pulumi.Output<${type}Result> {`,
    `  return callOutput(${given});`,
    "}",
    "",
  ];
}
