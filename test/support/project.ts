import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll } from "vitest";
import type { State } from "./engine.js";
import { until } from "./faults.js";
import { token } from "./service.js";

const root = join(import.meta.dirname, "../..");
const pulumi = process.env.PULUMI_OBSERVABILITY_PULUMI ?? "pulumi";

const folders: string[] = [];
const running = new Set<number>();
afterAll(() => {
  for (const pid of running) end(pid);
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** A project of its own for the CLI, with a program in plain JavaScript and a backend in its folder. */
export function newProject(baseUrl: string, program: string, more: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "observability-project-"));
  folders.push(folder);
  const project = join(folder, "project");
  mkdirSync(project);
  symlinkSync(join(root, "node_modules"), join(project, "node_modules"));
  writeFileSync(join(project, "Pulumi.yaml"), "name: project\nruntime: nodejs\n");
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "project", private: true, main: "index.js" }));
  const write = (text: string) => writeFileSync(join(project, "index.js"), text);
  write(program);
  const env = {
    ...process.env,
    PULUMI_HOME: join(folder, "home"),
    PULUMI_BACKEND_URL: `file://${folder}`,
    PULUMI_CONFIG_PASSPHRASE: "tests",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    OBSERVABILITY_BASE_URL: baseUrl,
    OBSERVABILITY_API_TOKEN: token,
    ...more,
  };
  const start = (args: readonly string[], more: Record<string, string> = {}) => {
    const child = spawn(pulumi, [...args, "--non-interactive", "--color", "never"], {
      cwd: project,
      env: { ...env, ...more },
      stdio: ["ignore", "pipe", "pipe"],
    });
    if (child.pid !== undefined) running.add(child.pid);
    let text = "";
    const keep = (chunk: Buffer) => {
      text += chunk;
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    const exited = once(child, "exit").then(([code]) => {
      if (child.pid !== undefined) running.delete(child.pid);
      return code as number | null; // As Node documents the event.
    });
    return { child, exited, text: () => text };
  };
  return {
    start,
    /** Puts another program in the place of the first. */
    write,
    async run(args: readonly string[], more?: Record<string, string>) {
      const { exited, text } = start(args, more);
      return { code: await exited, text: text() };
    },
    state: () =>
      JSON.parse(readFileSync(join(folder, ".pulumi/stacks/project/dev.json"), "utf8")).checkpoint.latest as State,
  };
}

/** Everything that a process has started, directly or not. */
async function descendants(pid: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,ppid="]);
  const pairs = stdout
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  const below = (parent: number): number[] =>
    pairs.flatMap(([child, ppid]) => (ppid === parent && child !== undefined ? [child, ...below(child)] : []));
  return below(pid);
}

function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Ended by itself.
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Kills the engine, and then the provider and the program, which outlive it. */
export async function killEngine(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) throw new Error("the engine runs");
  const started = await descendants(child.pid);
  for (const pid of started) running.add(pid);
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
  for (const pid of started) end(pid);
  await until(() => !started.some(isRunning), "the end of the provider");
  for (const pid of started) running.delete(pid);
}
