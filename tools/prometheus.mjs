import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { withLock } from "./lock.mjs";
import { createLog, SetUpError } from "./log.mjs";
import { cacheFolder, onPath } from "./pulumi.mjs";
import { run } from "./run.mjs";

const module = fileURLToPath(new URL("prometheus", import.meta.url));

/** The version of Prometheus that the Go module beside this file pins: "v0.305.0". */
export const prometheusVersion =
  /^require github\.com\/prometheus\/prometheus (\S+)$/m.exec(readFileSync(join(module, "go.mod"), "utf8"))?.[1] ?? "";

/**
 * A command of Prometheus: the cached one, else a new one in the cache, built with Go.
 * @param {"prometheus" | "promtool"} command
 * @param {{ log?: import("./log.mjs").Log, env?: NodeJS.ProcessEnv }} [context]
 * @returns {Promise<string>} the binary's path
 */
export async function ensurePrometheus(command, { log = createLog(), env = process.env } = {}) {
  const cache = cacheFolder(env);
  const file = process.platform === "win32" ? `${command}.exe` : command;
  const built = join(cache, `prometheus-${prometheusVersion}`, file);
  if (existsSync(built)) return built;
  /** @param {string} owner */
  const onWait = (owner) => log.say(`waiting for ${owner}, which builds ${command}`);
  return withLock(`${built}.lock`, onWait, async () => {
    if (existsSync(built)) return built; // Another process built it while we waited.
    const go = onPath(process.platform === "win32" ? "go.exe" : "go", env);
    if (!go) throw new SetUpError(`${command} is built with Go, and there is no "go" on PATH (https://go.dev/dl/)`);
    const part = `${built}.tmp-${process.pid}`;
    const progress = log.start(`building ${command} ${prometheusVersion} with Go, this once`);
    const target = `github.com/prometheus/prometheus/cmd/${command}`;
    try {
      mkdirSync(join(built, ".."), { recursive: true });
      const { ok, lines, how } = await run(
        go,
        ["build", "-mod=readonly", "-trimpath", "-ldflags", "-s -w", "-o", part, target],
        { cwd: module, env: { ...env, GOWORK: "off" }, onLine: progress.detail },
      );
      progress.end(ok ? "done" : undefined);
      if (!ok) throw new SetUpError(`unable to build ${command}: ${lines.at(-1) ?? how}`);
      renameSync(part, built);
    } finally {
      rmSync(part, { force: true });
    }
    return built;
  });
}
