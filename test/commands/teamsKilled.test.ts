import fc from "fast-check";
import { expect, test } from "vitest";
import { main } from "../support/command.js";
import { isWrite, latency, ownProxy, pass, until } from "../support/faults.js";
import { size, usualOrDeep } from "../support/figures.js";
import { processesIn } from "../support/leftOvers.js";
import { descendants } from "../support/project.js";
import { type Running, start } from "../support/run.js";
import { ask, ownService } from "../support/service.js";
import { monitors, newTeams } from "../support/teams.js";

const count = 12;

/** The ids of a run's processes whose command line matches. */
const idsOf = async ({ child }: Running, line: RegExp) =>
  (await descendants(child.pid ?? 0)).filter((each) => line.test(each.line)).map(({ pid }) => pid);
const teamProcess = /teamProcess\.js/;

/** Ways in which a run ends before its time. */
const ways = {
  "its main process is killed": ({ child }) => child.kill("SIGKILL"),
  "its team's process group is killed": async (run) =>
    (await idsOf(run, teamProcess)).forEach((pid) => process.kill(-pid, "SIGKILL")),
  "its pipes are closed": ({ child }) => [child.stdout, child.stderr].forEach((stream) => stream?.destroy()),
  "its main process gets SIGHUP": ({ child }) => child.kill("SIGHUP"),
  "its main process gets SIGTERM": ({ child }) => child.kill("SIGTERM"),
  "its team's process is killed": async (run) =>
    (await idsOf(run, teamProcess)).forEach((pid) => process.kill(pid, "SIGKILL")),
  "its team's process gets SIGTERM": async (run) =>
    (await idsOf(run, teamProcess)).forEach((pid) => process.kill(pid, "SIGTERM")),
  "its engine is killed": async (run) =>
    (await idsOf(run, /^\S*pulumi up /)).forEach((pid) => process.kill(pid, "SIGKILL")),
} satisfies Record<string, (run: Running) => unknown>;

// Of pipes that are closed: convert.test.ts. Of an engine that is killed, and of the lock that it leaves: firstLoad.test.ts.
const usual: (keyof typeof ways)[] = ["its main process is killed"];
const points = fc.sample(fc.integer({ min: 1, max: count - 1 }), { numRuns: size(10), seed: 7 });
const tried = usualOrDeep({ ways: usual, points: [5] }, { ways: Object.keys(ways) as typeof usual, points });
const cases = tried.ways.flatMap((way) => tried.points.map((writes) => [way, writes] as const));

test.each(cases)(
  "a run of teams leaves no process and no object without an owner if %s after %i writes",
  async (way, writes) => {
    const service = await ownService();
    const proxy = await ownProxy(service.url);
    proxy.use(({ method, dryRun }) => (method === "GET" || dryRun ? pass : latency(200)));
    const { home, env: own, add, inState, secretsProvider } = await newTeams(proxy.url);
    const env = { ...process.env, ...own, ...add("checkout", monitors(count)), PULUMI_PARALLEL: "2" };
    const up = (...args: readonly string[]) =>
      start(process.execPath, [main, "teams", "up", "--secrets-provider", secretsProvider, ...args], {
        cwd: home,
        env,
      });

    const run = up();
    await until(() => proxy.arrivals().filter(isWrite).length >= writes, "the middle of the update");
    await ways[way](run);
    if (way === "its team's process group is killed") {
      const { text } = await up().ended;
      expect(text).toMatch(/^ {2}up failed: nothing was changed, because the stack is locked by/m);
      expect(text).not.toContain("loaded for the first time");
    }
    // At once, while the run may still be ending.
    const { code, text } = await up("--unlock").ended;
    expect(code, text).toBe(0);
    expect(processesIn(home), "processes are left").toEqual([]);
    const { body } = await ask(service, "GET", "/api/v1/config/monitors?page.max_size=100");
    const created = (body.monitors as { slug: string }[]).map(({ slug }) => slug.replace("checkout-", "")).sort();
    expect(created).toHaveLength(count);
    expect(inState("checkout")).toEqual(created);
  },
);
