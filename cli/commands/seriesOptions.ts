import { InvalidArgumentError, Option } from "commander";
import { type Night, nightOf } from "../backtest/night";
import { wholeNumber } from "./options";

/** The options that every command with a backtest has. */
export const seriesOptions = (): readonly Option[] => [
  new Option("--query-url <url>", "the query API of the form that Prometheus has; by default OBSERVABILITY_QUERY_URL"),
  new Option("--series <path...>", "recorded series in files or folders, in place of a query API").conflicts(
    "queryUrl",
  ),
  new Option("--since <time>", "the beginning, such as 2026-11-01 or 2026-11-01T08:00:00Z").argParser(timeOf),
  new Option("--until <time>", "the end; by default last midnight UTC, or the end of the files").argParser(timeOf),
  new Option("--days <number>", "how many days before the end").argParser(wholeNumber).default(30),
  new Option("--night <times>", "the times that count as night")
    .argParser(readNight)
    .default(readNight("22:00-07:00"), "22:00-07:00"),
  new Option("--timezone <name>", "the zone of monitors whose schedule names none").argParser(zoneOf).default("UTC"),
  new Option("--max-requests <number>", "the most requests that are sent").argParser(wholeNumber).default(1_000),
  new Option("--max-points <number>", "the most points of a series in one answer")
    .argParser(wholeNumber)
    .default(11_000),
  new Option("--parallel <number>", "how many requests are under way at a time").argParser(wholeNumber).default(4),
  new Option("--cache <dir>", "the folder that keeps answers; by default in the user's cache folder"),
  new Option("--no-cache", "ask everything anew, and keep nothing"),
];

/** @returns seconds since the epoch */
function timeOf(text: string): number {
  const secs = Date.parse(/Z|[+-]\d\d:\d\d$|^\d{4}-\d\d-\d\d$/.test(text) ? text : `${text}Z`) / 1_000;
  if (!Number.isFinite(secs)) throw new InvalidArgumentError("It must look like 2026-11-01 or 2026-11-01T08:00:00Z.");
  return secs;
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
