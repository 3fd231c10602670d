#!/usr/bin/env node
import { type Command, CommanderError } from "commander";
import { UnknownTeamError } from "../sdk/teams/definition/files";
import { commandLine } from "./commandLine";
import { stopRunnerCommands } from "./report/runnerCommands";
import { allowClosedPipes, exitStatus, paintError, reasonOf } from "./report/output";

const allOf = (command: Command): readonly Command[] => [command, ...command.commands.flatMap(allOf)];

async function main(): Promise<void> {
  allowClosedPipes();
  stopRunnerCommands();
  const program = commandLine();
  // Invalid arguments have their own status.
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
    process.exitCode = error instanceof UnknownTeamError ? exitStatus.usage : exitStatus.failed;
  }
}

void main();
