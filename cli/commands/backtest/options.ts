import {
  argumentParser,
  CliCommand,
  fileOption,
  fromOption,
  listOf,
  seriesOptions,
  stackOption,
  statuses,
} from "../options";
import type { BacktestFlags } from "./command";
import { limitForms, limitOf } from "./limits";

export const backtestOptions = () =>
  new CliCommand("backtest")
    .description("Count how often changed monitors would have paged over recorded series, before and after the change.")
    .addOption(stackOption())
    .addOption(fromOption())
    .option("--all", "include unchanged monitors")
    .option("--monitor <slug...>", "include only these monitors, changed or not")
    .addOptions(seriesOptions())
    .option("--markdown <file>", "write the result as a comment for a pull request")
    .addOption(
      fileOption("--report <file>", "write an HTML file with a chart of each monitor, in which you can try thresholds"),
    )
    .option(
      "--fail-on <limit...>",
      `exit with status 3 if a monitor exceeds one of these limits: ${limitForms}. In a shell, quote a limit with >`,
      listOf(argumentParser(`Limits look like ${limitForms}.`, limitOf)),
    )
    .addExamples(
      [
        "pulumi-observability backtest --query-url https://prometheus.example.com",
        "pulumi-observability backtest --stack production --days 14 --timezone Europe/Berlin --fail-on pages+50% night-pages+1",
        "pulumi-observability backtest --series recorded --markdown backtest.md",
      ],
      'Authentication with the query API: OBSERVABILITY_QUERY_TOKEN is sent as a bearer token. OBSERVABILITY_QUERY_HEADERS adds headers, one "Name: value" per line.',
      statuses("failure", "an exceeded limit, or series of a monitor that could not be read"),
    )
    .runs<BacktestFlags>(async (flags, output) => (await import("./command.js")).backtestProgram(flags, output));
