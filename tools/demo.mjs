import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createLog, runScript, SetUpError } from "./log.mjs";
import { root } from "./project.mjs";
import { pulumiEnv } from "./pulumi.mjs";
import { runInPlace } from "./run.mjs";
import { setUp } from "./setup.mjs";

const folder = join(root, ".demo");
const processFile = join(folder, "service.pid");
// The engine wants this file beside Pulumi.yaml. Everything else of the demo is in the folder.
const stackFile = join(root, "Pulumi.demo.yaml");

const usage = `npm run demo              the whole life of a small team's configuration
npm run demo -- --keep    leaves service and stack there to look around
npm run demo -- --stop    ends what --keep left`;

await runScript(async () => {
  const [option, ...rest] = process.argv.slice(2);
  if (rest.length > 0 || (option !== undefined && !["--keep", "--stop"].includes(option))) throw new SetUpError(usage);
  await endKept();
  if (option === "--stop") return say("service and stack of the demo are gone");

  const { cli } = await setUp({ log: createLog() });
  if (cli === undefined) throw new Error("set-up promised a CLI");
  mkdirSync(folder, { recursive: true });
  const env = pulumiEnv({ home: join(folder, "home"), backend: join(folder, "state"), pulumi: cli.pulumi });
  const service = await startService(option === "--keep");
  try {
    Object.assign(env, { OBSERVABILITY_BASE_URL: service.url, OBSERVABILITY_API_TOKEN: service.token });
    await play(service, { pulumi: cli.pulumi, env, destroys: option !== "--keep" });
  } catch (error) {
    await service.stop();
    throw error;
  }
  if (option === "--keep") {
    keep(service, env);
  } else {
    await service.stop();
    removeFiles();
    say(
      "what to try next",
      "  npm run demo -- --keep    the same, but service and stack stay to look around",
      "  examples/quickstart       the program you have just watched",
      "  npm run serve             the service alone, for programs of your own",
    );
  }
});

/**
 * The demo: each step says what it shows, then the engine's output follows.
 * @param {Service} service
 * @param {{ pulumi: string, env: NodeJS.ProcessEnv, destroys: boolean }} options
 */
async function play(service, { pulumi, env, destroys }) {
  /** @param {string[]} args */
  const engine = async (...args) => {
    const command = [...args, "--stack", "demo"];
    const status = await runInPlace(pulumi, command, { cwd: root, env });
    if (status !== 0) throw new SetUpError(`"pulumi ${args.join(" ")}" ended with exit status ${status}`);
  };

  say(`a configuration service runs at ${service.url}; examples/quickstart declares eight resources, one of each kind`);
  await quietly(pulumi, ["stack", "init", "demo"], env);
  await quietly(pulumi, ["config", "set", "--secret", "routingKey", "--stack", "demo"], env, {
    input: randomBytes(16).toString("hex"),
  });

  say("1. a preview: the service validates every resource, and nothing is written");
  await engine("preview");
  await service.tell();

  say("2. the update creates them");
  await engine("up", "--yes", "--skip-preview");
  await service.tell();

  say("3. another preview: nothing to do");
  await engine("preview", "--expect-no-changes");
  await service.tell();

  say("4. somebody changes the monitor behind our back: threshold up, interval longer, a label added");
  await service.changeMonitor();
  await engine("refresh", "--yes", "--skip-preview");
  await engine("preview", "--diff");
  await service.tell();

  say("5. the update repairs it");
  await engine("up", "--yes", "--skip-preview");
  await service.tell();

  if (destroys) {
    say("6. and everything goes again");
    await engine("destroy", "--yes", "--skip-preview");
    await service.tell();
  }
}

/** @typedef {Awaited<ReturnType<typeof startService>>} Service */

/**
 * Starts the reference service in its own process, with its data in the demo's folder.
 * @param {boolean} outlives whether it goes on after us
 */
