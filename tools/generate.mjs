import { join } from "node:path";
import { runScript } from "./log.mjs";
import { root } from "./project.mjs";
import { runInPlace } from "./run.mjs";
import { setUp } from "./setup.mjs";

/** @param {readonly string[]} options */
async function generate(...options) {
  await setUp({ despiteErrors: true });
  return runInPlace(process.execPath, [join(root, "dist/tools/generate/main.js"), ...options], { cwd: root });
}

// First what the code needs, so that set-up compiles it, and then what describes the code.
await runScript(async () => (await generate("--code")) || generate(...process.argv.slice(2)));
