import { Command } from "commander";
import { examples } from "../options";
import type { LoadFlags } from "./command";

export const loadOptions = () =>
  new Command("load")
    .description(
      "Run the first update of a stack without checkpoints, which takes a fraction of the time with file and bucket " +
        "backends. If it is killed, run it again.",
    )
    .option("--stack <name>", "the stack of the program in the current folder (default: the selected stack)")
    .option("--checkpoints", "write checkpoints")
    .option("--yes", "skip the confirmation after the preview")
    .addHelpText("after", examples("pulumi-observability load --stack production --yes"))
    .action(async (flags: LoadFlags) => {
      const { load } = await import("./command.js");
      await load(flags);
    });
