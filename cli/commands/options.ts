import { InvalidArgumentError, Option } from "commander";
import { kinds } from "../../provider/kinds/index.gen";
import type { Kind } from "../../provider/schema/kind";
import { nearest } from "../../provider/values/nearest";

/** The examples at the end of a command's help. */
export const examples = (...lines: readonly string[]) =>
  `\nExamples:\n${lines.map((line) => `  ${line}`).join("\n")}\n`;

export interface JsonFlag {
  readonly json?: boolean;
}

export const jsonOption = () => new Option("--json", "print the result as one JSON object");

export const outOption = () =>
  new Option(
    "--out <dir>",
    "the folder of the program; files that others wrote or changed stay as they are",
  ).makeOptionMandatory();

export const stackOption = () =>
  new Option("--stack <name>", "the stack of the program in the current folder; by default the selected one");

export const fromOption = () =>
  new Option(
    "--from <file>",
    'what "pulumi preview --json --show-sames" has printed, in place of a new preview; "-" is standard input',
  ).conflicts("stack");

export const groupByOption = () =>
  new Option("--group-by <label>", "one file for each value of this label, in place of one for each kind");

/** An option that may be given more than once: its values, in order. */
export function repeatable<T>(parse: (text: string) => T, flags: string, description: string): Option {
  return new Option(flags, description).argParser((text: string, before: readonly T[] | undefined) => [
    ...(before ?? []),
    parse(text),
  ]);
}

export function kindOf(text: string): Kind {
  const found = kinds.find(({ name }) => name.toLowerCase() === text.toLowerCase());
  if (found !== undefined) return found;
  const names = kinds.map(({ name }) => name);
  const near = nearest(text, names);
  throw new InvalidArgumentError(near === undefined ? `Kinds are ${names.join(", ")}.` : `Did you mean ${near}?`);
}

export function wholeNumber(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1) throw new InvalidArgumentError("It must be a whole number from 1.");
  return number;
}

export function labelOf(text: string): readonly [string, string] {
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("It must look like team=checkout.");
  return [text.slice(0, at), text.slice(at + 1)];
}
