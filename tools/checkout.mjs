import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { SetUpError } from "./log.mjs";
import { run, runInPlace } from "./run.mjs";

/** @typedef {{ root: string, env: NodeJS.ProcessEnv, log: import("./log.mjs").Log }} Context */

/** Installs the locked dependencies if node_modules does not hold them. @param {Context} context */
export async function installMissing({ root, env, log }) {
  const installed = recordIn(root);
  const wrong = Object.entries(packagesIn(join(root, "package-lock.json"))).find(([path, { version, optional }]) => {
    if (!path.includes("node_modules/")) return false;
    const found = installed[path];
    if (found === undefined && optional) return false; // For another platform.
    return found?.version !== version || !existsSync(join(root, path, "package.json"));
  });
  if (wrong === undefined) return;
  log.say(`installing the dependencies, because node_modules is not what package-lock.json asks for (${wrong[0]})`);
  // Development dependencies too, even if NODE_ENV or the user's npm configuration leaves them out.
  const args = ["ci", "--include=dev", "--include=optional", "--include=peer", "--no-audit", "--no-fund"];
  const status = await runInPlace("npm", [...args, "--loglevel=error"], {
    cwd: root,
    env,
    shell: process.platform === "win32",
    stdio: ["ignore", 2, 2], // Our stdout is that of the command that is set up for.
  });
  if (status !== 0)
    throw new SetUpError(
      `unable to install the dependencies: npm ci: exit status ${status}\n` +
        "check the network and npm's registry setting (npm config get registry), then run this again",
    );
  // tsc does not notice that a dependency has other types.
  for (const out of ["dist", "service/dist"]) rmSync(join(root, out), { recursive: true, force: true });
}

/** What npm says that it has installed. It says so last, so an install that was cut short has no record, or half of one. @param {string} root */
function recordIn(root) {
  try {
    return packagesIn(join(root, "node_modules/.package-lock.json"));
  } catch {
    return {};
  }
}

/** @param {string} file @returns {Readonly<Record<string, { version?: string, optional?: boolean }>>} */
const packagesIn = (file) => JSON.parse(readFileSync(file, "utf8")).packages;

/**
 * Compiles what has changed.
 * @param {Context & { despiteErrors?: boolean }} context
 */
export async function compile({ root, env, log, despiteErrors = false }) {
  removeLeftOver(root, "dist", ".");
  removeLeftOver(root, "service/dist", "service/src");
  /** @type {ReturnType<typeof log.start> | undefined} */
  let progress;
  // If nothing has changed, tsc ends sooner.
  const slow = setTimeout(() => (progress = log.start("compiling")), 1_500);
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const { ok, lines, how } = await run(process.execPath, [tsc, "-b", ".", "service"], { cwd: root, env });
  clearTimeout(slow);
  progress?.end();
  if (!ok && !despiteErrors) throw new SetUpError([...lines, `unable to compile: tsc: ${how}`].join("\n"));
  linkCommand(root);
}

/**
 * Removes a project's output if the source of a part is gone: tsc would keep that part, and the package would ship it.
 * @param {string} root
 * @param {string} out
 * @param {string} sources
 */
function removeLeftOver(root, out, sources) {
  if (!existsSync(join(root, out))) return;
  const files = readdirSync(join(root, out), { recursive: true, encoding: "utf8" });
  const isLeftOver = (/** @type {string} */ file) =>
    file.endsWith(".js") && !existsSync(join(root, sources, file.replace(/js$/, "ts")));
  if (files.some(isLeftOver)) rmSync(join(root, out), { recursive: true });
}

/** Makes the package's command runnable here: npm does that only if it finds it compiled. @param {string} root */
function linkCommand(root) {
  if (process.platform === "win32") return; // There a command is a script.
  const link = join(root, "node_modules/.bin/pulumi-observability");
  chmodSync(join(root, "dist/cli/main.js"), 0o755);
  if (!existsSync(link)) symlinkSync("../../dist/cli/main.js", link);
}
