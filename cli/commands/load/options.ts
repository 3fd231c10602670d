import { CliCommand, stackOption } from "../options";
import type { LoadFlags } from "./command";

export const loadOptions = () =>
  new CliCommand("load")
    .description(
      "Run the first update of a stack without checkpoints. With file and bucket backends, this is much faster. " +
        "If the run is killed, run it again: it adopts the objects that it created.",
    )
    .addOption(stackOption())
    .option("--checkpoints", 'keep checkpoints, as "pulumi up" does (slower; nothing is lost if the run is killed)')
    .option("--yes", "skip the confirmation after the preview")
    .addExamples(["pulumi-observability load --stack production --yes"])
    .action(async (flags: LoadFlags) => (await import("./command.js")).load(flags));
