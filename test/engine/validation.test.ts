import * as pulumi from "@pulumi/pulumi";
import type { Service } from "@pulumi-observability/service";
import * as obs from "pulumi-observability";
import { beforeAll, beforeEach, describe, expect, test, onTestFinished, vi } from "vitest";
import { newStack, type Outcome, type TestStack } from "../support/engine.js";
import { type FaultProxy, ownProxy } from "../support/faults.js";
import { isDeep } from "../support/figures.js";
import { newProject } from "../support/project.js";
import { ownService, takeCounts, token } from "../support/service.js";

const critical = (condition: object) => ({ defaults: { critical: { conditions: [condition] } } });
const args = { labelQuery: "up", seriesConditions: critical({ op: "GT", value: 1 }) };
const refusedArgs = { labelQuery: "up", seriesConditions: critical({ value: 1 }) };
const dryPut = "PUT monitors/{slug} dry";
/** Each preview asks once whether address and token are right. */
const proof = { "GET monitors": 1 };

let service: Service;
let stack: TestStack;
/** A service and a stack of its own, for a test or for all rows of one preview. */
const begin = async () => {
  service = await ownService();
  stack = await newStack(service.url);
};

const monitors =
  (all: Readonly<Record<string, obs.MonitorArgs>>, options: obs.ResourceOptions = {}) =>
  () => {
    for (const [name, each] of Object.entries(all)) new obs.Monitor(name, each, options);
  };
const done = async (outcome: ReturnType<TestStack["up"]>) => {
  const { failed, text, steps } = await outcome;
  expect(failed, text).toBe(false);
  return steps;
};
/** Whom a refusal was told of, and by whom: the engine's words stand around what check says. */
const refused = (text: string) => ({
  byClass: new Set([...text.matchAll(/Monitor \(([\w-]+)\):\n\s+error: seriesConditions/g)].map(([, name]) => name)),
  byCheck: new Set([...text.matchAll(/resource '([\w-]+)' has a problem: seriesConditions/g)].map(([, name]) => name)),
});
const byClass = (...names: string[]) => ({ byClass: new Set(names), byCheck: new Set() });
const byCheck = (...names: string[]) => ({ byClass: new Set(), byCheck: new Set(names) });

describe("in a preview the classes ask the service", () => {
  const unspoilt: obs.ResourceOptions = { transformations: [({ props, opts }) => ({ props, opts })] };
  const bucketSlug = "a-bucket";
  const { seriesConditions } = refusedArgs;
  const spoilt: obs.ResourceOptions = {
    transformations: [({ props, opts }) => ({ props: { ...props, seriesConditions, bucketSlug }, opts })],
  };
  const added: obs.ResourceOptions = { transforms: [({ props, opts }) => ({ props: { ...props, bucketSlug }, opts })] };
  const ignoring = { ignoreChanges: ["seriesConditions"] };
  const before = () => {
    monitors({ unchanged: args, changed: args, "changed-wrongly": args, renamed: args, taking: args, taken: args })();
    monitors({ ignoring: args }, unspoilt)();
  };
  const after = () => {
    monitors({ new: args, "new-a": refusedArgs, "new-b": refusedArgs, unchanged: args })();
    monitors({ changed: { ...args, intervalSecs: 90 }, "changed-wrongly": refusedArgs })();
    monitors({ renamed: { ...args, slug: "new-slug" }, taking: { ...args, slug: "taken" } })();
    monitors({ transformed: args }, spoilt)();
    monitors({ "with-more": args, "with-more-wrongly": refusedArgs }, added)();
    // Refused, were it not ignored.
    monitors({ ignoring: { ...refusedArgs, intervalSecs: 90 } }, ignoring)();
    new obs.Notifier("pager", { webhook: { url: pulumi.secret("https://hook.example.com") } });
  };
  let proxy: FaultProxy;
  let outcome: Outcome;
  const slugIn = ({ notifier }: { notifier?: unknown }) => (notifier as { slug?: string } | undefined)?.slug;
  /** How many dry runs there were of a slug. */
  const asked = (slug: string) =>
    proxy.arrivals().filter(({ dryRun, path, body }) => dryRun && (path.endsWith(`/${slug}`) || slugIn(body) === slug))
      .length;
  beforeAll(async () => {
    await begin();
    proxy = await ownProxy(service.url);
    await stack.setConfig("observability:baseUrl", proxy.url);
    await done(stack.up(before));
    proxy.reset();
    outcome = await stack.preview(after);
  });

  test.each([
    ["a new object", "new", 2],
    ["a new object that it refuses", "new-a", 2],
    ["nothing that is unchanged", "unchanged", 0],
    ["what changes", "changed", 1],
    ["a change that it refuses", "changed-wrongly", 1],
    ["a new slug as about a new object", "new-slug", 2],
    ["what a transformation makes of the arguments", "transformed", 2],
    ["what a transform adds", "with-more", 2],
    ["what a transform adds to what it refuses", "with-more-wrongly", 2],
    ["what ignoreChanges leaves", "ignoring", 1],
    ["a secret", "pager", 1],
  ])("about %s", (_, slug, dryRuns) => {
    expect(asked(slug)).toBe(dryRuns);
  });

  test("with one proof, and tell each refusal under its own resource", () => {
    expect(outcome.failed).toBe(true);
    expect(refused(outcome.text)).toEqual(
      byClass("new-a", "new-b", "changed-wrongly", "transformed", "with-more-wrongly"),
    );
    expect(outcome.text).toContain('monitor "taken" already exists');
    const lists = proxy.arrivals().filter(({ method, path }) => method === "GET" && /config\/[a-z]+$/.test(path));
    expect(lists).toHaveLength(1);
  });
});

