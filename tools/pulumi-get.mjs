import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isRunning } from "./lock.mjs";
import { SetUpError } from "./log.mjs";
import { root } from "./project.mjs";
import {
  complete,
  hostFile,
  minimumVersion,
  onPath,
  ownVersion,
  placeIn,
  pulumiFile,
  shimFile,
  Unavailable,
  unavailable,
  withoutUsersPulumi,
} from "./pulumi.mjs";
import { run } from "./run.mjs";
import { isAtLeast, versionIn } from "./version.mjs";

/**
 * @typedef {{ cache: string, env: NodeJS.ProcessEnv, log: import("./log.mjs").Log, version: string }} Context
 *   `version`: the CLI's
 */

// The download is about 100 MB. On a connection that needs longer, building is faster.
const installerLimitMs = 5 * 60_000;

/**
 * Gets the CLI by Pulumi's own installer, through the Automation API.
 * @param {Context} context
 * @param {{ installer?: string }} [options]
 */
export const runInstaller = (context, { installer = here("pulumi-installer.mjs") } = {}) =>
  bring(context, "Pulumi's installer", async (folder) => {
    const { cache, env, log, version } = context;
    const progress = log.start(`fetching the Pulumi CLI ${version} with its own installer`);
    const { ok, lines, how } = await run(process.execPath, [installer, folder, version], {
      // Newer Node.js versions use the proxy variables only with this setting.
      env: { ...withoutUsersPulumi(env), PULUMI_HOME: join(cache, "home"), NODE_USE_ENV_PROXY: "1" },
      limitMs: installerLimitMs,
      onLine: progress.detail,
    });
    progress.end(ok ? "done" : undefined);
    if (!ok) throw new Unavailable((how.startsWith("exit status") && lines.at(-1)) || how);
  });

/** @type {Readonly<Record<string, string>>} */
const cliModules = { [ownVersion]: "pulumi-cli", [minimumVersion]: "pulumi-cli-oldest" };

/** @param {string} version of the CLI, one that has a Go module beside this file */
const modulesOf = (version) => [
  {
    folder: here(cliModules[version] ?? `pulumi-cli-${version}`),
    target: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
    file: pulumiFile,
    ldflags: `-s -w -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${version}`,
    what: `building the Pulumi CLI ${version} with Go`,
    packages: 1_690,
  },
  {
    folder: here("pulumi-language-nodejs"),
    target: "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs",
    file: hostFile,
    ldflags: "-s -w",
    what: "building its language host with Go",
    packages: 530,
  },
];

/** The Go version that the modules need: "1.25.11". */
export const goVersion = /^go (\S+)$/m.exec(readFileSync(join(here("pulumi-cli"), "go.mod"), "utf8"))?.[1] ?? "";

/**
 * Builds the CLI and its language host from the two Go modules beside this file.
 * @param {Context} context
 */
export const buildWithGo = (context) =>
  bring(context, "Go", async (folder) => {
    const { log, version } = context;
    const env = { ...context.env, GOWORK: "off" }; // A go.work above the checkout does not list our modules.
    const go = onPath(process.platform === "win32" ? "go.exe" : "go", env);
    if (!go) throw new Unavailable('no "go" on PATH');
    log.say("building takes some 5 minutes, this once");
    for (const { folder: module, target, file, ldflags, what, packages } of modulesOf(version)) {
      // Run in the module's folder: there Go switches to a newer version if the module needs one.
      const asked = await run(go, ["version"], { cwd: module, env, limitMs: 120_000 });
      const found = versionIn(asked.stdout);
      if (!asked.ok || !found) throw new Unavailable(`"${go} version": ${goWords(asked.lines) ?? asked.how}`);
      if (!isAtLeast(found, goVersion)) throw new Unavailable(`${go} is ${found}, older than ${goVersion}`);

      const progress = log.start(what);
      let begun = 0;
      const built = await run(
        go,
        ["build", "-mod=readonly", "-trimpath", "-v", "-ldflags", ldflags, "-o", join(folder, "bin", file), target],
        {
          cwd: module,
          env,
          onLine: (line) =>
            progress.detail(
              /^go: downloading /.test(line) ? line.slice(4) : `package ${++begun} of about ${packages}, ${line}`,
            ),
        },
      );
      progress.end(built.ok ? "done" : undefined);
      if (!built.ok) throw new Unavailable(`go build: ${goWords(built.lines) ?? built.how}`);
    }
    copyShim(folder);
  });

/** The first line of Go's output that says what went wrong. @param {readonly string[]} lines */
function goWords(lines) {
  const full = lines.map((line) => /\w+ \S+: no space left on device/.exec(line)?.[0]).find(Boolean);
  if (full) return `${full}; a build needs about 4 GB for Go's caches and 300 MB for its result`;
  return lines
    .find((line) => line.includes(" ") && !/^(go: downloading |# )/.test(line))
    ?.trim()
    .slice(0, 400);
}

/** @param {string} folder */
function copyShim(folder) {
  const source = join(root, "node_modules/@pulumi/pulumi", shimFile);
  if (!existsSync(source)) throw new SetUpError(`${source} is missing; run npm ci, then this again`);
  copyFileSync(source, join(folder, "bin", shimFile));
  chmodSync(join(folder, "bin", shimFile), 0o755);
}

/**
 * Fills a temporary folder in the cache. Once it is complete, moves it to its place in one step.
 * @param {Context} context
 * @param {string} from
 * @param {(folder: string) => Promise<void>} fill
 */
async function bring({ cache, env, version }, from, fill) {
  const place = placeIn(cache, version);
  const folder = `${place}.tmp-${process.pid}`;
  sweep(place);
  try {
    mkdirSync(join(folder, "bin"), { recursive: true });
    await fill(folder);
    await complete(folder, from, env, version);
    swap(folder, place);
  } catch (error) {
    throw unavailable(error);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} folder @param {string} place */
function swap(folder, place) {
  const away = `${place}.old-${process.pid}`;
  if (existsSync(place)) renameSync(place, away); // Damaged, or made by another set-up meanwhile.
  renameSync(folder, place);
  rmSync(away, { recursive: true, force: true });
}

/** Removes the files of set-ups that have ended. @param {string} place */
function sweep(place) {
  if (!existsSync(dirname(place))) return;
  for (const name of readdirSync(dirname(place))) {
    const pid = name.startsWith(`${basename(place)}.`) && /\.(?:tmp|old)-(\d+)$/.exec(name)?.[1];
    if (pid && !isRunning(Number(pid))) rmSync(join(dirname(place), name), { recursive: true, force: true });
  }
}

/** @param {string} name */
function here(name) {
  return fileURLToPath(new URL(name, import.meta.url));
}
