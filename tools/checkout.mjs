import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { SetUpError } from "./log.mjs";
import { run, runInPlace } from "./run.mjs";

/** @typedef {{ root: string, log: import("./log.mjs").Log }} Context */

/** Installs the locked dependencies if node_modules does not contain them. @param {Context} context */
export async function installMissing({ root, log }) {
  const installed = packagesIn(join(root, "node_modules/.package-lock.json"));
  const wrong = Object.entries(packagesIn(join(root, "package-lock.json"))).find(([path, { version, optional }]) => {
    const isForAnotherPlatform = optional && installed[path] === undefined;
    return path.includes("node_modules/") && !isForAnotherPlatform && installed[path]?.version !== version;
  });
  if (wrong === undefined) return;
  log.say(`installing the dependencies, because node_modules is not what package-lock.json asks for (${wrong[0]})`);
  // Development dependencies too, even if NODE_ENV or the user's npm configuration leaves them out.
  const args = ["ci", "--include=dev", "--include=optional", "--include=peer", "--no-audit", "--no-fund"];
  const status = await runInPlace("npm", [...args, "--loglevel=error"], {
    cwd: root,
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

/**
 * The packages of a lock, or of npm's record of what it has installed. npm writes the record last, so an install that was
 * cut short has none, or half of one.
 * @param {string} file
 * @returns {Readonly<Record<string, { version?: string, optional?: boolean }>>}
 */
function packagesIn(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8")).packages;
  } catch {
    return {};
  }
}

/**
 * Compiles what has changed.
 * @param {Context & { despiteErrors?: boolean }} context
 */
export async function compile({ root, log, despiteErrors = false }) {
  removeLeftOver(root, "dist", ".");
  removeLeftOver(root, "service/dist", "service/src");
  const tsc = join(root, "node_modules/typescript-native/bin/tsc");
  const options = { cwd: root, progress: log.start("compiling") };
  const { ok, lines, how } = await run(process.execPath, [tsc, "-b", ".", "service"], options);
  if (!ok && !despiteErrors) throw new SetUpError([...lines, `unable to compile: tsc: ${how}`].join("\n"));
  if (existsSync(join(root, "cli/report"))) await bundleReport(root);
  linkCommands(root);
}

/**
 * Bundles the code and the styles of `pulumi-observability report`, which the command puts into each report.
 * @param {string} root
 */
async function bundleReport(root) {
  const { build } = await import("esbuild");
  await build({
    entryPoints: { bundle: join(root, "cli/report/app/main.ts") },
    outdir: join(root, "dist/cli/report"),
    // removeLeftOver deletes the output if a .js file has no source of that name.
    outExtension: { ".js": ".mjs" },
    bundle: true,
    minify: true,
    charset: "utf8",
    format: "esm",
    target: "es2022",
  });
}

/**
 * Removes a project's output if the source of a part was deleted: tsc would keep that part, and the package would ship it.
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

/** Makes the package's commands runnable here: npm does that only if it finds them compiled. @param {string} root */
function linkCommands(root) {
  if (process.platform === "win32") return; // There a command is a script.
  const { bin = {} } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  for (const [name, file] of Object.entries(bin)) {
    const link = join(root, "node_modules/.bin", name);
    chmodSync(join(root, file), 0o755);
    if (!existsSync(link)) symlinkSync(join("../..", file), link);
  }
}
