import * as pulumi from "@pulumi/pulumi";
import type { Service } from "@pulumi-observability/service";
import * as obs from "pulumi-observability";
import { beforeAll, describe, expect, test } from "vitest";
import { newStack, type Outcome, type TestStack } from "../support/engine.js";
import { args, done, liveMonitor } from "../support/monitors.js";
import { ownService, token } from "../support/service.js";

const isLeft = (slug: string) => `monitor "${slug}" is left in place`;

let service: Service;
let stack: TestStack;
/** A service and a stack of its own, for all rows of one life. */
const begin = async () => {
  service = await ownService();
  stack = await newStack(service.url);
};

const live = (slug: string, at = service) => liveMonitor(at, slug);
/** What was said until now, what the service has now, and how often the state holds it, also as still to be deleted. */
const look = async (text: string, slugs: readonly string[]) => {
  const { resources } = await stack.state();
  const recorded = (slug: string) =>
    resources.filter(({ type, id }) => type.endsWith("observability:Monitor") && id === slug).length;
  return {
    text,
    live: Object.fromEntries(await Promise.all(slugs.map(async (slug) => [slug, await live(slug)] as const))),
    recorded: Object.fromEntries(slugs.map((slug) => [slug, recorded(slug)])),
  };
};
type Look = Awaited<ReturnType<typeof look>>;

const provider = (name: string, at = service) => new obs.Provider(name, { baseUrl: at.url, apiToken: token });
const monitor = (options: obs.ResourceOptions, monitorArgs: obs.MonitorArgs, name: string) =>
  new obs.Monitor(name, monitorArgs, options);
/** In a component that hands its own provider down. */
const inComponent = (own: obs.Provider, options: obs.ResourceOptions, slug: string) => {
  const parent = new pulumi.ComponentResource("test:index:Team", `team-${slug}`, {}, { providers: [own] });
  return monitor({ parent, ...options }, { ...args, slug, name: slug }, `failures-${slug}`);
};

describe("in one stack's life, each move at a monitor of its own,", () => {
  let other: Service;
  const gone = ["gone-here", "gone-by-first"];
  const slugs = ["component", "named", "elsewhere"];

  const before = () => {
    for (const slug of [...slugs, "gone-here"]) monitor({}, args, slug);
    monitor({ provider: provider("first") }, args, "gone-by-first");
  };
  const there = () => {
    const second = provider("second");
    monitor({ provider: second, adopt: true }, args, "named");
    inComponent(second, { adopt: true }, "component");
    inComponent(provider("elsewhere", other), { adopt: true }, "elsewhere");
  };
  const back = (adopts: boolean) => () => {
    monitor({ provider: provider("first") }, args, "named");
    monitor(adopts ? { adopt: true } : {}, args, "component");
    inComponent(provider("elsewhere", other), { adopt: true }, "elsewhere");
  };

  let made: Look;
  let after: Look;
  let returned: Look;
  let settled: Outcome;
  let elsewhere: unknown;
  beforeAll(async () => {
    await begin();
    other = await ownService();
    const all = [...slugs, ...gone];
    made = await look((await done(stack.up(before))).text, all);
    await done(stack.preview(there));
    after = await look((await done(stack.up(there))).text, all);
    elsewhere = await live("elsewhere", other);
    returned = await look((await done(stack.up(back(true)))).text, all);
    settled = await stack.preview(back(false), { refresh: true });
    await done(stack.destroy());
  });

  test("the object of a resource that moves into a component and out of it again is kept", () => {
    for (const now of [after, returned]) {
      expect(now.live.component?.created_at).toBe(made.live.component?.created_at);
      expect(now.text).toContain(isLeft("component"));
      expect(now.recorded.component).toBe(1);
    }
  });

  test("the object of a resource that keeps its name and moves to another provider is kept", () => {
    for (const now of [after, returned]) {
      expect(now.live.named?.created_at).toBe(made.live.named?.created_at);
      expect(now.recorded.named).toBe(1);
    }
  });

  test("the object of a resource that is no longer declared is deleted, whichever its provider", () => {
    for (const slug of gone) {
      expect(made.live[slug]).toBeDefined();
      expect(after.live[slug]).toBeUndefined();
      expect(after.recorded[slug]).toBe(0);
    }
  });

  test("the object of a resource that moves to another service is deleted at the first", () => {
    expect(made.live.elsewhere).toBeDefined();
    expect(after.live.elsewhere).toBeUndefined();
    expect(after.text).not.toContain(isLeft("elsewhere"));
    expect(after.recorded.elsewhere).toBe(1);
    expect(elsewhere).toBeDefined();
  });

  test("the state has each resource once, and a destroy deletes all objects", async () => {
    expect(settled.failed, settled.text).toBe(false);
    expect(settled.steps).toEqual({ refresh: slugs.length, same: slugs.length });
    for (const slug of slugs) expect(await live(slug)).toBeUndefined();
  });
});
