import { chmodSync, copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { goBuild, goVersion } from "./go-build.mjs";
import { codeOf, withLock } from "./lock.mjs";
import { SetUpError } from "./log.mjs";
import { root } from "./project.mjs";
import {
  cacheFolder,
  fillFolder,
  fromCache,
  fromPath,
  hostFile,
  minimumVersion,
  newest,
  ownVersion,
  placeIn,
  pulumiFile,
  shimFile,
  withoutUsersPulumi,
} from "./pulumi.mjs";
import { run } from "./run.mjs";

/**
 * @typedef {import("./pulumi.mjs").Cli} Cli
 * @typedef {{ log: import("./log.mjs").Log, env: NodeJS.ProcessEnv }} Context
 * @typedef {Readonly<Record<string, () => Promise<Cli | undefined>>>} Ways by name; undefined: there is none
 */

const advice =
  `install the Pulumi CLI ${minimumVersion} or newer (https://www.pulumi.com/docs/install/), or Go ${goVersion} or newer ` +
  "(https://go.dev/dl/), then run this again";

// The download is about 100 MB. On a connection that needs longer, building is faster.
const installerLimitMs = 5 * 60_000;
const ourInstaller = fileURLToPath(new URL("pulumi-installer.mjs", import.meta.url));

/**
 * The Pulumi CLI: the user's own, else the cached one, else a new one in the cache.
 * @param {Context} context
 * @param {string} [installer] a script to run instead of Pulumi's installer
 */
export const ensurePulumi = (context, installer) =>
  firstOf({ PATH: () => fromPath(context.env), ...waysTo(ownVersion, context, installer) }, context);

/**
 * The Pulumi CLI of exactly one version: the cached one, else a new one in the cache.
 * @param {string} version `minimumVersion`, `ownVersion` or that of `newest`
 * @param {Context} context
 */
export const ensurePulumiVersion = (version, context) => firstOf(waysTo(version, context), context);

/**
 * Tries the ways in order and returns the first CLI.
 * @param {Ways} ways
 * @param {Context} context
 */
async function firstOf(ways, { log }) {
  const tried = [];
  for (const [name, get] of Object.entries(ways)) {
    try {
      const cli = await get();
      if (cli) return cli;
      tried.push(`  ${name}: there is none`);
    } catch (error) {
      if (!(error instanceof SetUpError)) throw error;
      log.say(`no Pulumi CLI from ${name}: ${error.message}`);
      tried.push(`  ${name}: ${error.message}`);
    }
  }
  throw new SetUpError(["unable to find, fetch or build a Pulumi CLI; tried:", ...tried, advice].join("\n"));
}

/** @param {string} version @param {Context} context @returns {Ways} */
const waysTo = (version, context, installer = ourInstaller) => ({
  "the cache": () => fromCache(context.env, version),
  "Pulumi's installer": () => intoCache(version, context, (folder) => install(version, folder, context, installer)),
  "a Go build": () => intoCache(version, context, (folder) => build(version, folder, context)),
});

/**
 * Puts a CLI into the cache.
 * @param {string} version
 * @param {Context} context
 * @param {(folder: string) => Promise<void>} fill
 */
async function intoCache(version, { env, log }, fill) {
  const place = placeIn(env, version);
  try {
    return await withLock(`${place}.lock`, { log, task: "gets the Pulumi CLI" }, async () => {
      const meanwhile = await fromCache(env, version).catch(() => undefined);
      if (meanwhile) return meanwhile; // Another set-up got it while we waited.
      await fillFolder(place, fill);
      return fromCache(env, version);
    });
  } catch (error) {
    // A file system's error, such as a full disk, has a code.
    if (!codeOf(error) || !(error instanceof Error)) throw error;
    throw new SetUpError(`${error.message}; set PULUMI_OBSERVABILITY_CACHE to another folder`);
  }
}

/**
 * Gets the CLI by Pulumi's own installer, through the Automation API.
 * @param {string} version
 * @param {string} folder
 * @param {Context} context
 * @param {string} installer
 */
async function install(version, folder, { env, log }, installer) {
  // Newer Node.js versions use the proxy variables only with the last setting.
  const own = { ...withoutUsersPulumi(env), PULUMI_HOME: join(cacheFolder(env), "home"), NODE_USE_ENV_PROXY: "1" };
  const progress = log.start(`fetching the Pulumi CLI ${version} with its own installer`);
  const options = { env: own, limitMs: installerLimitMs, progress };
  const { ok, lines, how } = await run(process.execPath, [installer, folder, version], options);
  if (!ok) throw new SetUpError((how.startsWith("exit status") && lines.at(-1)) || how);
}

/**
 * Builds the CLI and its language host from the Go modules next to this file. The third part comes with the SDK.
 * @param {string} version
 * @param {string} folder
 * @param {Context} context
 */
async function build(version, folder, context) {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  const cli = {
    module: { [minimumVersion]: "pulumi-cli-oldest", [newest.cli]: "pulumi-cli-newest" }[version] ?? "pulumi-cli",
    target: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
    // Clouds whose buckets and keys no test uses, and the API's browser: a third of the compiler's time.
    unused: ["github.com/pb33f/...", "github.com/aws/...", "cloud.google.com/..."],
    ldflags: `-X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${version}`,
  };
  const host = {
    module: "pulumi-languages",
    target: "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs",
  };
  await goBuild({ ...cli, out: join(bin, pulumiFile) }, { ...context, what: `the Pulumi CLI ${version}` });
  await goBuild({ ...host, out: join(bin, hostFile) }, { ...context, what: "its language host" });
  copyFileSync(join(root, "node_modules/@pulumi/pulumi", shimFile), join(bin, shimFile));
  chmodSync(join(bin, shimFile), 0o755);
}
