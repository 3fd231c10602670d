import { Command } from "commander";
import { Output } from "../../report/output";
import { examples, type JsonFlag, jsonOption, statuses } from "../options";
import type { DoctorFlags } from "./command";

export const doctorOptions = () =>
  new Command("doctor")
    .description("Check what your service supports, with reads and dry runs only, and what each gap means for you.")
    .option("--stack <stack>", "read the settings from the config of this stack of the program in the current folder")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples(
        "pulumi-observability doctor",
        "pulumi-observability doctor --stack production",
        "pulumi-observability doctor --json",
      ) + statuses("don't use the provider with this service, URL or token", "the service or the token lacks features"),
    )
    .action(async ({ json, ...flags }: DoctorFlags & JsonFlag) => {
      const { doctor } = await import("./command.js");
      await doctor(flags, new Output({ json: json ?? false }));
    });
