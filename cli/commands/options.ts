import { existsSync, lstatSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { Command, Help, InvalidArgumentError, Option } from "commander";
import { kinds } from "../../provider/kinds/index.gen";
import type { Kind } from "../../provider/schema/kind";
import { secondsIn, timeIn } from "../../provider/base/durations";
import { meant } from "../../provider/base/nearest";
import { tried } from "../../provider/wire/json";
import { Zone } from "../../sdk/behavior/zones";
import { parseShard } from "../../sdk/teams/report/shard";
import { nightOf } from "../backtest/figures";
import { realOf } from "../output/files";
import { Output } from "../output/output";
import { usualWidth } from "../output/text";

/** A command of this program. */
export class CliCommand extends Command {
  declare readonly commands: readonly CliCommand[];
  examples: readonly string[] = [];
  notes: readonly string[] = [];

  addOptions(options: readonly Option[]): this {
    for (const option of options) this.addOption(option);
    return this;
  }

  /** Ends the help with examples, and with paragraphs after them. */
  addExamples(examples: readonly string[], ...notes: readonly string[]): this {
    this.examples = examples;
    this.notes = notes;
    const shown = examples.length === 0 ? "" : `\nExamples:\n${examples.map((line) => `  ${line}\n`).join("")}`;
    const wrapped = new Help().boxWrap(`\n${notes.join("\n")}\n`, process.stdout.columns || usualWidth);
    return this.addHelpText("after", notes.length === 0 ? shown : shown + wrapped);
  }

  /** Adds `--json`, and runs the command with the output that it chooses. */
  runs<Flags extends object>(run: (flags: Flags, output: Output, args: readonly string[]) => Promise<void>): this {
    return this.addOption(jsonOption()).action(async () => {
      const flags = this.opts<Flags & { readonly json?: boolean }>();
      this.#expectOtherFiles();
      await run(flags, new Output({ json: flags.json === true }), this.args);
    });
  }

  /**
   * Rejects two options of one file, if one of them writes it, or if both read standard input. Text for a device, such as
   * a terminal, overwrites nothing.
   */
  #expectOtherFiles(): void {
    const flags = this.opts<Readonly<Record<string, unknown>>>();
    const seen = new Map<string, string>();
    for (const option of [...readOptions, ...writtenOptions])
      for (const file of [flags[option] ?? []].flat().map(String)) {
        const path = file === "-" ? file : realOf(file);
        if (tried(() => statSync(path))?.isFile() === false) continue;
        const [isWritten, both] = [writtenOptions.includes(option), `--${seen.get(path)} and --${option}`];
        if (seen.has(path) && isWritten) this.error(`error: ${both} name the same file`);
        if (seen.has(path) && file === "-") this.error(`error: ${both} both read standard input`);
        seen.set(path, option);
      }
  }
}

const readOptions = ["from", "series", "standards", "accepted", "incidents", "routes"];
const writtenOptions = ["markdown", "report", "out"];

export const jsonOption = () => new Option("--json", "print the result as one JSON object");

export const outOption = () =>
  folderOption("the folder of the program; files that you wrote or edited are not overwritten");

/** The required option of the folder that a command writes to. */
export const folderOption = (description: string) =>
  new Option("--out <dir>", description).makeOptionMandatory().argParser((text) => throughLink(pathOf("folder")(text)));

