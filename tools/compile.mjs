import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { SetUpError } from "./log.mjs";
import { root as checkout, stateFolder } from "./project.mjs";
import { run } from "./run.mjs";

/** @typedef {{ name: string, tsconfig: string, out: string, sources: readonly string[], settings: readonly string[] }} Project */

/** @type {readonly Project[]} */
export const projects = [
  {
    name: "provider",
    tsconfig: "tsconfig.json",
    out: "dist",
    sources: ["provider", "sdk", "behaviour", "testing", "teams", "cli"],
    settings: ["tsconfig.json", "package.json", "package-lock.json"],
  },
  {
    name: "service",
    tsconfig: "service/tsconfig.json",
    out: "service/dist",
    sources: ["service/src"],
    settings: ["service/tsconfig.json", "service/package.json", "package-lock.json"],
  },
];

/**
 * The projects whose output does not match their sources.
 * @param {string} [root]
 */
export const whichCompile = (root = checkout) =>
  projects.filter((project) => {
    const now = state(root, project);
    return now.sources.length > 0 && !isDeepStrictEqual(now, readStamp(root, project));
  });

/**
 * Compiles a project's TypeScript into its output folder; only changed files if that is safe.
 * @param {Project} project
 * @param {{ root?: string, env: NodeJS.ProcessEnv, log: import("./log.mjs").Log, despiteErrors?: boolean }} options
 *   `despiteErrors`: the generator repairs generated code that keeps the project from compiling
 */
export async function compile(project, { root = checkout, env, log, despiteErrors = false }) {
  const before = state(root, project);
  const stamp = readStamp(root, project);
  const known = join(stateFolder(root), `${project.name}.tsbuildinfo`);
  // tsc neither removes the output of a deleted source nor restores deleted output.
  const gone = stamp?.sources.some((path) => !before.sources.includes(path)) ?? true;
  if (gone || stamp?.outputs !== before.outputs) {
    rmSync(known, { force: true });
    rmSync(join(root, project.out), { recursive: true, force: true });
  }
  rmSync(stampFile(root, project), { force: true });

  const progress = log.start(`compiling the ${project.name}`);
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const { ok, lines, how } = await run(
    process.execPath,
    [tsc, "-p", project.tsconfig, "--incremental", "--tsBuildInfoFile", known],
    { cwd: root, env },
  );
  progress.end();
  if (!ok && !despiteErrors)
    throw new SetUpError(
      [...lines, `unable to compile the ${project.name} (${project.tsconfig}): tsc: ${how}`].join("\n"),
    );
  if (ok) {
    linkCommands(root, project);
    mkdirSync(stateFolder(root), { recursive: true });
    writeFileSync(stampFile(root, project), JSON.stringify({ ...before, outputs: outputsOf(root, project) }));
  }
}

/**
 * Makes the package's commands runnable, as npm does when it installs a package that is compiled.
 * @param {string} root
 * @param {Project} project
 */
function linkCommands(root, { out }) {
  const manifest = join(root, "package.json");
  if (!existsSync(manifest)) return;
  const { bin = {} } = JSON.parse(readFileSync(manifest, "utf8"));
  for (const [name, file] of Object.entries(bin)) {
    if (!file.startsWith(`./${out}/`)) continue;
    chmodSync(join(root, file), 0o755);
    const link = join(root, "node_modules/.bin", name);
    // On Windows a command is a script.
    if (existsSync(link) || process.platform === "win32") continue;
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join("../..", file), link);
  }
}

/** @param {string} root @param {Project} project */
function state(root, project) {
  const sources = project.sources.flatMap((folder) =>
    filesIn(root, folder).filter((path) => /\.([cm]?tsx?|json)$/.test(path)),
  );
  const hash = createHash("sha256");
  // Compares contents: a checkout of another branch and back changes every time stamp.
  for (const path of [...project.settings, ...sources].filter((path) => existsSync(join(root, path))))
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update("\0");
  return { sources, inputs: hash.digest("hex"), outputs: outputsOf(root, project) };
}

/** @param {string} root @param {Project} project */
function outputsOf(root, project) {
  const hash = createHash("sha256");
  for (const path of filesIn(root, project.out)) hash.update(`${path}\0${statSync(join(root, path)).size}\0`);
  return hash.digest("hex");
}

/** @param {string} root @param {string} folder @returns {string[]} every file's path from the root; none if the folder is missing */
function filesIn(root, folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? filesIn(root, `${folder}/${entry.name}`) : [`${folder}/${entry.name}`]))
    .sort();
}

/** @param {string} root @param {Project} project */
const stampFile = (root, project) => join(stateFolder(root), `${project.name}.json`);

/**
 * @param {string} root
 * @param {Project} project
 * @returns {ReturnType<typeof state> | undefined}
 */
function readStamp(root, project) {
  try {
    return JSON.parse(readFileSync(stampFile(root, project), "utf8"));
  } catch {
    return undefined; // It was never compiled completely.
  }
}
