import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createLog, runScript, SetUpError } from "../log.mjs";
import { root } from "../project.mjs";
import { setUpWithPulumi } from "../setup.mjs";
import { canMeasure } from "./processes.mjs";
import { judged } from "./table.mjs";

const page = "tools/bench/figures.md";

const usage = `npm run bench -- <name> [options]

  preview    previews: all new, nothing, all and one changed, with a refresh
  refresh    refresh of a stack, of few and of many resources
  up         creating everything, with and without checkpoints
  destroy    deleting everything, with and without checkpoints

  --resources N    default 1000
  --latency MS     how long each request waits for its answer; default 50
  --rounds R       default 3
  --plugin         the plugin as "ours", and the dynamic host as "floor"
  --write          into ${page}; at the defaults only`;

const defaults = { resources: 1_000, latency: 50, rounds: 3, plugin: false };

/**
 * @typedef {Awaited<ReturnType<typeof contextOf>>} Context
 * @typedef {(context: Context) => Promise<readonly import("./table.mjs").Result[]>} Bench
 */

/** By name, loaded when the package is built. @type {Readonly<Record<string, () => Promise<Bench>>>} */
const benches = {
  preview: async () => (await import("./preview.mjs")).preview,
  refresh: async () => (await import("./refresh.mjs")).refresh,
  up: async () => (await import("./up.mjs")).up,
  destroy: async () => (await import("./destroy.mjs")).destroy,
};

// Registered after the handlers that end a running command: at our exit, everything that we have made is removed.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => setImmediate(() => process.exit(130)));

await runScript(async () => {
  const { name, load, write, options } = readOptions();
  const isDefault = JSON.stringify(options) === JSON.stringify(defaults);
  if (write && !isDefault) throw new SetUpError("--write takes no other sizes than the defaults");
  const cli = await setUpWithPulumi();
  const context = await contextOf(cli.pulumi, options);
  if (!canMeasure) context.say("this platform has no /proc: processor time and memory are not measured");

  const bench = await load();
  const results = await bench(context);
  const text = [
    `${options.resources} resources, ${options.latency} ms per request, ${options.rounds} rounds; ` +
      `${availableParallelism()} processors, Node.js ${process.versions.node}, Pulumi ${cli.version}`,
    ...results.map(({ table }) => table),
  ];
  const rows = results.flatMap((result) => result.rows);
  if (rows.length > 0) text.push(judged(rows, isDefault));
  const figures = text.join("\n\n");
  console.log(figures);
  const file = join(root, page);
  if (write) writeFileSync(file, withFigures(readFileSync(file, "utf8"), name, figures));
  return isDefault && rows.some(({ holds }) => holds === false) ? 1 : 0;
});

/**
 * The page of figures, with a bench's new ones in the section of its name.
 * @param {string} page
 * @param {string} name
 * @param {string} figures
 */
function withFigures(page, name, figures) {
  const parts = page.trimEnd().split(/\n\n(?=## )/);
  const old = parts.findIndex((part) => part.startsWith(`## ${name}\n`));
  parts[old < 0 ? parts.length : old] = `## ${name}\n\n\`\`\`text\n${figures}\n\`\`\``;
  return `${parts.join("\n\n")}\n`;
}

function readOptions() {
  const text = /** @type {const} */ ({ type: "string" });
  const flag = /** @type {const} */ ({ type: "boolean", default: false });
  const { values, positionals } = parsed({
    allowPositionals: true,
    options: { resources: text, latency: text, rounds: text, plugin: flag, write: flag },
  });
  const [name = "", ...rest] = positionals;
  const load = benches[name];
  if (load === undefined || rest.length > 0) throw new SetUpError(usage);
  /** @param {"resources" | "latency" | "rounds"} option @param {number} least */
  const number = (option, least) => {
    const value = Number(values[option] ?? defaults[option]);
    if (!Number.isSafeInteger(value) || value < least)
      throw new SetUpError(`--${option} takes a whole number of at least ${least}\n\n${usage}`);
    return value;
  };
  return {
    name,
    load,
    write: values.write,
    options: {
      resources: number("resources", 1),
      latency: number("latency", 0),
      rounds: number("rounds", 1),
      plugin: values.plugin,
    },
  };
}

/** @template {import("node:util").ParseArgsConfig} Config @param {Config} config */
function parsed(config) {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new SetUpError(`${error instanceof Error ? error.message : error}\n\n${usage}`);
  }
}

/** Set-up that every bench uses. @param {string} pulumi @param {typeof defaults} options */
async function contextOf(pulumi, options) {
  const { kindNamed } = await import("../../dist/provider/lifecycle/start.js"); // Compiled only now.
  return { pulumi, options, kindNamed, say: createLog().say };
}
