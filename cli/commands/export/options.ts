import { CliCommand, folderOption, fromOption, stackOption } from "../options";
import type { ExportOptions } from "./command";

export const exportOptions = () =>
  new CliCommand("export")
    .description("Write the monitors of a program as an alerting rule file.")
    .requiredOption("--prometheus", "write rules for Prometheus, promtool and pint")
    .addOption(folderOption("the folder of the file"))
    .addOption(stackOption())
    .addOption(fromOption())
    .addExamples([
      "pulumi-observability export --prometheus --out rules",
      "pulumi-observability export --prometheus --out rules --stack prod --json",
      "pulumi preview --json --show-sames | pulumi-observability export --prometheus --out rules --from -",
    ])
    .runs<ExportOptions>(async (options, output) => (await import("./command.js")).exportRules(options, output));
