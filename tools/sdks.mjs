import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { goBuild } from "./go-build.mjs";
import { createLog, runScript, SetUpError } from "./log.mjs";
import { root, stateFolder } from "./project.mjs";
import { cacheFolder, ownVersion } from "./pulumi.mjs";
import { run } from "./run.mjs";
import { setUp } from "./setup.mjs";

const schema = join(root, "provider/plugin/schema.gen.json");
const generators = join(root, "tools/pulumi-cli/sdks/main.go");

/**
 * Writes the SDKs of Python and Go into the folders `python` and `go`, if the schema has changed since.
 * @param {{ log: import("./log.mjs").Log, env: NodeJS.ProcessEnv }} [context]
 * @throws {SetUpError} without Go
 */
export async function writeSdks({ env, log } = { env: process.env, log: createLog() }) {
  const texts = [schema, generators].map((file) => readFileSync(file, "utf8"));
  const digest = createHash("sha256").update(texts.join("")).digest("hex");
  const record = join(stateFolder(), "sdks");
  const folders = ["python", "go"].map((language) => join(root, language));
  if (folders.every(existsSync) && existsSync(record) && readFileSync(record, "utf8") === digest) return;
  const command = join(
    cacheFolder(env),
    `sdks-${ownVersion}-${createHash("sha256")
      .update(texts[1] ?? "")
      .digest("hex")
      .slice(0, 8)}`,
  );
  if (!existsSync(command)) {
    const out = `${command}.${process.pid}`;
    await goBuild({ module: "pulumi-cli", target: "./sdks", out }, { what: "the generators of SDKs", log, env });
    renameSync(out, command);
  }
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  const { ok, lines, how } = await run(command, [schema, root]);
  if (!ok) throw new SetUpError(`unable to generate the SDKs: ${lines.join("\n") || how}`);
  mkdirSync(dirname(record), { recursive: true });
  writeFileSync(record, digest);
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
