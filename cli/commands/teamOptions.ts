import { InvalidArgumentError, Option } from "commander";
import { parseShard, type Shard } from "../../teams/report/shard";
import { repeatable } from "./options";

/** The options of every command that runs teams. */
export const teamOptions = (): readonly Option[] => [
  repeatable(String, "--team <name>", "only this team, repeatable"),
  new Option("--shard <k/n>", "only the k-th of n parts of the teams, for one of n jobs").argParser(shard),
  new Option("--project <name>", "the Pulumi project of the teams' stacks").default("team-stacks"),
  new Option("--secrets-provider <url>", "who encrypts the secrets in new stacks, as for pulumi stack init"),
];

function shard(text: string): Shard {
  try {
    return parseShard(text);
  } catch {
    throw new InvalidArgumentError("It must look like 3/8: a number from 1 to that of all parts.");
  }
}
