import { Option } from "commander";
import {
  CliCommand,
  fileOption,
  refreshOption,
  routingOptions,
  stackOptions,
  statuses,
  teamsFolderOptions,
} from "../options";
import type { ReportFlags } from "./command";

export const reportOptions = () =>
  new CliCommand("report")
    .description(
      "Write one HTML file that shows all monitors and SLOs: their queries, conditions, routes and active hours.",
    )
    .addOptions(stackOptions("--show-sames", "review").filter(({ long }) => long !== "--markdown"))
    .addOptions(teamsFolderOptions())
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
    .addOption(refreshOption())
    .addOptions(routingOptions())
    .addExamples(
      [
        "pulumi-observability report --stack production --out alerting.html",
        "pulumi-observability report --live --out alerting.html",
        "pulumi-observability report --teams --out alerting.html",
      ],
      statuses("a preview failed, or a part of the service couldn't be read: the report names it"),
    )
    .runs<ReportFlags>(async (flags, output, folders) => (await import("./command.js")).report(folders, flags, output));
