import { interleave } from "./rounds.mjs";
import { compared } from "./table.mjs";
import { inWorld } from "./world.mjs";

/**
 * Measures the deletion of all resources: with the number of operations that the engine has under way by default (four per
 * processor), and with more. It writes its state once, at the end.
 * @param {import("./main.mjs").Context} context
 * @returns {Promise<import("./result.mjs").Result>}
 */
export async function destroy(context) {
  const { resources, rounds } = context.options;
  const kind = context.kindOr("Monitor");
  const title = `destroy, ${resources} ${kind.name}s`;
  const runs = await inWorld(context, kind, resources, (world) =>
    interleave(
      {
        ours: { project: world.ours, parallel: [] },
        floor: { project: world.floor, parallel: [] },
        "ours 16": { project: world.ours, parallel: ["--parallel", "16"] },
        "ours 32": { project: world.ours, parallel: ["--parallel", "32"] },
      },
      rounds,
      async ({ project, parallel }) => {
        await world.create();
        const run = await project.run(["destroy", "--yes", "--skip-preview", ...parallel], {
          resources,
          steps: { delete: resources + 1 },
          env: { PULUMI_SKIP_CHECKPOINTS: "true" },
        });
        await world.uncreate();
        return run;
      },
      context.progress(title),
    ),
  );
  return { rows: [], tables: [compared(`${title}, no checkpoints; 16, 32: --parallel`, runs)] };
}
