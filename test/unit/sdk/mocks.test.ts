import * as pulumi from "@pulumi/pulumi";
import type { Service } from "@pulumi-observability/service";
import * as obs from "pulumi-observability";
import { beforeEach, expect, test } from "vitest";
import { type Mocked, mocks, valueOf } from "../../support/mocks.js";
import { ownService } from "../../support/service.js";

let mocked: Mocked;
let service: Service;

beforeEach(async () => {
  service = await ownService();
  process.env.OBSERVABILITY_BASE_URL = service.url;
  delete process.env.OBSERVABILITY_SLUG_PREFIX;
  pulumi.runtime.setAllConfig({});
  mocked = await mocks();
});

const typeOf = (kind: string) => `pulumi-nodejs:dynamic/observability:${kind}`;

test("mocks see what the program says, and name and slug as the provider makes them, and nothing else", async () => {
  const pager = new obs.Notifier("Pager!", { webhook: { url: pulumi.secret("https://hook.example.com") } });
  const monitor = new obs.Monitor("errors", { labelQuery: "up", labels: { notifier: pager.slug } });
  const named = new obs.Dataset("logs", { name: pulumi.output("Logs"), slug: pulumi.output("all-logs") });
  const allocation = new obs.LogAllocationConfig("budget", {
    datasetAllocations: [{ datasetSlug: named.slug, allocation: { percentOfLicense: 40 } }],
  });
  await Promise.all([monitor, named, allocation].map(({ urn }) => valueOf(urn)));
  const inputs = Object.fromEntries(mocked.declared.map((each) => [each.type, each.inputs]));
  expect(inputs).toEqual({
    [typeOf("Notifier")]: { name: "Pager!", slug: "pager", webhook: expect.anything() },
    [typeOf("Monitor")]: { name: "errors", slug: "errors", labelQuery: "up", labels: { notifier: "pager" } },
    [typeOf("Dataset")]: { name: "Logs", slug: "all-logs" },
    [typeOf("LogAllocationConfig")]: {
      datasetAllocations: [{ datasetSlug: "all-logs", allocation: { percentOfLicense: 40 } }],
    },
  });
  const { webhook } = inputs[typeOf("Notifier")];
  expect(pulumi.runtime.unwrapRpcSecret(webhook)).toEqual({ url: "https://hook.example.com" });
  expect(await valueOf(monitor.labels)).toEqual({ notifier: "pager" });
  expect(await pulumi.isSecret(pager.webhook)).toBe(true);
  expect(service.counters().total).toBe(0);
});

test("a slug under mocks has the prefix of the resource's provider, of stack config or of the environment", async () => {
  const slugOf = (name: string, opts: obs.ResourceOptions = {}) =>
    valueOf(new obs.Notifier(name, { discard: true }, opts).slug);
  process.env.OBSERVABILITY_SLUG_PREFIX = "env-";
  expect(await slugOf("first")).toBe("env-first");
  pulumi.runtime.setConfig("observability:slugPrefix", "stack-");
  expect(await slugOf("second")).toBe("stack-second");
  const provider = new obs.Provider("team", { slugPrefix: pulumi.output("team-") });
  expect(await slugOf("third", { provider })).toBe("team-third");
  const parent = new pulumi.ComponentResource("test:index:Team", "team", {}, { providers: [provider] });
  expect(await slugOf("fourth", { parent })).toBe("team-fourth");
  expect(await slugOf("fifth", { provider: new obs.Provider("none", { slugPrefix: "" }) })).toBe("fifth");
});

test("a resource under mocks answers with what the mocks say, also of what its program leaves out", async () => {
  await mocks({ resource: { intervalSecs: 30, createdAt: "2026-01-01T00:00:00Z" } });
  const monitor = new obs.Monitor("errors", { labelQuery: "up" });
  expect(await valueOf(monitor.intervalSecs)).toBe(30);
  expect(await valueOf(monitor.createdAt)).toBe("2026-01-01T00:00:00Z");
  expect(await valueOf(obs.Monitor.get("other", "other").intervalSecs)).toBe(30);
});

test("a provider is declared as one of dynamic resources, with its token as a secret, without what an output left empty", async () => {
  const { declared } = mocked;
  const slugPrefix = pulumi.output(null) as unknown as pulumi.Output<string | undefined>; // as a program without types may
  await valueOf(
    new obs.Provider("own", { apiToken: "token", secretMasks: ["***"], slugPrefix, maxConcurrency: 4 }).urn,
  );
  expect(declared.map(({ type }) => type)).toEqual(["pulumi:providers:pulumi-nodejs"]);
  expect(declared[0]?.inputs).toEqual({
    // Mocks get a secret wrapped.
    "observability:apiToken": expect.objectContaining({ value: "token" }),
    "observability:secretMasks": '["***"]',
    "observability:slugPrefix": "",
    "observability:maxConcurrency": "4",
  });
});

const mocksWithAnswers = () => {
  const webhook = { url: "https://hook.example.com" };
  return mocks({ call: { slug: "pager", name: "Pager", webhook, notifiers: [{ slug: "a" }] } });
};

test("under mocks a function is a call of the mocks, by its token and with its arguments, and asks no service", async () => {
  mocked = await mocksWithAnswers();
  const pager = new obs.Notifier("pager", { discard: true });
  expect((await obs.getNotifier({ slug: "pager" })).name).toBe("Pager");
  expect(await valueOf(obs.getNotifierOutput({ slug: pager.slug }).webhook)).toEqual({
    url: "https://hook.example.com",
  });
  expect((await obs.getNotifiers()).notifiers).toEqual([{ slug: "a" }]);
  await valueOf(obs.getNotifiersOutput({ names: ["Pager"] }));
  await obs.getLogAllocationConfig();
  await obs.getSLOs({ slugs: ["a"] });
  expect(mocked.called.map(({ token, inputs }) => [token, inputs])).toEqual([
    ["observability:index:getNotifier", { slug: "pager" }],
    ["observability:index:getNotifier", { slug: "pager" }],
    ["observability:index:getNotifiers", {}],
    ["observability:index:getNotifiers", { names: ["Pager"] }],
    ["observability:index:getLogAllocationConfig", {}],
    ["observability:index:getSLOs", { slugs: ["a"] }],
  ]);
  expect(service.counters().total).toBe(0);
});

test("the mocks see an explicit provider", async () => {
  mocked = await mocksWithAnswers();
  const provider = new obs.Provider("team", { apiToken: "token" });
  await obs.getNotifier({ slug: "pager" }, { provider });
  await valueOf(obs.getNotifierOutput({ slug: "pager" }, { provider }));
  expect(mocked.called.map((each) => each.provider)).toEqual(Array(2).fill(expect.stringContaining("::team::")));
});

test("a host that there is not is an error that names the setting", () => {
  pulumi.runtime.setConfig("observability:host", "remote");
  expect(() => new obs.Notifier("pager", { discard: true })).toThrow(
    'observability:host must be one of "dynamic", "plugin"',
  );
});
