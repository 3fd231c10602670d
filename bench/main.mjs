import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createLog, runScript, SetUpError } from "../tools/log.mjs";
import { root } from "../tools/project.mjs";
import { setUp } from "../tools/setup.mjs";
import { withFigures } from "./page.mjs";
import { canMeasure } from "./processes.mjs";
import { merged } from "./result.mjs";
import { judged } from "./table.mjs";

const page = "docs/performance-figures.md";

const usage = `npm run bench -- <name> [options]

  preview    previews: all new, nothing, all and one changed, with a refresh
  growth     how the cost of a preview grows with the number of resources
  refresh    refresh of a stack, of few and of many resources
  up         creating everything; the client alone at a limited service
  destroy    deleting everything, with more operations under way
  log        previews with and without the CLI's automatic log
  start      the start of the provider's process
  import     the command that writes a program from a service
  simulate   what monitors do with a month of series
  teams      a team more, and a first load with and without checkpoints

  --resources N    default 1000
  --latency MS     how long each request waits for its answer; default 50
  --kind K         the class of the resources; default: what each figure is for
  --rounds R       default 5; of growth at most 3
  --write          into ${page}; at the defaults only`;

const defaults = { resources: 1_000, latency: 50, rounds: 5 };

/**
 * @typedef {Awaited<ReturnType<typeof contextOf>>} Context
 * @typedef {(context: Context) => Promise<import("./result.mjs").Result>} Bench
 */

/** By name, loaded when the package is built. @type {Readonly<Record<string, () => Promise<readonly Bench[]>>>} */
const benches = {
  preview: async () => [(await import("./preview.mjs")).preview],
  growth: async () => [(await import("./preview.mjs")).growth],
  refresh: async () => [(await import("./refresh.mjs")).refresh],
  up: async () => [(await import("./up.mjs")).up, (await import("./client.mjs")).client],
  destroy: async () => [(await import("./destroy.mjs")).destroy],
  log: async () => [(await import("./log.mjs")).log],
  start: async () => [(await import("./start.mjs")).start],
  import: async () => [(await import("./import.mjs")).importAll],
  simulate: async () => [(await import("./simulate.mjs")).simulate],
  teams: async () => [(await import("./teams.mjs")).teams],
};

// Registered after the handlers that end a running command: at our exit, everything that we have made is removed.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => setImmediate(() => process.exit(130)));

await runScript(async () => {
  const { name, load, write, ...options } = readOptions();
  const { cli } = await setUp();
  if (!cli) throw new Error("set-up promised a CLI");
  const context = await contextOf({ ...options, pulumi: cli.pulumi });
  const { resources, latency, rounds } = context.options;
  const conditions =
    `${resources} resources, ${latency} ms per request, ${rounds} rounds; ${availableParallelism()} processors, ` +
    `Node.js ${process.versions.node}, Pulumi ${cli.version}`;
  if (write && !context.isDefault) throw new SetUpError("--write takes no other sizes than the defaults");
  if (!canMeasure) context.say("this platform has no /proc: processor time and memory are not measured");

  const results = [];
  for (const bench of await load()) results.push(await bench(context));
  const { rows: found, tables } = merged(results);
  const rows = context.isDefault ? found : found.map((row) => ({ ...row, holds: null }));
  const text = [conditions, ...tables, ...(rows.length > 0 ? [judged(rows)] : [])].join("\n\n");
  console.log(text);
  const file = join(root, page);
  if (write) writeFileSync(file, withFigures(readFileSync(file, "utf8"), name, text));
  return rows.some(({ holds }) => holds === false) ? 1 : 0;
});

function readOptions() {
  const read = () =>
    parseArgs({
      allowPositionals: true,
      options: {
        resources: { type: "string" },
        latency: { type: "string" },
        kind: { type: "string" },
        rounds: { type: "string" },
        write: { type: "boolean", default: false },
      },
    });
  /** @type {ReturnType<typeof read>} */
  let parsed;
  try {
    parsed = read();
  } catch (error) {
    throw new SetUpError(`${error instanceof Error ? error.message : error}\n\n${usage}`);
  }
  const { values, positionals } = parsed;
  const [name = "", ...rest] = positionals;
  const load = benches[name];
  if (load === undefined || rest.length > 0) throw new SetUpError(usage);
  /** @param {keyof typeof defaults} option @param {number} least */
  const number = (option, least) => {
    const value = Number(values[option] ?? defaults[option]);
    if (!Number.isSafeInteger(value) || value < least)
      throw new SetUpError(`--${option} takes a whole number of at least ${least}\n\n${usage}`);
    return value;
  };
  return {
    name,
    load,
    kindName: values.kind,
    write: values.write,
    // Fewer would show nothing about growth.
    options: { resources: number("resources", 10), latency: number("latency", 0), rounds: number("rounds", 1) },
  };
}

/**
 * The settings and tools that every bench uses.
 * @param {{ pulumi: string, kindName: string | undefined, options: typeof defaults }} settings
 */
async function contextOf({ pulumi, kindName, options }) {
  const { kinds } = await import("../dist/provider/kinds/index.gen.js");
  const many = kinds.filter(({ isSingleton }) => !isSingleton);
  /** @param {string} name */
  const kindNamed = (name) => {
    const kind = many.find((each) => each.name === name);
    if (kind === undefined) throw new SetUpError(`--kind takes one of ${many.map((each) => each.name).join(", ")}`);
    return kind;
  };
  const { say } = createLog();
  return {
    pulumi,
    options,
    /** The kind that was asked for, else the one that the figure is for. @param {string} name */
    kindOr: (name) => kindNamed(kindName ?? name),
    isDefault: kindName === undefined && JSON.stringify(options) === JSON.stringify(defaults),
    say,
    /** A line per run. @param {string} title */
    progress:
      (title) =>
      (/** @type {number} */ round, /** @type {string} */ side, /** @type {{ wallSeconds: number }} */ run) =>
        say(`${title}, round ${round}: ${side} ${run.wallSeconds.toFixed(2)} s`),
  };
}
