import { checkpoints } from "./project.mjs";
import { result } from "./table.mjs";
import { inWorld } from "./world.mjs";

/**
 * Measures the deletion of all resources, as users run it and without checkpoints: with the number of operations that the
 * engine has in progress by default (four per processor), and with more.
 * @type {import("./main.mjs").Bench}
 */
export async function destroy(context) {
  const { resources } = context.options;
  const kind = context.kindNamed("Monitor");
  return inWorld(context, kind, resources, async (world) => {
    const results = [];
    for (const [words, env] of Object.entries(checkpoints)) {
      const title = `destroy, ${resources} ${kind.name}s, ${words}`;
      /** @param {import("./project.mjs").Project} project @param {readonly string[]} options */
      const destroyed =
        (project, ...options) =>
        async () => {
          await world.create();
          const command = ["destroy", "--yes", "--skip-preview", ...options];
          const run = await project.run(command, { resources, steps: { delete: resources + 1 }, env });
          await world.uncreate();
          return run;
        };
      const sides = {
        ours: destroyed(world.ours),
        floor: destroyed(world.floor),
        "ours 16": destroyed(world.ours, "--parallel", "16"),
        "ours 32": destroyed(world.ours, "--parallel", "32"),
      };
      results.push(await result(context, title, sides, { heading: `${title}; 16, 32: --parallel` }));
    }
    return results;
  });
}
