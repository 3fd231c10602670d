#!/usr/bin/env node
import { runCommandLine } from "./commandLine";
import { allowClosedPipes } from "./output/output";
import { stopRunnerCommands } from "./output/runnerCommands";

allowClosedPipes();
stopRunnerCommands();
void runCommandLine(process.argv.slice(2));
