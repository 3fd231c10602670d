import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { goBuild } from "./go-build.mjs";
import { createLog, runScript, SetUpError } from "./log.mjs";
import { root } from "./project.mjs";
import { cacheFolder, ownVersion } from "./pulumi.mjs";
import { run } from "./run.mjs";
import { setUp } from "./setup.mjs";

const schema = join(root, "provider/plugin/schema.gen.json");
const generators = join(root, "tools/pulumi-cli/sdks/main.go");
const folders = ["python", "go"].map((language) => join(root, language));

/**
 * Writes the SDKs of Python and Go into the folders `python` and `go`, if the schema has changed since.
 * @param {{ log: import("./log.mjs").Log, env: NodeJS.ProcessEnv }} [context]
 * @throws {SetUpError} without Go
 */
export async function writeSdks({ env, log } = { env: process.env, log: createLog() }) {
  const digestOf = (/** @type {string[]} */ ...files) =>
    files.reduce((hash, file) => hash.update(readFileSync(file)), createHash("sha256")).digest("hex");
  const record = join(root, "go", `.from-${digestOf(schema, generators)}`);
  if ([...folders, record].every(existsSync)) return;
  // Before Go is needed: a package without an SDK is better than one with that of another schema.
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  const command = join(cacheFolder(env), `sdks-${ownVersion}-${digestOf(generators)}`);
  const generator = { module: "pulumi-cli", target: "./sdks", out: command };
  if (!existsSync(command)) await goBuild(generator, { what: "the generator of SDKs", log, env });
  const { ok, lines, how } = await run(command, [schema, root]);
  if (!ok) throw new SetUpError(`unable to generate the SDKs: ${lines.join("\n") || how}`);
  writeFileSync(record, "");
}

// As a script: `npm run sdks`, and before the package is packed.
if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  await runScript(async () => {
    await setUp();
    try {
      await writeSdks();
    } catch (error) {
      const isOptional = error instanceof SetUpError && process.argv.includes("--if-possible");
      if (!isOptional) throw error;
      console.error(`the package is packed without its Python SDK: ${error.message}`);
    }
  });
