import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { kindNamed } from "../../dist/provider/lifecycle/session.js";
import { toWire } from "../../dist/provider/wire/codec.js";
import { SetUpError } from "../log.mjs";
import { root } from "../project.mjs";
import { pulumiEnv } from "../pulumi.mjs";
import { run as runCommand } from "../run.mjs";
import { watchSession } from "./processes.mjs";
import { startService } from "./service.mjs";

/**
 * @typedef {import("./main.mjs").Context} Context
 * @typedef {import("../../dist/provider/schema/kind.js").Kind} Kind
 * @typedef {"ours" | "floor"} Side
 * @typedef {Awaited<ReturnType<typeof createProject>>} Project
 */

// The time limit of one run.
const limitMs = 30 * 60_000;

/** The floor: the same classes, but another provider behind the code in state. */
const floor = {
  OBSERVABILITY_VALIDATE: "never",
  NODE_OPTIONS: `--require ${JSON.stringify(join(root, "tools/bench/floor.cjs"))}`,
};

/**
 * Does work in a new project, and removes the project afterward.
 * @template Outcome
 * @param {Context} context @param {string} kindName @param {number} resources
 * @param {(project: Project) => Promise<Outcome>} work
 */
export async function inProject(context, kindName, resources, work) {
  const project = await createProject(context, kindNamed(kindName), resources);
  try {
    return await work(project);
  } finally {
    await project.close();
  }
}

/**
 * A project that declares so many resources of one kind, with a stack and a service of its own. The sides are environments
 * of its program, and have the same stack.
 * @param {Context} context @param {Kind} kind @param {number} resources
 */
async function createProject({ pulumi, say }, kind, resources) {
  const folder = mkdtempSync(join(tmpdir(), "observability-bench-"));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  process.once("exit", remove);
  let service = await startService();
  const [program, backend, empty] = [join(folder, "program"), join(folder, "backend"), join(folder, "empty")];
  writeProgram(program, kind);
  mkdirSync(join(folder, "tmp"));
  const sides = { ours: {}, floor };
  const env = {
    ...pulumiEnv({ home: join(folder, "home"), backend, pulumi }),
    // The SDK's ts-node keeps what it has compiled there.
    TMPDIR: join(folder, "tmp"),
    OBSERVABILITY_BASE_URL: service.url,
    OBSERVABILITY_API_TOKEN: service.token,
  };
  const init = await runCommand(pulumi, ["stack", "init", "dev", "--non-interactive"], { cwd: program, env });
  if (!init.ok) throw new SetUpError([...init.lines, `unable to make a stack: pulumi: ${init.how}`].join("\n"));
  cpSync(backend, empty, { recursive: true });

  /**
   * Runs a command of the CLI and measures it.
   * @param {Side} side
   * @param {readonly string[]} command
   * @param {{ size?: number, changed?: number, did: string, env?: Readonly<Record<string, string>> }} options
   *   `did`: what the engine must report, such as `2 to update, 1 unchanged`; anything else is an error
   * @returns {Promise<import("./result.mjs").Run>}
   */
  const run = async (side, command, { size = resources, changed = 0, did, env: more = {} }) => {
    service.resetCounters();
    const sizes = { BENCH_RESOURCES: String(size), BENCH_CHANGED: String(changed) };
    const { ok, lines, how, wallSeconds, uses } = await runWatched(
      pulumi,
      [...command, "--non-interactive", "--stack", "dev"],
      { cwd: program, env: { ...env, ...sides[side], ...sizes, ...more } },
    );
    const reported = summaryIn(lines);
    if (!ok || reported !== did) {
      const what = ok ? `did "${reported}", not "${did}"` : how;
      throw new SetUpError(
        [...lines.slice(-60), `unable to measure ${side}: pulumi ${command[0]}: ${what}`].join("\n"),
      );
    }
    return { wallSeconds, uses, requests: service.counters().total };
  };
  /** Creates all resources. @param {Side} side @param {Readonly<Record<string, string>>} more */
  const up = (side, more) =>
    run(side, ["up", "--yes", "--skip-preview"], { did: `${resources + 1} created`, env: more });

  const project = {
    kind,
    resources,
    run,
    up,
    async create() {
      say(`creating ${resources} ${kind.name}s`);
      await up("ours", { PULUMI_SKIP_CHECKPOINTS: "true" });
    },
    /** Restores the state before anything was created, with a new service at the address of the old one. */
    async uncreate() {
      await service.close();
      service = await startService({ port: service.port, token: service.token });
      rmSync(backend, { recursive: true, force: true });
      cpSync(empty, backend, { recursive: true });
    },
    /** @param {number} count @param {(i: number) => string} slugAt */
    put: (count, slugAt, dryRun = false) => putAll(service, kind, { count, slugAt, dryRun }),
    async close() {
      await service.close();
      process.off("exit", remove);
      remove();
    },
  };
  // The service is not measured, so it is warmed up, as a service in use would be. After a first run the program is compiled
  // and every file has been read, as in daily use.
  await project.put(2_000, (i) => `warming-up-${i}`, true);
  for (const side of /** @type {const} */ (["ours", "floor"]))
    await run(side, ["preview"], { size: 1, did: "2 to create" });
  return project;
}

