import * as pulumi from "@pulumi/pulumi";
import type { Service } from "@pulumi-observability/service";
import * as obs from "pulumi-observability";
import { beforeAll, describe, expect, test } from "vitest";
import { caseOf, cases } from "../support/cases.js";
import { newStack, type TestStack } from "../support/engine.js";
import { everyKind } from "../support/everyKind.js";
import { failing, latency, on, ownProxy } from "../support/faults.js";
import { args, done, refused } from "../support/monitors.js";
import { live, ownService, takeVerbs, token } from "../support/service.js";

const program = (baseUrl: string) => () => {
  everyKind()();
  const provider = new obs.Provider("own", { baseUrl });
  new obs.Monitor("of-provider", { ...caseOf("Monitor").args, slug: "of-provider" }, { provider });
};

// The steps of one stack's life: each starts from what the one before left.
describe("a stack that moves between the hosts", () => {
  let service: Service;
  let stack: TestStack;
  const created = async () =>
    (await stack.state()).resources
      .filter(({ outputs }) => outputs?.createdAt)
      .map(({ outputs }) => outputs?.createdAt)
      .sort();
  let before: unknown;
  beforeAll(async () => {
    service = await ownService();
    stack = await newStack(service.url);
    await stack.setConfig("observability:host", "plugin");
    await done(stack.up(program(service.url)));
    before = await created();
  });

  test.each(["dynamic", "plugin"])("has no change with the host %s", async (host) => {
    await stack.setConfig("observability:host", host);
    takeVerbs(service);
    expect((await done(stack.preview(program(service.url)))).steps).toEqual({ same: cases.length + 1 });
    const { steps } = await done(stack.up(program(service.url), { refresh: true }));
    expect(steps).toEqual({ refresh: cases.length + 1, same: cases.length + 1 });
    expect(Object.keys(takeVerbs(service))).toEqual(["GET"]);
    expect(await created()).toEqual(before);
  });

  test("is destroyed by the first host", async () => {
    await done(stack.destroy());
    expect((await stack.state()).resources ?? []).toEqual([]);
    expect(await live(service, "Monitor", "a-Monitor")).toBeUndefined();
  });
});

test("a create that takes longer than customTimeouts fails, and the object that it made is adopted", async () => {
  const service = await ownService();
  const proxy = await ownProxy(service.url);
  const stack = await newStack(proxy.url);
  await stack.setConfig("observability:host", "plugin");
  const monitor = (adopt: boolean) => () => {
    const slow = { customTimeouts: { create: "1s" }, adopt };
    new obs.Monitor("slow", { ...caseOf("Monitor").args, slug: "slow" }, slow);
  };
  proxy.use(on({ method: "PUT" }, latency(2_500)));
  const { failed, text } = await stack.up(monitor(false));
  expect(failed).toBe(true);
  expect(text).toContain("no answer within the 1 s of customTimeouts. The write may still happen");
  proxy.reset();
  expect((await done(stack.up(monitor(true)))).steps).toEqual({ create: 1 });
});

// As programs in other languages register them.
class AnyResource extends pulumi.CustomResource {}
class AnyProvider extends pulumi.ProviderResource {}

test("a secret default of a program without classes is in no state, output or refusal, and a key without a value takes it", async () => {
  const service = await ownService();
  const proxy = await ownProxy(service.url);
  const stack = await newStack(proxy.url);
  await stack.stack.setConfig("observability:defaultLabels.team", { value: "canary-stack", secret: true }, true);
  const settings = { baseUrl: proxy.url, apiToken: token };
  const program = () => {
    const monitor = (name: string, labels: object, options: pulumi.CustomResourceOptions = {}) =>
      void new AnyResource("observability:index:Monitor", name, { ...args, labels }, options);
    const explicit = (name: string, defaultLabels: unknown) =>
      new AnyProvider("observability", name, { ...settings, defaultLabels });
    monitor("of-stack", { own: "o" });
    monitor("without-value", { own: "o", team: null });
    monitor(
      "of-entry",
      { own: "o" },
      { provider: explicit("entry", { team: pulumi.secret("canary-entry"), tier: "1" }) },
    );
    monitor("of-map", { own: "o" }, { provider: explicit("map", pulumi.secret({ "canary-key": "canary-map" })) });
  };
  proxy.use(({ dryRun, body }) => (dryRun ? failing(400, { code: 3, message: JSON.stringify(body) }) : undefined));
  expect(await refused(stack.preview(program, { diff: true }))).not.toContain("canary");
  proxy.reset();
  for (const operation of [stack.preview, stack.up])
    expect((await done(operation(program, { diff: true }))).text).not.toContain("canary");
  expect(JSON.stringify(await stack.state())).not.toContain("canary");
  const labels = async (slug: string) => (await live(service, "Monitor", slug))?.labels;
  expect(await labels("of-stack")).toEqual({ own: "o", team: "canary-stack" });
  expect(await labels("without-value")).toEqual({ own: "o", team: "canary-stack" });
  expect(await labels("of-entry")).toEqual({ own: "o", team: "canary-entry", tier: "1" });
  expect(await labels("of-map")).toEqual({ own: "o", "canary-key": "canary-map" });
});

test("another host is an error that names the setting", async () => {
  const stack = await newStack((await ownService()).url);
  await stack.setConfig("observability:host", "remote");
  const { failed, text } = await stack.preview(everyKind());
  expect(failed).toBe(true);
  expect(text).toContain("observability:host must be one of dynamic, plugin");
});
