import { backtests } from "./backtests.mjs";
import { inProject } from "./project.mjs";
import { result } from "./result.mjs";
import { latencyMs } from "./service.mjs";

export { latencyMs };

/**
 * @typedef {import("./main.mjs").Context} Context
 * @typedef {import("./project.mjs").Project} Project
 * @typedef {import("./project.mjs").Side} Side
 * @typedef {import("./result.mjs").Result} Result
 */

/** @template T @param {(side: Side) => T} run */
const bothSides = (run) => ({ ours: () => run("ours"), floor: () => run("floor") });

/** The engine writes its state once, at the end, and not around each operation. */
const noCheckpoints = { PULUMI_SKIP_CHECKPOINTS: "true" };

/** By the command of the CLI. @type {Readonly<Record<string, (context: Context) => Promise<readonly Result[]>>>} */
export const benches = {
  async preview(context) {
    const { resources } = context.options;
    const none = await inProject(context, "Notifier", resources, (project) => firstPreview(context, project));
    const others = await inProject(context, "Monitor", resources, async (project) => {
      const first = await firstPreview(context, project);
      await project.create();
      return [
        first,
        await changedPreview(context, project, "nothing changed", { changed: 0, cpu: 1.1, wall: 1.1 }),
        await changedPreview(context, project, "all changed", { changed: resources, cpu: 1.25, wall: 1.15 }),
        await changedPreview(context, project, "1 changed", { changed: 1, cpu: 1.1, wall: 1.1 }),
        await refreshedPreview(context, project),
      ];
    });
    return [none, ...others];
  },

  /** The service has twice as many objects of the kind. */
  async refresh(context) {
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
      const measured = await inProject(context, name, size, async (project) => {
        await project.create();
        context.say(`adding ${size} ${name}s that are not managed`);
        await project.put(size, (i) => `other-${i}`);
        const did = `${size + 1} unchanged`;
        const sides = bothSides((side) => project.run(side, ["refresh", "--yes", "--skip-preview"], { did }));
        return result(context, `refresh of ${size} ${name}s`, sides, { requests, wall: 1.25 });
      });
      results.push(measured);
    }
    return results;
  },

  /** With checkpoints, as users run it, and without. The floor's create waits as long as the answers to our requests take. */
  up: (context) =>
    inProject(context, "Monitor", context.options.resources, async (project) => {
      const { resources } = project;
      // A dry run first proves that the object does not exist.
      const requestsOfOne = 2;
      const waiting = { BENCH_FLOOR_WAIT_MS: String(latencyMs * requestsOfOne) };
      const results = [];
      for (const [words, env] of Object.entries({ "with checkpoints": {}, "no checkpoints": noCheckpoints })) {
        const sides = bothSides(async (side) => {
          const run = await project.up(side, { ...env, ...waiting });
          await project.uncreate();
          return run;
        });
        const title = `up, ${resources} new Monitors, ${words}`;
        results.push(await result(context, title, sides, { exactly: requestsOfOne * resources, wall: 1.3 }));
      }
      return results;
    }),

  /** With the number of operations in progress that the engine has by default (four per processor), and with more. */
  destroy: (context) =>
    inProject(context, "Monitor", context.options.resources, async (project) => {
      const { resources } = project;
      /** @param {Side} side @param {readonly string[]} options */
      const destroyed = async (side, ...options) => {
        await project.create();
        const command = ["destroy", "--yes", "--skip-preview", ...options];
        const run = await project.run(side, command, { did: `${resources + 1} deleted`, env: noCheckpoints });
        await project.uncreate();
        return run;
      };
      const sides = {
        ...bothSides(destroyed),
        "ours 16": () => destroyed("ours", "--parallel", "16"),
        "ours 32": () => destroyed("ours", "--parallel", "32"),
      };
      const title = `destroy, ${resources} Monitors, no checkpoints; 16, 32: --parallel`;
      return [await result(context, title, sides, {})];
    }),

  backtest: backtests,
};

/** Each preview sends one request to check the URL and the token. */
const proof = 1;

/**
 * Requests that tell what the service has: one for each of the first 16 objects, then whole pages. A create needs to know
 * that its slug is free, a change that the object is the recorded one.
 * @param {number} resources
 */
const looks = (resources) => Math.min(resources, 16) + (resources > 16 ? Math.ceil(resources / 1_000) : 0);

/** All resources are new. @param {Context} context @param {Project} project */
function firstPreview(context, { resources, kind, run }) {
  const sides = bothSides((side) => run(side, ["preview"], { did: `${resources + 1} to create` }));
  // In an empty service, the filter of a list is tried once.
  const exactly = proof + resources + looks(resources) + (kind.readsByList ? 1 : 0);
  return result(context, `first preview, ${resources} ${kind.name}s`, sides, { exactly, cpu: 1.25, wall: 1.15 });
}

/**
 * The program was changed since its last update.
 * @param {Context} context @param {Project} project @param {string} words
 * @param {{ changed: number, cpu: number, wall: number }} change with the bounds of its cost against the floor's
 */
function changedPreview(context, { resources, kind, run }, words, { changed, ...bounds }) {
  const did = `${changed > 0 ? `${changed} to update, ` : ""}${resources + 1 - changed} unchanged`;
  const sides = bothSides((side) => run(side, ["preview"], { changed, did }));
  const title = `preview, ${words}, ${resources} ${kind.name}s`;
  return result(context, title, sides, { exactly: proof + changed + looks(changed), ...bounds });
}

/** Looks for changes made outside of Pulumi, or doesn't. @param {Context} context @param {Project} project */
function refreshedPreview(context, { resources, kind, run }) {
  const did = `${resources + 1} unchanged`;
  const sides = {
    with: () => run("ours", ["preview", "--refresh"], { did }),
    without: () => run("ours", ["preview"], { did }),
    floor: () => run("floor", ["preview", "--refresh"], { did }),
  };
  return result(context, `preview --refresh, ${resources} ${kind.name}s`, sides, { requests: 40, wall: 1.3 });
}
