import { Command } from "commander";
import { examples } from "../options";
import type { LoadFlags } from "./command";

export const loadOptions = () =>
  new Command("load")
    .description(
      "Run the first update of a stack without checkpoints. With file and bucket backends, this is much faster. " +
        "If the run is killed, run it again: it adopts the objects that it created.",
    )
    .option("--stack <name>", "the stack of the program in the current folder (default: the selected stack)")
    .option("--checkpoints", 'keep checkpoints, as "pulumi up" does (slower; nothing is lost if the run is killed)')
    .option("--yes", "skip the confirmation after the preview")
    .addHelpText("after", examples("pulumi-observability load --stack production --yes"))
    .action(async (flags: LoadFlags) => {
      const { load } = await import("./command.js");
      await load(flags);
    });
