import { result } from "./table.mjs";
import { inWorld } from "./world.mjs";

/**
 * @typedef {import("./main.mjs").Context} Context
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
 */
function first(context, { resources, kind, ours, floor }) {
  const title = `first preview, ${kind.name}s`;
  /** @param {Project} project */
  const previewed = (project) => () => project.run(["preview"], { resources, steps: { create: resources + 1 } });
  // In an empty service, the filter of a list is tried once.
  const exactly = proof + resources + looks(resources) + (kind.readsByList ? 1 : 0);
  const sides = { ours: previewed(ours), floor: previewed(floor) };
  return result(context, title, sides, { heading: `${title}, ${resources}`, exactly, cpu: 1.25, wall: 1.15 });
}

/**
 * Measures a preview of a program that was changed since its last update.
 * @param {Context} context
 * @param {World} world
 * @param {{ title: string, changes: number, cpu: number, wall: number }} change with the bounds of its cost against the floor's
 */
function changed(context, { resources, kind, ours, floor }, { title: words, changes, cpu, wall }) {
  const title = `preview, ${words}`;
  const steps = { ...(changes > 0 ? { update: changes } : {}), same: resources + 1 - changes };
  /** @param {Project} project */
  const previewed = (project) => () => project.run(["preview"], { resources, changed: changes, steps });
  const [heading, exactly] = [`${title}, ${resources} ${kind.name}s`, proof + changes + looks(changes)];
  return result(context, title, { ours: previewed(ours), floor: previewed(floor) }, { heading, exactly, cpu, wall });
}

/**
 * Measures what it costs that a preview looks for changes made outside of Pulumi.
 * @param {Context} context
 * @param {World} world
 */
function refreshed(context, { resources, kind, ours, floor }) {
  const title = `preview --refresh, ${kind.name}s`;
  /** @param {Project} project @param {readonly string[]} options */
  const previewed =
    (project, ...options) =>
    () =>
      project.run(["preview", ...options], { resources, steps: { same: resources + 1 } });
  const sides = {
    with: previewed(ours, "--refresh"),
    without: previewed(ours),
    floor: previewed(floor, "--refresh"),
  };
  return result(context, title, sides, { heading: `${title}, ${resources}`, requests: 40, wall: 1.3 });
}
