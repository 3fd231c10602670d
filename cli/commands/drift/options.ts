import { Command } from "commander";
import { Output } from "../../report/output";
import type { StackFlags } from "../../review/sources";
import { examples, type JsonFlag, jsonOption } from "../options";
import { stackOptions, statuses } from "../stackOptions";

export const driftOptions = () => {
  const command = new Command("drift").description(
    "Say what was edited at the service outside of Pulumi, over one or many stacks, and what an update makes of it.",
  );
  for (const option of stackOptions()) command.addOption(option);
  return command
    .argument("[folder...]", "the folders of the programs; by default the current one")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples(
        "pulumi-observability drift --stack production",
        "pulumi-observability drift teams/* --all-stacks --markdown drift.md",
      ) + statuses("an edit"),
    )
    .action(async (folders: readonly string[], { json, ...flags }: StackFlags & JsonFlag) => {
      const { drift } = await import("./command.js");
      await drift(folders, flags, new Output({ json: json ?? false }));
    });
};
