import { readUtf8 } from "../../../provider/base/utf8";
import type { StackOperation } from "../../../sdk/teams/operation/message";
import { mergeReports, parseReport, type Report, unfinished } from "../../../sdk/teams/report/report";
import { summary } from "../../../sdk/teams/report/summary";
import { runTeams, type TeamsOptions } from "../../../sdk/teams/run/run";
import type { TeamEvent } from "../../../sdk/teams/run/teamRun";
import { CommandError, reasonOf, exitStatus } from "../../output/output";
import { jsonText } from "../../output/runnerCommands";
import { Display } from "./display";

export interface TeamsFlags extends Omit<TeamsOptions, "teams" | "earlier"> {
  readonly team?: readonly string[];
  readonly rerun?: string;
  readonly plain?: boolean;
  readonly json?: boolean;
  readonly events?: boolean;
}

/** Runs an operation for each team; Ctrl+C shuts it down gracefully. */
export async function runCommand(operation: StackOperation, flags: TeamsFlags): Promise<void> {
  const { json = false, events = false } = flags;
  const isForMachines = json || events;
  // Standard output belongs to the JSON.
  const screen = isForMachines ? process.stderr : process.stdout;
  const say = (text: string) => void screen.write(`${text}\n`);
  const { team: teams, rerun } = flags;
  const earlier = rerun === undefined ? undefined : readReport(rerun);
  const isLive = screen.isTTY === true && flags.plain !== true && !process.env.CI && process.env.TERM !== "dumb";
  const display = new Display(screen, isLive);
  const interrupts = interruptions(say);
  const onEvent = (event: TeamEvent) => {
    if (events) process.stdout.write(`${jsonText(event)}\n`);
    else display.see(event);
  };
  try {
    const chosen = { ...(teams && { teams }), ...(earlier && { earlier }) };
    const report = await runTeams({ ...flags, ...interrupts.signals, operation, onEvent, ...chosen });
    display.end();
    if (events) process.stdout.write(`${jsonText({ type: "report", ...report })}\n`);
    else print(report, json);
    process.exitCode = statusOf(report);
  } finally {
    interrupts.off();
  }
}

function print(report: Report, json: boolean): void {
  const text = json ? jsonText(report, 2) : `\n${summary(report, process.stdout.columns ?? 120)}`;
  process.stdout.write(`${text}\n`);
}

/** The exit status of a run: 1 if any team failed or was not started. */
const statusOf = (report: Report) => (unfinished(report).length === 0 ? exitStatus.done : exitStatus.failed);

/** Merges the reports of all shards and prints one; the exit status is 1 if any team failed. */
export const merge = (files: readonly string[], json: boolean): void => {
  const report = mergeReports(files.map(readReport));
  print(report, json);
  process.exitCode = statusOf(report);
};

/** @throws if the file is not a report. */
function readReport(file: string): Report {
  try {
    return parseReport(readUtf8(file));
  } catch (error) {
    throw new CommandError(`"${file}": ${reasonOf(error)}`);
  }
}

/** The first Ctrl+C, or signal of a CI runner, shuts down gracefully; the next one stops at once. */
function interruptions(say: (text: string) => void) {
  const stopping = new AbortController();
  const endingNow = new AbortController();
  const kinds = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  const interrupt = () => {
    if (!stopping.signal.aborted) {
      say("shutting down gracefully. Interrupt again to stop at once, which may lose state.");
      stopping.abort();
    } else endingNow.abort();
  };
  for (const kind of kinds) process.on(kind, interrupt);
  return {
    signals: { signal: stopping.signal, endNow: endingNow.signal },
    off: () => kinds.forEach((kind) => process.off(kind, interrupt)),
  };
}
