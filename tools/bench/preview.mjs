import { cpuOf, measure, ratio, wallOf } from "./figures.mjs";
import { atMost, compared, exactRequests, mostRequests } from "./table.mjs";
import { inWorld } from "./world.mjs";

/**
 * @typedef {import("./main.mjs").Context} Context
 * @typedef {import("./table.mjs").Result} Result
 * @typedef {import("./figures.mjs").Run} Run
 * @typedef {import("./project.mjs").Project} Project
 * @typedef {import("./world.mjs").World} World
 */

/** Each preview sends one request to check the URL and the token. */
const proof = 1;

/**
 * Requests that tell what the service has: one for each of the first 16 objects, then whole pages. A create needs to know
 * that its slug is free, a change that the object is the recorded one.
 * @param {number} resources
 */
const looks = (resources) => Math.min(resources, 16) + (resources > 16 ? Math.ceil(resources / 1_000) : 0);

/**
 * Measures previews of many resources: all new; none, all or one changed; and one that looks for changes made outside.
 * @type {import("./main.mjs").Bench}
 */
export async function preview(context) {
  const { resources } = context.options;
  const byPost = await inWorld(context, context.kindNamed("Notifier"), resources, (world) => first(context, world));
  const others = await inWorld(context, context.kindNamed("Monitor"), resources, async (world) => {
    const isNew = await first(context, world);
    await world.create();
    return [
      isNew,
      await changed(context, world, { title: "nothing changed", changes: 0, cpu: 1.1, wall: 1.1 }),
      await changed(context, world, { title: "all changed", changes: resources, cpu: 1.25, wall: 1.15 }),
      await changed(context, world, { title: "1 changed", changes: 1, cpu: 1.1, wall: 1.1 }),
      await refreshed(context, world),
    ];
  });
  return [byPost, ...others];
}

/**
 * Measures a preview of a program whose resources are all new.
 * @param {Context} context
 * @param {World} world
 * @returns {Promise<Result>}
 */
async function first(context, { resources, kind, ours, floor }) {
  const title = `first preview, ${kind.name}s`;
  /** @param {Project} project */
  const previewed = (project) => () => project.run(["preview"], { resources, steps: { create: resources + 1 } });
  const runs = await measure(context, title, { ours: previewed(ours), floor: previewed(floor) });
  // In an empty service, the filter of a list is tried once.
  const requests = proof + resources + looks(resources) + (kind.readsByList ? 1 : 0);
  return {
    rows: rowsOf(title, runs, { requests, cpu: 1.25, wall: 1.15 }),
    table: compared(`${title}, ${resources}`, runs),
  };
}

/**
 * Measures a preview of a program that was changed since its last update.
 * @param {Context} context
 * @param {World} world
 * @param {{ title: string, changes: number, cpu: number, wall: number }} change with the bounds of its cost against the floor's
 * @returns {Promise<Result>}
 */
async function changed(context, { resources, kind, ours, floor }, { title: words, changes, cpu, wall }) {
  const title = `preview, ${words}`;
  const steps = { ...(changes > 0 ? { update: changes } : {}), same: resources + 1 - changes };
  /** @param {Project} project */
  const previewed = (project) => () => project.run(["preview"], { resources, changed: changes, steps });
  const runs = await measure(context, title, { ours: previewed(ours), floor: previewed(floor) });
  return {
    rows: rowsOf(title, runs, { requests: proof + changes + looks(changes), cpu, wall }),
    table: compared(`${title}, ${resources} ${kind.name}s`, runs),
  };
}

/**
 * Measures what it costs that a preview looks for changes made outside of Pulumi.
 * @param {Context} context
 * @param {World} world
 * @returns {Promise<Result>}
 */
async function refreshed(context, { resources, kind, ours, floor }) {
  const title = `preview --refresh, ${kind.name}s`;
  /** @param {Project} project @param {readonly string[]} options */
  const previewed =
    (project, ...options) =>
    () =>
      project.run(["preview", ...options], { resources, steps: { same: resources + 1 } });
  const runs = await measure(context, title, {
    with: previewed(ours, "--refresh"),
    without: previewed(ours),
    floor: previewed(floor, "--refresh"),
  });
  return {
    rows: [
      mostRequests(title, runs.with, 40),
      atMost(`${title}: wall, with / without`, ratio(runs.with, runs.without, wallOf), 1.3),
    ],
    table: compared(`${title}, ${resources}`, runs),
  };
}

/**
 * @param {string} title
 * @param {{ ours: readonly Run[], floor: readonly Run[] }} runs
 * @param {{ requests: number, cpu: number, wall: number }} bounds
 */
const rowsOf = (title, { ours, floor }, { requests, cpu, wall }) => [
  exactRequests(title, ours, requests),
  atMost(`${title}: CPU, ours / floor`, ratio(ours, floor, cpuOf), cpu),
  atMost(`${title}: wall, ours / floor`, ratio(ours, floor, wallOf), wall),
];
