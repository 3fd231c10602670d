import { checkpoints, up as create } from "./project.mjs";
import { result } from "./table.mjs";
import { inWorld } from "./world.mjs";

/**
 * Measures the creation of all resources: as users run it, and without checkpoints. The floor's create waits as long as the
 * answers to our requests take.
 * @type {import("./main.mjs").Bench}
 */
export async function up(context) {
  const { resources, latency } = context.options;
  const kind = context.kindNamed("Monitor");
  // If a create is a PUT, a dry run first proves that the object does not exist.
  const requestsOfOne = kind.createsByPut ? 2 : 1;
  const waiting = { BENCH_FLOOR_WAIT_MS: String(latency * requestsOfOne) };
  return inWorld(context, kind, resources, async (world) => {
    const results = [];
    for (const [words, env] of Object.entries(checkpoints)) {
      const title = `up, ${resources} new ${kind.name}s, ${words}`;
      /** @param {import("./project.mjs").Project} project */
      const created = (project) => async () => {
        const run = await create(project, resources, { ...env, ...waiting });
        await world.uncreate();
        return run;
      };
      const sides = { ours: created(world.ours), floor: created(world.floor) };
      results.push(await result(context, title, sides, { exactly: requestsOfOne * resources, wall: 1.3 }));
    }
    return results;
  });
}
