#!/usr/bin/env node
import { Command, CommanderError } from "commander";
import { version } from "../provider/client/version.gen";
import { backtestOptions } from "./commands/backtest/options";
import { convertOptions } from "./commands/convert/options";
import { driftOptions } from "./commands/drift/options";
import { exportOptions } from "./commands/export/options";
import { importOptions } from "./commands/import/options";
import { loadOptions } from "./commands/load/options";
import { reviewOptions } from "./commands/review/options";
import { wrapped } from "./commands/options";
import { secretsOptions } from "./commands/secrets/options";
import { teamsOptions } from "./commands/teams/options";
import { allowClosedPipes, exitStatus, paintError, reasonOf } from "./report/output";

const statuses = wrapped(
  "\nExit status: 0 if all was done, 1 if it failed, 2 if the command line is wrong, 3 if a part was refused.\n" +
    "Settings: the provider's, from OBSERVABILITY_BASE_URL, OBSERVABILITY_API_TOKEN and so on, or from --stack.\n",
);

// Options load what parses them; a command loads what does its work only when it runs.
const commands = [
  importOptions,
  convertOptions,
  secretsOptions,
  exportOptions,
  reviewOptions,
  driftOptions,
  backtestOptions,
  teamsOptions,
  loadOptions,
];

const allOf = (command: Command): readonly Command[] => [command, ...command.commands.flatMap(allOf)];

async function main(): Promise<void> {
  allowClosedPipes();
  const program = new Command("pulumi-observability")
    .description(
      "Brings existing observability configuration into Pulumi programs, tells what their changes do, and runs many stacks.",
    )
    .version(version)
    .addHelpText("after", statuses);
  for (const options of commands) program.addCommand(options());
  // A wrong command line has a status of its own.
  for (const each of allOf(program)) each.exitOverride();
  try {
    await program.parseAsync();
  } catch (error) {
    if (error instanceof CommanderError) {
      // Commander has printed its message, or the help that was asked for.
      process.exitCode = error.exitCode === 0 ? exitStatus.done : exitStatus.usage;
      return;
    }
    process.stderr.write(`${paintError("red", "error:")} ${reasonOf(error)}\n`);
    process.exitCode = exitStatus.failed;
  }
}

void main();
