import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { styleText } from "node:util";
import { withLock } from "./lock.mjs";
import { createLog, runScript, SetUpError } from "./log.mjs";
import { root } from "./project.mjs";
import { onPath, pulumiEnv } from "./pulumi.mjs";
import { run, runInPlace } from "./run.mjs";
import { setUpWithPulumi } from "./setup.mjs";

const folder = join(root, ".demo");
// The engine wants this file next to Pulumi.yaml. Everything else of the demo is in the folder.
const stackFile = join(root, "Pulumi.demo.yaml");

const usage = `npm run demo              the whole life of a small team's configuration
npm run demo -- --keep    keeps service and stack until Ctrl+C, to look around`;

await runScript(async () => {
  const [option, ...rest] = process.argv.slice(2);
  if (rest.length > 0 || (option !== undefined && option !== "--keep")) throw new SetUpError(usage);
  const { pulumi } = await setUpWithPulumi();
  await withLock(`${folder}.lock`, { log: createLog(), task: "plays the demo" }, async () => {
    removeFiles(); // Of a demo that was killed.
    try {
      await play(pulumi, option === "--keep");
    } finally {
      removeFiles();
    }
  });
});

function removeFiles() {
  for (const path of [folder, stackFile]) rmSync(path, { recursive: true, force: true });
}

/**
 * The demo: each step says what it shows, then the engine's output follows.
 * @param {string} pulumi
 * @param {boolean} keeps whether service and stack stay until a signal comes
 */
async function play(pulumi, keeps) {
  const { startService } = await import("@pulumi-observability/service"); // Not installed before set-up.
  const service = await startService();
  const env = {
    ...pulumiEnv({ home: join(folder, "home"), backend: join(folder, "state"), pulumi }),
    OBSERVABILITY_BASE_URL: service.url,
    OBSERVABILITY_API_TOKEN: service.token,
    PULUMI_STACK: "demo",
  };
  /** @param {string[]} args */
  const engine = async (...args) => {
    const status = await runInPlace(pulumi, args, { cwd: root, env });
    if (status !== 0) throw new SetUpError(`"pulumi ${args.join(" ")}" ended with exit status ${status}`);
    if (args[0] !== "refresh") sayRequests(service);
  };
  /** @param {string[]} args */
  const quietly = async (...args) => {
    const { ok, lines } = await run(pulumi, args, { cwd: root, env });
    if (!ok) throw new SetUpError([...lines, `"pulumi ${args.join(" ")}" failed`].join("\n"));
  };

  try {
    say(`a configuration service runs at ${service.url}, and examples/quickstart declares one resource of each kind`);
    await quietly("stack", "init", "demo");
    await quietly("config", "set", "--secret", "routingKey", randomBytes(16).toString("hex"));
    say("1. a preview: the service validates every resource, and nothing is written");
    await engine("preview");
    say("2. the update creates them");
    await engine("up", "--yes", "--skip-preview");
    say("3. another preview: nothing to do");
    await engine("preview", "--expect-no-changes");
    say("4. someone edits the monitor outside Pulumi: a higher threshold, a longer interval, a new label");
    await changeMonitor(service);
    await engine("refresh", "--yes", "--skip-preview");
    await engine("preview", "--diff");
    say("5. the update reverts the edit");
    await engine("up", "--yes", "--skip-preview");
    if (keeps) return await keep(service, env);
    say("6. a destroy deletes everything");
    await engine("destroy", "--yes", "--skip-preview");
    say(
      "what to try next",
      "  npm run demo -- --keep    the same, but service and stack stay until Ctrl+C, to look around",
      "  examples/quickstart       the program you have just watched",
      "  npm run serve             the service alone, for your own programs",
      ...(onPath("pulumi", process.env) ? [] : [`  export PATH="${dirname(pulumi)}:$PATH" # this Pulumi CLI`]),
    );
  } finally {
    await service.close();
  }
}

/** @typedef {import("@pulumi-observability/service").Service} Service */

/** Says how many requests the service has seen since the last call. @param {Service} service */
function sayRequests(service) {
  const { requests } = service.counters();
  service.resetCounters();
  /** @param {string} noun @param {(request: import("@pulumi-observability/service").RequestCount) => boolean} is */
  const some = (noun, is) => {
    const count = requests.filter(is).reduce((total, request) => total + request.count, 0);
    return `${count === 0 ? "no" : count} ${noun}${count === 1 ? "" : "s"}`;
  };
  const dryRuns = some("dry run", ({ dryRun }) => dryRun);
  const reads = some("read", ({ method }) => method === "GET");
  const writes = some("write", ({ method, dryRun }) => method !== "GET" && !dryRun);
  say(`the service saw ${dryRuns}, ${reads} and ${writes}`);
}

/** Changes a monitor without Pulumi. @param {Service} service */
async function changeMonitor(service) {
  const url = `${service.url}/api/v1/config/monitors/checkout-errors`;
  const headers = { "API-Token": service.token, "Content-Type": "application/json" };
  const answer = await fetch(url, { headers });
  const { monitor } = /** @type {any} */ (await answer.json());
  monitor.interval_secs = 300;
  monitor.labels.silenced = "yes";
  monitor.series_conditions.defaults.critical.conditions[0].value = 0.5;
  const { ok, status } = await fetch(url, { method: "PUT", headers, body: JSON.stringify({ monitor }) });
  if (!ok) throw new SetUpError(`PUT ${url} answered ${status}`);
  service.resetCounters(); // Our own requests do not count.
}

/** Waits for a signal. @param {Service} service @param {NodeJS.ProcessEnv} env */
async function keep({ url }, env) {
  const lines = Object.entries(env)
    .filter(([name]) => /^(PULUMI_(?!OBSERVABILITY)|OBSERVABILITY_|PATH$)/.test(name))
    .map(([name, value]) => `export ${name}='${String(value).replaceAll("'", "'\\''")}'`);
  // The file contains the service's token.
  writeFileSync(join(folder, "env.sh"), `${lines.join("\n")}\n`, { mode: 0o600 });
  say(
    `service (${url}) and stack stay until you press Ctrl+C; to look around, in another terminal:`,
    `  . ${relative(process.cwd(), join(folder, "env.sh"))}`,
    "  pulumi stack",
    "  pulumi preview --refresh",
    `  curl -H "API-Token: $OBSERVABILITY_API_TOKEN" $OBSERVABILITY_BASE_URL/api/v1/config/monitors`,
    "  edit examples/quickstart/index.ts, and preview again",
  );
  await Promise.race(["SIGINT", "SIGTERM", "SIGHUP"].map((signal) => once(process, signal)));
}

/** @param {string[]} lines */
function say(first = "", ...lines) {
  console.log(`\n${process.stdout.isTTY ? styleText("bold", `» ${first}`) : `» ${first}`}`);
  for (const line of lines) console.log(line);
  if (lines.length > 0) console.log();
}
