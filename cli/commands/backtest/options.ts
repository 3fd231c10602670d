import { Command, InvalidArgumentError, Option } from "commander";
import { examples, fromOption, jsonOption, stackOption } from "../options";
import { Output } from "../../report/output";
import { type Limit, limitForms, limitOf } from "./limits";
import { type Night, nightOf } from "../../backtest/night";

/** What decides where series come from, and what is counted. */
export interface SeriesFlags {
  readonly queryUrl?: string;
  readonly series?: readonly string[];
  readonly since?: number;
  readonly until?: number;
  readonly days: number;
  readonly night: Night;
  readonly timezone: string;
  readonly maxRequests: number;
  readonly maxPoints: number;
  readonly parallel: number;
  /** The folder; false with `--no-cache`. */
  readonly cache?: string | boolean;
}

interface Flags extends SeriesFlags {
  readonly stack?: string;
  readonly from?: string;
  readonly all?: boolean;
  readonly monitor?: readonly string[];
  readonly markdown?: string;
  readonly svg?: string;
  readonly failOn?: readonly Limit[];
  readonly json?: boolean;
}

/** The options that every command with a backtest has. */
export const seriesOptions = (): readonly Option[] => [
  new Option("--query-url <url>", "the query API of the form that Prometheus has; by default OBSERVABILITY_QUERY_URL"),
  new Option("--series <path...>", "recorded series in files or folders, in place of a query API").conflicts(
    "queryUrl",
  ),
  new Option("--since <time>", "the beginning, such as 2026-11-01 or 2026-11-01T08:00:00Z").argParser(timeOf),
  new Option("--until <time>", "the end; by default last midnight UTC, or the end of the files").argParser(timeOf),
  new Option("--days <number>", "how many days before the end").argParser(wholeNumberOf).default(30),
  new Option("--night <times>", "the times that count as night")
    .argParser(readNight)
    .default(readNight("22:00-07:00"), "22:00-07:00"),
  new Option("--timezone <name>", "the zone of monitors whose schedule names none").argParser(zoneOf).default("UTC"),
  new Option("--max-requests <number>", "the most requests that are sent").argParser(wholeNumberOf).default(1_000),
  new Option("--max-points <number>", "the most points of a series in one answer")
    .argParser(wholeNumberOf)
    .default(11_000),
  new Option("--parallel <number>", "how many requests are under way at a time").argParser(wholeNumberOf).default(4),
  new Option("--cache <dir>", "the folder that keeps answers; by default in the user's cache folder"),
  new Option("--no-cache", "ask everything anew, and keep nothing"),
];

export const backtestOptions = () => {
  const command = new Command("backtest")
    .description("Say how often changed monitors would have paged over recorded series, before and after the change.")
    .addOption(stackOption())
    .addOption(fromOption())
    .addOption(new Option("--all", "unchanged monitors too"))
    .addOption(new Option("--monitor <slug...>", "only these monitors, changed or not"));
  for (const option of seriesOptions()) command.addOption(option);
  return command
    .addOption(new Option("--markdown <file>", "write the result for a pull request"))
    .addOption(new Option("--svg <dir>", "write a picture of each monitor's time line, which the Markdown then shows"))
    .addOption(
      new Option("--fail-on <limit...>", `end with 3 if a monitor exceeds it: ${limitForms}`).argParser(limitsOf),
    )
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples(
        "pulumi-observability backtest --query-url https://prometheus.example.com",
        "pulumi-observability backtest --stack production --days 14 --timezone Europe/Berlin --fail-on pages+50% night-pages+1",
        "pulumi-observability backtest --series recorded --markdown backtest.md --svg pictures",
      ) +
        "\nAuthentication of the query API: OBSERVABILITY_QUERY_TOKEN is sent as a bearer token; OBSERVABILITY_QUERY_HEADERS\n" +
        'holds further headers, one "Name: value" on each line.\n' +
        "Exit status 3 also if the series of a monitor could not be had.\n",
    )
    .action(async ({ json, ...options }: Flags) => {
      const { backtestProgram } = await import("./command.js");
      await backtestProgram(options, new Output({ json: json ?? false }));
    });
};

/** @returns seconds since the epoch */
function timeOf(text: string): number {
  const secs = Date.parse(/Z|[+-]\d\d:\d\d$|^\d{4}-\d\d-\d\d$/.test(text) ? text : `${text}Z`) / 1_000;
  if (!Number.isFinite(secs)) throw new InvalidArgumentError("It must look like 2026-11-01 or 2026-11-01T08:00:00Z.");
  return secs;
}

function wholeNumberOf(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1) throw new InvalidArgumentError("It must be a whole number from 1.");
  return number;
}

function readNight(text: string): Night {
  const night = nightOf(text);
  if (night === undefined) throw new InvalidArgumentError("It must look like 22:00-07:00.");
  return night;
}

function zoneOf(text: string): string {
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: text });
    return text;
  } catch {
    throw new InvalidArgumentError("It must be an IANA name such as Europe/Berlin.");
  }
}

/** Limits, also with commas between them. */
function limitsOf(text: string, before: readonly Limit[] | undefined): readonly Limit[] {
  const found = text.split(",").map((each) => {
    const limit = limitOf(each);
    if (limit === undefined) throw new InvalidArgumentError(`Limits look like ${limitForms}.`);
    return limit;
  });
  return [...(before ?? []), ...found];
}
