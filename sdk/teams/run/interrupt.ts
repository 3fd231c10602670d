export const hasGroups = process.platform !== "win32";

/**
 * Whether a team's process starts its own process group, so that only {@link interrupt} interrupts it: once for each
 * Ctrl+C, even if that came from no terminal. A second interrupt makes an engine drop its work.
 */
export const ownGroup = { detached: hasGroups };

/** The time for an engine that is interrupted twice to save the state. */
const longestEndNowMs = 5_000;
/** Longer than any request, with its retries, and the engine's last save. */
export const longestEndMs = 120_000;

/**
 * Ends this team's process and its engine: kills them if they have not ended long after their interrupt.
 * @param isInterrupted Whether they were interrupted before. Twice would make the engine drop its work.
 */
export function endOwnGroup(isInterrupted: boolean): void {
  if (!isInterrupted) interrupt(process.pid);
  setTimeout(() => process.kill(hasGroups ? -process.pid : process.pid, "SIGKILL"), longestEndMs).unref();
}

/** Ends a team's process and its engine at once, even if its program never yields. */
export function endNow(pid: number): void {
  interrupt(pid);
  if (hasGroups) setTimeout(() => signal(-pid, "SIGKILL"), longestEndNowMs).unref();
}

/** Interrupts a team's process and its engine. On Windows a console's Ctrl+C reaches them by itself. */
export function interrupt(pid: number): void {
  if (hasGroups) signal(-pid, "SIGINT");
}

function signal(target: number, name: NodeJS.Signals): void {
  try {
    process.kill(target, name);
  } catch {
    // They have ended by themselves.
  }
}
