import type { Command } from "commander";
import { commandLine } from "../../cli/commandLine";
import { header, markdownComment } from "./source";

/** Returns the page of the command line: each command with its arguments, options, defaults and exit statuses. */
export const commandLinePage = (): string =>
  [
    header(markdownComment, "cli/commands"),
    "# Command line",
    "The package installs the command `pulumi-observability`. Run it with `npx` in the folder of your program.",
    ...sections(commandLine()),
  ].join("\n\n") + "\n";

function sections(command: Command, parents: readonly string[] = []): string[] {
  const path = [...parents, command.name()];
  const { commands, registeredArguments, options } = command;
  const own = [
    ...(parents.length === 0 ? [] : [`## ${path.slice(1).join(" ")}`]),
    command.description(),
    ...table(
      "Argument",
      registeredArguments.map((argument) => [argument.name(), argument.description]),
    ),
    ...table(
      "Option",
      options.map((option) => [option.flags, option.description + defaultOf(option)]),
    ),
    ...textAfter(command),
  ];
  return [...own, ...commands.flatMap((each) => sections(each, path))];
}

const defaultOf = ({ defaultValue, defaultValueDescription }: Command["options"][number]) =>
  defaultValue === undefined ? "" : ` (default: ${defaultValueDescription ?? JSON.stringify(defaultValue)})`;

const table = (title: string, rows: readonly (readonly [string, string])[]) =>
  rows.length === 0
    ? []
    : [
        [`| ${title} | Description |`, "|---|---|"]
          .concat(rows.map(([name, text]) => `| \`${name.replaceAll("|", "\\|")}\` | ${escaped(text)} |`))
          .join("\n"),
      ];

export const escaped = (text: string) => text.replaceAll(/[<*|]/g, "\\$&");

/** The text after a command's help: examples as code, and paragraphs that a terminal's width has broken. */
export function textAfter(command: Command): string[] {
  let help = "";
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
  const [, after = ""] = help.split(command.helpInformation());
  return after
    .split(/\n(?=Examples:|Exit status:|Settings:|Auth|Prompts)/)
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) =>
      part.startsWith("Examples:")
        ? `\`\`\`sh\n${part.split("\n").slice(1).join("\n").replaceAll(/^ {2}/gm, "")}\n\`\`\``
        : escaped(part.replaceAll("\n", " ")),
    );
}
