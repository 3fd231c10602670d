import "./closedPipes";
import { setTimeout as sleep } from "node:timers/promises";
import { type SettingTexts, settingTexts } from "../client/settingTexts";
import { Claims } from "./objects/claims";
import type { Note, Run } from "./run";
import { startRun } from "./start";
import { whenGone } from "./whenGone";

// The time for the host to send the last answers, also on a machine that has much else to do.
const lastWordsMs = 500;

/** The run of this process, as soon as its settings are known. */
let running: Run | undefined;
let ending: Promise<void> | undefined;

/** Starts the run of a provider process, which ends with the engine that has started the process. */
export function startHost(configured: SettingTexts, engineAddress: string, note: Note): Run {
  const claims = Claims.of(engineAddress);
  running = startRun(settingTexts(configured, process.env), note, claims);
  process.on("exit", () => claims.close());
  endWith(engineAddress);
  return running;
}

/** Ends this process with the engine, after the calls that are under way. */
export function endWith(engineAddress: string): void {
  // The engine sends SIGINT when it closes, at the end or on a second Ctrl-C, and kills the process 5 s later.
  // A repeated signal changes nothing: the running end goes on.
  const stop = () => void (ending ??= end());
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, stop);
  // A killed engine sends nothing: without it, no answer would be recorded.
  whenGone(engineAddress, stop);
}

async function end(): Promise<void> {
  if (await running?.interrupt()) await sleep(lastWordsMs);
  process.exit();
}
