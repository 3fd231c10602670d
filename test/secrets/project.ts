import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll } from "vitest";

const root = join(import.meta.dirname, "../..");
const pulumi = process.env.PULUMI_OBSERVABILITY_PULUMI ?? "pulumi";

/** One resource of the program. */
export interface Declared {
  readonly kind: string;
  readonly name: string;
  readonly args: unknown;
  readonly options?: unknown;
  /** Read by `.get` under this id instead. */
  readonly get?: string;
}

export interface Ended {
  readonly code: number | null;
  /** Standard output and error, as they came. */
  readonly text: string;
}

/** A project of its own for the CLI, with every folder that a run writes to. */
export interface Project {
  /** What a run writes to: backend, the engine's home, the project with its stack's config, and temporary files. */
  readonly folders: Readonly<Record<string, string>>;
  declare(resources: readonly Declared[]): void;
  run(args: readonly string[], options?: { input?: string; env?: Record<string, string> }): Promise<Ended>;
  /** Runs, and ends the provider's process by its id once `due` holds. */
  runAndKillProvider(args: readonly string[], due: () => Promise<unknown>): Promise<Ended>;
  /** A file outside of the folders above. */
  file(name: string): string;
}

// Registered here, because vitest takes no hook from inside a test.
const created: string[] = [];
const running = new Set<number>();
afterAll(() => {
  for (const pid of running) end(pid);
  for (const folder of created) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

// The resources lie in a file beside the project, so that whatever stands in the project comes from the run.
const program = `
const { readFileSync } = require("node:fs");
const obs = require("pulumi-observability");
for (const { kind, name, args, options, get } of JSON.parse(readFileSync(process.env.DECLARED, "utf8"))) {
  if (get === undefined) new obs[kind](name, args, options);
  else obs[kind].get(name, get);
}
`;

export function newProject(baseUrl: string): Project {
  const folder = mkdtempSync(join(tmpdir(), "secrets-"));
  created.push(folder);
  const folders = Object.fromEntries(["backend", "home", "project", "tmp"].map((name) => [name, join(folder, name)]));
  for (const each of Object.values(folders)) mkdirSync(each);
  const { backend = "", home = "", project = "", tmp = "" } = folders;
  // Beside the project, where Node looks too, and no scan goes through what is installed.
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(project, "Pulumi.yaml"), "name: secrets\nruntime: nodejs\n");
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "secrets", private: true, main: "index.js" }));
  writeFileSync(join(project, "index.js"), program);
  const declared = join(folder, "declared.json");
  const env = {
    ...process.env,
    TMPDIR: tmp,
    PULUMI_HOME: home,
    PULUMI_BACKEND_URL: `file://${backend}`,
    PULUMI_CONFIG_PASSPHRASE: "tests",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    OBSERVABILITY_BASE_URL: baseUrl,
    OBSERVABILITY_RETRY_BUDGET_SECS: "2",
    DECLARED: declared,
  };
  const start = (args: readonly string[], { input = "", env: more = {} } = {}) => {
    const child = spawn(pulumi, [...args, "--non-interactive", "--color", "never"], {
      cwd: project,
      env: { ...env, ...more },
    });
    child.stdin.end(input);
    const { pid } = child;
    if (pid !== undefined) running.add(pid);
    let text = "";
    const keep = (chunk: Buffer) => {
      text += chunk;
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    const ended = once(child, "close").then(([code]) => {
      if (pid !== undefined) running.delete(pid);
      return { code: code as number | null, text }; // As Node documents the event.
    });
    return { pid, ended };
  };
  return {
    folders,
    declare: (resources) => writeFileSync(declared, JSON.stringify(resources)),
    run: (args, options) => start(args, options).ended,
    async runAndKillProvider(args, due) {
      const { pid, ended } = start(args);
      await due();
      for (const provider of await providersBelow(pid ?? 0)) end(provider);
      return ended;
    },
    file: (name) => join(folder, name),
  };
}

/** The provider processes that a process has started, directly or not. */
async function providersBelow(pid: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,ppid=,args="]);
  const lines = stdout.split("\n").flatMap((line) => {
    const [, own, parent, args = ""] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return own === undefined ? [] : [{ own: Number(own), parent: Number(parent), args }];
  });
  const below = (parent: number): typeof lines =>
    lines.flatMap((line) => (line.parent === parent ? [line, ...below(line.own)] : []));
  return below(pid).flatMap(({ own, args }) => (args.includes("dynamic-provider") ? [own] : []));
}

function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Ended by itself.
  }
}

/**
 * An event log without the debug messages of Pulumi's SDK, which hold inputs in clear: a known limit that the README
 * names.
 */
export function eventsIn(file: string): string {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "" && JSON.parse(line).diagnosticEvent?.severity !== "debug")
    .join("\n");
}

/** What is printed with `--logtostderr`, without the same messages. */
export function withoutDebug(text: string): string {
  return text
    .split("\n")
    .filter((line) => !/^\{"time":.*"msg":"RegisterResource/.test(line))
    .join("\n");
}
