// What helpers have made for a test file, and what ends it. Vitest takes no hook from inside a test, and where files share
// a process, of a module that they share only the hooks of the first file.
const ends: (() => unknown)[] = [];

/** Calls `end` after the last test of the file; what was made last ends first. */
export const atEnd = (end: () => unknown): void => void ends.push(end);

/** Ends everything of the file that has run. */
export async function endAll(): Promise<void> {
  for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end();
}
