import { setTimeout as sleep } from "node:timers/promises";
import { type SettingTexts, settingTexts } from "../client/settingTexts";
import { Claims } from "./claims";
import type { Note, Run } from "./run";
import { startRun } from "./start";
import { whenGone } from "./whenGone";

// The time for the host to send the last answers, also on a machine that has much else to do.
const lastWordsMs = 500;

/** Starts the run of a provider process, which ends with the engine that has started the process. */
export function startHost(configured: SettingTexts, engineAddress: string, note: Note): Run {
  const claims = Claims.of(engineAddress);
  const run = startRun(settingTexts(configured, process.env), note, claims);
  process.on("exit", () => claims.close());
  // The engine sends SIGINT when it closes, at the end or on a second Ctrl-C, and kills the process 5 s later.
  // A repeated SIGINT changes nothing: the running end goes on.
  let ending: Promise<void> | undefined;
  const stop = () => void (ending ??= end(run));
  process.on("SIGINT", stop);
  // A killed engine sends nothing: without it, no answer would be recorded.
  whenGone(engineAddress, stop);
  return run;
}

async function end(run: Run): Promise<void> {
  if (await run.interrupt()) await sleep(lastWordsMs);
  process.exit();
}
