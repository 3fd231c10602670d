import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { codeOf } from "./lock.mjs";
import { SetUpError } from "./log.mjs";
import { stateFolder } from "./project.mjs";
import { run } from "./run.mjs";
import { isAtLeast, versionIn } from "./version.mjs";

/** The oldest CLI that the provider is tested with. */
export const minimumVersion = "3.220.0";
/** The CLI version that set-up gets if the user has none. */
export const ownVersion = "3.259.0";

const windows = process.platform === "win32";
const exe = windows ? ".exe" : "";
export const pulumiFile = `pulumi${exe}`;
export const hostFile = `pulumi-language-nodejs${exe}`;
/** The program that starts dynamic providers such as ours. */
export const shimFile = `pulumi-resource-pulumi-nodejs${windows ? ".cmd" : ""}`;
export const cliFiles = [pulumiFile, hostFile, shimFile];

/** @typedef {{ pulumi: string, bin: string, version: string, from: string }} Cli */

/** One way to get a CLI failed; the message says why. */
export class Unavailable extends Error {
  /** @param {string} message @param {{ expected?: boolean }} [options] expected: not worth a line while another way is short */
  constructor(message, { expected = false } = {}) {
    super(message);
    this.expected = expected;
  }
}

/**
 * Turns a file system's error (no space, no permission) into Unavailable. Returns any other error unchanged.
 * @param {unknown} error
 */
export const unavailable = (error) =>
  codeOf(error) && error instanceof Error
    ? new Unavailable(`${error.message}; set PULUMI_OBSERVABILITY_CACHE to another folder`)
    : error;

/**
 * @typedef {object} Way
 * @property {string} name
 * @property {boolean} [slow] takes minutes, so that everything tried so far is said first
 * @property {() => Promise<Cli>} go rejects with Unavailable
 */

/**
 * Tries the ways in order and returns the first CLI. If all fail, a SetUpError lists what was tried.
 * @param {readonly Way[]} ways
 * @param {{ log: Pick<import("./log.mjs").Log, "say">, advice: string }} options
 */
export async function choose(ways, { log, advice }) {
  /** @type {string[]} */
  const unsaid = [];
  /** @type {string[]} */
  const tried = [];
  const say = () => {
    for (const line of unsaid.splice(0)) log.say(line);
  };
  for (const way of ways) {
    if (way.slow) say();
    try {
      return await way.go();
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      tried.push(`  ${way.name}: ${error.message}`);
      unsaid.push(`no Pulumi CLI from ${way.name}: ${error.message}`);
      if (!error.expected && way !== ways.at(-1)) say();
    }
  }
  throw new SetUpError(["unable to find, fetch or build a Pulumi CLI; tried:", ...tried, advice].join("\n"));
}

/**
 * The user's own CLI, if it has everything to run Node.js programs and dynamic providers.
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Cli>}
 */
export async function fromPath(env) {
  const pulumi = onPath(pulumiFile, env);
  if (!pulumi) throw new Unavailable('no "pulumi" there', { expected: true });
  const version = await versionOf(pulumi, env);
  if (!version) throw new Unavailable(`"${pulumi} version" gives no answer`);
  if (!isAtLeast(version, minimumVersion))
    throw new Unavailable(`${pulumi} is ${version}, older than ${minimumVersion}`);
  // The engine looks beside the binary, also behind symbolic links, and on PATH.
  const beside = [dirname(pulumi), dirname(realpathSync(pulumi))];
  for (const file of [hostFile, shimFile])
    if (!beside.some((folder) => isExecutable(join(folder, file))) && !onPath(file, env))
      throw new Unavailable(`${pulumi} is there, but its "${file}" is not`);
  return { pulumi, bin: dirname(pulumi), version, from: "PATH" };
}

/** @typedef {{ version: string, from: string, sizes: Readonly<Record<string, number>> }} Complete */

const completeFile = "complete.json";

/** The folder of a CLI version in a cache. @param {string} cache */
export const placeIn = (cache, version = ownVersion) => join(cache, `pulumi-${version}`);

/**
 * The CLI that an earlier set-up put into the cache.
 * @param {string} cache
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Cli>}
 */
export async function fromCache(cache, env, version = ownVersion) {
  const place = placeIn(cache, version);
  if (!existsSync(place)) throw new Unavailable(`no pulumi-${version} in ${cache}`, { expected: true });
  /** @type {Complete} */
  let complete;
  try {
    complete = JSON.parse(readFileSync(join(place, completeFile), "utf8"));
  } catch {
    throw new Unavailable(`${place} is half-done`);
  }
  for (const [file, size] of Object.entries(complete.sizes))
    if (sizeOf(join(place, "bin", file)) !== size)
      throw new Unavailable(`${place} is damaged: "${file}" is not as it was`);
  const pulumi = join(place, "bin", pulumiFile);
  if ((await versionOf(pulumi, env)) !== complete.version)
    throw new Unavailable(`${place} is damaged: "${pulumi} version" gives no answer`);
  return { pulumi, bin: dirname(pulumi), version: complete.version, from: complete.from };
}

