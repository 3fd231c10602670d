import { InvalidArgumentError } from "commander";
import { meant } from "../../../provider/base/nearest";
import { directions, riskClasses, riskFilters } from "../../consequences/risk";
import {
  CliCommand,
  fileOption,
  listOf,
  refreshOption,
  routingOptions,
  seriesOptions,
  stackOptions,
  statuses,
  teamsFolderOptions,
} from "../options";
import type { ReviewFlags } from "./command";

export const reviewOptions = () => {
  // Previews and requests don't run at the same time, so one option limits both.
  const ofBacktest = seriesOptions().filter(({ long }) => long !== "--parallel");
  for (const option of ofBacktest) option.description = `with --backtest: ${option.description}`;
  return new CliCommand("review")
    .description("Review what a change does to alerting. Previews one or more stacks and lists the risks first.")
    .addOptions([...stackOptions("--show-sames"), ...ofBacktest, ...teamsFolderOptions()])
    .argument("[folder...]", "the folders of the programs (default: the current folder)")
    .addOption(refreshOption())
    .option(
      "--backtest",
      "add how often each changed monitor would have paged over recorded series; see backtest --help",
    )
    .option(
      "--fail-on <risk...>",
      `exit with status 3 if there is a risk of one of these classes (${riskClasses.join(", ")}), directions (${directions.join(", ")}), or combinations such as schedule:alerts-less`,
      listOf(riskFilter),
    )
    .option(
      "--accepted <file>",
      "the file of risks that --fail-on accepts (default: review.accepted.yaml in the current folder)",
    )
    .option(
      "--standards <file>",
      "the file with your rules (default: observability.standards.ts in the folder of the program or in the current folder)",
    )
    .addOptions(routingOptions())
    .addOption(
      fileOption("--report <file>", "write an HTML file with all monitors and SLOs, before and after the change"),
    )
    .addExamples(
      [
        "pulumi-observability review --stack production",
        "pulumi-observability review stacks/* --stack production --markdown review.md --fail-on alerts-less replaced",
        "pulumi-observability review --teams --shard 3/8 --json > shard-3.json",
        "pulumi-observability review --stack production --backtest --query-url https://prometheus.example.com",
        "pulumi-observability review --from shard-1.json shard-2.json --markdown review.md",
        "pulumi preview --json --show-sames | pulumi-observability review --from -",
      ],
      statuses(
        "a preview or the backtest failed, or a rule couldn't run",
        "a risk of --fail-on, or a rule is violated",
      ),
    )
    .runs<ReviewFlags>(async (flags, output, folders) => (await import("./command.js")).review(folders, flags, output));
};

function riskFilter(name: string): string {
  if (riskFilters.includes(name)) return name;
  throw new InvalidArgumentError(
    `${meant(name, riskFilters) ?? ""} Classes are ${riskClasses.join(", ")}. Directions are ${directions.join(", ")}. Both: schedule:alerts-less.`.trimStart(),
  );
}
