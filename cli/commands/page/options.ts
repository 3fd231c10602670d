import { Command, Option } from "commander";
import { Output } from "../../report/output";
import { examples, fileOption, type JsonFlag, jsonOption, stackOptions, statuses, teamOptions } from "../options";
import type { PageFlags } from "./command";

export const pageOptions = () => {
  const command = new Command("page").description(
    "Write one HTML file that shows all monitors and SLOs: their queries, conditions, routes and active hours.",
  );
  for (const option of stackOptions("--show-sames", "review")) {
    if (option.long !== "--markdown") command.addOption(option);
  }
  for (const option of teamOptions()) command.addOption(option);
  return command
    .argument("[folder...]", "the folders of the programs (default: the current folder)")
    .addOption(fileOption("--out <file>", "the HTML file").makeOptionMandatory())
    .addOption(
      new Option("--live", "show what the service has, with the settings of --stack or of the environment").conflicts([
        "allStacks",
        "from",
        "previewOption",
        "refresh",
        "teams",
      ]),
    )
    .addOption(
      new Option("--teams [folder]", 'show one stack per team in this folder (default: "teams")').conflicts([
        "stack",
        "allStacks",
        "from",
        "previewOption",
      ]),
    )
    .option("--refresh", "read every object first, to include edits made outside Pulumi")
    .option("--notifier-label <name>", 'the label whose value is the slug of a notifier (default: "notifier")')
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples(
        "pulumi-observability page --stack production --out alerting.html",
        "pulumi-observability page --live --out alerting.html",
        "pulumi-observability page --teams --out alerting.html",
      ) + statuses("a preview failed, or a part of the service couldn't be read: the page names it"),
    )
    .action(async (folders: readonly string[], { json, ...flags }: PageFlags & JsonFlag) => {
      const { page } = await import("./command.js");
      await page(folders, flags, new Output({ json: json ?? false }));
    });
};
