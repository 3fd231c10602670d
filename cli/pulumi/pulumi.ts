import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { entries, isObject, items, parseJson, tried } from "../../provider/wire/json";
import { namespace } from "../../provider/schema/names";
import { readUtf8 } from "../../provider/base/utf8";
import { endNow, interrupt, ownGroup } from "../../sdk/teams/run/interrupt";
import { CommandError } from "../output/output";

/** The files that mark the folder of a program. */
export const projectFileNames = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"];

/** What the project's file in a folder declares: nothing if it is missing or unreadable, which the CLI reports. */
export function projectIn(folder: string) {
  const read = (file: string) => tried(() => entries(parse(readUtf8(join(folder, file)))));
  const { name, runtime, plugins } = projectFileNames.map(read).find((each) => each !== undefined) ?? {};
  const language = isObject(runtime) ? runtime.name : runtime;
  return {
    name: typeof name === "string" ? name : undefined,
    /** The language, such as `nodejs`. */
    runtime: typeof language === "string" ? language : undefined,
    namesPlugin: items(entries(plugins).providers).some((each) => entries(each).name === namespace),
  };
}

/** The names of all stacks of a program. */
export async function stacksIn(folder: string): Promise<readonly string[]> {
  const { status, stdout, reason } = await pulumi(folder, ["stack", "ls", "--json"]);
  if (status !== 0) throw new CommandError(`can't list the stacks of "${folder}": ${reason}`);
  const stacks = JSON.parse(stdout) as readonly { readonly name: string }[]; // as the CLI documents it
  return stacks.map(({ name }) => name);
}

/** One stack of a program. */
export interface StackTarget {
  /** The folder with Pulumi.yaml. */
  readonly folder: string;
  /** The stack's name; the selected stack if there is none. */
  readonly stack: string | undefined;
}

/** The options that name the stack. */
export const stackArgs = ({ stack }: StackTarget) => (stack === undefined ? [] : ["--stack", stack]);

/** The config of a stack, by full names; secrets are in plain text. */
export async function configOf(target: StackTarget): Promise<(name: string) => string | undefined> {
  const { folder, stack } = target;
  const { status, stdout, reason } = await pulumi(folder, ["config", "--json", "--show-secrets", ...stackArgs(target)]);
  if (status !== 0) {
    const [which, where] = [
      stack === undefined ? "selected stack" : `stack "${stack}"`,
      folder === "." ? "this folder" : `"${folder}"`,
    ];
    throw new CommandError(`can't read the config of the ${which} with "pulumi config" in ${where}: ${reason}`);
  }
  const config = entries(parseJson(stdout));
  return (name) => {
    const { value } = entries(config[name]);
    return value === undefined ? undefined : String(value);
  };
}

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  /** Its standard error, without the word "error" at the beginning: our messages add their own. */
  readonly reason: string;
}

const running = new Set<number>();
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
let endedBy: NodeJS.Signals | undefined;

/** Interrupts every running CLI, and ends them if that is not enough for the user; this process ends with the last one. */
function endAll(signal: NodeJS.Signals): void {
  for (const pid of running) (endedBy === undefined ? interrupt : endNow)(pid);
  endedBy = signal;
}

/** Runs the Pulumi CLI in a folder, to its end. A signal that ends this process ends it first, and what it has started. */
export function pulumi(folder: string, args: readonly string[]): Promise<Ended> {
  // Streaming would print many objects instead of one.
  const { PULUMI_ENABLE_STREAMING_JSON_PREVIEW: _, ...env } = process.env;
  return new Promise((done, fail) => {
    const child = spawn("pulumi", [...args, "--non-interactive", "--color", "never"], {
      ...ownGroup,
      cwd: folder,
      env: { ...env, PULUMI_SKIP_UPDATE_CHECK: "true" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    child.once("error", ({ message, code }: NodeJS.ErrnoException) =>
      // If the folder is missing, the error blames the command.
      fail(
        new CommandError(
          existsSync(folder)
            ? `can't run "pulumi" in "${folder}": ${message}${code === "ENOENT" ? ". Is the Pulumi CLI on your PATH?" : ""}`
            : `the folder "${folder}" does not exist. To name another stack, repeat --stack`,
        ),
      ),
    );
    const { pid } = child;
    if (pid === undefined) return; // It may lack even its streams.
    let [stdout, stderr] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => (stdout += chunk));
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk));
    if (running.size === 0) for (const signal of signals) process.on(signal, endAll);
    running.add(pid);
    child.once("close", (status) => {
      running.delete(pid);
      if (running.size === 0) for (const signal of signals) process.off(signal, endAll);
      if (endedBy === undefined) done({ status, stdout, reason: stderr.trim().replace(/^error: /, "") });
      // Without an answer, so that no other one starts.
      else if (running.size === 0) process.kill(process.pid, endedBy);
    });
  });
}
