import { CliCommand, stackOption, wrapped } from "../options";
import type { SecretsOptions } from "./command";

export const secretsOptions = () =>
  new CliCommand("secrets")
    .description("Set all secrets that an imported or converted program reads from stack config.")
    .addOption(stackOption())
    .option("--env", "read the secrets from environment variables: routingKey from ROUTING_KEY")
    .option("--all", "include secrets that are already set")
    .addHelpText(
      "after",
      wrapped(
        "\nPrompts for each secret without echoing it. If standard input is not a terminal, reads it instead: a JSON object, or lines like routingKey=value.",
      ),
    )
    .addExamples([
      "pulumi-observability secrets",
      "pulumi-observability secrets --env --stack production",
      "vault kv get -format=json -field=data alerts | pulumi-observability secrets",
    ])
    .runs<SecretsOptions>(async (options, output) => (await import("./command.js")).setSecrets(options, output));
