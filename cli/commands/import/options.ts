import { Option } from "commander";
import { kinds } from "../../../provider/kinds/index.gen";
import { CliCommand, groupByOption, parseKind, parseLabel, outOption, repeatable, serviceOption } from "../options";
import type { ImportOptions } from "./command";

export const importOptions = () =>
  new CliCommand("import")
    .description("Write a program for the objects in the service, and the import file that adds them to state.")
    .addOption(outOption())
    .addOption(
      repeatable(
        parseKind,
        "--kind <kind>",
        `import only this kind, repeatable: ${kinds.map(({ name }) => name).join(", ")}`,
      ),
    )
    .addOption(repeatable(String, "--slug <slug>", "import only objects with this slug, repeatable"))
    .addOption(repeatable(String, "--name <name>", "import only objects with this display name, repeatable"))
    .addOption(
      repeatable(parseLabel, "--label <key=value>", "import only objects with this label; if repeated, all must match"),
    )
    .addOption(groupByOption())
    .addOption(
      new Option("--teams", "write a repository of teams, each with its own file, stack and API token").conflicts([
        "groupBy",
        "adopt",
      ]),
    )
    .option("--team-label <label>", "with --teams: the label whose value is an object's team", "team")
    .option(
      "--adopt",
      "write no import file: the first update adopts the objects (for Pulumi CLI versions before 3.254)",
    )
    .addOption(serviceOption())
    .addExamples([
      "pulumi-observability import --out alerts",
      "pulumi-observability import --out checkout --label team=checkout --group-by service",
      "pulumi-observability import --out alerts --teams",
      "pulumi-observability import --out alerts --kind Monitor --slug checkout-errors --json",
    ])
    .runs<ImportOptions>(async (options, output) => (await import("./command.js")).importLive(options, output));
