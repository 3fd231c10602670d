import * as pulumi from "@pulumi/pulumi";
import type { EngineEvent } from "@pulumi/pulumi/automation/index.js";
import type { Service } from "@pulumi-observability/service";
import * as obs from "pulumi-observability";
import { beforeEach, describe, expect, test } from "vitest";
import { newStack, type TestStack } from "../support/engine.js";
import { failing, ownProxy } from "../support/faults.js";
import { args, done, liveMonitor, refused } from "../support/monitors.js";
import { ask, ownService, token } from "../support/service.js";

const configuration = { type: "LOGS", logDataset: {} };

let service: Service;
let stack: TestStack;
beforeEach(async () => {
  service = await ownService();
  stack = await newStack(service.url);
});

const provider = (name: string, more: obs.ProviderArgs = {}) =>
  new obs.Provider(name, { baseUrl: service.url, apiToken: token, ...more });

describe("a reference to a dataset of another provider", () => {
  const logs = (name: string, options: obs.ResourceOptions) => new obs.Dataset(name, { configuration }, options);
  const budget = (name: string, datasetSlug: pulumi.Input<string>, options: obs.ResourceOptions) => {
    const allocation = { percentOfLicense: 40 };
    new obs.LogAllocationConfig(name, { datasetAllocations: [{ datasetSlug, allocation }] }, options);
  };

  // Each service has one log allocation.
  test("of the same service passes preview and update, also while that provider's token is unknown, and of another service is rejected", async () => {
    const [second, third, other] = [await ownService(), await ownService(), await ownService()];
    const passing = () => {
      budget("explicit", logs("explicit", { provider: provider("first") }).slug, { provider: provider("same") });
      const of = { baseUrl: second.url };
      const lax = provider("lax", { ...of, validate: "never" });
      budget("validated", logs("unvalidated", { provider: lax }).slug, { provider: provider("strict", of) });
      const origin = new obs.Notifier("origin", { discard: true });
      const late = provider("late", { baseUrl: third.url, apiToken: origin.createdAt.apply(() => token) });
      budget("late", logs("late", { provider: late }).slug, { provider: provider("known", { baseUrl: third.url }) });
    };
    await done(stack.preview(passing));
    await done(stack.up(passing));
    const elsewhere = () => {
      logs("elsewhere", { provider: provider("other", { baseUrl: other.url }) });
      budget("explicit", "elsewhere", { provider: provider("same") });
    };
    expect(await refused(stack.preview(elsewhere))).toMatch(/datasetAllocations\[0\]\.datasetSlug: .*elsewhere/);
  });
});

test("a program that leaves out ignored labels sees the recorded ones in preview and update", async () => {
  const labels = { team: "checkout" };
  const ways: Readonly<Record<string, readonly [obs.MonitorArgs, obs.ResourceOptions]>> = {
    program: [{ labels }, {}],
    transformation: [{}, { transformations: [({ props, opts }) => ({ props: { ...props, labels }, opts })] }],
    transform: [{}, { transforms: [({ props, opts }) => ({ props: { ...props, labels }, opts })] }],
  };
  /** For each way, a monitor of which nothing else changes, and one of which the interval changes too. */
  const names = Object.keys(ways).flatMap((way) => [way, `${way}-changing`]);
  let seen: Record<string, unknown> = {};
  const declare = (name: string, monitorArgs: obs.MonitorArgs, options: obs.ResourceOptions) => {
    const { labels: shown } = new obs.Monitor(name, { ...args, ...monitorArgs }, options);
    shown?.apply((value) => (seen[name] = value));
  };
  const given = () => {
    for (const name of names) declare(name, ...(ways[name.replace("-changing", "")] ?? [{}, {}]));
  };
  const ignored = () => {
    for (const name of names)
      declare(name, name.endsWith("-changing") ? { intervalSecs: 90 } : {}, { ignoreChanges: ["labels"] });
  };
  await done(stack.up(given));
  for (const operation of ["preview", "up"] as const) {
    seen = {};
    await done(stack[operation](ignored));
    expect(seen, operation).toEqual(Object.fromEntries(names.map((name) => [name, labels])));
  }
  for (const name of names) {
    const changed = name.endsWith("-changing") ? { interval_secs: 90 } : {};
    expect(await liveMonitor(service, name), name).toMatchObject({ labels, ...changed });
  }
});

