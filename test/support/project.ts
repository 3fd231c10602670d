import { type ChildProcess, execFile } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { runCommand } from "./command.js";
import { atEnd } from "./ends.js";
import type { State } from "./engine.js";
import { until } from "./faults.js";
import { ownFolder } from "./folders.js";
import { keyService } from "./keys.js";
import { homeIn, quickPlugins, quickStart } from "./quickStart.js";
import { token } from "./service.js";
import * as command from "./run.js";
import { type ConfigValue, makeStack } from "./stacks.js";

const root = join(import.meta.dirname, "../..");
const pulumi = process.env.PULUMI_OBSERVABILITY_PULUMI ?? "pulumi";

const keys = await keyService();

/** What engines that were killed have left running; it is ended with the test file. */
const running = new Set<number>();

/** How a command of the CLI is started beside what its project is. */
export interface How {
  readonly env?: Readonly<Record<string, string>>;
  /** What it reads from its standard input. */
  readonly input?: string;
}

/** Where a project differs from those of most tests. */
export interface Place {
  /** Its name; "project" by default. */
  readonly name?: string;
  /** The folder of its packages; this checkout's by default. */
  readonly packages?: string;
  /** Folders that come first on PATH: those of the CLI and of Node.js, if they are not the tests' own. */
  readonly bins?: readonly string[];
}

/** A project of its own for the CLI, with a program in plain JavaScript, in a temporary folder that ends with the tests. */
export function newProject(
  baseUrl: string,
  program: string,
  more: Readonly<Record<string, string>> = {},
  { name = "project", packages = join(root, "node_modules"), bins = [] }: Place = {},
) {
  const folder = ownFolder();
  atEnd(() => running.forEach(end));
  /** What a run writes to: backend, the engine's home, the project with its stack's config, and temporary files. */
  const folders = {
    backend: join(folder, "backend"),
    home: homeIn(folder),
    project: join(folder, "project"),
    temporary: join(folder, "tmp"),
  };
  for (const each of Object.values(folders)) mkdirSync(each, { recursive: true });
  // Beside the project, where Node looks too: what stands in the folders comes from the runs.
  symlinkSync(packages, join(folder, "node_modules"));
  const file = (path: string) => join(folders.project, path);
  const settings = { name, runtime: "nodejs", ...(bins.length === 0 ? { plugins: { providers: quickPlugins } } : {}) };
  writeFileSync(file("Pulumi.yaml"), JSON.stringify(settings));
  writeFileSync(file("package.json"), JSON.stringify({ name, private: true, main: "index.js" }));
  const write = (text: string) => writeFileSync(file("index.js"), text);
  write(program);
  const env = {
    ...process.env,
    TMPDIR: folders.temporary,
    PULUMI_HOME: folders.home,
    PULUMI_BACKEND_URL: `file://${folders.backend}`,
    ...keys,
    PULUMI_SKIP_UPDATE_CHECK: "true",
    // Other versions start as they are.
    ...(bins.length === 0 ? quickStart : { PATH: [...bins, process.env.PATH ?? ""].join(delimiter) }),
    // See late.cjs. What a command writes where there is no program is TypeScript.
    ...(program === "" ? {} : { TEST_PROGRAMS: "javascript" }),
    OBSERVABILITY_BASE_URL: baseUrl,
    OBSERVABILITY_API_TOKEN: token,
    ...more,
  };
  const start = (args: readonly string[], { env: more, input = "" }: How = {}) =>
    command.start(bins.length === 0 ? pulumi : "pulumi", [...args, "--non-interactive", "--color", "never"], {
      cwd: folders.project,
      env: { ...env, ...more },
      stdin: input,
    });
  const run = (args: readonly string[], how?: How) => start(args, how).ended;
  const init = async (stack = "dev", config?: Readonly<Record<string, ConfigValue>>) =>
    makeStack({ ...folders, backend: env.PULUMI_BACKEND_URL.replace("file://", "") }, stack, config);
  /** Runs a command of the CLI that succeeds. @returns what it printed. */
  const done = async (...args: readonly string[]): Promise<string> => {
    const { code, text } = await run(args);
    expect(code, `pulumi ${args.join(" ")}\n${text}`).toBe(0);
    return text;
  };
  return {
    folders,
    /** In which the CLI runs, for a command that runs it itself. */
    env,
    start,
    run,
    done,
    /** Runs `pulumi-observability` in the project. */
    command: (...args: readonly string[]) => runCommand(folders.project, args, env),
    /** A file of the project. */
    at: file,
    /** Makes a stack. */
    init,
    /** Makes a stack and creates what the program declares. */
    create: async (stack?: string) => {
      await init(stack);
      await done("up", "--yes", "--skip-preview", ...(stack === undefined ? [] : ["--stack", stack]));
    },
    /** Replaces the first program. */
    write,
    /** A file outside of the folders above. */
    file: (path: string) => join(folder, path),
    /** Off the disk, secrets encrypted. */
    state: () => {
      const text = readFileSync(join(folders.backend, `.pulumi/stacks/${name}/dev.json`), "utf8");
      return JSON.parse(text).checkpoint.latest as State;
    },
  };
}

export type Project = ReturnType<typeof newProject>;

interface Started {
  readonly pid: number;
  /** Its command line. */
  readonly line: string;
}

/** Everything that a process has started, directly or not. */
export async function descendants(pid: number): Promise<Started[]> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,ppid=,args="]);
  const all = stdout.split("\n").flatMap((row) => {
    const [, own, parent, line = ""] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(row) ?? [];
    return own === undefined ? [] : [{ pid: Number(own), parent: Number(parent), line }];
  });
  const below = (parent: number): Started[] =>
    all.flatMap((each) => (each.parent === parent ? [each, ...below(each.pid)] : []));
  return below(pid);
}

function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Ended by itself.
  }
}

/** Whether a process has not ended. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Kills the engine, and then the provider and the program, which outlive it. */
export async function killEngine(pid: number): Promise<void> {
  process.kill(pid, "SIGSTOP"); // Otherwise it may start another one, which outlives the tests.
  const started = await descendants(pid);
  for (const each of started) running.add(each.pid);
  end(pid);
  await until(() => !isRunning(pid), "the end of the engine");
  for (const each of started) end(each.pid);
  await until(() => !started.some((each) => isRunning(each.pid)), "the end of what the engine has started");
  for (const each of started) running.delete(each.pid);
}

/** Kills the providers that the engine has started, and nothing else. */
export async function killProviders(child: ChildProcess): Promise<void> {
  for (const { pid, line } of await descendants(pidOf(child))) if (line.includes("dynamic-provider")) end(pid);
}

function pidOf({ pid }: ChildProcess): number {
  if (pid === undefined) throw new Error("the engine did not start");
  return pid;
}
