import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { ownFolder } from "../support/folders.js";

const main = fileURLToPath(new URL("../../service/dist/main.js", import.meta.url));

export interface Run {
  readonly child: ChildProcess;
  readonly out: () => string;
  readonly err: () => string;
  /** The exit code, or the signal. */
  readonly ended: Promise<number | string>;
  /** Waits until `text` was printed or the command has ended. */
  printed(text: string): Promise<void>;
}

/**
 * The built command, alone with the environment that it is given; it ends with the test. No file may have more than
 * FILE_LIMIT blocks of 512 bytes.
 */
export function run(args: readonly string[], cwd = ownFolder(), env: Readonly<Record<string, string>> = {}): Run {
  const { FILE_LIMIT: limit = "unlimited" } = env;
  const shell = ["-c", 'ulimit -f "$1" && shift && exec "$@"', "sh", limit, process.execPath, main];
  const child = spawn("sh", [...shell, ...args], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk) => (out += chunk));
  child.stderr.on("data", (chunk) => (err += chunk));
  const ended = once(child, "close").then(([code, signal]) => code ?? signal);
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  const printed = async (text: string) => {
    let over = false;
    void ended.then(() => (over = true));
    while (!over && !out.includes(text)) await Promise.race([once(child.stdout, "data"), ended]);
  };
  return { child, out: () => out, err: () => err, ended, printed };
}

const value = (text: string, name: string) => new RegExp(`^export ${name}=(.*)$`, "m").exec(text)?.[1] ?? "";

/** The command when it is ready, with what it printed to be used. */
export async function serve(args: readonly string[], cwd?: string, env?: Readonly<Record<string, string>>) {
  const command = run(["--port", "0", ...args], cwd, env);
  await command.printed("OBSERVABILITY_API_TOKEN=");
  const url = value(command.out(), "OBSERVABILITY_BASE_URL");
  const given = args.indexOf("--token") + 1;
  const token = (given > 0 && args[given]) || value(command.out(), "OBSERVABILITY_API_TOKEN");
  const call = (path: string, init: RequestInit = {}, shown = token) =>
    fetch(`${url}/api/v1/config${path}`, {
      ...init,
      headers: { "API-Token": shown, "Content-Type": "application/json" },
    });
  return { ...command, url, token, call };
}
