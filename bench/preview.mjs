import { cpuOf, cpuRatio, perResource, ratio, wallRatio } from "./figures.mjs";
import { atMost, exactly, merged } from "./result.mjs";
import { interleave, inTurn } from "./rounds.mjs";
import { compared } from "./table.mjs";
import { inWorld, inWorlds } from "./world.mjs";

/**
 * @typedef {import("./main.mjs").Context} Context
 * @typedef {import("./result.mjs").Result} Result
 * @typedef {import("./figures.mjs").Run} Run
 * @typedef {import("./project.mjs").Project} Project
 * @typedef {import("./world.mjs").World} World
 * @typedef {{ ours: readonly Run[], floor: readonly Run[] }} Compared
 */

/**
 * How much of a program is changed, and the bounds of its preview's cost against the floor's: one request per change.
 * @typedef {{ title: string, of: (resources: number) => number, cpu: number, wall: number }} Change
 */

/** Each preview sends one request to prove address and token. */
const proof = 1;

/** @type {Change} */
const nothing = { title: "nothing changed", of: () => 0, cpu: 1.1, wall: 1.1 };
/** @type {Change} */
const everything = { title: "all changed", of: (resources) => resources, cpu: 1.25, wall: 1.15 };
/** @type {Change} */
const one = { title: "1 changed", of: () => 1, cpu: 1.1, wall: 1.1 };

/**
 * Requests that tell what the service has: one for each of the first 16 objects, then whole pages. A create by PUT needs to
 * know that its slug is free, a change that the object is the recorded one.
 * @param {number} resources
 */
const looks = (resources) => Math.min(resources, 16) + (resources > 16 ? Math.ceil(resources / 1_000) : 0);

/**
 * What a preview sends for changes, beside the proof.
 * @param {number} changes
 */
const asked = (changes) => changes + looks(changes);

/**
 * Measures previews of many resources: all new; none, all or one changed; and one that looks for changes made outside.
 * @param {Context} context
 * @returns {Promise<Result>}
 */
export async function preview(context) {
  const { resources } = context.options;
  const kind = context.kindOr("Monitor");
  const byPost = await inWorld(context, context.kindOr("Notifier"), resources, (world) => first(context, world));
  const main = await inWorld(context, kind, resources, async (world) => {
    const isNew = await first(context, world, { plain: await world.plain() });
    await world.create();
    return merged([
      isNew,
      ...(await inTurn([nothing, everything, one], (change) => changed(context, world, change))),
      await refreshed(context, world),
    ]);
  });
  const plainJavaScript = await inWorld(
    context,
    kind,
    resources,
    (world) => first(context, world, {}, { words: " in JavaScript", wall: 1.2 }),
    "js",
  );
  return merged([byPost, main, plainJavaScript]);
}

/**
 * Measures a preview of a program whose resources are all new.
 * @param {Context} context
 * @param {World} world
 * @param {{ plain?: Project }} [others]
 * @param {{ words?: string, wall?: number }} [program]
 * @returns {Promise<Result>}
 */
async function first(context, world, others = {}, { words = "", wall = 1.15 } = {}) {
  const { resources, kind, ours, floor } = world;
  const title = `first preview, ${kind.name}s${words}`;
  const { plain, ...runs } = await interleave(
    { ours, floor, ...others },
    context.options.rounds,
    (project) => project.run(["preview"], { resources, steps: { create: resources + 1 } }),
    context.progress(title),
  );
  const requests = resources + (kind.createsByPut ? looks(resources) : 0);
  const rows = rowsOf(title, runs, { requests: proof + requests, cpu: 1.25, wall });
  if (plain) rows.push(atMost("first preview: CPU, floor / plain dynamic resources", cpuRatio(runs.floor, plain), 0.9));
  return { rows, tables: [compared(`${title}, ${resources}`, { ...runs, ...(plain ? { plain } : {}) })] };
}

/**
 * Measures a preview of a program that was changed since its last update.
 * @param {Context} context
 * @param {World} world
 * @param {Change} change
 * @returns {Promise<Result>}
 */
