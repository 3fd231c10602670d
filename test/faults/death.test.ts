import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Service } from "@pulumi-observability/service";
import { afterAll, expect, test } from "vitest";
import { caseOf, type KindCase, pathOf } from "../support/cases.js";
import * as faults from "../support/faults.js";
import { reportFigure } from "../support/figures.js";
import { ask, ownService, token } from "../support/service.js";

const root = join(import.meta.dirname, "../..");
const kills = process.env.TEST_DEEP === "1" ? 20 : 1;
const pulumi = process.env.PULUMI_OBSERVABILITY_PULUMI ?? "pulumi";

/** One kind for each way of creating: POST, PUT, and the POST of the singleton. */
const paths = [caseOf("Notifier"), caseOf("Monitor"), caseOf("LogAllocationConfig")];
const slugOf = ({ kind, args }: KindCase) => (kind.isSingleton ? kind.singletonId : String(args.slug));

const folders: string[] = [];
const running = new Set<number>();
afterAll(() => {
  for (const pid of running) end(pid);
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** A project of its own, with a program in plain JavaScript and a backend in its folder. */
function newProject(baseUrl: string) {
  const folder = mkdtempSync(join(tmpdir(), "death-"));
  folders.push(folder);
  const project = join(folder, "project");
  mkdirSync(project);
  symlinkSync(join(root, "node_modules"), join(project, "node_modules"));
  writeFileSync(join(project, "Pulumi.yaml"), "name: death\nruntime: nodejs\n");
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "death", private: true, main: "index.js" }));
  const resources = paths.map(({ kind, args }) => `new obs.${kind.name}("a-${kind.name}", ${JSON.stringify(args)});`);
  writeFileSync(join(project, "index.js"), ['const obs = require("pulumi-observability");', ...resources].join("\n"));
  const env = {
    ...process.env,
    PULUMI_HOME: join(folder, "home"),
    PULUMI_BACKEND_URL: `file://${folder}`,
    PULUMI_CONFIG_PASSPHRASE: "tests",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    OBSERVABILITY_BASE_URL: baseUrl,
    OBSERVABILITY_API_TOKEN: token,
    OBSERVABILITY_RETRY_BUDGET_SECS: "60",
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
    async run(args: readonly string[], more?: Record<string, string>) {
      const { exited, text } = start(args, more);
      return { code: await exited, text: text() };
    },
    state: () =>
      JSON.parse(readFileSync(join(folder, ".pulumi/stacks/death/dev.json"), "utf8")).checkpoint.latest as {
        resources: { id?: string; type: string }[];
      },
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

async function killEngine(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) throw new Error("the engine runs");
  const started = await descendants(child.pid);
  for (const pid of started) running.add(pid);
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
  // The provider outlives the engine, and so do the language host and the program.
  for (const pid of started) end(pid);
  await faults.until(() => !started.some(isRunning), "the end of the provider");
  for (const pid of started) running.delete(pid);
}

async function objects(service: Service): Promise<Record<string, number>> {
  const counts = await Promise.all(
    paths.map(async ({ kind }) => {
      const { status, body } = await ask(service, "GET", kind.family.list?.path ?? pathOf(kind, ""));
      const many = kind.wire.many === undefined ? (status === 200 ? [1] : []) : (body[kind.wire.many] as unknown[]);
      return [kind.name, many.length] as const;
    }),
  );
  return Object.fromEntries(counts);
}

test(
  `an engine that is killed between write and answer leaves nothing twice, ${kills} times for each way of creating`,
  { timeout: 90_000 * kills },
  async () => {
    let named = 0;
    let adoptions = 0;
    for (let i = 0; i < kills; i++) {
      const service = await ownService();
      const proxy = await faults.ownProxy(service.url);
      await ask(service, "POST", "/api/v1/config/datasets", {
        dataset: { slug: "checkout-logs", name: "Logs", configuration: { type: "LOGS", log_dataset: {} } },
      });
      const project = newProject(proxy.url);
      expect((await project.run(["stack", "init", "dev"])).code).toBe(0);

      // The service has done all three, and nobody has heard of it.
      proxy.use(({ method, dryRun }) => (method !== "GET" && !dryRun ? faults.held : undefined));
      const up = project.start(["up", "--yes", "--skip-preview"]);
      await faults.until(() => proxy.heldNow() === paths.length || up.child.exitCode !== null, up.text(), 60_000);
      expect(proxy.heldNow(), up.text()).toBe(paths.length);
      await killEngine(up.child);
      proxy.reset();
      proxy.release();
      const one = Object.fromEntries(paths.map(({ kind }) => [kind.name, 1]));
      expect(await objects(service)).toEqual(one);

      const cancelled = await project.run(["cancel", "--yes"]);
      expect(cancelled.code, cancelled.text).toBe(0);
      const refused = await project.run(["up", "--yes", "--skip-preview", "--continue-on-error"]);
      expect(refused.code).not.toBe(0);
      for (const each of paths) {
        expect(refused.text).toContain(`unable to create ${titleOf(each)}: it exists already`);
        named += 1;
      }
      expect(refused.text).toContain('set the resource option adopt: true to take it over ("identical"');
      expect(await objects(service)).toEqual(one);

      const adopted = await project.run(["up", "--yes", "--skip-preview"], { OBSERVABILITY_ADOPT: "identical" });
      expect(adopted.code, adopted.text).toBe(0);
      expect(await objects(service)).toEqual(one);
      const ids = project.state().resources.flatMap(({ id, type }) => (type.includes("observability:") ? [id] : []));
      expect(ids.sort()).toEqual(paths.map(slugOf).sort());
      adoptions += ids.length;
    }
    reportFigure(
      `kills: ${kills} for each of ${paths.length} ways of creating, named by the next up: ${named}, adopted: ${adoptions}, twice: 0`,
    );
  },
);

function titleOf(each: KindCase): string {
  return each.kind.isSingleton ? `the ${each.kind.title}` : `${each.kind.title} "${slugOf(each)}"`;
}
