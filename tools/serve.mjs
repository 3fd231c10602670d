import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { runScript } from "./log.mjs";
import { root } from "./project.mjs";
import { setUp } from "./setup.mjs";

await runScript(async () => {
  const npm = npmAbove();
  if (npm !== undefined) endWith(npm);
  await setUp();
  // In this process, so that ending it ends the service. It reads our arguments.
  await import(pathToFileURL(join(root, "service/dist/main.js")).href);
  return Number(process.exitCode ?? 0);
});

/** The id of the npm that runs this script; undefined without npm, and on Windows. */
function npmAbove() {
  if (process.env.npm_lifecycle_event === undefined) return undefined;
  const { stdout } = spawnSync("ps", ["-o", "ppid=,comm=", "-p", String(process.ppid)], { encoding: "utf8" });
  const [, above, command = ""] = /^\s*(\d+)\s+(.*?)\s*$/.exec(stdout ?? "") ?? [];
  if (above === undefined) return undefined;
  // npm starts a shell, and some shells make room for the last command.
  return /(^|\/|-)(ba|da|z|k|a)?sh$/.test(command) ? Number(above) : process.ppid;
}

/**
 * Stops this process when another has ended: npm passes signals only to its shell, which keeps them to itself.
 * @param {number} pid
 */
function endWith(pid) {
  setInterval(() => {
    try {
      process.kill(pid, 0);
    } catch {
      process.kill(process.pid, "SIGTERM");
    }
  }, 500).unref();
}
