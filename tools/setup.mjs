import { join } from "node:path";
import { compile, installMissing } from "./checkout.mjs";
import { withLock } from "./lock.mjs";
import { createLog, SetUpError } from "./log.mjs";
import { root } from "./project.mjs";
import {
  cacheFolder,
  choose,
  fromCache,
  fromPath,
  minimumVersion,
  ownVersion,
  placeIn,
  unavailable,
} from "./pulumi.mjs";
import { buildWithGo, goVersion, runInstaller } from "./pulumi-get.mjs";
import { isAtLeast } from "./version.mjs";

const minimumNode = "20.18.1";

/** Whoever has this lock may change what is installed and compiled. Outside of node_modules, which npm ci empties. */
export const lockFile = join(root, ".set-up.lock");

/** @typedef {{ log: import("./log.mjs").Log, env: NodeJS.ProcessEnv }} Context */

/**
 * Makes the checkout ready: dependencies, compiled code, and the Pulumi CLI if `cli` asks for it. Says nothing if it is
 * ready. Repeats work that an earlier run left incomplete.
 * @param {{ cli?: boolean, despiteErrors?: boolean, log?: import("./log.mjs").Log, env?: NodeJS.ProcessEnv }} [options]
 *   `despiteErrors`: the generator repairs generated code that does not compile
 * @returns {Promise<{ cli: import("./pulumi.mjs").Cli | undefined }>} the Pulumi CLI, if it was asked for
 */
export async function setUp({ cli = true, despiteErrors = false, log = createLog(), env = process.env } = {}) {
  checkNode(process.versions.node);
  /** @param {string} owner */
  const onWait = (owner) => log.say(`waiting for ${owner}, which sets this checkout up`);
  // Two commands at once must not install or compile over each other.
  await withLock(lockFile, onWait, async () => {
    await installMissing({ root, env, log });
    await compile({ root, env, log, despiteErrors });
  });
  return { cli: cli ? await ensurePulumi({ env, log }) : undefined };
}

/** @param {string} version */
export function checkNode(version) {
  if (!isAtLeast(version, minimumNode))
    throw new SetUpError(`this is Node.js ${version}; install Node.js ${minimumNode} or newer, then run this again`);
}

/**
 * The Pulumi CLI: the user's own, else the cached one, else a new one in the cache.
 * @param {Context} context
 * @param {{ installer?: string }} [options] `installer`: a script to run in place of Pulumi's installer
 */
export const ensurePulumi = (context, options = {}) =>
  choose([{ name: "PATH", go: () => fromPath(context.env) }, ...waysTo(ownVersion, context, options)], {
    log: context.log,
    advice: `install the Pulumi CLI ${minimumVersion} or newer (https://www.pulumi.com/docs/install/), or Go ${goVersion} or newer (https://go.dev/dl/), then run this again`,
  });

/**
 * The Pulumi CLI of exactly one version: the cached one, else a new one in the cache.
 * @param {string} version `minimumVersion` or `ownVersion`
 * @param {Context} context
 * @param {{ installer?: string }} [options] as above
 */
export const ensurePulumiVersion = (version, context, options = {}) =>
  choose(waysTo(version, context, options), {
    log: context.log,
    advice: `install Go ${goVersion} or newer (https://go.dev/dl/)`,
  });

/**
 * @param {string} version
 * @param {Context} context
 * @param {{ installer?: string }} [options]
 * @returns {import("./pulumi.mjs").Way[]}
 */
function waysTo(version, { log, env }, options = {}) {
  const cache = cacheFolder(env);
  /** @param {(context: import("./pulumi-get.mjs").Context) => Promise<void>} bring */
  const into = (bring) => async () => {
    /** @param {string} owner */
    const onWait = (owner) => log.say(`waiting for ${owner}, which brings the Pulumi CLI`);
    try {
      return await withLock(`${placeIn(cache, version)}.lock`, onWait, async () => {
        const meanwhile = await fromCache(cache, env, version).catch(() => undefined);
        if (meanwhile) return meanwhile; // Another set-up got it while we waited.
        await bring({ cache, env, log, version });
        return fromCache(cache, env, version);
      });
    } catch (error) {
      throw unavailable(error);
    }
  };
  return [
    { name: "the cache", go: () => fromCache(cache, env, version) },
    { name: "Pulumi's installer", slow: true, go: into((context) => runInstaller(context, options)) },
    { name: "a Go build", slow: true, go: into(buildWithGo) },
  ];
}
