#!/usr/bin/env node
import { runCommandLine } from "./commandLine";
import { continueWithoutOutput } from "./output/output";
import { stopRunnerCommands } from "./output/runnerCommands";

continueWithoutOutput();
stopRunnerCommands();
void runCommandLine(process.argv.slice(2));
