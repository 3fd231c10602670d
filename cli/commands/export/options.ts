import { Command } from "commander";
import { Output } from "../../report/output";
import { examples, folderOption, fromOption, type JsonFlag, jsonOption, stackOption } from "../options";
import type { ExportOptions } from "./command";

export const exportOptions = () =>
  new Command("export")
    .description("Write the monitors of a program as an alerting rule file.")
    .requiredOption("--prometheus", "write rules for Prometheus, promtool and pint")
    .addOption(folderOption("the folder of the file"))
    .addOption(stackOption())
    .addOption(fromOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples(
        "pulumi-observability export --prometheus --out rules",
        "pulumi-observability export --prometheus --out rules --stack prod --json",
        "pulumi preview --json --show-sames | pulumi-observability export --prometheus --out rules --from -",
      ),
    )
    .action(async ({ json, ...options }: ExportOptions & JsonFlag) => {
      const { exportRules } = await import("./command.js");
      await exportRules(options, new Output({ json: json ?? false }));
    });
