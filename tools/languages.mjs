import { chmodSync, copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { goBuild, moduleSource } from "./go-build.mjs";
import { withLock } from "./lock.mjs";
import { SetUpError } from "./log.mjs";
import { cacheFolder, newest, onPath, ownVersion, Unavailable } from "./pulumi.mjs";
import { run } from "./run.mjs";
import { writeSdks } from "./sdks.mjs";

/** @typedef {{ log: import("./log.mjs").Log, env: NodeJS.ProcessEnv }} Context */

const exe = process.platform === "win32" ? ".exe" : "";
const sdk = "github.com/pulumi/pulumi/sdk/v3";

/** What runs the programs of each language in addition to the CLI: how its language host is built, and what else it needs. */
const languages = {
  python: { module: "pulumi-languages", target: `${sdk}/python/cmd/pulumi-language-python`, more: packagesOfPython },
  yaml: { module: "pulumi-cli", target: "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml", more: undefined },
  go: { module: "pulumi-languages", target: `${sdk}/go/pulumi-language-go`, more: findGo },
};

/** @typedef {keyof typeof languages} Language */

/**
 * Gets what runs programs of other languages, as far as it is missing. A CLI of Pulumi's own has its language hosts beside it.
 * @param {import("./pulumi.mjs").Cli} cli
 * @param {readonly string[]} wanted
 * @param {Context} context
 * @returns {Promise<NodeJS.ProcessEnv>} what tests read: why a language can't be had, as `TEST_NO_PYTHON`, and the folder
 *   of Python's packages, `TEST_PYTHON`
 */
export async function ensureLanguages({ bin }, wanted, context) {
  /** @type {NodeJS.ProcessEnv} */
  const found = {};
  const lock = join(cacheFolder(context.env), "languages.lock");
  await withLock(lock, { log: context.log, task: "gets language hosts" }, async () => {
    for (const [name, { more, ...from }] of Object.entries(languages)) {
      try {
        if (!wanted.includes(name)) throw new Unavailable("only deep runs try it");
        await ensureHost(`pulumi-language-${name}`, from, bin, context);
        Object.assign(found, await more?.(bin, context));
      } catch (error) {
        if (!(error instanceof SetUpError)) throw error;
        found[`TEST_NO_${name.toUpperCase()}`] = error.message;
      }
    }
  });
  return found;
}

/** Installs the newest SDK and Node.js beside the ones of this checkout. @param {Context} context @returns {Promise<NodeJS.ProcessEnv>} */
export async function ensureNewest({ log, env }) {
  const folder = join(cacheFolder(env), `sdk-${newest.sdk}-node-${newest.node}`);
  const lock = `${folder}.lock`;
  return withLock(lock, { log, task: "installs the newest SDK" }, async () => {
    if (existsSync(folder)) return { TEST_NEWEST: folder };
    const progress = log.start("installing the newest SDK and Node.js, this once");
    const started = `${folder}.tmp`;
    rmSync(started, { recursive: true, force: true });
    mkdirSync(started);
    const packages = [`@pulumi/pulumi@${newest.sdk}`, `node@${newest.node}`];
    const args = ["install", "--prefix", started, "--no-audit", "--no-fund", "--loglevel=error", ...packages];
    const { ok, lines, how } = await run("npm", args, { cwd: started, env, onLine: progress.detail });
    progress.end();
    if (!ok) return { TEST_NO_NEWEST: `npm install: ${lines.at(-1) ?? how}` };
    renameSync(started, folder);
    return { TEST_NEWEST: folder };
  });
}

/**
 * @param {string} host @param {{ module: string, target: string }} from
 * @param {string} bin @param {Context} context
 */
async function ensureHost(host, { module, target }, bin, { log, env }) {
  const file = join(bin, host + exe);
  if (existsSync(file) || onPath(host + exe, env)) return;
  if (!bin.startsWith(cacheFolder(env))) throw new Unavailable(`the Pulumi CLI in ${bin} comes without ${host}`);
  const started = `${file}.tmp`;
  try {
    await goBuild({ module, target, out: started }, { what: host, log, env });
    renameSync(started, file);
  } finally {
    rmSync(started, { force: true });
  }
}

/** The script that the host starts, and the packages from the registry. @param {string} bin @param {Context} context */
async function packagesOfPython(bin, { log, env }) {
  await writeSdks({ log, env });
  const script = "pulumi-language-python-exec";
  if (bin.startsWith(cacheFolder(env)) && !existsSync(join(bin, script))) {
    copyFileSync(join(await moduleSource("pulumi-languages", sdk, env), "python/cmd", script), join(bin, script));
    chmodSync(join(bin, script), 0o755);
  }
  const python = onPath(`python3${exe}`, env);
  if (!python) throw new Unavailable('there is no "python3" on PATH');
  const { stdout } = await run(python, ["--version"], { env });
  // Some packages are compiled for one version of Python.
  const folder = join(cacheFolder(env), `python-${ownVersion}-${stdout.replace(/[^\d.]/g, "")}`);
  const found = { TEST_PYTHON: folder };
  if (existsSync(folder)) return found;
  const progress = log.start("installing the Python packages, this once");
  const started = `${folder}.tmp`;
  rmSync(started, { recursive: true, force: true });
  // A folder, which can move, instead of an environment, which can't.
  const packages = [`pulumi==${ownVersion}`, "parver", "setuptools"];
  const args = ["-m", "pip", "install", "--quiet", "--no-input", "--target", started, ...packages];
  const { ok, lines, how } = await run(python, args, { env, onLine: progress.detail });
  progress.end();
  if (!ok) throw new Unavailable(`pip: ${lines.find((line) => line.startsWith("ERROR")) ?? how}`);
  renameSync(started, folder);
  return found;
}

/** @param {string} _bin @param {Context} context */
async function findGo(_bin, { log, env }) {
  if (!onPath(`go${exe}`, env)) throw new Unavailable('there is no "go" on PATH');
  await writeSdks({ log, env });
}
