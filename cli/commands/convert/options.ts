import { Option } from "commander";
import { CliCommand, fromOption, groupByOption, outOption } from "../options";
import type { ConvertOptions } from "./command";

export const convertOptions = () =>
  new CliCommand("convert")
    .description(
      "Write a program from Prometheus and Grafana rules, Alertmanager configuration, OpenSLO, sloth or pyrra " +
        "specifications, or manifests in the configuration API's own format.",
    )
    .argument("<path...>", "files, or folders with .yml, .yaml, .json and .rules files")
    .addOption(outOption())
    .addOption(groupByOption())
    .option("--accept", "keep the program as it is, and no longer report its present differences from the files")
    .addOption(new Option("--stack <name>", "compare with what the program declares in this stack, by a preview"))
    .addOption(fromOption("compare with"))
    .addExamples([
      "pulumi-observability convert rules --out alerts",
      "pulumi-observability convert alertmanager.yml slos --out alerts --group-by team",
      "pulumi-observability convert rules --out alerts --stack prod --json",
    ])
    .runs<ConvertOptions>(async (options, output, paths) =>
      (await import("./command.js")).convertFiles(paths, options, output),
    );
