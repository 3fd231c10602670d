#!/usr/bin/env node
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import colors from "picocolors";
import { version } from "../provider/client/version.gen";
import { kinds } from "../provider/kinds/index.gen";
import type { Kind } from "../provider/schema/kind";
import { nearest } from "../provider/values/nearest";
import { exitStatus, Output } from "./output";

interface Common {
  readonly json?: boolean;
}

const examples = (...lines: readonly string[]) => `\nExamples:\n${lines.map((line) => `  ${line}`).join("\n")}\n`;

const statuses =
  "\nExit status: 0 if all was done, 1 if it failed, 2 if the command line is wrong, 3 if a part was refused.\n" +
  "Settings: the provider's, from OBSERVABILITY_BASE_URL, OBSERVABILITY_API_TOKEN and so on, or from --stack.\n";

function command(): Command {
  const program = new Command("pulumi-observability")
    .description("Brings existing observability configuration into Pulumi programs.")
    .version(version)
    .addHelpText("after", statuses)
    // A wrong command line has a status of its own.
    .exitOverride();

  program
    .command("import")
    .description("Write a program that declares what the service has, and the file that brings it into state.")
    .requiredOption("--out <dir>", "the folder of the program; files that others wrote or changed stay as they are")
    .addOption(
      repeatable(kindOf, "--kind <kind>", `only this kind, repeatable: ${kinds.map(({ name }) => name).join(", ")}`),
    )
    .addOption(repeatable(String, "--slug <slug>", "only the objects with this slug, repeatable"))
    .addOption(repeatable(String, "--name <name>", "only the objects with this display name, repeatable"))
    .addOption(repeatable(labelOf, "--label <key=value>", "only the objects with this label; repeated, all must match"))
    .option("--group-by <label>", "one file for each value of this label, in place of one for each kind")
    .option("--adopt", "no import file: for engines before 3.254, which take the objects over in an update")
    .option("--stack <stack>", "read the settings from the config of this stack of the project in the current folder")
    .option("--json", "print the result as one JSON object")
    .addHelpText(
      "after",
      examples(
        "pulumi-observability import --out alerts",
        "pulumi-observability import --out checkout --label team=checkout --group-by service",
        "pulumi-observability import --out alerts --kind Monitor --slug checkout-errors --json",
      ),
    )
    .action(async ({ kind, slug, name, label, ...options }: ImportFlags) => {
      const { importLive } = await import("./import/command.js");
      await importLive(
        { ...options, kinds: kind ?? kinds, slugs: slug ?? [], names: name ?? [], labels: label ?? [] },
        new Output({ json: options.json ?? false }),
      );
    });

  program
    .command("convert")
    .description(
      "Write a program from Prometheus rules, Alertmanager configuration, and OpenSLO, sloth or pyrra specifications.",
    )
    .argument("<path...>", "files, or folders with .yml, .yaml and .json files")
    .requiredOption("--out <dir>", "the folder of the program; files that others wrote or changed stay as they are")
    .option("--group-by <label>", "one file for each value of this label, in place of one for each kind")
    .option("--json", "print the result as one JSON object")
    .addHelpText(
      "after",
      examples(
        "pulumi-observability convert rules --out alerts",
        "pulumi-observability convert alertmanager.yml slos --out alerts --group-by team",
        "pulumi-observability convert rules --out alerts --json",
      ),
    )
    .action(async (paths: readonly string[], options: ConvertFlags) => {
      const { convertFiles } = await import("./convert/command.js");
      convertFiles(paths, options, new Output({ json: options.json ?? false }));
    });
  return program;
}

interface ConvertFlags extends Common {
  readonly out: string;
  readonly groupBy?: string;
}

interface ImportFlags extends Common {
  readonly out: string;
  readonly kind?: readonly Kind[];
  readonly slug?: readonly string[];
  readonly name?: readonly string[];
  readonly label?: readonly (readonly [string, string])[];
  readonly groupBy?: string;
  readonly adopt?: boolean;
  readonly stack?: string;
}

function repeatable<T>(parse: (text: string) => T, flags: string, description: string): Option {
  return new Option(flags, description).argParser((text: string, before: readonly T[] | undefined) => [
    ...(before ?? []),
    parse(text),
  ]);
}

function kindOf(text: string): Kind {
  const found = kinds.find(({ name }) => name.toLowerCase() === text.toLowerCase());
  if (found !== undefined) return found;
  const names = kinds.map(({ name }) => name);
  const near = nearest(text, names);
  throw new InvalidArgumentError(near === undefined ? `Kinds are ${names.join(", ")}.` : `Did you mean ${near}?`);
}

function labelOf(text: string): readonly [string, string] {
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("It must look like team=checkout.");
  return [text.slice(0, at), text.slice(at + 1)];
}

async function main(): Promise<void> {
  try {
    await command().parseAsync();
  } catch (error) {
    if (error instanceof CommanderError) {
      // Commander has printed its message, or the help that was asked for.
      process.exitCode = error.exitCode === 0 ? exitStatus.done : exitStatus.usage;
      return;
    }
    process.stderr.write(`${colors.red("error:")} ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = exitStatus.failed;
  }
}

void main();
