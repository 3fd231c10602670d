import * as pulumi from "@pulumi/pulumi";
import type { Service } from "@pulumi-observability/service";
import * as obs from "pulumi-observability";
import { beforeEach, describe, expect, test, onTestFinished, vi } from "vitest";
import { newStack, type TestStack } from "../support/engine.js";
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
beforeEach(async () => {
  service = await ownService();
  stack = await newStack(service.url);
});

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
  test("about everything new, each refusal under its own resource", async () => {
    const { failed, text } = await stack.preview(monitors({ a: refusedArgs, b: args, c: refusedArgs, d: refusedArgs }));
    expect(failed).toBe(true);
    expect(refused(text)).toEqual(byClass("a", "c", "d"));
    expect(takeCounts(service)).toEqual({ ...proof, [dryPut]: 8 });
  });

  test("about what changes, and about nothing else", async () => {
    await done(stack.up(monitors({ a: args, b: args, c: args })));
    takeCounts(service);
    expect(await done(stack.preview(monitors({ a: args, b: args, c: args })))).toEqual({ same: 3 });
    expect(takeCounts(service)).toEqual(proof);
    await done(stack.preview(monitors({ a: args, b: { ...args, intervalSecs: 90 }, c: args })));
    expect(takeCounts(service)).toEqual({ ...proof, [dryPut]: 1 });
    const { failed, text } = await stack.preview(monitors({ a: refusedArgs, b: args, c: args }));
    expect({ failed, ...refused(text) }).toEqual({ failed: true, ...byClass("a") });
    expect(takeCounts(service)).toEqual({ ...proof, [dryPut]: 1 });
  });

  test("a page at a time, if there are many: what is free, and what was edited", async () => {
    const many = monitors(Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`many-${i}`, args])));
    await done(stack.preview(many));
    // The proof and a page; 16 probes, and a dry run of each create.
    expect(takeCounts(service)).toEqual({ "GET monitors": 2, [dryPut]: 56 });
    await done(stack.up(many));
    takeCounts(service);
    expect(await done(stack.preview(many, { refresh: true }))).toMatchObject({ same: 40 });
    expect(takeCounts(service)).toEqual({ "GET monitors/{slug}": 16, "GET monitors": 2 });
  });

  test("about a new slug as about a new object", async () => {
    await done(stack.up(monitors({ a: args, b: args })));
    takeCounts(service);
    await done(stack.preview(monitors({ a: { ...args, slug: "renamed" }, b: args })));
    expect(takeCounts(service)).toEqual({ ...proof, [dryPut]: 2 });
    const { failed, text } = await stack.preview(monitors({ a: { ...args, slug: "b" } }));
    expect(failed).toBe(true);
    expect(text).toContain('unable to validate monitor "b": it exists already');
  });

  test("and nothing of it reaches the state", async () => {
    await done(stack.preview(monitors({ a: args })));
    await done(stack.up(monitors({ a: args })));
    await done(stack.preview(monitors({ a: { ...args, intervalSecs: 90 } })));
    await done(stack.up(monitors({ a: { ...args, intervalSecs: 90 } })));
    const { resources } = await stack.state();
    expect(resources.flatMap(({ inputs = {}, outputs = {} }) => Object.keys({ ...inputs, ...outputs }))).not.toContain(
      "__ctx",
    );
  });

  test("with what transformations, ignoreChanges and secrets make of the arguments", async () => {
    const change = { transformations: [({ props, opts }: pulumi.ResourceTransformationArgs) => ({ props, opts })] };
    const spoil = {
      transformations: [
        ({ props, opts }: pulumi.ResourceTransformationArgs) => ({
          props: { ...props, seriesConditions: refusedArgs.seriesConditions, bucketSlug: "a-bucket" },
          opts,
        }),
      ],
    };
    expect(refused((await stack.preview(monitors({ a: args }, spoil))).text)).toEqual(byClass("a"));
    await done(stack.up(monitors({ a: args }, change)));
    takeCounts(service);
    // Refused, were it not ignored.
    const ignored = { ignoreChanges: ["seriesConditions"] };
    await done(stack.preview(monitors({ a: { ...refusedArgs, intervalSecs: 90 } }, ignored)));
    expect(takeCounts(service)).toEqual({ ...proof, [dryPut]: 1 });
    await done(
      stack.preview(() => {
        new obs.Notifier("pager", { webhook: { url: pulumi.secret("https://hook.example.com") } });
      }),
    );
    expect(takeCounts(service)).toEqual({ "GET notifiers": 1, "POST notifiers dry": 1 });
  });

  test("with what a transform adds", async () => {
    const transforms = [
      ({ props, opts }: pulumi.ResourceTransformArgs) => ({ props: { ...props, bucketSlug: "a-bucket" }, opts }),
    ];
    expect(refused((await stack.preview(monitors({ a: refusedArgs }, { transforms }))).text)).toEqual(byClass("a"));
    takeCounts(service);
    await done(stack.preview(monitors({ a: args }, { transforms })));
    expect(takeCounts(service)).toEqual({ ...proof, [dryPut]: 2 });
  });

  test("with the token of an explicit provider", async () => {
    const other = await ownService({ token: "another-token" });
    const program = (each: obs.MonitorArgs) => () => {
      const provider = new obs.Provider("other", { baseUrl: other.url, apiToken: pulumi.secret("another-token") });
      new obs.Monitor("a", each, { provider });
      const parent = new pulumi.ComponentResource("test:index:Parent", "parent", {}, { providers: [provider] });
      new obs.Monitor("b", each, { parent });
    };
    expect(refused((await stack.preview(program(refusedArgs))).text)).toEqual(byClass("a", "b"));
    expect(takeCounts(other)).toEqual({ ...proof, [dryPut]: 4 });
    await done(stack.preview(program(args)));
    expect(takeCounts(service)).toEqual({});
  });

  test("only about what --target names", async () => {
    const target = ["urn:pulumi:dev::team::pulumi-nodejs:dynamic/observability:Monitor::a"];
    await done(stack.preview(monitors({ a: args, b: refusedArgs }), { target }));
    expect(takeCounts(service)).toEqual({ ...proof, [dryPut]: 2 });
  });

  test("and say once what is not known yet", async () => {
    const { failed, text } = await stack.preview(() => {
      const first = new obs.Monitor("first", args);
      new obs.Monitor("second", { ...refusedArgs, labels: { since: first.createdAt } });
    });
    expect(failed, text).toBe(false);
    const note = 'monitor "second": not validated yet, because these are known only after the update: labels.since';
    expect(text.split("Diagnostics:")[1]?.split(note)).toHaveLength(2);
    expect(takeCounts(service)).toEqual({ ...proof, [dryPut]: 2 });
  });

  test("and tell once that it does not answer, or does not know who asks", async () => {
    const many = monitors(Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`m-${i}`, args])));
    await stack.setConfig("observability:apiToken", "another-token", true);
    const unknown = await stack.preview(many);
    await stack.setConfig("observability:baseUrl", "http://127.0.0.1:1");
    const away = await stack.preview(many);
    for (const [{ failed, messages }, cause] of [
      [unknown, /unable to validate monitor "m-\d+": .* answered 401/],
      [away, /unable to validate monitor "m-\d+": .* was refused a connection/],
    ] as const) {
      expect(failed).toBe(true);
      const errors = messages.filter(({ severity }) => severity === "error").map(({ text }) => text);
      expect(errors.filter((text) => cause.test(text))).toHaveLength(1);
      expect(errors).toContain("19 more could not be validated, for the same cause");
    }
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
      for (const args of [["preview"], ["up", "--yes"]]) {
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

      // The engine checks nothing there, so the class has nothing to ask.
      const destroyed = await project.run(["destroy", "--yes", "--run-program"]);
      expect(destroyed.code, destroyed.text).toBe(0);
      expect(takeCounts(service)).toEqual({ "GET monitors": 1, "DELETE monitors/{slug}": 2 });
    },
  );
});