async function startService(outlives) {
  const token = randomBytes(24).toString("base64url");
  const main = join(root, "service/dist/main.js");
  // Its output goes into a file: a service that outlives us must not hold our terminal or a pipe of ours.
  const logFile = join(folder, "service.log");
  const log = openSync(logFile, "w");
  const child = spawn(process.execPath, [main, "--port", "0", "--database", join(folder, "service.db")], {
    env: { ...process.env, OBSERVABILITY_API_TOKEN: token },
    stdio: ["ignore", log, log],
    detached: outlives,
  });
  closeSync(log);
  if (!outlives) process.once("exit", () => child.kill());
  /** @type {string | undefined} */
  let url;
  while (url === undefined) {
    if (child.exitCode !== null) throw new SetUpError(`the service did not start: ${readIfThere(logFile)}`);
    await sleep(20);
    [url] = readIfThere(logFile)?.match(/http:\/\/\S+/) ?? [];
  }
  writeFileSync(processFile, String(child.pid));

  /** @param {string} method @param {string} path @param {unknown} [body] @returns {Promise<any>} what the operation answers */
  const ask = async (method, path, body) => {
    const response = await fetch(url + path, {
      method,
      headers: { "API-Token": token, "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new SetUpError(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    return response.json();
  };

  return {
    url,
    token,
    child,
    /** Tells how many requests the service has seen since the last call. */
    async tell() {
      /** @type {{ requests: { method: string, dryRun: boolean, count: number }[] }} */
      const { requests } = await ask("GET", "/-/counters");
      await ask("DELETE", "/-/counters");
      /** @param {(request: { method: string, dryRun: boolean }) => boolean} is */
      const sum = (is) => requests.filter(is).reduce((total, { count }) => total + count, 0);
      const dryRuns = sum(({ dryRun }) => dryRun);
      const reads = sum(({ method }) => method === "GET");
      const writes = sum(({ method, dryRun }) => method !== "GET" && !dryRun);
      /** @param {number} count @param {string} noun */
      const some = (count, noun) => `${count === 0 ? "no" : count} ${noun}${count === 1 ? "" : "s"}`;
      say(`the service saw ${some(dryRuns, "dry run")}, ${some(reads, "read")} and ${some(writes, "write")}`);
    },
    async changeMonitor() {
      const path = "/api/v1/config/monitors/checkout-errors";
      const { monitor } = await ask("GET", path);
      monitor.interval_secs = 300;
      monitor.labels.silenced = "yes";
      monitor.series_conditions.defaults.critical.conditions[0].value = 0.5;
      await ask("PUT", path, { monitor });
      await ask("DELETE", "/-/counters"); // Our own requests do not count.
    },
    async stop() {
      child.kill();
      if (child.exitCode === null) await new Promise((resolve) => child.once("exit", resolve));
    },
  };
}

/**
 * @param {Service} service
 * @param {NodeJS.ProcessEnv} env
 */
function keep({ url, child }, env) {
  const names = /^(PULUMI_(?!OBSERVABILITY)|OBSERVABILITY_|PATH$)/;
  const lines = Object.entries(env)
    .filter(([name, value]) => names.test(name) && value !== undefined)
    .map(([name, value]) => `export ${name}='${String(value).replaceAll("'", "'\\''")}'`);
  // The file holds the service's token.
  writeFileSync(join(folder, "env.sh"), `${lines.join("\n")}\n`, { mode: 0o600 });
  child.unref();
  const at = (/** @type {string} */ path) => relative(process.cwd(), join(folder, path));
  say(
    `service (process ${child.pid}, ${url}) and stack are still there; to look around:`,
    `  . ${at("env.sh")}`,
    "  pulumi stack",
    "  pulumi preview --refresh",
    `  curl -H "API-Token: $OBSERVABILITY_API_TOKEN" $OBSERVABILITY_BASE_URL/api/v1/config/monitors`,
    "  edit examples/quickstart/index.ts, and preview again",
    "to end it: npm run demo -- --stop",
  );
}

/** Ends the service of an earlier demo by its process id, and removes its files. */
async function endKept() {
  const pid = Number(readIfThere(processFile));
  if (pid > 0 && isOurService(pid)) {
    process.kill(pid);
    while (isOurService(pid)) await sleep(50);
  }
  removeFiles();
}

function removeFiles() {
  for (const path of [folder, stackFile]) rmSync(path, { recursive: true, force: true });
}

/** Whether the process is the service of this folder, and not another one that got its process id. @param {number} pid */
function isOurService(pid) {
  try {
    process.kill(pid, 0);
  } catch {
    return false; // No such process.
  }
  // Without /proc the file is believed.
  const command = readIfThere(`/proc/${pid}/cmdline`);
  return command === undefined || command.includes(join(folder, "service.db"));
}

/** @param {string} file */
function readIfThere(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/**
 * Runs a command, and shows its output only if it fails.
 * @param {string} command
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @param {{ input?: string }} [options]
 */
function quietly(command, args, env, { input = "" } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, env });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said += chunk));
    child.on("error", reject);
    child.on("close", (status) =>
      status === 0 ? resolve(undefined) : reject(new SetUpError(`"pulumi ${args.join(" ")}" failed: ${said}`)),
    );
    child.stdin.end(input);
  });
}

/** @param {string[]} lines */
function say(...lines) {
  const bold = process.stdout.isTTY ? ["\x1b[1m", "\x1b[0m"] : ["", ""];
  const [first = "", ...rest] = lines;
  console.log(`\n${bold[0]}» ${first}${bold[1]}`);
  for (const line of rest) console.log(line);
  if (rest.length > 0) console.log();
}
