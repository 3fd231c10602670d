import type { TeamRun } from "./teamRun";

/**
 * A line for each team, and under it what went wrong, as far as a line goes: all of it was told when it happened.
 * @param columns The longest line; 80 are enough for names of 30 letters.
 */
export function summary(runs: readonly TeamRun[], columns: number): string {
  const width = Math.max(4, ...runs.map(({ name }) => name.length));
  const line = (name: string, cells: readonly string[], time: string) =>
    `${name.padEnd(width)}${cells.map((cell) => cell.padStart(8)).join("")}${time.padStart(10)}`;
  const rows = runs.flatMap(({ name, counts, failure, elapsedMs }) => {
    const cells = [counts?.create, counts?.update, counts?.delete, counts?.same].map((count) => String(count ?? "-"));
    const row = line(name, cells, `${(elapsedMs / 1000).toFixed(1)} s`);
    return failure === undefined ? [row] : [row, cut(`  ${failure}`, columns)];
  });
  const failed = runs.filter(({ failure }) => failure !== undefined).map(({ name }) => name);
  const which = failed.length === 0 ? "" : `, failed: ${failed.join(", ")}`;
  const verdict = `${runs.length - failed.length} of ${runs.length} teams done${which}`;
  return [line("team", ["create", "update", "delete", "same"], "time"), ...rows, "", verdict].join("\n");
}

const cut = (text: string, length: number) => (text.length > length ? `${text.slice(0, length - 1)}…` : text);
