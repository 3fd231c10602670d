const hasGroups = process.platform !== "win32";

/**
 * Whether a team's process starts its own process group, so that only {@link interrupt} interrupts it: once for each
 * Ctrl-C, even if that came from no terminal. A second interrupt makes an engine drop its work.
 */
export const ownGroup = { detached: hasGroups };

/** Longer than any request, with its retries, and the engine's last save. */
const longestEndMs = 120_000;

/**
 * Ends this team's process and its engine: kills them if they have not ended long after their interrupt.
 * @param isInterrupted Whether they were interrupted before. Twice would make the engine drop its work.
 */
export function endOwnGroup(isInterrupted: boolean): void {
  if (!isInterrupted) interrupt(process.pid);
  setTimeout(() => process.kill(hasGroups ? -process.pid : process.pid, "SIGKILL"), longestEndMs).unref();
}

/** Interrupts a team's process and its engine. On Windows a console's Ctrl-C reaches them by itself. */
export function interrupt(pid: number): void {
  if (!hasGroups) return;
  try {
    process.kill(-pid, "SIGINT");
  } catch {
    // They have ended by themselves.
  }
}
