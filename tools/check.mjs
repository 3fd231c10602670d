import { join } from "node:path";
import { runScript } from "./log.mjs";
import { root } from "./project.mjs";
import { runInPlace } from "./run.mjs";
import { setUp } from "./setup.mjs";
import { bannedWords } from "./words.mjs";

const tsc = join(root, "node_modules/typescript-native/bin/tsc");
const eslint = join(root, "node_modules/eslint/bin/eslint.js");
const prettier = join(root, "node_modules/prettier/bin/prettier.cjs");
const fix = process.argv.includes("--fix");

await runScript(async () => {
  await setUp(); // Tests and examples are checked against the compiled package.
  const words = bannedWords();
  for (const line of words) console.error(line);
  // All checks run even if one fails, so that one run shows everything.
  const statuses = [
    await runInPlace(process.execPath, [tsc, "-p", "tsconfig.check.json"], { cwd: root }),
    await runInPlace(process.execPath, [eslint, ...(fix ? ["--fix"] : [])], { cwd: root }),
    words.length === 0 ? 0 : 1,
    await runInPlace(process.execPath, [prettier, fix ? "--write" : "--check", "--log-level=warn", "."], { cwd: root }),
  ];
  return Math.max(...statuses);
});
