import { availableParallelism } from "node:os";
import { Option } from "commander";
import { repeatable, wholeNumber } from "./options";

export const stackOptions = (): readonly Option[] => [
  repeatable((name: string) => name, "--stack <name>", "a stack, in each folder; by default the selected one"),
  new Option("--all-stacks", "every stack of each program").conflicts("stack"),
  new Option(
    "--from <file...>",
    'what "pulumi preview --json" or this command with --json has printed; "-" is standard input',
  ).conflicts(["stack", "allStacks", "refresh"]),
  new Option("--parallel <number>", "how many previews run at a time")
    .argParser(wholeNumber)
    .default(Math.max(1, Math.min(4, availableParallelism()))),
  repeatable(
    (option: string) => option,
    "--preview-option <option>",
    'a further option of "pulumi preview", such as --preview-option=--diff',
  ),
  new Option("--markdown <file>", "write a comment for a pull request, below 65,536 characters"),
];

export const statuses = (found: string) =>
  `\nExit status: 0 if all was previewed, 1 if a preview failed, 2 if the command line is wrong, 3 if there is\n${found}.\n`;