async function changed(context, { resources, kind, ours, floor }, change) {
  const title = `preview, ${change.title}`;
  const runs = await interleave(
    { ours, floor },
    context.options.rounds,
    (project) => previewOf(project, resources, change),
    context.progress(title),
  );
  return {
    rows: rowsOf(title, runs, { ...change, requests: proof + asked(change.of(resources)) }),
    tables: [compared(`${title}, ${resources} ${kind.name}s`, runs)],
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
  const steps = { same: resources + 1 };
  /** @param {Project} project @param {readonly string[]} options */
  const side = (project, ...options) => ({ project, command: ["preview", ...options] });
  const runs = await interleave(
    { with: side(ours, "--refresh"), without: side(ours), floor: side(floor, "--refresh") },
    context.options.rounds,
    ({ project, command }) => project.run(command, { resources, steps }),
    context.progress(title),
  );
  const most = Math.max(...runs.with.map(({ requests }) => requests));
  return {
    rows: [
      atMost(`${title}: requests`, most, 40),
      atMost(`${title}: wall, with / without`, wallRatio(runs.with, runs.without), 1.3),
    ],
    tables: [compared(`${title}, ${resources}`, runs)],
  };
}

/**
 * Measures how the cost of a preview grows: the cost per resource among few and among many, each without the cost of a
 * preview of one resource.
 * @param {Context} context
 * @returns {Promise<Result>}
 */
export async function growth(context) {
  const { resources, rounds } = context.options;
  const kind = context.kindOr("Monitor");
  const [few, many] = [Math.round(resources * 0.3), resources * 3];
  return inWorlds(context, kind, [1, few, many], async (worlds) => {
    await inTurn(worlds, (world) => world.create());
    const results = await inTurn([nothing, everything], async (change) => {
      const title = `growth, ${change.title}`;
      const runs = await interleave(
        Object.fromEntries(
          worlds.flatMap(({ resources, ours, floor }) =>
            [ours, floor].map((project) => [`${project.side} ${resources}`, { project, resources }]),
          ),
        ),
        Math.min(rounds, 3),
        ({ project, resources }) => previewOf(project, resources, change),
        context.progress(title),
      );
      /** @param {"ours" | "floor"} side @param {number} size */
      const at = (side, size) => runs[`${side} ${size}`] ?? [];
      const ones = at("ours", 1).map(cpuOf);
      /** @param {number} size */
      const costs = (size) =>
        at("ours", size).map((run, round) => perResource({ resources: size, cost: cpuOf(run) }, ones[round]));
      const extra = [few, many].flatMap((size) =>
        at("ours", size).map((run) => run.requests - proof - asked(change.of(size))),
      );
      return {
        rows: [
          exactly(`${title}: requests beyond the proof, the looks and one for each change`, extra, 0),
          atMost(`${title}: CPU per resource, ${many} / ${few}`, ratio(costs(many), costs(few)), 1.2),
        ],
        tables: [few, many].map((size) =>
          compared(`${title}, ${size} ${kind.name}s`, { ours: at("ours", size), floor: at("floor", size) }),
        ),
      };
    });
    return merged(results);
  });
}

/** @param {Project} project @param {number} resources @param {Change} change */
function previewOf(project, resources, change) {
  const update = change.of(resources);
  const steps = { ...(update > 0 ? { update } : {}), same: resources + 1 - update };
  return project.run(["preview"], { resources, changed: update, steps });
}

/**
 * @param {string} title
 * @param {Compared} runs
 * @param {{ requests: number, cpu: number, wall: number }} bounds
 */
const rowsOf = (title, { ours, floor }, { requests, cpu, wall }) => [
  exactly(
    `${title}: requests`,
    ours.map((run) => run.requests),
    requests,
  ),
  atMost(`${title}: CPU, ours / floor`, cpuRatio(ours, floor), cpu),
  atMost(`${title}: wall, ours / floor`, wallRatio(ours, floor), wall),
];
