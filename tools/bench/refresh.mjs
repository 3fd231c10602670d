import { ratio, wallOf } from "./figures.mjs";
import { measure } from "./measure.mjs";
import { atMost, compared, mostRequests } from "./table.mjs";
import { inWorld } from "./world.mjs";

/**
 * Measures refreshes of stacks at a service that has twice as many objects of the kind.
 * @type {import("./main.mjs").Bench}
 */
export async function refresh(context) {
  const { resources } = context.options;
  // A list that the interface describes, and two that are only conventions.
  const [described, ...others] = new Set(["Notifier", "Monitor", "SLO"].map(context.kindOr));
  if (described === undefined) throw new Error("one kind is measured");
  const cases = [
    { kind: described, size: resources, requests: 40 },
    { kind: described, size: 5 * resources, requests: 60 },
    ...others.map((kind) => ({ kind, size: resources, requests: 40 })),
  ];
  const results = [];
  for (const { kind, size, requests } of cases) {
    const title = `refresh of ${size} ${kind.name}s`;
    const runs = await inWorld(context, kind, size, async (world) => {
      await world.create();
      await world.createOthers();
      /** @param {import("./project.mjs").Project} project */
      const refreshed = (project) => () =>
        project.run(["refresh", "--yes", "--skip-preview"], { resources: size, steps: { same: size + 1 } });
      return measure(context, title, { ours: refreshed(world.ours), floor: refreshed(world.floor) });
    });
    const rows = [
      mostRequests(title, runs.ours, requests),
      atMost(`${title}: wall, ours / floor`, ratio(runs.ours, runs.floor, wallOf), 1.25),
    ];
    results.push({ table: compared(title, runs), rows });
  }
  return results;
}
