import { existsSync, mkdirSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { goBuild, pinnedIn } from "./go.mjs";
import { withLock } from "./lock.mjs";
import { createLog } from "./log.mjs";
import { cacheFolder } from "./pulumi.mjs";

/** The version of Prometheus that the Go module beside this file pins: "v0.305.0". */
const prometheusVersion = pinnedIn("prometheus", "require github\\.com/prometheus/prometheus");

/**
 * A command of Prometheus: the cached one, else a new one in the cache, built with Go.
 * @param {"prometheus" | "promtool"} command
 * @returns {Promise<string>} the binary's path
 */
export async function ensurePrometheus(command) {
  const file = process.platform === "win32" ? `${command}.exe` : command;
  const built = join(cacheFolder(process.env), `prometheus-${prometheusVersion}`, file);
  const log = createLog();
  return withLock(`${built}.lock`, { log, task: `builds ${command}` }, async () => {
    if (existsSync(built)) return built;
    const out = `${built}.tmp`;
    mkdirSync(dirname(built), { recursive: true });
    const target = `github.com/prometheus/prometheus/cmd/${command}`;
    await goBuild(
      { module: "prometheus", target, out },
      { what: `${command} ${prometheusVersion}`, env: process.env, log },
    );
    renameSync(out, built);
    return built;
  });
}
