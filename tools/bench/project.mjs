import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { SetUpError } from "../log.mjs";
import { root } from "../project.mjs";
import { pulumiEnv } from "../pulumi.mjs";
import { run } from "../run.mjs";
import { endSession, watchSession } from "./processes.mjs";
import { changedVariable, programOf, sizeVariable } from "./program.mjs";

/**
 * @typedef {import("./figures.mjs").Run} Run
 * @typedef {import("./program.mjs").Kind} Kind
 * @typedef {import("./service.mjs").Service} Service
 * @typedef {"ours" | "floor" | "plugin"} Side
 * @typedef {Awaited<ReturnType<typeof createProject>>} Project
 * @typedef {Readonly<Partial<Record<"create" | "update" | "delete" | "same", number>>>} Steps
 */

// The time limit of one run.
const limitMs = 30 * 60_000;

/**
 * A Pulumi project of one side with an empty stack, in its own folder.
 * @param {{ side: Side, kind: Kind, folder: string, pulumi: string, service: Service }} options
 */
export async function createProject({ side, kind, folder, pulumi, service }) {
  const program = join(folder, "program");
  const [backend, empty] = [join(folder, "backend"), join(folder, "empty")];
  writeProgram(program, side, kind);
  const temporary = join(folder, "tmp");
  mkdirSync(temporary);
  const env = {
    ...pulumiEnv({ home: join(folder, "home"), backend, pulumi }),
    // The SDK's ts-node keeps what it has compiled there.
    TMPDIR: temporary,
    OBSERVABILITY_BASE_URL: service.url,
    OBSERVABILITY_API_TOKEN: service.token,
    ...settings[side],
  };
  const init = await run(pulumi, ["stack", "init", "dev", "--non-interactive"], { cwd: program, env });
  if (!init.ok) throw new SetUpError([...init.lines, `unable to make a stack: pulumi: ${init.how}`].join("\n"));
  cpSync(backend, empty, { recursive: true });
  /** @param {string} from */
  const restore = (from) => {
    rmSync(backend, { recursive: true, force: true });
    cpSync(from, backend, { recursive: true });
  };

  const project = {
    backend,
    stackFile: join(program, "Pulumi.dev.yaml"),
    /** Restores the stack before anything was created. */
    empty: () => restore(empty),
    run: measured({ side, pulumi, service, program, env }),
  };
  // After this first run the program is compiled and every file has been read, as in daily use.
  await project.run(["preview"], { resources: 1, steps: { create: 2 } });
  return project;
}

/**
 * @param {{ side: Side, pulumi: string, service: Service, program: string, env: NodeJS.ProcessEnv }} project
 */
const measured =
  ({ side, pulumi, service, program, env }) =>
  /**
   * Runs a command of the CLI and measures it.
   * @param {readonly string[]} command
   * @param {{ resources: number, changed?: number, steps: Steps, env?: Readonly<Record<string, string>> }} options
   *   `steps`: what the engine must report that it did; anything else is an error
   * @returns {Promise<Run>}
   */
  async (command, { resources, changed = 0, steps, env: more = {} }) => {
    service.takeRequests();
    const { ok, lines, how, wallSeconds, uses } = await runWatched(
      pulumi,
      [...command, "--non-interactive", "--stack", "dev"],
      {
        cwd: program,
        env: { ...env, [sizeVariable]: String(resources), [changedVariable]: String(changed), ...more },
      },
    );
    const done = stepsIn(lines);
    if (!ok || !isDeepStrictEqual(done, steps)) {
      const what = ok ? `did ${JSON.stringify(done)}, not ${JSON.stringify(steps)}` : how;
      throw new SetUpError(
        [...lines.slice(-60), `unable to measure ${side}: pulumi ${command[0]}: ${what}`].join("\n"),
      );
    }
    return { wallSeconds, requests: service.takeRequests(), uses };
  };

/**
 * Runs a command, and tells what it and everything that it started took.
 * @param {string} command @param {readonly string[]} args @param {{ cwd: string, env: NodeJS.ProcessEnv }} options
 */
