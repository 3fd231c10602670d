import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SetUpError } from "./log.mjs";
import { root as checkout } from "./project.mjs";
import { run } from "./run.mjs";

/**
 * @typedef {{ version?: string, resolved?: string, integrity?: string, link?: boolean, optional?: boolean } & Record<string, unknown>} Locked
 * @typedef {Readonly<Record<string, Locked>>} Lock
 */

/**
 * Why node_modules does not match package-lock.json; undefined if it does. Compares with npm's record of what it
 * installed: npm writes it last, so an incomplete install has none.
 * @param {string} [root]
 */
export function whyInstall(root = checkout) {
  const wanted = packagesIn(join(root, "package-lock.json"));
  if (!wanted) return undefined; // An unpacked package has no lock: its user installs its dependencies.
  const installed = packagesIn(join(root, "node_modules/.package-lock.json"));
  if (!installed) return "node_modules is missing or half-done";
  for (const [path, locked] of Object.entries(wanted)) {
    if (path === "" || !path.includes("node_modules/")) {
      if (!sameManifest(join(root, path), locked)) return `${join(path, "package.json")} has changed`;
    } else {
      const found = installed[path];
      if (!found && locked.optional) continue; // For another platform.
      if (!found || found.version !== locked.version || found.integrity !== locked.integrity)
        return `${path} is not at ${locked.version ?? "its place"}`;
      if (!existsSync(join(root, path, "package.json"))) return `${path} is missing`;
    }
  }
  return undefined;
}

/** @param {string} file @returns {Lock | undefined} */
function packagesIn(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8")).packages;
  } catch {
    return undefined; // Missing or incomplete: no record.
  }
}

const dependencyFields = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies", "workspaces"];

/** @param {string} folder @param {Locked} locked */
function sameManifest(folder, locked) {
  const file = join(folder, "package.json");
  if (!existsSync(file)) return false; // npm reports other damage.
  const manifest = JSON.parse(readFileSync(file, "utf8"));
  return dependencyFields.every((field) => sorted(manifest[field]) === sorted(locked[field]));
}

/** @param {unknown} value */
const sorted = (value) => JSON.stringify(Object.entries(value ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)));

/**
 * Installs the locked dependencies.
 * @param {{ root?: string, env: NodeJS.ProcessEnv, log: import("./log.mjs").Log, why: string }} options
 */
export async function install({ root = checkout, env, log, why }) {
  // Installs development dependencies even if NODE_ENV or the user's npm configuration leaves them out.
  const args = ["ci", "--include=dev", "--include=optional", "--include=peer", "--no-audit", "--no-fund"];
  const progress = log.start(`installing the dependencies, because ${why}`);
  const npm = env.npm_execpath?.endsWith("npm-cli.js") ? env.npm_execpath : undefined;
  const { ok, lines, how } = npm
    ? await run(process.execPath, [npm, ...args], { cwd: root, env })
    : await run("npm", args, { cwd: root, env, shell: process.platform === "win32" });
  progress.end(ok ? "done" : "failed");
  if (ok) return;
  const words = lines
    .filter((line) => /^npm (error|ERR!)/.test(line) && !line.includes("complete log"))
    .map((line) => line.replace(/^npm (error|ERR!) ?/, "  "));
  throw new SetUpError(
    [
      `unable to install the dependencies: npm ci: ${how}`,
      ...words.slice(0, 8),
      "check the network and npm's registry setting (npm config get registry), then run this again",
    ].join("\n"),
  );
}
