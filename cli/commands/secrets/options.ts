import { Command } from "commander";
import { Output } from "../../report/output";
import { examples, type JsonFlag, jsonOption, wrapped } from "../options";
import type { SecretsOptions } from "./command";

export const secretsOptions = () =>
  new Command("secrets")
    .description("Set the secrets that an imported or converted program reads from stack config, all in one step.")
    .option("--stack <name>", "the stack of the program in the current folder; by default the selected one")
    .option("--env", "take them from the environment: routingKey from ROUTING_KEY")
    .option("--all", "those that are set already, too")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      wrapped(
        "\nAsks for each without showing it. Standard input that is no terminal is read in place: one JSON object, or lines like routingKey=value.\n",
      ) +
        examples(
          "pulumi-observability secrets",
          "pulumi-observability secrets --env --stack production",
          "vault kv get -format=json -field=data alerts | pulumi-observability secrets",
        ),
    )
    .action(async ({ json, ...options }: SecretsOptions & JsonFlag) => {
      const { setSecrets } = await import("./command.js");
      await setSecrets(options, new Output({ json: json ?? false }));
    });
