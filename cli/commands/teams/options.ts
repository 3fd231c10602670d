import type { StackOperation } from "../../../sdk/teams/operation/message";
import { CliCommand, jsonOption, teamOptions, wholeNumber } from "../options";
import type { TeamsFlags } from "./command";

const operations: Readonly<Record<StackOperation, string>> = {
  import:
    'Import the objects in imports/<team>.json, which "import --teams" wrote, into the stack of each team. Requires Pulumi CLI 3.254.',
  preview: "Preview the stack of each team.",
  up: "Preview all teams, then update those whose preview succeeded and has changes, without asking for confirmation.",
  destroy: "Delete all resources of the teams.",
};

export const teamsOptions = () => {
  const teams = new CliCommand("teams")
    .description("Preview and update one stack per team. Each team has its own file, API token, stack and process.")
    .addExamples([
      "pulumi-observability teams up",
      "pulumi-observability teams preview --team checkout",
      "pulumi-observability teams up --shard 3/8 --json > shard-3.json",
      "pulumi-observability teams merge shard-*.json",
    ]);
  for (const [operation, description] of Object.entries(operations)) {
    teams.addCommand(runOptions(operation as StackOperation, description)); // Object.entries forgets the keys.
  }
  return teams.addCommand(mergeOptions());
};

const runOptions = (operation: StackOperation, description: string) => {
  const reports = operation === "preview" ? '"teams preview" or "teams up"' : `"teams ${operation}"`;
  const command = new CliCommand(operation)
    .description(description)
    .option("--folder <dir>", "the folder with one file per team", "teams")
    .option(
      "--rerun <report>",
      `skip teams that are done according to this report (--json) of an earlier run of ${reports}`,
    )
    .option("--parallel <n>", "how many teams run at a time", wholeNumber, 4)
    .option("--unlock", "remove stale locks of killed runs; make sure that no run is in progress")
    .option("--plain", "print plain lines on a terminal")
    .option("--events", "print each event as a line of JSON, and the report last")
    .addOptions([jsonOption(), ...teamOptions()]);
  if (operation === "preview") command.option("--expect-no-changes", "fail teams that have changes");
  else if (operation === "up") {
    command.option("--checkpoints", "write checkpoints in a first load too; slow with file and bucket backends");
  } else if (operation === "destroy") command.option("--yes", "confirm the deletion; required");
  return command.action(async (flags: TeamsFlags & { readonly yes?: boolean }) => {
    if (operation === "destroy" && flags.yes !== true)
      command.error("error: destroy deletes all resources of the teams. Add --yes to confirm");
    await (await import("./command.js")).runCommand(operation, flags);
  });
};

const mergeOptions = () =>
  new CliCommand("merge")
    .description("Merge the reports of all shards into one.")
    .argument("<reports...>", "the output of the jobs (--json)")
    .addOption(jsonOption())
    .action(async (files: readonly string[], { json = false }: TeamsFlags) =>
      (await import("./command.js")).merge(files, json),
    );
