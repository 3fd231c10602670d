import { cpuOf, measure, median, ratio, wallOf } from "./figures.mjs";
import { roles } from "./processes.mjs";

/**
 * @typedef {import("./figures.mjs").Run} Run
 *
 * @typedef {object} Row
 * @property {string} name what was measured; ratios have no unit
 * @property {number | undefined} value undefined if it could not be measured
 * @property {number} bound the largest value allowed; if the name says "exactly", the only value allowed
 * @property {boolean | undefined} holds
 *
 * @typedef {object} Result what a bench, or a part of one, has found
 * @property {string} table
 * @property {readonly Row[]} rows
 */

/**
 * Measures the sides of a case, compares the first with the second, and judges those figures of the first that have a bound.
 * @param {import("./main.mjs").Context} context
 * @param {string} title
 * @param {Readonly<Record<string, () => Promise<Run>>>} sides at least two
 * @param {{ heading?: string, exactly?: number, requests?: number, cpu?: number, wall?: number }} bounds
 *   `exactly`: the number of requests in every round; `requests`: the most; `cpu`, `wall`: the largest ratio.
 *   `heading`: that of the table, if it is not the title
 * @returns {Promise<Result>}
 */
export async function result(context, title, sides, { heading = title, exactly, requests, cpu, wall }) {
  const runs = await measure(context, title, sides);
  const [[first, ours] = ["", []], [second, other] = ["", []]] = Object.entries(runs);
  const most = Math.max(...ours.map((run) => run.requests));
  const rows = [
    exactly === undefined ? [] : exactRequests(title, ours, exactly),
    requests === undefined ? [] : atMost(`${title}: requests`, most, requests),
    cpu === undefined ? [] : atMost(`${title}: CPU, ${first} / ${second}`, ratio(ours, other, cpuOf), cpu),
    wall === undefined ? [] : atMost(`${title}: wall, ${first} / ${second}`, ratio(ours, other, wallOf), wall),
  ];
  return { table: compared(heading, runs), rows: rows.flat() };
}

/** @param {string} name @param {number | undefined} value @param {number} bound @returns {Row} */
const atMost = (name, value, bound) => ({
  name,
  value,
  bound,
  holds: value === undefined ? undefined : value <= bound,
});

/**
 * The requests of runs, which must be right in every round. The row shows a wrong number if there is one.
 * @param {string} title @param {readonly Run[]} runs @param {number} bound @returns {Row}
 */
function exactRequests(title, runs, bound) {
  const value = runs.map(({ requests }) => requests).find((requests) => requests !== bound) ?? bound;
  return { name: `${title}: requests, exactly`, value, bound, holds: value === bound };
}

const widths = [8, 8, 9, 9, 8, 9, 9, 9, 9];

/**
 * The medians of several sides, and how the first compares with the second.
 * @param {string} title
 * @param {Readonly<Record<string, readonly Run[]>>} sides
 */
function compared(title, sides) {
  const [[first, ours] = ["", []], [second, other] = ["", []]] = Object.entries(sides);
  /** @param {(run: Run) => number | undefined} of */
  const ratioText = (of) => ratio(ours, other, of)?.toFixed(2) ?? "–";
  return [
    title,
    aligned(["", "", "CPU s", "", "", "peak MB", "", "", ""]),
    aligned(["", "wall s", ...roles, ...roles, "requests"]),
    ...Object.entries(sides).map(([name, runs]) => aligned([name, ...mediansOf(runs)])),
    `${first}/${second}: wall ${ratioText(wallOf)}, processor time of program and provider ${ratioText(cpuOf)}`,
  ].join("\n");
}

/** @param {readonly Run[]} runs */
function mediansOf(runs) {
  /** @param {(run: Run) => number | undefined} of @param {number} digits */
  const middle = (of, digits) => {
    const values = runs.flatMap((run) => of(run) ?? []);
    return values.length === runs.length ? median(values).toFixed(digits) : "–";
  };
  return [
    middle(wallOf, 2),
    ...roles.map((role) => middle(({ uses }) => uses?.[role].cpuSeconds, 2)),
    ...roles.map((role) => middle(({ uses }) => uses?.[role].peakMb, 0)),
    middle(({ requests }) => requests, 0),
  ];
}

/** @param {readonly string[]} cells */
const aligned = ([name = "", ...cells]) =>
  [name.padEnd(widths[0] ?? 0), ...cells.map((cell, i) => cell.padStart(widths[i + 1] ?? 0))].join("").trimEnd();

/** @param {readonly Row[]} rows */
export const judged = (rows) =>
  [["", "value", "bound", "holds"], ...rows.map(cellsOf)]
    .map(([name = "", ...cells]) => name.padEnd(59) + cells.map((cell) => cell.padStart(7)).join(""))
    .join("\n");

/** @param {Row} row */
const cellsOf = ({ name, value, bound, holds }) => [
  name,
  value === undefined ? "–" : String(Number(value.toFixed(3))),
  String(bound),
  String(holds ?? "–"),
];
