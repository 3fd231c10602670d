import { existsSync } from "node:fs";
import { join } from "node:path";
import { runTeams, type TeamEvent, type TeamsOptions } from "pulumi-observability/teams";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { Display } from "../../dist/cli/commands/teams/display.js";
import { held, isWrite, ownProxy, pass, until } from "../support/faults.js";
import { descendants, killEngine } from "../support/project.js";
import { ask, ownService, token } from "../support/service.js";
import { monitors, newTeams } from "../support/teams.js";

const key = "canary-of-a-routing-key";
const keyFile = "-----BEGIN-----\n  canary-of-line-one\ncanary-of-line-two\n";
const count = 12;
const names = Array.from({ length: count }, (_, i) => `m-${i}`).sort();

const service = await ownService();
const proxy = await ownProxy(service.url);
const { folder, home, env, add, inState, secretsProvider } = await newTeams(proxy.url);

const say = `
    const key = secretFrom("ROUTING_KEY");
    console.log("declares with", key, process.env.OBSERVABILITY_API_TOKEN);
    // By all ways, and in pieces.
    const [{ writeSync }, { spawnSync }] = await Promise.all([import("node:fs"), import("node:child_process")]);
    const bytes = Buffer.from("in pieces größer als " + key + "\\n");
    for (const [from, to] of [[0, 13], [13, 30], [30, 99]]) process.stdout.write(bytes.subarray(from, to));
    writeSync(1, "directly " + key + "\\n");
    spawnSync(process.execPath, ["-e", "console.error('by a child', process.argv[1])", key], { stdio: "inherit" });
    console.log(secretFrom("KEY_FILE"));
    console.log("sees", Object.keys(process.env).filter((name) => name.startsWith("OBSERVABILITY_API_TOKEN_")).join());
    new obs.Notifier("pager", { oncallB: { routingKey: key } });`;
const tokens = { ...add("killed", monitors(count)), ...add("stopped", say + monitors(count)) };
// The run's processes have our environment, as in a program of a user's.
for (const [name, value] of Object.entries({
  ...env,
  ...tokens,
  ROUTING_KEY: key,
  KEY_FILE: keyFile,
  PULUMI_PARALLEL: "4",
}))
  vi.stubEnv(name, value);
afterAll(() => void vi.unstubAllEnvs());

const events: TeamEvent[] = [];
let text = "";
const lines = new Display({ write: (line) => (text += line) }, false);
const run = async (options: Partial<TeamsOptions> = {}) => {
  const onEvent = (event: TeamEvent) => {
    events.push(event);
    lines.see(event);
  };
  const report = await runTeams({ folder, secretsProvider, onEvent, ...options });
  return { report, of: (name: string) => report.teams.find((team) => team.name === name) };
};
type Ran = Awaited<ReturnType<typeof run>>;

/** When each monitor of a team was created, by name. */
async function created(team: string): Promise<Record<string, unknown>> {
  const { body } = await ask(service, "GET", "/api/v1/config/monitors?page.max_size=1000");
  const own = (body.monitors as { slug: string; created_at: string }[]).filter(({ slug }) => slug.startsWith(team));
  return Object.fromEntries(own.map(({ slug, created_at }) => [slug.slice(team.length + 1), created_at]));
}

let first: Ran;
const before: Record<string, Record<string, unknown>> = {};

beforeAll(async () => {
  const stopping = new AbortController();
  const creates = { killed: 0, stopped: 0 };
  // Of each team some creates are done, and some are in progress.
  proxy.use(({ method, path, dryRun }) => {
    const [, team] = /monitors\/(killed|stopped)-/.exec(path) ?? [];
    if (method !== "PUT" || dryRun || team === undefined) return pass;
    return ++creates[team as keyof typeof creates] <= 4 ? pass : held; // The expression has no other.
  });
  const running = run({ signal: stopping.signal });
  await until(() => proxy.heldNow() === 8, "the middle of both loads");
  const engine = (await descendants(process.pid)).find(({ line }) => /^\S*pulumi up .*--stack killed\b/.test(line));
  await killEngine(engine?.pid ?? 0);
  stopping.abort();
  proxy.use(() => pass);
  proxy.release();
  first = await running;
  for (const team of ["killed", "stopped"]) before[team] = await created(team);
});

describe("a first load", () => {
  test("runs without checkpoints, and reports it", () => {
    expect(first.report.teams.map(({ skippedCheckpoints }) => skippedCheckpoints)).toEqual([true, true]);
    expect(text).toContain("stopped  up       first load: runs without checkpoints (see --checkpoints)\n");
  });

  test("that is interrupted ends in order: what was created is in state", () => {
    expect(first.of("stopped")).toMatchObject({ status: "interrupted", operation: "up", failure: "interrupted" });
    expect(Object.keys(before.stopped ?? {}).length).toBeGreaterThanOrEqual(8);
    expect(inState("stopped").filter((name) => name !== "pager")).toEqual(Object.keys(before.stopped ?? {}).sort());
  });

  test("that is killed fails, and leaves nothing in state of what it created", () => {
    expect(first.of("killed")).toMatchObject({ status: "failed", failure: "the engine was killed by SIGKILL" });
    expect(Object.keys(before.killed ?? {})).toHaveLength(8);
    expect(inState("killed")).toEqual([]);
  });
});

describe("run again", () => {
  let again: Ran;
  // The engine may have begun with the monitors, and left the notifier for this run.
  let kept: readonly string[];

  beforeAll(async () => {
    kept = inState("stopped");
    proxy.reset();
    again = await run({ unlock: true });
  });

  test("both teams are done, and only what was left is created", async () => {
    expect(again.report.teams.map(({ status, failure }) => failure ?? status)).toEqual(["done", "done"]);
    expect(again.of("killed")).toMatchObject({ adopted: 8, counts: { create: count, same: 0 } });
    const left = count + 1 - kept.length;
    expect(again.of("stopped")).toMatchObject({ adopted: 0, counts: { create: left, same: kept.length } });
    for (const team of ["killed", "stopped"]) {
      const after = await created(team);
      expect(Object.keys(after).sort()).toEqual(names);
      // Not one of them has been deleted and recreated.
      expect(after).toMatchObject(before[team] ?? {});
    }
    // One write for each that was left, and none for what was there.
    const writes = proxy.arrivals().filter(isWrite);
    expect(writes).toHaveLength(4 + left);
    expect(writes.map(({ method }) => method)).not.toContain("DELETE");
  });

  test("the state is complete", () => {
    expect(inState("killed")).toEqual(names);
    expect(inState("stopped")).toEqual([...names, "pager"].sort());
  });
});

test("no secret is in lines, events, reports or files, and no team sees another's token", () => {
  expect(text).toContain("stopped  up       declares with [secret] [secret]\n");
  for (const line of ["in pieces größer als", "directly", "by a child"])
    expect(text).toContain(`stopped  up       ${line} [secret]\n`);
  expect(text).toContain("stopped  up       sees OBSERVABILITY_API_TOKEN_STOPPED\n");
  expect(existsSync(join(home, ".stacks/stopped/Pulumi.stopped.yaml"))).toBe(true);
  for (const secret of [key, token, "canary-of-line"]) {
    for (const told of [text, JSON.stringify(events), JSON.stringify(first.report)]) expect(told).not.toContain(secret);
  }
});
