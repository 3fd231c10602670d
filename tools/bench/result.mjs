import { roles } from "./processes.mjs";

/**
 * @typedef {object} Run what one run of one side took
 * @property {number} wallSeconds
 * @property {number} requests
 * @property {Readonly<Record<import("./processes.mjs").Role, import("./processes.mjs").Use>> | undefined} uses
 *   undefined if the platform does not tell
 *
 * @typedef {{ text: string, holds: boolean }} Result a table with the figures that are compared, and whether these keep their bounds
 */

/**
 * Measures the sides of a case, compares the first with the second, and judges those figures of the first that have a bound.
 * @param {import("./main.mjs").Context} context
 * @param {string} title
 * @param {Readonly<Record<string, () => Promise<Run>>>} sides at least two
 * @param {{ exactly?: number, requests?: number, cpu?: number, wall?: number }} bounds
 *   `exactly`: the number of requests in every round; `requests`: the most; `cpu`, `wall`: the largest ratio
 * @returns {Promise<Result>}
 */
export async function result({ options, isDefault, say }, title, sides, { exactly, requests, cpu, wall }) {
  const runs = await measure(options.rounds, say, title, sides);
  const [[first, ours] = ["", []], [second, other] = ["", []]] = Object.entries(runs);
  const counts = ours.map((run) => run.requests);
  const figures = [
    { name: "wall", value: ratio(ours, other, wallOf), most: wall },
    { name: "CPU", value: ratio(ours, other, cpuOf), most: cpu },
    { name: "requests", value: Math.max(...counts), most: exactly ?? requests, least: exactly && Math.min(...counts) },
  ].map(({ name, value, most, least = most }) => {
    const shown = `${name} ${text(value, Number.isInteger(value) ? 0 : 2)}`;
    // The bounds are for the default sizes.
    if (most === undefined || !isDefault) return { shown, holds: true };
    const holds = !(value > most || least !== most);
    return { shown: `${shown} of ${exactly === most ? "exactly" : "at most"} ${most}${holds ? "" : ": NO"}`, holds };
  });
  const lines = [
    title,
    aligned(["", "", "CPU s", "", "", "peak MB", "", "", ""]),
    aligned(["", "wall s", ...roles, ...roles, "requests"]),
    ...Object.entries(runs).map(([name, each]) => aligned([name, ...mediansOf(each)])),
    `${first}/${second}: ${figures.map(({ shown }) => shown).join(", ")}`,
  ];
  return { text: lines.join("\n"), holds: figures.every(({ holds }) => holds) };
}

/**
 * Runs every side once per round, in an order that rotates: if the machine gets slower or faster meanwhile, this affects
 * all sides alike.
 * @param {number} rounds @param {(line: string) => void} say @param {string} title
 * @param {Readonly<Record<string, () => Promise<Run>>>} sides
 * @returns {Promise<Readonly<Record<string, readonly Run[]>>>} of each side, the rounds in order
 */
async function measure(rounds, say, title, sides) {
  const all = Object.entries(sides).map(([name, run]) => ({ name, run, runs: /** @type {Run[]} */ ([]) }));
  for (let round = 0; round < rounds; round++) {
    const first = round % all.length;
    for (const { name, run, runs } of [...all.slice(first), ...all.slice(0, first)]) {
      const took = await run();
      runs.push(took);
      say(`${title}, round ${round + 1}: ${name} ${took.wallSeconds.toFixed(2)} s`);
    }
  }
  return Object.fromEntries(all.map(({ name, runs }) => [name, runs]));
}

/** @typedef {(run: Run) => number} Figure NaN if it could not be measured */

/** @type {Figure} */
const wallOf = ({ wallSeconds }) => wallSeconds;

/** The processor time of program and provider: what a provider can make cheap or dear. @type {Figure} */
const cpuOf = ({ uses }) => (uses ? uses.program.cpuSeconds + uses.provider.cpuSeconds : NaN);

/**
 * The median of the rounds' ratios: a slow round slows both sides, so it does not count.
 * @param {readonly Run[]} runs @param {readonly Run[]} comparison of the same rounds @param {Figure} of
 */
function ratio(runs, comparison, of) {
  const others = comparison.map(of);
  return median(runs.map((run, round) => of(run) / (others[round] ?? NaN)));
}

/** @param {readonly number[]} values */
function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? NaN) + (sorted[Math.floor(middle)] ?? NaN)) / 2;
}

/** @param {readonly Run[]} runs */
function mediansOf(runs) {
  const middle = (/** @type {Figure} */ of, /** @type {number} */ digits) => text(median(runs.map(of)), digits);
  return [
    middle(wallOf, 2),
    ...roles.map((role) => middle(({ uses }) => uses?.[role].cpuSeconds ?? NaN, 2)),
    ...roles.map((role) => middle(({ uses }) => uses?.[role].peakMb ?? NaN, 0)),
    middle(({ requests }) => requests, 0),
  ];
}

/** @param {number} value @param {number} digits */
const text = (value, digits) => (Number.isNaN(value) ? "–" : value.toFixed(digits));

const widths = [8, 8, 9, 9, 8, 9, 9, 9, 9];

/** @param {readonly string[]} cells */
const aligned = ([name = "", ...cells]) =>
  [name.padEnd(widths[0] ?? 0), ...cells.map((cell, i) => cell.padStart(widths[i + 1] ?? 0))].join("").trimEnd();
