import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { filled } from "./languages.mjs";
import { withLock } from "./lock.mjs";
import { createLog, runScript, SetUpError } from "./log.mjs";
import { writePlugin } from "./plugin-archive.mjs";
import { root } from "./project.mjs";
import { cacheFolder } from "./pulumi.mjs";
import { run } from "./run.mjs";
import { writeSdks } from "./sdks.mjs";
import { setUp } from "./setup.mjs";

/** Another version writes its name into the wheel. */
const setuptools = "setuptools==84.2.1";

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const { name, version } = manifest;
const context = { env: process.env, log: createLog(), bin: "" };

/** Runs a command that succeeds. @param {string} folder @param {string} command @param {readonly string[]} args @param {NodeJS.ProcessEnv} [env] */
async function done(folder, command, args, env) {
  // On Windows, npm is a script.
  const shell = process.platform === "win32" && command === "npm";
  const { ok, stdout, lines, how } = await run(command, args, { cwd: folder, env: { ...process.env, ...env }, shell });
  if (!ok) throw new SetUpError(`${command}: ${lines.slice(-5).join("\n") || how}`);
  return stdout;
}

/** The time that all files get, in seconds since 1970: a build of the same commit has the same bytes. */
async function releaseTime() {
  const given =
    process.env.SOURCE_DATE_EPOCH || (await run("git", ["log", "-1", "--format=%ct"], { cwd: root })).stdout;
  if (!/^\d+\s*$/.test(given))
    throw new SetUpError("unable to read the time of the commit: set SOURCE_DATE_EPOCH to it, in seconds since 1970");
  return Number(given);
}

/**
 * Packs the files of a folder, in the order of their names.
 * @param {string} folder @param {string} file @param {number} time
 */
async function archive(folder, file, time) {
  const { create } = await import("tar");
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    // Without the record of what the SDKs are from.
    .filter((entry) => entry.isFile() && !entry.name.startsWith(".from-"))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/"));
  // Portable: without users, and without what the umask of a machine adds.
  const options = { file, cwd: folder, gzip: { level: 9 }, portable: true, mtime: new Date(time * 1000) };
  await create(options, entries.sort());
}

/** @typedef {{ out: string, temporary: string, time: number }} Place `out`: the folder of the artifacts */

/** @param {Place} place */
async function wheel({ out, temporary, time }) {
  const source = join(temporary, "python");
  cpSync(join(root, "python"), source, { recursive: true }); // A build writes into the folder.
  // A wheel records modes: those of some files, and those that the umask gives to the others.
  for (const entry of readdirSync(source, { recursive: true, withFileTypes: true }))
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
  process.umask(0o022);
  const pip = ["-m", "pip", "install", "--quiet", "--no-input", setuptools, "--target"];
  const site = () => filled(setuptools.replace("==", "-"), "python3", pip, context);
  const lock = join(cacheFolder(context.env), "languages.lock");
  const packages = await withLock(lock, { ...context, task: "gets languages" }, site);
  const options = ["--no-build-isolation", "--no-deps", "--no-index", "--no-cache-dir", "--wheel-dir", out];
  const env = { PYTHONPATH: packages, SOURCE_DATE_EPOCH: `${time}` };
  await done(temporary, "python3", ["-m", "pip", "wheel", ...options, source], env);
}

/** One archive under each name that the engine asks for. @param {Place} place */
async function plugins({ out, temporary, time }) {
  const [folder, file] = [join(temporary, "plugin"), join(temporary, "plugin.tar.gz")];
  await writePlugin(folder);
  await archive(folder, file, time);
  for (const system of ["darwin", "linux", "windows"])
    for (const processor of ["amd64", "arm64"])
      copyFileSync(file, join(out, `pulumi-resource-observability-v${version}-${system}-${processor}.tar.gz`));
}

/** What npm installs with the package, which includes all that the plugin's archive contains. @param {Place} place */
async function bom({ out, temporary, time }) {
  const folder = join(temporary, name); // npm names the component after its folder.
  mkdirSync(folder);
  const { devDependencies: _, workspaces: __, scripts: ___, ...installed } = manifest;
  writeFileSync(join(folder, "package.json"), JSON.stringify(installed));
  copyFileSync(join(root, "package-lock.json"), join(folder, "package-lock.json"));
  const prune = ["install", "--package-lock-only", "--offline", "--ignore-scripts", "--no-audit", "--no-fund"];
  await done(folder, "npm", prune);
  const sbom = JSON.parse(await done(folder, "npm", ["sbom", "--package-lock-only", "--sbom-format", "cyclonedx"]));
  sbom.metadata.timestamp = new Date(time * 1000).toISOString();
  const parts = /^(.{8})(.{4})(.{4})(.{4})(.{12})/.exec(sha256(JSON.stringify({ ...sbom, serialNumber: "" }))) ?? [];
  sbom.serialNumber = `urn:uuid:${parts.slice(1).join("-")}`;
  writeFileSync(join(out, `${name}-${version}.cdx.json`), `${JSON.stringify(sbom, null, 2)}\n`);
}

/** @param {string | Buffer} content */
const sha256 = (content) => createHash("sha256").update(content).digest("hex");

/** Makes what a release consists of. @param {string} out @param {string} temporary @param {boolean} ifPossible */
async function release(out, temporary, ifPossible) {
  const place = { out, temporary, time: await releaseTime() };
  /** @param {string} what @param {() => Promise<unknown>} make */
  const unlessMissing = async (what, make) => {
    try {
      await make();
      return true;
    } catch (error) {
      if (!ifPossible || !(error instanceof SetUpError)) throw error;
      console.error(`the release is made without ${what}: ${error.message}`);
      return false;
    }
  };
  const hasSdks = await unlessMissing("its SDKs for Python and Go", () => writeSdks(context));
  await done(root, "npm", ["pack", "--ignore-scripts", "--pack-destination", out]);
  if (hasSdks) {
    await unlessMissing("its wheel", () => wheel(place));
    // For a program's folder `sdks/observability`.
    await archive(join(root, "go"), join(out, `${name}-go-${version}.tar.gz`), place.time);
  }
  await plugins(place);
  await bom(place);
  const sums = readdirSync(out)
    .sort()
    .map((file) => `${sha256(readFileSync(join(out, file)))}  ${file}\n`);
  writeFileSync(join(out, "SHA256SUMS"), sums.join(""));
  console.log(sums.join(""));
}

await runScript(async () => {
  const args = process.argv.slice(2);
  const [given, ...others] = args.filter((arg) => arg !== "--if-possible");
  if (given?.startsWith("-") || others.length > 0)
    throw new SetUpError("usage: npm run release [-- [--if-possible] [<folder>]]");
  const out = resolve(given ?? join(root, "release"));
  if (given !== undefined && existsSync(out)) throw new SetUpError(`"${out}" already exists. Name a new folder`);
  await setUp();
  const temporary = mkdtempSync(join(tmpdir(), `${name}-release-`));
  process.on("exit", () => rmSync(temporary, { recursive: true, force: true }));
  const made = join(temporary, "release");
  mkdirSync(made);
  await release(made, temporary, args.includes("--if-possible"));
  // Only now, so that a release is complete or absent.
  rmSync(out, { recursive: true, force: true });
  cpSync(made, out, { recursive: true });
});
