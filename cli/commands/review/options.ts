import { Command, InvalidArgumentError, Option } from "commander";
import { Output } from "../../report/output";
import { nearest } from "../../../provider/values/nearest";
import { directions, riskClasses, riskFilters } from "../../stacks/risk";
import { examples, type JsonFlag, jsonOption, seriesOptions, stackOptions, statuses, teamOptions } from "../options";
import type { ReviewFlags } from "./command";

export const reviewOptions = () => {
  const command = new Command("review").description(
    "Say what a change of the program does to alerting: previews one or many stacks, and names the risks first.",
  );
  for (const option of stackOptions()) command.addOption(option);
  // Previews and requests are not under way at the same time, so one option bounds both.
  for (const option of seriesOptions()) if (option.long !== "--parallel") command.addOption(option);
  for (const option of teamOptions()) command.addOption(option);
  return command
    .argument("[folder...]", "the folders of the programs; by default the current one")
    .addOption(
      new Option(
        "--teams [folder]",
        'the stack of each team of this folder, by default "teams"; so too if the current folder has no program, but teams',
      ).conflicts(["stack", "allStacks", "from", "refresh", "previewOption"]),
    )
    .option("--refresh", "read every object first, so that edits made elsewhere show")
    .option("--backtest", "say what each changed monitor would have done over recorded series; see backtest --help")
    .option(
      "--fail-on <risk...>",
      `exit with status 3 if there is a risk of these classes (${riskClasses.join(", ")}), of these directions (${directions.join(", ")}), or of both, such as schedule:alerts-less`,
      filtersOf,
    )
    .option("--standards <file>", "the team's rules; by default observability.standards.ts beside the program or here")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples(
        "pulumi-observability review --stack production",
        "pulumi-observability review teams/* --stack production --markdown review.md --fail-on alerts-less replaced",
        "pulumi-observability review --teams --shard 3/8 --json > shard-3.json",
        "pulumi-observability review --stack production --backtest --query-url https://prometheus.example.com",
        "pulumi-observability review --from shard-1.json shard-2.json --markdown review.md",
        "pulumi preview --json | pulumi-observability review --from -",
      ) + statuses("a risk of --fail-on, or a rule of the standards that the change breaks"),
    )
    .action(async (folders: readonly string[], { json, ...flags }: ReviewFlags & JsonFlag) => {
      const { review } = await import("./command.js");
      await review(folders, flags, new Output({ json: json ?? false }));
    });
};

/** Classes and directions, also with commas between them. */
function filtersOf(text: string, before: readonly string[] = []): readonly string[] {
  const names = text.split(",").map((name) => name.trim());
  const wrong = names.find((name) => !riskFilters.includes(name));
  if (wrong === undefined) return [...before, ...names];
  const near = nearest(wrong, riskFilters);
  throw new InvalidArgumentError(
    `${near === undefined ? "" : `Did you mean ${near}? `}Classes are ${riskClasses.join(", ")}. Directions are ${directions.join(", ")}. Both: schedule:alerts-less.`,
  );
}