describe("in a preview the classes ask the service", () => {
  beforeEach(begin);

  test("a page at a time, if there are many: what is free, and what was edited", async () => {
    const many = monitors(Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`many-${i}`, args])));
    await done(stack.preview(many));
    // The proof and a page; 16 probes, and a dry run of each create.
    expect(takeCounts(service)).toEqual({ "GET monitors": 2, [dryPut]: 36 });
    await done(stack.up(many));
    takeCounts(service);
    expect(await done(stack.preview(many, { refresh: true }))).toMatchObject({ same: 20 });
    expect(takeCounts(service)).toEqual({ "GET monitors/{slug}": 16, "GET monitors": 2 });
  });

  test("with the token of an explicit provider", async () => {
    const other = await ownService({ token: "another-token" });
    const program = () => {
      const provider = new obs.Provider("other", { baseUrl: other.url, apiToken: pulumi.secret("another-token") });
      for (const [name, each] of Object.entries({ a: refusedArgs, good: args }))
        new obs.Monitor(name, each, { provider });
      const parent = new pulumi.ComponentResource("test:index:Parent", "parent", {}, { providers: [provider] });
      new obs.Monitor("b", refusedArgs, { parent });
    };
    expect(refused((await stack.preview(program)).text)).toEqual(byClass("a", "b"));
    expect(takeCounts(other)).toEqual({ ...proof, [dryPut]: 6 });
    expect(takeCounts(service)).toEqual({});
  });

  test("only about what --target names", async () => {
    const target = ["urn:pulumi:dev::team::pulumi-nodejs:dynamic/observability:Monitor::a"];
    await done(stack.preview(monitors({ a: args, b: refusedArgs }), { target }));
    expect(takeCounts(service)).toEqual({ ...proof, [dryPut]: 2 });
  });

  test("and count what is not validated by provider, also if a program declares it bit by bit", async () => {
    const told = vi.spyOn(pulumi.log, "error");
    onTestFinished(() => told.mockRestore());
    const { failed, messages } = await stack.preview(async () => {
      const away = new obs.Provider("away", { baseUrl: "http://127.0.0.1:1" });
      const strange = new obs.Provider("strange", { apiToken: "another-token" });
      const some = (provider: obs.Provider, ...names: string[]) =>
        names.map((name) => new obs.Monitor(name, args, { provider }));
      some(strange, "s-1", "s-2", "s-3");
      some(away, "a-1", "a-2");
      // When nothing is pending any more, what was not validated is counted: here the second.
      await vi.waitFor(
        () => expect(told.mock.calls.flat()).toContainEqual(expect.stringMatching(/^1 more could/)),
        60_000,
      );
      some(away, "a-3", "a-4", "a-5");
    });
    expect(failed).toBe(true);
    const errors = messages.filter(({ severity }) => severity === "error");
    const of = (pattern: RegExp) => errors.filter(({ text }) => pattern.test(text));
    expect(of(/unable to validate monitor "s-\d": .* answered 401/)).toHaveLength(1);
    expect(of(/unable to validate monitor "a-\d": .* was refused a connection/)).toHaveLength(1);
    expect(of(/unable to validate/)).toHaveLength(2);
    const untold = { away: 0, strange: 0 };
    for (const { name, text } of of(/^\d+ more could not be validated, for the same cause$/)) {
      untold[name as keyof typeof untold] += parseInt(text, 10); // told of a provider
    }
    expect(untold).toEqual({ away: 4, strange: 2 });
  });

  test("in one stack without failing another of the same process", async () => {
    const other = await newStack(service.url, { project: "other" });
    const [bad, good] = await Promise.all([
      stack.preview(monitors({ a: refusedArgs })),
      other.preview(monitors({ b: args })),
    ]);
    expect({ bad: bad.failed, good: good.failed }).toEqual({ bad: true, good: false });
    expect(process.exitCode).toBeUndefined();
  });
});

