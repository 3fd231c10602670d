import { readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SetUpError } from "./log.mjs";
import { onPath } from "./pulumi.mjs";
import { run } from "./run.mjs";

/** The folder of a Go module beside this file, which pins what is built. @param {string} name */
const moduleFolder = (name) => fileURLToPath(new URL(name, import.meta.url));

/** The Go version that the modules need. */
export const [, goVersion] = /^go (\S+)$/m.exec(readFileSync(join(moduleFolder("pulumi-cli"), "go.mod"), "utf8")) ?? [];

/**
 * Builds a command with Go, which needs only its module proxy: for the modules, and for a newer Go if the module needs one.
 * @param {{ module: string, target: string, out: string, ldflags?: string, unused?: readonly string[] }} build
 *   `module`: the name of its folder; `unused`: packages that the command only contains
 * @param {{ what: string, env: NodeJS.ProcessEnv, log: import("./log.mjs").Log }} context
 */
export async function goBuild({ module, target, out, ldflags = "", unused = [] }, { what, env, log }) {
  const args = ["build", "-mod=readonly", "-trimpath", "-v", "-ldflags", `-s -w ${ldflags}`.trim()];
  // Compiled without optimization, they take three quarters of the time.
  args.push(...unused.map((packages) => `-gcflags=${packages}=-N -l`), "-o", `${out}.${process.pid}`, target);
  await runGo(module, args, { what, env, log });
  renameSync(`${out}.${process.pid}`, out);
}

/**
 * The folder in which Go has the source of a dependency.
 * @param {string} module @param {string} dependency @param {{ what: string, env: NodeJS.ProcessEnv }} context
 */
export async function moduleSource(module, dependency, context) {
  return (await runGo(module, ["list", "-mod=readonly", "-m", "-f", "{{.Dir}}", dependency], context)).trim();
}

/**
 * @param {string} module @param {readonly string[]} args
 * @param {{ what: string, env: NodeJS.ProcessEnv, log?: import("./log.mjs").Log }} context
 */
async function runGo(module, args, { what, env, log }) {
  const go = onPath(process.platform === "win32" ? "go.exe" : "go", env);
  if (!go) throw new SetUpError(`${what} is built with Go (https://go.dev/dl/), and there is no "go" on PATH`);
  // A go.work above the checkout does not list our modules.
  const { ok, stdout, lines, how } = await run(go, args, {
    cwd: moduleFolder(module),
    env: { ...env, GOWORK: "off" },
    ...(log && { progress: log.start(`building ${what} with Go, which takes minutes, this once`) }),
  });
  // The others are the packages and modules that Go works on.
  const reason = lines.find((line) => line.includes(" ") && !/^(go: downloading |# )/.test(line)) ?? how;
  if (!ok) throw new SetUpError(`go ${args[0]}: ${reason.trim().slice(0, 400)}`);
  return stdout;
}
