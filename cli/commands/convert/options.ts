import { Command } from "commander";
import { Output } from "../../report/output";
import { examples, groupByOption, type JsonFlag, jsonOption, outOption } from "../options";
import type { ConvertOptions } from "./command";

export const convertOptions = () =>
  new Command("convert")
    .description(
      "Write a program from Prometheus and Grafana rules, Alertmanager configuration, OpenSLO, sloth or pyrra " +
        "specifications, or manifests in the configuration API's own format.",
    )
    .argument("<path...>", "files, or folders with .yml, .yaml, .json and .rules files")
    .addOption(outOption())
    .addOption(groupByOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples(
        "pulumi-observability convert rules --out alerts",
        "pulumi-observability convert alertmanager.yml slos --out alerts --group-by team",
        "pulumi-observability convert rules --out alerts --json",
      ),
    )
    .action(async (paths: readonly string[], { json, ...options }: ConvertOptions & JsonFlag) => {
      const { convertFiles } = await import("./command.js");
      convertFiles(paths, options, new Output({ json: json ?? false }));
    });
