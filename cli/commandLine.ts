import { type Command, CommanderError } from "commander";
import { version } from "../provider/client/version.gen";
import { UnknownTeamError } from "../sdk/teams/definition/files";
import { backtestOptions } from "./commands/backtest/options";
import { convertOptions } from "./commands/convert/options";
import { doctorOptions } from "./commands/doctor/options";
import { driftOptions } from "./commands/drift/options";
import { exportOptions } from "./commands/export/options";
import { importOptions } from "./commands/import/options";
import { CliCommand } from "./commands/options";
import { reportOptions } from "./commands/report/options";
import { reviewOptions } from "./commands/review/options";
import { teamsOptions } from "./commands/teams/options";
import { exitStatus, paintError, reasonOf } from "./output/output";

// Options load what parses them; a command loads its code only when it runs.
const commands = [
  doctorOptions,
  importOptions,
  convertOptions,
  exportOptions,
  reviewOptions,
  reportOptions,
  driftOptions,
  backtestOptions,
  teamsOptions,
];

/** Returns the command `pulumi-observability` with all its commands. */
export function commandLine(): CliCommand {
  const program = new CliCommand("pulumi-observability")
    .description(
      "Bring existing observability configuration into Pulumi programs, review what changes do to alerting, and run many stacks.",
    )
    .version(version)
    .addExamples(
      [],
      "Exit status: 0 success, 1 failure, 2 invalid arguments, 3 finished with findings (rejected input, a risk, drift, an exceeded limit).",
      "Settings: OBSERVABILITY_BASE_URL, OBSERVABILITY_API_TOKEN and so on, or the stack config of --stack.",
    );
  for (const options of commands) program.addCommand(options());
  return program;
}

const allOf = (command: Command): readonly Command[] => [command, ...command.commands.flatMap(allOf)];

/** Runs a command line. Prints its error, and sets the exit status of this process. */
export async function runCommandLine(args: readonly string[]): Promise<void> {
  const program = commandLine();
  // Invalid arguments have their own status.
  for (const each of allOf(program)) each.exitOverride();
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) {
      // Commander has printed its message, or the help that was asked for.
      process.exitCode = error.exitCode === 0 ? exitStatus.done : exitStatus.usage;
      return;
    }
    process.stderr.write(`${paintError("red", "error:")} ${reasonOf(error)}\n`);
    process.exitCode = error instanceof UnknownTeamError ? exitStatus.usage : exitStatus.failed;
  }
}
