import { ratio, wallOf } from "./figures.mjs";
import { atMost, merged } from "./result.mjs";
import { interleave, inTurn } from "./rounds.mjs";
import { compared } from "./table.mjs";
import { inWorld } from "./world.mjs";

/**
 * @typedef {import("./main.mjs").Context} Context
 * @typedef {import("./result.mjs").Result} Result
 */

/**
 * Measures refreshes of stacks at a service that has twice as many objects of the kind.
 * @param {Context} context
 * @returns {Promise<Result>}
 */
export async function refresh(context) {
  const { resources } = context.options;
  const kind = context.kind ?? context.kindNamed("Notifier");
  const cases = [
    { size: resources, requests: 40 },
    { size: 5 * resources, requests: 60 },
  ];
  const results = await inTurn(cases, ({ size, requests: bound }) =>
    inWorld(context, kind, size, async (world) => {
      await world.create();
      await world.createOthers();
      const title = `refresh of ${size} ${kind.name}s`;
      const { ours, floor } = await interleave(
        { ours: world.ours, floor: world.floor },
        context.options.rounds,
        (project) =>
          project.run(["refresh", "--yes", "--skip-preview"], { resources: size, steps: { same: size + 1 } }),
        context.progress(title),
      );
      const most = Math.max(...ours.map(({ requests }) => requests));
      return {
        rows: [
          atMost(`${title}: requests`, most, bound, context),
          atMost(`${title}: wall, ours / floor`, ratio(ours.map(wallOf), floor.map(wallOf)), 1.25, context),
        ],
        tables: [compared(title, { ours, floor })],
      };
    }),
  );
  return merged(results);
}
