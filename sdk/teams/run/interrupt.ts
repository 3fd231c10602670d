const hasGroups = process.platform !== "win32";

/**
 * Whether a team's process starts a process group of its own, so that it is interrupted only by {@link interrupt}: once for
 * each Ctrl-C, also if it came from no terminal. A second interrupt makes an engine drop what it does.
 */
export const ownGroup = { detached: hasGroups };

/** Interrupts a team's process and its engine. On Windows a console's Ctrl-C reaches them by itself. */
export function interrupt(pid: number): void {
  if (!hasGroups) return;
  try {
    process.kill(-pid, "SIGINT");
  } catch {
    // They have ended by themselves.
  }
}