/**
 * Runs a command, and tells what it and everything that it started took.
 * @param {string} command @param {readonly string[]} args @param {{ cwd: string, env: NodeJS.ProcessEnv }} options
 */
export async function runWatched(command, args, options) {
  let end = () => /** @type {import("./result.mjs").Run["uses"]} */ (undefined);
  const started = performance.now();
  const onStart = (/** @type {number} */ pid) => void (end = watchSession(pid));
  const outcome = await runCommand(command, args, { ...options, limitMs, onStart });
  return { ...outcome, wallSeconds: (performance.now() - started) / 1000, uses: end() };
}

/** The numbers in the engine's summary: "2 to update, 1 unchanged". @param {readonly string[]} lines */
const summaryIn = (lines) =>
  lines
    .slice(lines.findLastIndex((line) => line.startsWith("Resources:")) + 1)
    .flatMap((line) => /^\s+(?:[+~-] )?(\d+ (?:to )?[a-z]+)$/.exec(line.trimEnd())?.[1] ?? [])
    .join(", ");

/** @param {string} folder @param {Kind} kind */
function writeProgram(folder, kind) {
  const modules = join(folder, "node_modules");
  mkdirSync(join(modules, "@pulumi"), { recursive: true });
  symlinkSync(join(root, "node_modules/@pulumi/pulumi"), join(modules, "@pulumi/pulumi"));
  symlinkSync(join(root, "node_modules/@types"), join(modules, "@types"));
  symlinkSync(root, join(modules, "pulumi-observability"));
  // The same as `pulumi new typescript` writes.
  const compilerOptions = {
    strict: true,
    target: "es2020",
    module: "nodenext",
    moduleResolution: "nodenext",
    sourceMap: true,
    types: ["node"],
    skipLibCheck: true,
  };
  const files = {
    "package.json": JSON.stringify({ name: "bench", main: "index.ts" }),
    "Pulumi.yaml": `name: bench\nruntime: nodejs\nplugins: { providers: [{ name: observability, path: ${join(root, "node_modules/.bin")} }] }\n`,
    "tsconfig.json": JSON.stringify({ compilerOptions, files: ["index.ts"] }),
    "index.ts": programOf(kind),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

/** The slug of each resource. @param {Kind} kind @param {number | string} i */
const slugOf = ({ example }, i) => `${example.slug}-${i}`;

/** A program as a user writes it, with many resources of one kind, some of which are changed. @param {Kind} kind */
function programOf(kind) {
  const { name, slug: _slug, ...rest } = kind.example;
  const slug = slugOf(kind, "${i}");
  return `import * as obs from "pulumi-observability";

const resources = Number(process.env.BENCH_RESOURCES);
const changed = Number(process.env.BENCH_CHANGED);

for (let i = 0; i < resources; i++) {
  new obs.${kind.name}(\`${slug}\`, {
    name: \`${name} \${i}\${i < changed ? ", changed" : ""}\`,
    slug: \`${slug}\`,
${Object.entries(rest)
  .map(([key, value]) => `    ${key}: ${JSON.stringify(value)},\n`)
  .join("")}  });
}
`;
}

/**
 * Writes an object for each slug, or validates it.
 * @param {import("@pulumi-observability/service").Service} service @param {Kind} kind
 * @param {{ count: number, slugAt: (i: number) => string, dryRun: boolean }} requests
 */
async function putAll({ url, token }, kind, { count, slugAt, dryRun }) {
  let next = 0;
  const putNext = async () => {
    while (next < count) {
      const slug = slugAt(next++);
      const resource = toWire(kind.root, { ...kind.example, slug });
      const body = JSON.stringify({ [kind.wire.one]: resource, create_if_missing: true, dry_run: dryRun });
      const headers = { "API-Token": token, "Content-Type": "application/json" };
      const path = kind.family.put.path.replace("{slug}", slug);
      const response = await fetch(url + path, { method: "PUT", headers, body });
      const text = await response.text();
      if (!response.ok) throw new Error(`PUT ${path} answered ${response.status}: ${text}`);
    }
  };
  // So many that the latency of the answers hardly counts.
  await Promise.all(Array.from({ length: 100 }, putNext));
}
