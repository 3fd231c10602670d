/**
 * Runs every side once per round, in an order that rotates: if the machine gets slower or faster meanwhile, this affects
 * all sides alike.
 * @template Side
 * @template Outcome
 * @template {Readonly<Record<string, Side>>} Sides
 * @param {Sides & Readonly<Record<string, Side>>} sides
 * @param {number} rounds
 * @param {(side: Side) => Promise<Outcome>} run
 * @param {(round: number, side: string, outcome: Outcome) => void} [onRun]
 * @returns {Promise<{ [Name in keyof Sides]: Outcome[] }>} of each side, the rounds in order
 */
export async function interleave(sides, rounds, run, onRun) {
  const names = Object.keys(sides);
  /** @type {Record<string, Outcome[]>} */
  const outcomes = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    const first = round % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      const outcome = await run(/** @type {Side} */ (sides[name])); // It is one of their names.
      outcomes[name]?.push(outcome);
      onRun?.(round + 1, name, outcome);
    }
  }
  return /** @type {{ [Name in keyof Sides]: Outcome[] }} */ (outcomes); // Made of their names.
}

/**
 * Does one thing after another.
 * @template Item, Outcome
 * @param {readonly Item[]} items
 * @param {(item: Item) => Promise<Outcome>} work
 */
export async function inTurn(items, work) {
  const outcomes = [];
  for (const item of items) outcomes.push(await work(item));
  return outcomes;
}
