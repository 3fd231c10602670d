import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { ownFolder } from "../support/folders.js";
import { type Running, start } from "../support/run.js";

const main = fileURLToPath(new URL("../../service/dist/main.js", import.meta.url));

/**
 * The built command, alone with the environment that it is given. No file may have more than FILE_LIMIT blocks of 512
 * bytes.
 */
export function run(args: readonly string[], cwd = ownFolder(), env: Readonly<Record<string, string>> = {}): Running {
  const { FILE_LIMIT: limit = "unlimited" } = env;
  const shell = ["-c", 'ulimit -f "$1" && shift && exec "$@"', "sh", limit, process.execPath, main];
  return start("sh", [...shell, ...args], { cwd, env });
}

const value = (text: string, name: string) => new RegExp(`^export ${name}=(.*)$`, "m").exec(text)?.[1] ?? "";

/** The command when it is ready, with what it printed to be used. */
export async function serve(args: readonly string[], cwd?: string, env?: Readonly<Record<string, string>>) {
  const command = run(["--port", "0", ...args], cwd, env);
  const { child, ended, text } = command;
  const isOver = ended.then(() => true);
  const isPrinted = () => text().includes("OBSERVABILITY_API_TOKEN=");
  while (!isPrinted() && !(await Promise.race([once(child.stdout ?? child, "data").then(() => false), isOver])));
  const url = value(text(), "OBSERVABILITY_BASE_URL");
  const given = args.indexOf("--token") + 1;
  const token = (given > 0 && args[given]) || value(text(), "OBSERVABILITY_API_TOKEN");
  const call = (path: string, init: RequestInit = {}, shown = token) =>
    fetch(`${url}/api/v1/config${path}`, {
      ...init,
      headers: { "API-Token": shown, "Content-Type": "application/json" },
    });
  return { ...command, url, token, call };
}
