import { Command } from "commander";
import type { StackOperation } from "../../../sdk/teams/engine/message";
import { examples, jsonOption, teamOptions, wholeNumber } from "../options";
import type { TeamsFlags } from "./command";

const operations: Readonly<Record<StackOperation, string>> = {
  import: 'Bring into state what "import --teams" has found, from imports/<team>.json; needs CLI 3.254.',
  preview: "Say what an update would do for each team.",
  up: "Preview all teams, then update those whose preview passed and found something to do.",
  destroy: "Delete everything that the teams have.",
};

export const teamsOptions = () => {
  const teams = new Command("teams")
    .description("Preview and update a stack for each team: a file, a token, a stack and a process for each.")
    .addHelpText(
      "after",
      examples(
        "pulumi-observability teams up",
        "pulumi-observability teams preview --team checkout",
        "pulumi-observability teams up --shard 3/8 --json > shard-3.json",
        "pulumi-observability teams merge shard-*.json",
      ),
    );
  for (const [operation, description] of Object.entries(operations)) {
    teams.addCommand(runOptions(operation as StackOperation, description)); // Object.entries forgets the keys.
  }
  return teams.addCommand(mergeOptions());
};

const runOptions = (operation: StackOperation, description: string) => {
  const command = new Command(operation)
    .description(description)
    .option("--folder <dir>", "the folder with a file for each team", "teams")
    .option("--rerun <report>", "only the teams that this report of an earlier run with --json does not call done")
    .option("--parallel <n>", "how many teams at a time", wholeNumber, 4)
    .option("--unlock", "take away the locks that killed runs have left; make sure that none is running")
    .option("--plain", "plain lines on a terminal, too")
    .option("--events", "print every event as one line of JSON, at last the report")
    .addOption(jsonOption());
  for (const option of teamOptions()) command.addOption(option);
  if (operation === "preview") command.option("--expect-no-changes", "fail for a team that would be changed");
  else if (operation === "up") {
    command.option("--checkpoints", "write checkpoints in a first load, too; slow with file and bucket backends");
  } else if (operation === "destroy") command.option("--yes", "delete without a question");
  return command.action(async (flags: TeamsFlags) => {
    const { runCommand } = await import("./command.js");
    await runCommand(operation, flags);
  });
};

const mergeOptions = () =>
  new Command("merge")
    .description("Make one report of those of all shards.")
    .argument("<reports...>", "what the jobs printed with --json")
    .addOption(jsonOption())
    .action(async (files: readonly string[], { json }: { readonly json?: boolean }) => {
      const { merge } = await import("./command.js");
      merge(files, json ?? false);
    });
