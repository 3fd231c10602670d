import { Command, Option } from "commander";
import { kinds } from "../../../provider/kinds/index.gen";
import { Output } from "../../report/output";
import { examples, groupByOption, type JsonFlag, jsonOption, kindOf, labelOf, outOption, repeatable } from "../options";
import type { ImportOptions } from "./command";

export const importOptions = () =>
  new Command("import")
    .description("Write a program that declares what the service has, and the file that brings it into state.")
    .addOption(outOption())
    .addOption(
      repeatable(kindOf, "--kind <kind>", `only this kind, repeatable: ${kinds.map(({ name }) => name).join(", ")}`),
    )
    .addOption(repeatable(String, "--slug <slug>", "only the objects with this slug, repeatable"))
    .addOption(repeatable(String, "--name <name>", "only the objects with this display name, repeatable"))
    .addOption(repeatable(labelOf, "--label <key=value>", "only the objects with this label; repeated, all must match"))
    .addOption(groupByOption())
    .addOption(
      new Option("--teams", "a repository of teams, each with a file, a stack and a token of its own").conflicts([
        "groupBy",
        "adopt",
      ]),
    )
    .option("--team-label <label>", "with --teams: the label whose value is an object's team", "team")
    .option("--adopt", "no import file: for engines before 3.254, which take the objects over in an update")
    .option("--stack <stack>", "read the settings from the config of this stack of the project in the current folder")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples(
        "pulumi-observability import --out alerts",
        "pulumi-observability import --out checkout --label team=checkout --group-by service",
        "pulumi-observability import --out alerts --teams",
        "pulumi-observability import --out alerts --kind Monitor --slug checkout-errors --json",
      ),
    )
    .action(async ({ json, ...options }: ImportOptions & JsonFlag) => {
      const { importLive } = await import("./command.js");
      await importLive(options, new Output({ json: json ?? false }));
    });