/**
 * Checks a CLI folder and marks it as complete.
 * @param {string} place
 * @param {string} from
 * @param {NodeJS.ProcessEnv} env
 */
export async function complete(place, from, env, wanted = ownVersion) {
  const missing = cliFiles.filter((file) => !isExecutable(join(place, "bin", file)));
  if (missing.length > 0) throw new Unavailable(`it brought no ${missing.map((file) => `"${file}"`).join(" and no ")}`);
  const version = await askVersion(join(place, "bin", pulumiFile), env);
  if (version !== wanted) throw new Unavailable(`its "pulumi version" answers ${version ?? "nothing"}, not ${wanted}`);
  const sizes = Object.fromEntries(cliFiles.map((file) => [file, sizeOf(join(place, "bin", file)) ?? 0]));
  writeFileSync(join(place, completeFile), JSON.stringify(/** @satisfies {Complete} */ ({ version, from, sizes })));
}

/**
 * The user's cache folder for this project.
 * @param {NodeJS.ProcessEnv} env
 * @param {NodeJS.Platform} [platform]
 */
export function cacheFolder(env, platform = process.platform) {
  const name = "pulumi-observability";
  const home = env.HOME || homedir();
  if (env.PULUMI_OBSERVABILITY_CACHE) return resolve(env.PULUMI_OBSERVABILITY_CACHE);
  // The XDG rules say to ignore relative paths.
  if (env.XDG_CACHE_HOME && isAbsolute(env.XDG_CACHE_HOME)) return join(env.XDG_CACHE_HOME, name);
  if (platform === "darwin") return join(home, "Library/Caches", name);
  if (platform === "win32" && env.LOCALAPPDATA) return join(env.LOCALAPPDATA, name);
  return join(home, ".cache", name);
}

/**
 * The environment without variables that change what Pulumi or the provider does: the user's login, stack, backend,
 * options and service.
 * @param {NodeJS.ProcessEnv} env
 */
export const withoutUsersPulumi = (env) =>
  Object.fromEntries(
    Object.entries(env).filter(
      ([name]) => !/^(PULUMI|OBSERVABILITY)_/i.test(name) || /^PULUMI_OBSERVABILITY_/i.test(name),
    ),
  );

/**
 * The environment with the CLI's folder first on PATH, so that its own language host and shim are found.
 * @param {NodeJS.ProcessEnv} env
 * @param {string} bin
 * @returns {NodeJS.ProcessEnv}
 */
export function withPath(env, bin) {
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
  PULUMI_HOME: join(stateFolder(), "pulumi-home"),
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

/** @param {string} path */
const sizeOf = (path) => statSync(path, { throwIfNoEntry: false })?.size;

/**
 * A binary's version. It is remembered for an unchanged file, because asking takes longer than the rest of set-up.
 * @param {string} pulumi
 * @param {NodeJS.ProcessEnv} env
 */
async function versionOf(pulumi, env) {
  const { size, mtimeMs } = statSync(pulumi);
  const file = join(cacheFolder(env), "versions.json");
  const key = `${pulumi} ${size} ${mtimeMs}`;
  const known = remembered(file);
  if (known[key]) return known[key];
  const version = await askVersion(pulumi, env);
  // A version manager's shim is a small, unchanged file whose version can change.
  if (version && size > 1_000_000) remember(file, { ...known, [key]: version });
  return version;
}

/**
 * @param {string} pulumi
 * @param {NodeJS.ProcessEnv} env
 */
async function askVersion(pulumi, env) {
  // Even "pulumi version" writes a log into its home.
  const home = join(cacheFolder(env), "home");
  const own = { ...withoutUsersPulumi(env), PULUMI_HOME: home, PULUMI_SKIP_UPDATE_CHECK: "true" };
  const { ok, stdout } = await run(pulumi, ["version"], { env: own, limitMs: 20_000 });
  return ok ? versionIn(stdout) : undefined;
}

/** @param {string} file @returns {Readonly<Record<string, string>>} */
function remembered(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return {}; // Missing or incomplete.
  }
}

/** @param {string} file @param {Readonly<Record<string, string>>} versions */
function remember(file, versions) {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(`${file}.${process.pid}`, JSON.stringify(versions));
    renameSync(`${file}.${process.pid}`, file);
  } catch {
    // Without a writable cache, set-up is only slower.
  }
}
