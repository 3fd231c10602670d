import { Command, Option } from "commander";
import { Output } from "../../report/output";
import { examples, type JsonFlag, jsonOption, stackOptions, statuses } from "../options";
import type { DriftFlags } from "./command";

export const driftOptions = () => {
  const command = new Command("drift").description(
    "List edits and deletions made outside Pulumi in one or more stacks, and what the next update does with them.",
  );
  for (const option of stackOptions("--refresh")) command.addOption(option);
  return command
    .argument("[folder...]", "the folders of the programs (default: the current folder)")
    .addOption(
      new Option(
        "--unmanaged",
        "also list objects in the service that no stack declares; the objects of stacks that you don't name are listed too",
      ).conflicts("from"),
    )
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples(
        "pulumi-observability drift --stack production",
        "pulumi-observability drift stacks/* --all-stacks --markdown drift.md",
        "pulumi-observability drift --all-stacks --unmanaged",
      ) +
        statuses(
          "a preview failed",
          "an edit or a deleted object, or with --unmanaged an object that no stack declares",
        ),
    )
    .action(async (folders: readonly string[], { json, ...flags }: DriftFlags & JsonFlag) => {
      const { drift } = await import("./command.js");
      await drift(folders, flags, new Output({ json: json ?? false }));
    });
};
