import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compile, projects, whichCompile } from "./compile.mjs";
import { install, whyInstall } from "./dependencies.mjs";
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

/** @typedef {{ log: import("./log.mjs").Log, env: NodeJS.ProcessEnv }} Context */

/**
 * Makes the checkout ready: dependencies, then what `build` and `cli` ask for. Says nothing if it is ready. Repeats work
 * that an earlier run left incomplete.
 * @param {{ cli?: boolean, build?: boolean, log?: import("./log.mjs").Log, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<{ cli: import("./pulumi.mjs").Cli | undefined }>} the Pulumi CLI, if it was asked for
 */
export async function setUp({ cli = true, build = true, log = createLog(), env = process.env } = {}) {
  const context = { log, env };
  checkNode(process.versions.node);
  await ensureDependencies(context);
  if (build) await ensureBuilt(context);
  return { cli: cli ? await ensurePulumi(context) : undefined };
}

/** @param {string} version */
export function checkNode(version) {
  if (!isAtLeast(version, minimumNode))
    throw new SetUpError(`this is Node.js ${version}; install Node.js ${minimumNode} or newer, then run this again`);
}

/** @param {Context} context */
export async function ensureDependencies(context) {
  if (!whyInstall()) return;
  await alone(context, async () => {
    const why = whyInstall();
    if (why) await install({ ...context, why });
  });
}

/**
 * Compiles the projects that have changed since the last time.
 * @param {Context} context
 */
export async function ensureBuilt(context) {
  if (whichCompile().length === 0) return;
  await alone(context, async () => {
    for (const project of whichCompile()) await compile(project, context);
  });
}

/**
 * Compiles the provider for the generator, even with errors: generating again repairs generated code.
 * @param {Context} context
 */
export const buildForGenerator = (context) =>
  alone(context, async () => {
    for (const project of whichCompile().filter(({ name }) => name === projects[0]?.name))
      await compile(project, { ...context, despiteErrors: true });
  });

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
    const onWait = (owner) => log.say(`waiting for process ${owner}, which is bringing the Pulumi CLI`);
    try {
      return await withLock(`${placeIn(cache, version)}.lock`, { onWait }, async () => {
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

/**
 * Two npm scripts at once must not install or compile over each other.
 * @template T
 * @param {Context} context
 * @param {() => Promise<T>} work
 */
function alone({ log }, work) {
  // Outside of node_modules, which npm ci empties.
  const name = `pulumi-observability-${createHash("sha256").update(root).digest("hex").slice(0, 16)}.lock`;
  return withLock(
    join(tmpdir(), name),
    { onWait: (owner) => log.say(`waiting for the set-up of process ${owner} in this checkout`) },
    work,
  );
}
