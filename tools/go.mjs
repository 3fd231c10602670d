import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onPath, Unavailable } from "./pulumi.mjs";
import { run } from "./run.mjs";

/** The folder of a Go module beside this file, which pins what is built. @param {string} name */
const moduleNamed = (name) => fileURLToPath(new URL(name, import.meta.url));

/** The version that a Go module pins: of "go", or of a package. @param {string} name @param {string} field */
export const pinnedIn = (name, field) =>
  new RegExp(`^${field} (\\S+)$`, "m").exec(readFileSync(join(moduleNamed(name), "go.mod"), "utf8"))?.[1] ?? "";

/**
 * Builds a command with Go, which needs only its module proxy: for the modules, and for a newer Go if the module needs one.
 * @param {{ module: string, target: string, out: string, ldflags?: string }} build `module`: the name of its folder
 * @param {{ what: string, env: NodeJS.ProcessEnv, log: import("./log.mjs").Log }} context
 */
export async function goBuild({ module, target, out, ldflags = "" }, { what, env, log }) {
  const go = onPath(process.platform === "win32" ? "go.exe" : "go", env);
  if (!go) throw new Unavailable(`${what} is built with Go (https://go.dev/dl/), and there is no "go" on PATH`);
  const progress = log.start(`building ${what} with Go, which takes minutes, this once`);
  const args = ["build", "-mod=readonly", "-trimpath", "-v", "-ldflags", `-s -w ${ldflags}`.trim(), "-o", out, target];
  const { ok, lines, how } = await run(go, args, {
    cwd: moduleNamed(module),
    env: { ...env, GOWORK: "off" }, // A go.work above the checkout does not list our modules.
    onLine: progress.detail,
  });
  progress.end();
  // The others are the packages and modules that Go works on.
  const reason = lines.find((line) => line.includes(" ") && !/^(go: downloading |# )/.test(line)) ?? how;
  if (!ok) throw new Unavailable(`go build: ${reason.trim().slice(0, 400)}`);
}
