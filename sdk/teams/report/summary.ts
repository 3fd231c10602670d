import { cutText } from "../../../provider/base/aroundDifference";
import { type Report, type TeamResult, unfinished } from "./report";

/**
 * A line for each team. Below it are its failure, cut to a line because the full text was printed before, and its
 * warnings.
 * @param columns The longest line; 80 are enough for names of 30 letters, and 40 for a name on its own line.
 */
export function summary({ teams, operation }: Report, columns: number): string {
  const width = Math.max(4, ...teams.map(({ name }) => name.length));
  const isNarrow = width + 42 > columns;
  const [cellWidth, timeWidth] = isNarrow ? [7, 9] : [8, 10];
  const line = (name: string, cells: readonly string[], time: string) =>
    (isNarrow ? `${name}\n` : name.padEnd(width)) +
    `${cells.map((cell) => cell.padStart(cellWidth)).join("")}${time.padStart(timeWidth)}`;
  const rows = teams.flatMap(({ name, counts, status, failure, warnings = [], operation, seconds }) => {
    const cells = [counts?.create, counts?.update, counts?.delete, counts?.same].map((count) => String(count ?? "-"));
    const row = line(name, cells, `${seconds.toFixed(1)} s`);
    const failed = `  ${operation} ${status}${status === "failed" ? `: ${failure}` : ""}`;
    return [
      row,
      ...(failure === undefined ? [] : [cutText(failed, columns - 1)]),
      // In full: what follows from several shards was not printed before.
      ...warnings.map((text) => `  warning: ${text}`),
    ];
  });
  const left = unfinished({ teams });
  const which = left.length === 0 ? "" : `, failed: ${left.join(", ")}`;
  const verdict = `${teams.length - left.length} of ${teams.length} teams done${which}`;
  return [
    line("team", ["create", "update", "delete", "same"], "time"),
    ...rows,
    "",
    verdict,
    ...advice(teams, operation),
  ].join("\n");
}

/** Advice about first loads. */
function* advice(teams: readonly TeamResult[], operation: Report["operation"]): Generator<string> {
  const loaded = teams.filter(({ skippedCheckpoints }) => skippedCheckpoints);
  if (loaded.length === 0 || operation !== "up") return;
  yield `${loaded.length} of them loaded for the first time, without checkpoints`;
  if (loaded.every(({ status }) => status === "done")) return;
  yield "Run the failed ones again before you change their files: the next run adopts what this one created.";
}
