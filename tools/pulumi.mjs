import { accessSync, constants, existsSync, mkdirSync, realpathSync, renameSync, rmSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { SetUpError } from "./log.mjs";
import { stateFolder } from "./project.mjs";
import { run } from "./run.mjs";

/** The oldest CLI that the provider is tested with. */
export const minimumVersion = "3.220.0";
/** The CLI version that set-up gets if the user has none. */
export const ownVersion = "3.259.0";
/** The newest versions that tests run with, of the registry and of what Go's module proxy has. */
export const newest = { sdk: "3.276.0", nodes: ["24.21.0", "22.23.3"], cli: "3.274.1" };

const windows = process.platform === "win32";
const exe = windows ? ".exe" : "";
export const pulumiFile = `pulumi${exe}`;
export const hostFile = `pulumi-language-nodejs${exe}`;
/** The program that starts dynamic providers such as ours. */
export const shimFile = `pulumi-resource-pulumi-nodejs${windows ? ".cmd" : ""}`;
export const cliFiles = [pulumiFile, hostFile, shimFile];

/** @typedef {{ pulumi: string, bin: string, version: string }} Cli */

/** @param {string} version such as "3.220.0" @param {string} minimum */
export const isAtLeast = (version, minimum) => version.localeCompare(minimum, "en", { numeric: true }) >= 0;

/**
 * The user's own CLI. Undefined if there is none.
 * @param {NodeJS.ProcessEnv} env
 */
export async function fromPath(env) {
  const pulumi = onPath(pulumiFile, env);
  if (!pulumi) return undefined;
  const cli = await cliAt(pulumi, env);
  if (!isAtLeast(cli.version, minimumVersion))
    throw new SetUpError(`${pulumi} is ${cli.version}, older than ${minimumVersion}`);
  return cli;
}

/** The folder of a CLI version in the user's cache. @param {NodeJS.ProcessEnv} env */
export const placeIn = (env, version = ownVersion) => join(cacheFolder(env), `pulumi-${version}`);

/**
 * The CLI that an earlier set-up put into the cache. Undefined if there is none.
 * @param {NodeJS.ProcessEnv} env
 * @param {string} version
 */
export async function fromCache(env, version) {
  const place = placeIn(env, version);
  if (!existsSync(place)) return undefined;
  const cli = await cliAt(join(place, "bin", pulumiFile), env);
  if (cli.version !== version) throw new SetUpError(`${cli.pulumi} is ${cli.version}, not ${version}`);
  return cli;
}

/**
 * The CLI at a path, if it has everything to run Node.js programs and dynamic providers.
 * @param {string} pulumi
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Cli>}
 */
async function cliAt(pulumi, env) {
  const version = await versionOf(pulumi, env);
  // The engine looks next to the binary, also behind symbolic links, and on PATH.
  const folders = [dirname(pulumi), dirname(realpathSync(pulumi))];
  for (const file of [hostFile, shimFile])
    if (!folders.some((folder) => isExecutable(join(folder, file))) && !onPath(file, env))
      throw new SetUpError(`${pulumi} is there, but its "${file}" is not`);
  return { pulumi, bin: dirname(pulumi), version };
}

/**
 * A CLI's version.
 * @param {string} pulumi
 * @param {NodeJS.ProcessEnv} env
 */
async function versionOf(pulumi, env) {
  // Even "pulumi version" writes a log into its home.
  const home = join(cacheFolder(env), "home");
  const own = { ...withoutUsersPulumi(env), PULUMI_HOME: home, PULUMI_SKIP_UPDATE_CHECK: "true" };
  const { ok, stdout, how } = await run(pulumi, ["version"], { env: own, limitMs: 20_000 });
  const version = /\d+\.\d+\.\d+/.exec(stdout)?.[0];
  if (!ok || version === undefined) throw new SetUpError(`"${pulumi} version" gives no version: ${how}`);
  return version;
}

/** The user's cache folder for this project. @param {NodeJS.ProcessEnv} env */
export function cacheFolder(env) {
  const name = "pulumi-observability";
  const home = env.HOME || homedir();
  if (env.PULUMI_OBSERVABILITY_CACHE) return resolve(env.PULUMI_OBSERVABILITY_CACHE);
  // The XDG rules say to ignore relative paths.
  if (env.XDG_CACHE_HOME && isAbsolute(env.XDG_CACHE_HOME)) return join(env.XDG_CACHE_HOME, name);
  if (process.platform === "darwin") return join(home, "Library/Caches", name);
  if (windows && env.LOCALAPPDATA) return join(env.LOCALAPPDATA, name);
  return join(home, ".cache", name);
}

/**
 * Makes a folder of the cache whole, or not at all.
 * @param {string} folder
 * @param {(folder: string) => Promise<void>} fill gets a temporary one
 */
export async function fillFolder(folder, fill) {
  const started = `${folder}.tmp`;
  const remove = (/** @type {string} */ path) => rmSync(path, { recursive: true, force: true });
  remove(started); // Left by a set-up that was killed.
  try {
    mkdirSync(started, { recursive: true });
    await fill(started);
    remove(folder);
    renameSync(started, folder);
  } finally {
    remove(started);
  }
}

/**
 * The environment without variables that change what Pulumi or the provider does: the user's login, stack, backend,
 * options and service.
 * @param {NodeJS.ProcessEnv} env
 */
export const withoutUsersPulumi = (env) =>
  Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^(PULUMI_(?!OBSERVABILITY_)|OBSERVABILITY_)/i.test(name)),
  );

