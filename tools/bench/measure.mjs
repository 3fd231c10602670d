/** @typedef {import("./figures.mjs").Run} Run */

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
