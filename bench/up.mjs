import { wallRatio } from "./figures.mjs";
import { up as create } from "./project.mjs";
import { atMost, exactly } from "./result.mjs";
import { interleave } from "./rounds.mjs";
import { compared } from "./table.mjs";
import { inWorld } from "./world.mjs";

/**
 * Measures the creation of all resources; the engine writes its state once, at the end. The floor's create waits as long
 * as the answers to our requests take.
 * @param {import("./main.mjs").Context} context
 * @returns {Promise<import("./result.mjs").Result>}
 */
export async function up(context) {
  const { resources, latency, rounds } = context.options;
  const kind = context.kindOr("Monitor");
  // If a create is a PUT, a dry run first proves that the object does not exist.
  const requestsOfOne = kind.createsByPut ? 2 : 1;
  const title = `up, ${resources} new ${kind.name}s`;
  const waiting = { BENCH_FLOOR_WAIT_MS: String(latency * requestsOfOne) };
  const { ours, floor } = await inWorld(context, kind, resources, (world) =>
    interleave(
      { ours: () => create(world.ours, resources), floor: () => create(world.floor, resources, waiting) },
      rounds,
      async (run) => {
        const found = await run();
        await world.uncreate();
        return found;
      },
      context.progress(title),
    ),
  );
  return {
    rows: [
      exactly(
        `${title}: requests`,
        ours.map(({ requests }) => requests),
        requestsOfOne * resources,
      ),
      atMost(`${title}: wall, ours / floor that waits`, wallRatio(ours, floor), 1.3),
    ],
    tables: [compared(`${title}, no checkpoints`, { ours, floor })],
  };
}
