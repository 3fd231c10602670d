import { commandLine } from "../../cli/commandLine";
import { code, page, pageHeader, table } from "./source";

export type OwnCommand = ReturnType<typeof commandLine>;

/** Returns the page of the command line: each command with its arguments, options, defaults and exit statuses. */
export const commandLinePage = (): string =>
  page(
    pageHeader("cli/commands"),
    "# Command line",
    "The package installs the command `pulumi-observability`. Run it with `npx` in the folder of your program.",
    ...sections(commandLine()),
  );

function sections(command: OwnCommand, parents: readonly string[] = []): string[] {
  const path = [...parents, command.name()];
  const { registeredArguments, options, examples, notes, commands } = command;
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
    ...commands.flatMap((each) => sections(each, path)),
  ];
}

const defaultOf = ({ defaultValue, defaultValueDescription }: OwnCommand["options"][number]) =>
  defaultValue === undefined ? "" : ` (default: ${defaultValueDescription ?? JSON.stringify(defaultValue)})`;

const tableOf = (title: string, rows: readonly (readonly [string, string])[]) => {
  const cells = rows.map(([name, text]) => [`\`${name.replaceAll("|", "\\|")}\``, escaped(text)]);
  return rows.length === 0 ? [] : [table([title, "Description"], cells)];
};

export const escaped = (text: string) => text.replaceAll(/[<*|]/g, "\\$&");
