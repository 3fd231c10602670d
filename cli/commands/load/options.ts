import { Command } from "commander";
import { examples } from "../options";
import type { LoadFlags } from "./command";

export const loadOptions = () =>
  new Command("load")
    .description(
      "The first pulumi up of a stack in a fraction of the time, for file and bucket backends: without checkpoints. " +
        "If it is killed, run it again.",
    )
    .option("--stack <name>", "the stack; by default the selected one of the project in the current folder")
    .option("--checkpoints", "write checkpoints all the same")
    .option("--yes", "load without a question after the preview")
    .addHelpText("after", examples("pulumi-observability load --stack production --yes"))
    .action(async (flags: LoadFlags) => {
      const { load } = await import("./command.js");
      await load(flags);
    });
