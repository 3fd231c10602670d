import "./closedPipes";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type SettingTexts, settingTexts } from "../client/settingTexts";
import { Claims } from "./objects/claims";
import { type Note, type Session, startSession } from "./session";

// The time for the host to send the last answers, also on a machine that has much else to do.
const lastWordsMs = 500;

/** The session of this process, as soon as its settings are known: the engine starts one process per provider and run. */
let session: Session | undefined;
let ending: Promise<void> | undefined;

/** The session of this provider process, which the first call starts. */
export function sessionOfProcess(configured: SettingTexts, engineAddress: string, note: Note): Session {
  if (session !== undefined) return session;
  const claims = Claims.of(engineAddress);
  session = startSession(settingTexts(configured, process.env), note, claims);
  const { results } = session;
  process.on("exit", () => [claims, results].forEach((shared) => shared.close()));
  return session;
}

/** Ends the calls in progress. The engine ends the process. */
export const interruptSession = (): void => void session?.interrupt();

/** Ends this process with the engine, after the calls in progress. */
export function endWithEngine(engineAddress: string): void {
  // The engine sends SIGINT when it closes, at the end or on a second Ctrl+C, and kills the process 5 s later.
  // A repeated signal changes nothing: the running end goes on.
  const stop = () => void (ending ??= end());
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, stop);
  // A killed engine sends nothing: without it, no answer would be recorded.
  whenGone(engineAddress, stop);
}

async function end(): Promise<void> {
  if (await session?.interrupt()) await sleep(lastWordsMs);
  process.exit();
}

const retryMs = 100;

/**
 * Calls back once no process listens at an address any more, for a process that cannot notice the other's end otherwise
 * because its parent is a shell. Keeps a connection open, whose end the system reports at once.
 * @param address `127.0.0.1:41234`; nothing is watched if it is none.
 */
function whenGone(address: string, report: () => void): void {
  const [, host, port] = /^(.+):(\d+)$/.exec(address) ?? [];
  if (host === undefined || port === undefined) return;
  const watch = () => {
    let isGone = false;
    connect({ host, port: Number(port) })
      // Any other error is this machine's, such as too many open files.
      .on("error", (error: NodeJS.ErrnoException) => (isGone = error.code === "ECONNREFUSED"))
      // A server may close a silent connection: then it takes the next one.
      .on("close", () => (isGone ? report() : setTimeout(watch, retryMs).unref()))
      .resume()
      .unref();
  };
  watch();
}