async function runWatched(command, args, options) {
  /** @type {ReturnType<typeof watchSession>} */
  let usesOf = () => undefined;
  let end = () => {};
  const onStart = (/** @type {number} */ pid) => {
    usesOf = watchSession(pid);
    end = () => endSession(pid);
    // Ended before its working folder is removed.
    process.prependOnceListener("exit", end);
  };
  const started = performance.now();
  const outcome = await run(command, args, { ...options, limitMs, onStart });
  const wallSeconds = (performance.now() - started) / 1000;
  const uses = usesOf();
  process.off("exit", end);
  end();
  return { ...outcome, wallSeconds, uses };
}

/** When the engine writes its state: around each operation, as users run it, or once, at the end. */
export const checkpoints = { "with checkpoints": {}, "no checkpoints": { PULUMI_SKIP_CHECKPOINTS: "true" } };

/**
 * Creates every resource.
 * @param {Project} project
 * @param {number} resources
 * @param {Readonly<Record<string, string>>} env
 */
export const up = (project, resources, env) =>
  project.run(["up", "--yes", "--skip-preview"], { resources, steps: { create: resources + 1 }, env });

/**
 * Copies the stack of one project to another.
 * @param {Project} from
 * @param {Project} to
 */
export function shareStack(from, to) {
  rmSync(to.backend, { recursive: true });
  cpSync(from.backend, to.backend, { recursive: true });
  // The file holds the salt of the state's secrets.
  cpSync(from.stackFile, to.stackFile);
}

/** The settings of each side. */
const settings = { ours: {}, floor: { OBSERVABILITY_VALIDATE: "never" }, plugin: { OBSERVABILITY_HOST: "plugin" } };

/** @param {string} folder @param {Side} side @param {Kind} kind */
function writeProgram(folder, side, kind) {
  const modules = join(folder, "node_modules");
  mkdirSync(join(modules, "@pulumi"), { recursive: true });
  symlinkSync(join(root, "node_modules/@pulumi/pulumi"), join(modules, "@pulumi/pulumi"));
  symlinkSync(join(root, "node_modules/@types"), join(modules, "@types"));
  const ours = join(modules, "pulumi-observability");
  if (side === "floor") {
    // The same classes, but another provider behind the code in state.
    const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const manifest = { name: "pulumi-observability", exports: { ".": exports["."], "./provider": "./floor.cjs" } };
    mkdirSync(ours);
    symlinkSync(join(root, "dist"), join(ours, "dist"));
    cpSync(join(root, "tools/bench/floor.cjs"), join(ours, "floor.cjs"));
    writeFileSync(join(ours, "package.json"), JSON.stringify(manifest));
  } else {
    symlinkSync(root, ours);
  }
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "bench", main: "index.ts" }));
  writeFileSync(
    join(folder, "Pulumi.yaml"),
    `name: bench\nruntime: nodejs\nplugins: { providers: [{ name: observability, path: ${join(root, "node_modules/.bin")} }] }\n`,
  );
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
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["index.ts"] }));
  writeFileSync(join(folder, "index.ts"), programOf(kind));
}

/** The lines of the engine's summary: "~ 3 to update", "1 unchanged". */
const stepPatterns = Object.entries({
  create: /^\s+\+ (\d+) (?:to create|created)$/,
  update: /^\s+~ (\d+) (?:to update|updated)$/,
  delete: /^\s+- (\d+) (?:to delete|deleted)$/,
  same: /^\s+(\d+) unchanged$/,
});

/** The numbers in the engine's summary. @param {readonly string[]} lines @returns {Steps} */
function stepsIn(lines) {
  const summary = lines.slice(lines.findLastIndex((line) => line.startsWith("Resources:")) + 1);
  return Object.fromEntries(
    stepPatterns.flatMap(([step, pattern]) => {
      const count = summary.map((line) => pattern.exec(line.trimEnd())?.[1]).find(Boolean);
      return count === undefined ? [] : [[step, Number(count)]];
    }),
  );
}