describe("check asks, where the class could not be right", () => {
  beforeEach(begin);

  test("because the environment of the engine is not that of the program", async () => {
    const env = { OBSERVABILITY_ADOPT: "true" };
    const own = await newStack(service.url, { env });
    expect(refused((await own.preview(monitors({ a: refusedArgs }))).text)).toEqual(byCheck("a"));
  });

  test("because the token stands only in an environment, which may be another team's", async () => {
    const own = await newStack(service.url, { env: { OBSERVABILITY_API_TOKEN: token } });
    await own.stack.removeConfig("observability:apiToken");
    expect(refused((await own.preview(monitors({ a: refusedArgs }))).text)).toEqual(byCheck("a"));
  });

  test("because deleteBeforeReplace makes room for what is refused", async () => {
    const program = monitors({ a: refusedArgs }, { deleteBeforeReplace: true });
    expect(refused((await stack.preview(program)).text)).toEqual(byCheck("a"));
  });

  test("of the dataset, and then the class knows that the run makes it", async () => {
    const configuration = { type: "LOGS", logDataset: {} };
    await done(
      stack.preview(() => {
        const logs = new obs.Dataset("logs", { configuration }, { deleteBeforeReplace: true });
        new obs.LogAllocationConfig("budget", { datasetAllocations: [{ datasetSlug: logs.slug }] });
      }),
    );
  });
});

describe("a program of the CLI", () => {
  beforeEach(begin);

  const program = (value: string) => `
    const obs = require("pulumi-observability");
    for (const name of ["a", "b"]) {
      new obs.Monitor(name, { labelQuery: "up", seriesConditions: { defaults: { critical: { conditions: [${value}] } } } });
    }`;

  test(
    "that is refused ends a preview red, and an update before it touches anything",
    { timeout: 180_000 },
    async () => {
      const project = newProject(service.url, program("{ value: 1 }"));
      await project.init();
      // An update begins with a preview.
      for (const args of [["up", "--yes"], ...(isDeep ? [["preview"]] : [])]) {
        const { code, text } = await project.run(args);
        expect(code, text).not.toBe(0);
        expect(refused(text)).toEqual(byClass("a", "b"));
        expect(text).not.toMatch(/exited? with|unhandled|at .*\.js:\d+/i);
        expect(takeCounts(service)).toEqual({ ...proof, [dryPut]: 4 });
      }
      project.write(program('{ op: "GT", value: 1 }'));
      const up = await project.run(["up", "--yes"]);
      expect(up.code, up.text).toBe(0);
      expect(takeCounts(service)).toEqual({ ...proof, [dryPut]: 6, "PUT monitors/{slug}": 2 });
      // A destroy with the program is in every run in ownership.test.ts.
      if (!isDeep) return;

      // The engine checks nothing there, so the class has nothing to ask.
      const destroyed = await project.run(["destroy", "--yes", "--run-program"]);
      expect(destroyed.code, destroyed.text).toBe(0);
      expect(takeCounts(service)).toEqual({ "GET monitors": 1, "DELETE monitors/{slug}": 2 });
    },
  );
});
