import { chmodSync, copyFileSync, existsSync } from "node:fs";
import { basename, join } from "node:path";
import { goBuild, moduleSource } from "./go-build.mjs";
import { withLock } from "./lock.mjs";
import { SetUpError } from "./log.mjs";
import { cacheFolder, fillFolder, newest, onPath, ownVersion } from "./pulumi.mjs";
import { run } from "./run.mjs";
import { writeSdks } from "./sdks.mjs";

/** @typedef {{ bin: string, log: import("./log.mjs").Log, env: NodeJS.ProcessEnv }} Context `bin`: the folder of the CLI */

const exe = process.platform === "win32" ? ".exe" : "";
const sdk = "github.com/pulumi/pulumi/sdk/v3";

/**
 * What runs programs in addition to the CLI and this checkout.
 * @type {Readonly<Record<string, (context: Context) => Promise<NodeJS.ProcessEnv | void>>>}
 */
const parts = {
  python: async (context) => {
    const script = "python/cmd/pulumi-language-python-exec";
    await languageHost("pulumi-language-python", "pulumi-languages", `${sdk}/python/cmd`, context, script);
    await writeSdks(context);
    const { stdout } = await run("python3", ["--version"], context);
    // Some packages are compiled for one version of Python. A folder can move, and an environment can't.
    const name = `python-${ownVersion}-${stdout.replace(/[^\d.]/g, "")}`;
    const pip = ["-m", "pip", "install", "--quiet", "--no-input", `pulumi==${ownVersion}`, "parver", "setuptools"];
    return { TEST_PYTHON: await filled(name, "python3", [...pip, "--target"], context) };
  },
  yaml: (context) => languageHost("pulumi-language-yaml", "pulumi-cli", "github.com/pulumi/pulumi-yaml/cmd", context),
  go: async (context) => {
    await languageHost("pulumi-language-go", "pulumi-languages", `${sdk}/go`, context);
    await writeSdks(context);
  },
  newest: async (context) => {
    const nodes = newest.nodes.map((version) => `node-${version}@npm:node@${version}`);
    const npm = ["install", "--no-audit", "--no-fund", `@pulumi/pulumi@${newest.sdk}`, ...nodes, "--prefix"];
    const name = `sdk-${newest.sdk}-node-${newest.nodes.join("-")}`;
    return { TEST_NEWEST: await filled(name, "npm", npm, context) };
  },
};

/**
 * Gets the parts that are missing.
 * @param {readonly string[]} wanted the names of parts
 * @param {Context} context
 * @returns {Promise<NodeJS.ProcessEnv>} what tests read: folders, and as `TEST_NO_PYTHON` why there is no such part
 */
export async function ensureLanguages(wanted, context) {
  /** @type {NodeJS.ProcessEnv} */
  const found = {};
  await withLock(join(cacheFolder(context.env), "languages.lock"), { ...context, task: "gets languages" }, async () => {
    for (const [name, get] of Object.entries(parts)) {
      try {
        if (!wanted.includes(name)) throw new SetUpError("only deep runs try it");
        Object.assign(found, await get(context));
      } catch (error) {
        if (!(error instanceof SetUpError)) throw error;
        found[`TEST_NO_${name.toUpperCase()}`] = error.message;
      }
    }
  });
  return found;
}

/**
 * Builds a language host beside the CLI, unless it came with it.
 * @param {string} name @param {string} module @param {string} folder of the host in the Go module
 * @param {Context} context @param {string} [script] a file of Pulumi's SDK that the host starts
 */
async function languageHost(name, module, folder, { bin, log, env }, script) {
  const file = join(bin, name + exe);
  if (existsSync(file) || onPath(name + exe, env)) return;
  if (!bin.startsWith(cacheFolder(env))) throw new SetUpError(`the Pulumi CLI in ${bin} comes without ${name}`);
  if (script !== undefined) {
    copyFileSync(join(await moduleSource(module, sdk, { what: name, env }), script), join(bin, basename(script)));
    chmodSync(join(bin, basename(script)), 0o755);
  }
  await goBuild({ module, target: `${folder}/${name}`, out: file }, { what: name, log, env });
}

/**
 * A folder in the user's cache, which a command fills that gets its path last.
 * @param {string} name @param {string} command @param {readonly string[]} args @param {Context} context
 */
export async function filled(name, command, args, { log, env }) {
  const folder = join(cacheFolder(env), name);
  if (existsSync(folder)) return folder;
  await fillFolder(folder, async (started) => {
    const options = { cwd: started, env, progress: log.start(`installing ${name}, this once`) };
    const { ok, lines, how } = await run(command, [...args, started], options);
    if (!ok) throw new SetUpError(`${command}: ${lines.at(-1) ?? how}`);
  });
  return folder;
}
