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
 * @param {Pick<import("./main.mjs").Context, "options" | "say">} context
 * @param {string} title
 * @param {Readonly<Record<string, () => Promise<Run>>>} sides
 * @returns {Promise<Readonly<Record<string, readonly Run[]>>>} of each side, the rounds in order
 */
export async function measure({ options: { rounds }, say }, title, sides) {
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
