import { result } from "./table.mjs";
import { inWorld } from "./world.mjs";

/**
 * Measures refreshes of stacks at a service that has twice as many objects of the kind.
 * @type {import("./main.mjs").Bench}
 */
export async function refresh(context) {
  const { resources } = context.options;
  // A list that the interface describes, and two that are only conventions.
  const cases = /** @type {const} */ ([
    ["Notifier", resources, 40],
    ["Notifier", 5 * resources, 60],
    ["Monitor", resources, 40],
    ["SLO", resources, 40],
  ]);
  const results = [];
  for (const [name, size, requests] of cases) {
    const kind = context.kindNamed(name);
    const measured = await inWorld(context, kind, size, async (world) => {
      await world.create();
      await world.createOthers();
      /** @param {import("./project.mjs").Project} project */
      const refreshed = (project) => () =>
        project.run(["refresh", "--yes", "--skip-preview"], { resources: size, steps: { same: size + 1 } });
      const sides = { ours: refreshed(world.ours), floor: refreshed(world.floor) };
      return result(context, `refresh of ${size} ${kind.name}s`, sides, { requests, wall: 1.25 });
    });
    results.push(measured);
  }
  return results;
}
