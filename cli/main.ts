#!/usr/bin/env node
import { runCommandLine } from "./commandLine";
import { allowClosedPipes } from "./report/output";
import { stopRunnerCommands } from "./report/runnerCommands";

allowClosedPipes();
stopRunnerCommands();
void runCommandLine(process.argv.slice(2));
