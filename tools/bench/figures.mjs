/**
 * @typedef {object} Run what one run of one side took
 * @property {number} wallSeconds
 * @property {number} requests
 * @property {Readonly<Record<import("./processes.mjs").Role, import("./processes.mjs").Use>> | undefined} uses
 *   undefined if the platform does not tell
 */

/** @param {readonly number[]} values at least one */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const [left, right] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  if (left === undefined || right === undefined) throw new Error("a median needs a value");
  return (left + right) / 2;
}

/**
 * The median of the rounds' ratios: a slow round slows both sides, so it does not count. Undefined if a value is.
 * @param {readonly Run[]} runs
 * @param {readonly Run[]} comparison of the same rounds
 * @param {(run: Run) => number | undefined} of
 */
export function ratio(runs, comparison, of) {
  const values = comparison.map((run) => of(run) ?? NaN);
  const ratios = runs.map((run, round) => (of(run) ?? NaN) / (values[round] ?? NaN));
  return ratios.some(Number.isNaN) ? undefined : median(ratios);
}

/** @param {Run} run */
export const wallOf = ({ wallSeconds }) => wallSeconds;

/** The processor time of program and provider: what a provider can make cheap or dear. @param {Run} run */
export const cpuOf = ({ uses }) => uses && uses.program.cpuSeconds + uses.provider.cpuSeconds;

/**
 * Runs every side once per round, in an order that rotates: if the machine gets slower or faster meanwhile, this affects
 * all sides alike.
 * @template {string} Name
 * @param {Pick<import("./main.mjs").Context, "options" | "say">} context
 * @param {string} title
 * @param {Readonly<Record<Name, () => Promise<Run>>>} sides
 * @returns {Promise<Readonly<Record<Name, readonly Run[]>>>} of each side, the rounds in order
 */
export async function measure({ options: { rounds }, say }, title, sides) {
  const names = /** @type {Name[]} */ (Object.keys(sides)); // It has no other keys.
  const runs = /** @type {Record<Name, Run[]>} */ ({});
  for (const name of names) runs[name] = [];
  for (let round = 0; round < rounds; round++) {
    const first = round % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      const run = await sides[name]();
      runs[name].push(run);
      say(`${title}, round ${round + 1}: ${name} ${run.wallSeconds.toFixed(2)} s`);
    }
  }
  return runs;
}
