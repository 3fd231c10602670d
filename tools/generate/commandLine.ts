import { commandLine } from "../../cli/commandLine";
import { CliCommand } from "../../cli/commands/options";
import { code, page, pageHeader, table } from "./source";

/** Returns the page of the command line: each command with its arguments, options, defaults and exit statuses. */
export const commandLinePage = (): string =>
  page(
    pageHeader("cli/commands"),
    "# Command line",
    "The package installs the command `pulumi-observability`. Run it with `npx` in the folder of your program.",
    ...sections(commandLine()),
  );

function sections(command: CliCommand, parents: readonly string[] = []): string[] {
  const path = [...parents, command.name()];
  const { registeredArguments, options, examples, notes } = command;
  return [
    ...(parents.length === 0 ? [] : [`## ${path.slice(1).join(" ")}`]),
    command.description(),
    ...tableOf(
      "Argument",
      registeredArguments.map((argument) => [argument.name(), argument.description]),
    ),
    ...tableOf(
      "Option",
      options.map((option) => [option.flags, option.description + defaultOf(option)]),
    ),
    ...(examples.length === 0 ? [] : [code("sh", examples.join("\n"))]),
    ...notes.map(escaped),
    ...commandsOf(command).flatMap((each) => sections(each, path)),
  ];
}

/** The commands inside of a command. */
export const commandsOf = ({ commands }: CliCommand) => commands.filter((each) => each instanceof CliCommand);

const defaultOf = ({ defaultValue, defaultValueDescription }: CliCommand["options"][number]) =>
  defaultValue === undefined ? "" : ` (default: ${defaultValueDescription ?? JSON.stringify(defaultValue)})`;

const tableOf = (title: string, rows: readonly (readonly [string, string])[]) => {
  const cells = rows.map(([name, text]) => [`\`${name.replaceAll("|", "\\|")}\``, escaped(text)]);
  return rows.length === 0 ? [] : [table([title, "Description"], cells)];
};

export const escaped = (text: string) => text.replaceAll(/[<*|]/g, "\\$&");
