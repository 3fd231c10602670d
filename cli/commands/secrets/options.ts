import { Command } from "commander";
import { Output } from "../../report/output";
import { examples, type JsonFlag, jsonOption, wrapped } from "../options";
import type { SecretsOptions } from "./command";

export const secretsOptions = () =>
  new Command("secrets")
    .description("Set all secrets that an imported or converted program reads from stack config.")
    .option("--stack <name>", "the stack of the program in the current folder (default: the selected stack)")
    .option("--env", "read the secrets from environment variables: routingKey from ROUTING_KEY")
    .option("--all", "include secrets that are already set")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      wrapped(
        "\nPrompts for each secret without echoing it. If standard input is not a terminal, reads it instead: a JSON object, or lines like routingKey=value.\n",
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