describe("a secret that a transformation or a transform adds", () => {
  const injected = (name: string, count: number): obs.NotifierArgs => {
    const secret = (place: string) => `CANARY-${count}-${name}-${place}-CANARY`;
    if (name.endsWith("-key")) return { oncallB: { routingKey: secret("key"), severity: "critical" } };
    return { webhook: { url: `https://${secret("url")}.example.com`, httpConfig: { bearerToken: secret("bearer") } } };
  };
  const slugs: string[] = [];
  /** Declares two notifiers without a receiver: what adds the receiver has their way in its name. */
  const declare = (way: string, options: pulumi.ResourceOptions) => {
    for (const slug of [`${way}-key`, `${way}-hook`]) {
      new obs.Notifier(slug, {}, options);
      slugs.push(slug);
    }
  };
  const inComponent = (way: string, options: pulumi.ComponentResourceOptions) =>
    declare(way, { parent: new pulumi.ComponentResource("test:index:Team", way, {}, options) });
  const program = (count: number) => () => {
    const adding =
      (way: string) =>
      ({ name = "", props, opts }: { name?: string; props: pulumi.Inputs; opts: pulumi.ResourceOptions }) => ({
        props: name.startsWith(`${way}-`) ? { ...props, ...injected(name, count) } : props,
        opts,
      });
    declare("own-transformation", { transformations: [adding("own-transformation")] });
    declare("own-transform", { transforms: [adding("own-transform")] });
    inComponent("component-transformation", { transformations: [adding("component-transformation")] });
    inComponent("component-transform", { transforms: [adding("component-transform")] });
    pulumi.runtime.registerStackTransformation(adding("stack-transformation"));
    declare("stack-transformation", {});
    pulumi.runtime.registerResourceTransform(adding("stack-transform"));
    declare("stack-transform", {});
  };

  test("is encrypted in state, and in no output, event or error", async () => {
    const proxy = await ownProxy(service.url);
    await stack.setConfig("observability:baseUrl", proxy.url);
    /** Runs one operation and looks through everything that comes of it. */
    const looked = async (operation: "preview" | "up", count: number) => {
      let text = "";
      const events: EngineEvent[] = [];
      const sinks = {
        diff: true,
        program: async () => program(count)(),
        onOutput: (chunk: string) => (text += chunk),
        onEvent: (event: EngineEvent) => void events.push(event),
      };
      const error: unknown = await stack.stack[operation](sinks).then(
        () => undefined,
        (failed: unknown) => failed,
      );
      // Pulumi's SDK sends the engine's log of inputs in plain text: a known limit, which the README names.
      const shown = events.filter(({ diagnosticEvent }) => String(diagnosticEvent?.severity) !== "debug");
      const everything = `${text} ${String(error)} ${JSON.stringify(shown)} ${JSON.stringify(await stack.state())}`;
      expect(everything.match(/CANARY-\d[\w-]+/g), operation).toBeNull();
      return { failed: error !== undefined, text: `${text} ${String(error)}` };
    };
    const created = await looked("up", 0);
    expect(created.failed, created.text).toBe(false);
    for (const slug of slugs) expect((await ask(service, "GET", `/api/v1/config/notifiers/${slug}`)).status).toBe(200);
    expect(slugs).toHaveLength(12);
    proxy.use(({ method, body }) =>
      method === "PUT" ? failing(400, { code: 400008, message: `it is wrong: ${JSON.stringify(body)}` }) : undefined,
    );
    const rejected = await looked("preview", 1);
    expect(rejected.failed).toBe(true);
    expect(rejected.text).toContain("it is wrong");
    proxy.reset();
    const rotated = await looked("up", 1);
    expect(rotated.failed, rotated.text).toBe(false);
  });
});
