import { join } from "node:path";
import { runScript } from "./log.mjs";
import { root } from "./project.mjs";
import { run, runInPlace } from "./run.mjs";
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
  if (process.argv.includes("--newest")) await listHeldBack();
  // All checks run even if one fails, so that one run shows everything.
  const statuses = [
    await runInPlace(process.execPath, [tsc, "-p", "tsconfig.check.json"], { cwd: root }),
    await runInPlace(process.execPath, [eslint, ...(fix ? ["--fix"] : [])], { cwd: root }),
    words.length === 0 ? 0 : 1,
    await runInPlace(process.execPath, [prettier, fix ? "--write" : "--check", "--log-level=warn", "."], { cwd: root }),
  ];
  return Math.max(...statuses);
});

/** Lists the dependencies that aren't at their newest version, with the Node.js that it needs. */
async function listHeldBack() {
  const { stdout } = await run("npm", ["outdated", "--json"], { cwd: root });
  for (const [name, { current, latest }] of Object.entries(JSON.parse(stdout || "{}"))) {
    // npm shows an alias as `name:package@range`.
    const found = `${name.replace(/^.*:(.+)@.*$/, "$1")}@${latest}`;
    const { stdout: needed } = await run("npm", ["view", found, "engines.node"], { cwd: root });
    console.log(`${name} is at ${current}; ${latest} is for Node.js ${needed.trim() || "of any version"}`);
  }
}