/**
 * The environment with the CLI's folder first on PATH, so that its own language host and shim are found.
 * @param {NodeJS.ProcessEnv} env
 * @param {string} bin
 * @returns {NodeJS.ProcessEnv}
 */
function withPath(env, bin) {
  const key = Object.keys(env).find((name) => name.toUpperCase() === "PATH") ?? "PATH"; // Windows spells it "Path".
  return {
    ...env,
    [key]: [bin, ...(env[key]?.split(delimiter) ?? []).filter((folder) => folder !== bin)].join(delimiter),
  };
}

/** The environment of a test run. @param {Cli} cli */
export const testEnvironment = (cli) => ({
  ...withPath(withoutUsersPulumi(process.env), cli.bin),
  PULUMI_OBSERVABILITY_PULUMI: cli.pulumi,
  PULUMI_OBSERVABILITY_PULUMI_VERSION: cli.version,
  // A test that forgets pulumiEnv() must not find the user's login.
  PULUMI_HOME: join(stateFolder, "pulumi-home"),
  PULUMI_SKIP_UPDATE_CHECK: "true",
});

/**
 * The environment to run the Pulumi CLI in: own home, file backend and passphrase, never the user's. Makes both folders.
 * @param {{ home: string, backend: string, passphrase?: string, pulumi?: string, env?: NodeJS.ProcessEnv }} options
 *   `home`, `backend`: folders; `pulumi`: the binary, by default the one that `npm test` names
 * @returns {NodeJS.ProcessEnv}
 */
export function pulumiEnv({
  home,
  backend,
  passphrase = "local",
  env = process.env,
  pulumi = env.PULUMI_OBSERVABILITY_PULUMI,
}) {
  for (const folder of [home, backend]) mkdirSync(folder, { recursive: true });
  const clean = withoutUsersPulumi(env);
  return {
    ...(pulumi ? withPath(clean, dirname(pulumi)) : clean),
    PULUMI_HOME: resolve(home),
    PULUMI_BACKEND_URL: pathToFileURL(resolve(backend)).href,
    PULUMI_CONFIG_PASSPHRASE: passphrase,
    PULUMI_SKIP_UPDATE_CHECK: "true",
    // Our programs need only what is on PATH. Other plugins would be downloaded without the user's knowledge.
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
  };
}

/**
 * The first executable file of that name on PATH.
 * @param {string} file
 * @param {NodeJS.ProcessEnv} env
 */
export function onPath(file, env) {
  const path = Object.entries(env).find(([name]) => name.toUpperCase() === "PATH")?.[1] ?? "";
  return path
    .split(delimiter)
    .filter((folder) => folder !== "")
    .map((folder) => join(folder, file))
    .find(isExecutable);
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