/** A path that is not a link to nothing: to create its target would surprise. */
const throughLink = argumentParser("It is a link to a folder that does not exist.", (path) => {
  const isLink = lstatSync(resolve(path), { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return isLink && !existsSync(path) ? undefined : path;
});

export const routingOptions = (): readonly Option[] => [
  new Option("--notifier-label <name>", 'the label whose value is the slug of a notifier (default: "notifier")'),
  new Option(
    "--routes <file>",
    "show who is notified, by an Alertmanager configuration or a list of matchers and names",
  ),
];

export const stackOption = () =>
  new Option("--stack <name>", "the stack of the program in the current folder (default: the selected stack)");

export const fromOption = (verb = "read") =>
  new Option(
    "--from <file>",
    `${verb} the output of "pulumi preview --json --show-sames" instead of running a preview; "-" is standard input`,
  ).conflicts("stack");

/** An option of a file that only the command writes. */
export const fileOption = (flags: string, description: string) =>
  new Option(flags, description).argParser(pathOf("file"));

const pathOf = (noun: string) =>
  argumentParser(`It is a ${noun}, not standard output.`, (text) => (text === "-" ? undefined : text));

/** Returns a parser of an argument: the command ends with the message if `read` returns nothing. */
export function argumentParser<T>(message: string, read: (text: string) => T | undefined): (text: string) => T {
  return (text) => {
    const value = read(text);
    if (value === undefined) throw new InvalidArgumentError(message);
    return value;
  };
}

/** The option of a command that sends requests to a service. */
export const serviceOption = () =>
  new Option("--stack <stack>", "read the settings from the config of this stack of the program in the current folder");

export const refreshOption = () =>
  new Option("--refresh", "read every object first, to include edits made outside Pulumi");

export const groupByOption = () =>
  new Option("--group-by <label>", "write one file per value of this label instead of one per kind");

/** An option that may be given more than once: its values, in order. */
export function repeatable<T>(parse: (text: string) => T, flags: string, description: string): Option {
  return new Option(flags, description).argParser((text: string, before: readonly T[] | undefined) => [
    ...(before ?? []),
    parse(text),
  ]);
}

/** A parser of a list of arguments, also with commas between them. */
export const listOf =
  <T>(parse: (text: string) => T) =>
  (text: string, before: readonly T[] = []): readonly T[] => [
    ...before,
    ...text.split(",").map((each) => parse(each.trim())),
  ];

export function parseKind(text: string): Kind {
  const found = kinds.find(({ name }) => name.toLowerCase() === text.toLowerCase());
  if (found !== undefined) return found;
  const names = kinds.map(({ name }) => name);
  throw new InvalidArgumentError(meant(text, names) ?? `Kinds are ${names.join(", ")}.`);
}

export const wholeNumber = argumentParser("It must be a whole number from 1.", (text) =>
  Number.isSafeInteger(Number(text)) && Number(text) >= 1 ? Number(text) : undefined,
);

export const parseLabel = argumentParser("It must look like team=checkout.", (text) => {
  const at = text.indexOf("=");
  return at < 1 ? undefined : ([text.slice(0, at), text.slice(at + 1)] as const);
});

/** The options of every command over many stacks. */
export const stackOptions = (previewFlag: string, command = "this command"): readonly Option[] => [
  repeatable(String, "--stack <name>", "a stack in each folder, repeatable (default: the selected stack)"),
  new Option("--all-stacks", "all stacks of each program").conflicts("stack"),
  new Option(
    "--from <file...>",
    `read the output of "pulumi preview --json ${previewFlag}" or of ${command} with --json; "-" is standard input`,
  ).conflicts(["stack", "allStacks", "refresh"]),
  new Option("--parallel <number>", "how many previews run at a time")
    .argParser(wholeNumber)
    .default(Math.max(1, Math.min(4, availableParallelism())), "the number of processors, at most 4"),
  repeatable(
    String,
    "--preview-option <option>",
    'an option passed to "pulumi preview", such as --preview-option=--diff; repeatable',
  ),
  new Option("--markdown <file>", "write the result as a comment for a pull request, below 65,536 characters"),
];

export const statuses = (failed: string, found?: string) =>
  `Exit status: 0: success. 1: ${failed}. 2: invalid arguments.${found === undefined ? "" : ` 3: ${found}.`}`;

/** The options of every command that may preview teams instead of programs. */
export const teamsFolderOptions = (): readonly Option[] => [
  new Option(
    "--teams [folder]",
    'preview one stack per team in this folder (default: "teams"); implied if the current folder has teams and no program',
  ).conflicts(["stack", "allStacks", "from", "refresh", "previewOption"]),
  ...teamOptions(),
];

/** The options of every command that runs teams. */
export const teamOptions = (): readonly Option[] => [
  repeatable(String, "--team <name>", "run only this team, repeatable"),
  new Option("--shard <k/n>", "run the k-th of n parts of the teams, to spread them over n jobs").argParser(shard),
  new Option("--project <name>", "the Pulumi project of the teams' stacks").default("team-stacks"),
  new Option("--secrets-provider <url>", "the secrets provider of new stacks, as for pulumi stack init"),
];

const shard = argumentParser("It must look like 3/8, the third of eight parts.", (text) =>
  tried(() => parseShard(text)),
);

/** The options that every command with a backtest has. */
export const seriesOptions = (): readonly Option[] => [
  new Option("--query-url <url>", "the URL of a Prometheus-compatible query API (default: OBSERVABILITY_QUERY_URL)"),
  new Option("--series <path...>", "read recorded series from files or folders instead of a query API").conflicts(
    "queryUrl",
  ),
  new Option("--since <time>", "the start of the period, such as 2026-11-01 or 2026-11-01T08:00:00Z").argParser(timeOf),
  new Option("--until <time>", "the end of the period (default: last midnight UTC, or the end of the files)").argParser(
    timeOf,
  ),
  new Option("--days <number>", "the length of the period in days, if --since is not given")
    .argParser(wholeNumber)
    .default(30),
  new Option("--night <times>", "the hours that count as night")
    .argParser(argumentParser("It must look like 22:00-07:00.", nightOf))
    .default(nightOf("22:00-07:00"), "22:00-07:00"),
  new Option("--timezone <name>", "the time zone of monitors whose schedule has none").argParser(zoneOf).default("UTC"),
  new Option(
    "--incidents <file>",
    "count which incidents of a CSV or JSON file the monitors catch; needs start, end, name",
  ),
  new Option("--lead <duration>", "how long before the start of an incident a page counts for it")
    .argParser(argumentParser("It must look like 30m or 1h.", secondsIn))
    .default(1_800, "30m"),
  new Option("--max-requests <number>", "the maximum number of requests").argParser(wholeNumber).default(1_000),
  new Option("--max-points <number>", "the maximum number of points of a series in one response")
    .argParser(wholeNumber)
    .default(11_000),
  new Option("--parallel <number>", "how many requests are sent at a time").argParser(wholeNumber).default(4),
];

/** @returns seconds since the epoch */
const timeOf = argumentParser("It must look like 2026-11-01 or 2026-11-01T08:00:00Z, with its zone.", timeIn);

const zoneOf = argumentParser("It must be an IANA name such as Europe/Berlin.", (text) => Zone.find(text) && text);
