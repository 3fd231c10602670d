const hasGroups = process.platform !== "win32";

/**
 * Whether a team's process starts its own process group, so that only {@link interrupt} interrupts it: once for each
 * Ctrl-C, even if that came from no terminal. A second interrupt makes an engine drop its work.
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
