import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { atEnd } from "./ends.js";

/** How a command is run. */
export interface How {
  readonly cwd: string;
  /** The whole environment; that of the tests by default. */
  readonly env?: Readonly<NodeJS.ProcessEnv>;
  /** What the command reads from its standard input, which is empty by default. */
  readonly stdin?: string;
}

export interface Ended {
  /** The exit status; null if a signal ended the command. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Both outputs, in the order in which they came. */
  readonly text: string;
}

/** A running command. */
export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** What the command has printed so far. */
  text(): string;
}

/** Starts a command, which is killed after the last test of the file if it still runs. */
export function start(command: string, args: readonly string[], { cwd, env, stdin = "" }: How): Running {
  const child = spawn(command, args, { cwd, env: { ...(env ?? process.env) }, shell: false });
  const printed = { stdout: "", stderr: "", text: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (chunk: string) => {
      printed[name] += chunk;
      printed.text += chunk;
    });
  }
  // The command may end without reading it.
  child.stdin.on("error", () => undefined).end(stdin);
  const ended = once(child, "close").then(([code]): Ended => ({ ...printed, code: code as number | null })); // As Node documents the event.
  atEnd(() => child.kill("SIGKILL"));
  return { child, ended, text: () => printed.text };
}

/** Runs a command to its end, whatever its exit status is. */
export const run = (command: string, args: readonly string[], how: How): Promise<Ended> =>
  start(command, args, how).ended;

/** Runs a line as a shell does, whatever its exit status is. */
export const shell = (line: string, how: How): Promise<Ended> => run("sh", ["-c", line], how);

/** Runs a command to its end and returns its standard output. @throws with all that it printed if it fails. */
export async function outputOf(command: string, args: readonly string[], how: How): Promise<string> {
  const { code, stdout, text } = await run(command, args, how);
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} exited with status ${code}\n${text}`);
  return stdout;
}
