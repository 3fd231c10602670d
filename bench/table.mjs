import { cpuRatio, median, wallOf, wallRatio } from "./figures.mjs";
import { roles } from "./processes.mjs";

/** @typedef {import("./figures.mjs").Run} Run */

const widths = [8, 8, 9, 9, 8, 9, 9, 9, 9];

/**
 * The medians of several sides, and how the first compares with the second.
 * @param {string} title
 * @param {Readonly<Record<string, readonly Run[]>>} sides
 */
export function compared(title, sides) {
  const named = Object.entries(sides);
  const [[first, ours] = ["", []], [second, other] = ["", []]] = named;
  const lines = named.map(([name, runs]) => {
    /** @param {(run: Run) => number | undefined} of @param {number} digits */
    const middle = (of, digits) => {
      const values = runs.flatMap((run) => of(run) ?? []);
      return values.length === runs.length ? median(values).toFixed(digits) : "–";
    };
    return [
      name,
      middle(wallOf, 2),
      ...roles.map((role) => middle(({ uses }) => uses?.[role].cpuSeconds, 2)),
      ...roles.map((role) => middle(({ uses }) => uses?.[role].peakMb, 0)),
      middle(({ requests }) => requests, 0),
    ];
  });
  const ratios =
    named.length < 2
      ? []
      : [
          `${first}/${second}: wall ${ratioText(wallRatio(ours, other))}, ` +
            `processor time of program and provider ${ratioText(cpuRatio(ours, other))}`,
        ];
  return [
    title,
    aligned(["", "", "CPU s", "", "", "peak MB", "", "", ""]),
    aligned(["", "wall s", ...roles, ...roles, "requests"]),
    ...lines.map(aligned),
    ...ratios,
  ].join("\n");
}

/** @param {number | undefined} value */
const ratioText = (value) => value?.toFixed(2) ?? "–";

/** @param {readonly string[]} cells */
const aligned = (cells) =>
  cells
    .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
    .join("")
    .trimEnd();

/** @param {readonly import("./result.mjs").Row[]} rows */
export function judged(rows) {
  /** @param {string} name @param {string} value @param {string} bound @param {string} holds */
  const line = (name, value, bound, holds) =>
    `${name.padEnd(59)}${value.padStart(7)}${bound.padStart(7)}${holds.padStart(7)}`;
  return [
    line("", "value", "bound", "holds"),
    ...rows.map(({ name, value, bound, holds }) =>
      line(name, value === null ? "–" : String(value), String(bound), holds === null ? "–" : String(holds)),
    ),
  ].join("\n");
}
