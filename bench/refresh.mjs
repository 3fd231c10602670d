import { wallRatio } from "./figures.mjs";
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
  // A list that the interface describes, and two that are only conventions.
  const [described, ...others] = new Set([
    context.kindOr("Notifier"),
    context.kindOr("Monitor"),
    context.kindOr("SLO"),
  ]);
  if (described === undefined) throw new Error("one kind is measured");
  const cases = [
    { kind: described, size: resources, requests: 40 },
    { kind: described, size: 5 * resources, requests: 60 },
    ...others.map((kind) => ({ kind, size: resources, requests: 40 })),
  ];
  const results = await inTurn(cases, ({ kind, size, requests: bound }) =>
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
          atMost(`${title}: requests`, most, bound),
          atMost(`${title}: wall, ours / floor`, wallRatio(ours, floor), 1.25),
        ],
        tables: [compared(title, { ours, floor })],
      };
    }),
  );
  return merged(results);
}
