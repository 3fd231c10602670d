import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { createLog, runScript, SetUpError } from "../log.mjs";
import { root } from "../project.mjs";
import { setUpWithPulumi } from "../setup.mjs";
import { canMeasure } from "./processes.mjs";

const page = "tools/bench/figures.md";

const defaults = { resources: 1_000, rounds: 3 };

/** @typedef {{ pulumi: string, options: typeof defaults, isDefault: boolean, say: (line: string) => void }} Context */

// Registered after the handlers that end a running command: at our exit, everything that we have made is removed.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => setImmediate(() => process.exit(130)));

await runScript(async () => {
  const cli = await setUpWithPulumi();
  const { benches, latencyMs } = await import("./benches.mjs"); // It imports what is compiled only now.
  const { name, write, options } = await readArguments(Object.keys(benches));
  const isDefault = isDeepStrictEqual(options, defaults);
  if (write && !isDefault) throw new SetUpError("--write takes no other sizes than the defaults");
  const { say } = createLog();
  if (!canMeasure) say("this platform has no /proc: processor time and memory are not measured");

  const results = (await benches[name]?.({ pulumi: cli.pulumi, options, isDefault, say })) ?? [];
  const figures = [
    `${options.resources} resources, ${latencyMs} ms per request, ${options.rounds} rounds; ` +
      `${availableParallelism()} processors, Node.js ${process.versions.node}, Pulumi ${cli.version}`,
    ...results.map(({ text }) => text),
  ].join("\n\n");
  console.log(figures);
  const file = join(root, page);
  if (write) writeFileSync(file, withFigures(readFileSync(file, "utf8"), name, figures));
  return results.every(({ holds }) => holds) ? 0 : 1;
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

/** The command's arguments. They are read by a library that set-up installs. @param {readonly string[]} names */
async function readArguments(names) {
  const { Argument, Command, InvalidArgumentError } = await import("commander");
  const positive = (/** @type {string} */ text) => {
    if (/^[1-9]\d*$/.test(text)) return Number(text);
    throw new InvalidArgumentError("Expected a whole number of at least 1.");
  };
  const command = new Command("npm run bench --")
    .addArgument(new Argument("<name>", "the command of the Pulumi CLI to measure").choices(names))
    .option("--resources <n>", "number of resources", positive, defaults.resources)
    .option("--rounds <n>", "how often each side runs", positive, defaults.rounds)
    .option("--write", `write the figures to ${page}; at the defaults only`, false)
    .parse();
  const { write, ...options } = /** @type {typeof defaults & { write: boolean }} */ (command.opts());
  return { name: command.args[0] ?? "", write, options };
}
