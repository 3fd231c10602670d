import * as pulumi from "@pulumi/pulumi";
import type { Service } from "@pulumi-observability/service";
import * as obs from "pulumi-observability";
import { beforeAll, describe, expect, test } from "vitest";
import { caseOf, cases } from "../support/cases.js";
import { begin, newStack, type TestStack } from "../support/engine.js";
import { everyKind } from "../support/everyKind.js";
import { failing, latency, on, ownProxy } from "../support/faults.js";
import { args, done, refused } from "../support/monitors.js";
import { live, ownService, put, takeVerbs, token } from "../support/service.js";

const program = (baseUrl: string, options?: obs.ResourceOptions) => () => {
  everyKind()();
  new obs.Monitor("made", { ...caseOf("Monitor").args, slug: "made" }, options);
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
    ({ service, stack } = await begin());
    await stack.setConfig("observability:host", "plugin");
    await put(service, "Monitor", "made");
    await done(stack.up(program(service.url, { import: "made" })));
    before = await created();
  });

  test.each(["dynamic", "plugin"])("has no change with the host %s", async (host) => {
    await stack.setConfig("observability:host", host);
    takeVerbs(service);
    expect((await done(stack.preview(program(service.url)))).steps).toEqual({ same: cases.length + 2 });
    const { steps } = await done(stack.up(program(service.url), { refresh: true }));
    expect(steps).toEqual({ refresh: cases.length + 2, same: cases.length + 2 });
    expect(Object.keys(takeVerbs(service))).toEqual(["GET"]);
    expect(await created()).toEqual(before);
  });

  test("is destroyed by the first host", async () => {
    await done(stack.destroy());
    expect((await stack.state()).resources ?? []).toEqual([]);
    expect(await live(service, "Monitor", "a-Monitor")).toBeUndefined();
  });
});

test("a create and an update that take longer than customTimeouts fail, and what they wrote is adopted and noted", async () => {
  const service = await ownService();
  const proxy = await ownProxy(service.url);
  const stack = await newStack(proxy.url);
  await stack.setConfig("observability:host", "plugin");
  const monitor = (change: object, options: obs.ResourceOptions) => () =>
    void new obs.Monitor("slow", { ...caseOf("Monitor").args, slug: "slow", ...change }, options);
  const late = { customTimeouts: { create: "1s", update: "1s" } };
  const slowly = on({ method: "PUT" }, latency(2_500));
  proxy.use(slowly);
  const told = await refused(stack.up(monitor({}, late)));
  expect(told).toContain("no answer within the 1 s of customTimeouts, so the object may exist. Set adopt");
  proxy.reset();
  expect((await done(stack.up(monitor({}, { adopt: true })))).steps).toEqual({ create: 1 });
  proxy.use(slowly);
  const another = { intervalSecs: 45 };
  expect(await refused(stack.up(monitor(another, late)))).toContain("unknown whether the service made the change");
  proxy.reset();
  const { text: next } = await done(stack.preview(monitor(another, {})));
  expect(next).toContain('monitor "slow" already has the declared values. An interrupted update may have written them');
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

const declare = (kindName: string, name: string, args: object, options: pulumi.CustomResourceOptions = {}) =>
  new AnyResource(`observability:index:${kindName}`, name, { slug: name, ...args }, options);

test.each([
  { host: "dynamic", made: ["class"], previews: [["class", "new-class"]] },
  // Without a class, the first mistake ends the preview.
  { host: "plugin", made: ["class", "none"], previews: [["class", "new-class"], ["none"], ["new-none"]] },
])(
  "a preview in which the engine calls no create or update rejects mistakes, with a class or without: $host",
  async ({ host, made, previews }) => {
    const { stack } = await begin({ env: { PULUMI_DISABLE_PROVIDER_PREVIEW: "true" } });
    await stack.setConfig("observability:host", host);
    const program = (mistaken: readonly string[]) => () => {
      for (const name of new Set([...made, ...mistaken])) {
        const mistake = name.startsWith("new") ? { intervalSecs: "x" } : { schedule: { timezone: "Mars" } };
        const properties = { ...args, ...(mistaken.includes(name) ? mistake : {}) };
        if (name.endsWith("none")) declare("Monitor", name, properties);
        else new obs.Monitor(name, properties as obs.MonitorArgs);
      }
    };
    await done(stack.up(program([])));
    for (const mistaken of previews) {
      const { messages } = await stack.preview(program(mistaken));
      for (const name of mistaken) {
        const text = expect.stringContaining(name.startsWith("new") ? "intervalSecs: expected" : "schedule.timezone: ");
        expect(messages).toContainEqual({ severity: "error", name, text });
      }
    }
    await stack.setConfig("observability:validate", "never");
    expect((await done(stack.preview(program(made)))).steps).toEqual({ update: made.length });
  },
);

test("a preview of a program without classes lists the mistakes of all providers, each once, and warns where a doubt is", async () => {
  const service = await ownService();
  // Messages to the engine don't go through a proxy, which could not reach it.
  const stack = await newStack(service.url, { env: { https_proxy: "http://127.0.0.1:1" } });
  const mistakes = {
    interval: { intervalSecs: -1 },
    type: { intervalSecs: "x" },
    slug: { slug: "a b" },
    key: { labl: 1 },
  };
  const doubtful = { alone: "GRATER", "shared-1": "LES", "shared-2": "LES" };
  const monitors = (of: string, options: pulumi.CustomResourceOptions = {}) => {
    for (const [name, change] of Object.entries(mistakes))
      for (const again of [1, 2]) declare("Monitor", `${name}-${of}-${again}`, { ...args, ...change }, options);
  };
  const { failed, messages, steps } = await stack.preview(() => {
    monitors("default");
    for (const name of ["one", "two"])
      monitors(name, { provider: new AnyProvider("observability", name, { baseUrl: service.url, apiToken: token }) });
    for (const [name, op] of Object.entries(doubtful)) {
      const seriesConditions = { defaults: { critical: { conditions: [{ op, value: 1 }] } } };
      declare("Monitor", name, { ...args, seriesConditions });
    }
    for (const name of ["first", "second"]) declare("Monitor", name, { ...args, slug: "same" });
  });
  const errors = messages.flatMap(({ severity, name = "" }) => (severity === "error" && name !== "" ? [name] : []));
  const all = ["default", "one", "two"].flatMap((of) =>
    Object.keys(mistakes).flatMap((name) => [`${name}-${of}-1`, `${name}-${of}-2`]),
  );
  expect(errors.map((name) => name.replace(/^first|second$/, "one of both")).sort()).toEqual(
    [...all, "one of both"].sort(),
  );
  expect(failed).toBe(true);
  expect(steps.create).toBe(all.length + 2 + Object.keys(doubtful).length);
  const warned = messages.flatMap(({ severity, name, text }) => {
    const about = Object.keys(doubtful).filter((each) => text.includes(`"${each}"`));
    if (severity === "warning")
      expect(name, "a line about several is under none of them").toBe(about[1] ? undefined : about[0]);
    return severity === "warning" ? about : [];
  });
  expect(warned.sort()).toEqual(Object.keys(doubtful));
});

test("a function about an object of the same program answers in a preview what is declared, or is unknown; the only object of a kind without arguments is recorded", async () => {
  const { stack } = await begin();
  const answers: unknown[] = [];
  const program = (name: string) => () => {
    const labels = { of: pulumi.secret("canary") };
    const errors = new AnyResource("observability:index:Monitor", "errors", { ...args, name, labels, slug: undefined });
    const { slug } = errors as unknown as { slug: pulumi.Output<string> };
    const token = "observability:index:getMonitor";
    const share = name === "Other" ? { defaultDataset: { allocation: { percentOfLicense: 60 } } } : {};
    new AnyResource("observability:index:LogAllocationConfig", "shares", share);
    // YAML waits for the argument, other languages for the object.
    return {
      early: slug.apply(async (known) => answers.push((await pulumi.runtime.invoke(token, { slug: known })).name)),
      late: pulumi.runtime.invokeOutput<{ name: string }>(token, { slug }).apply((each) => answers.push(each.name)),
    };
  };
  expect((await done(stack.preview(program("Errors")))).text).not.toContain("canary");
  expect(answers.splice(0)).toEqual(["Errors"]);
  await done(stack.up(program("Errors")));
  expect(answers.splice(0)).toEqual(["Errors", "Errors"]);
  const { steps, changes } = await done(stack.preview(program("Other")));
  expect(answers).toEqual(["Other", "Other"]);
  expect(steps).toEqual({ update: 2 });
  expect(changes.shares).toEqual(["defaultDataset"]);
});

test("a program without classes reads an object without its secrets, and deletes none if its replacement is invalid", async () => {
  const { service, stack } = await begin();
  await put(service, "Notifier", "read", { oncallB: undefined, webhook: { url: "https://hooks.example.com/canary" } });
  const program = (name: string, change: object, shares?: object, aliases?: pulumi.Alias[]) => () => {
    new AnyResource("observability:index:Notifier", "read", {}, { id: "read" });
    declare("Monitor", name, { ...args, ...change }, { deleteBeforeReplace: true, ...(aliases && { aliases }) });
    new AnyResource("observability:index:LogAllocationConfig", "shares", { ...shares });
  };
  await done(stack.up(program("moved", { slug: "before" })));
  expect((await stack.state()).resources.find(({ id }) => id === "read")?.outputs?.webhook).toEqual({});
  const mistaken = { slug: "after", intervalSecs: -1 };
  const { messages } = await stack.preview(program("moved", mistaken, { datasetAllocations: [{ datasetSlug: 1 }] }));
  const errors = messages.flatMap(({ severity, name }) => (severity === "error" && name ? [name] : []));
  expect(errors.sort()).toEqual(["moved", "shares"]);
  // The engine deletes under the former URN.
  await stack.setConfig("observability:validate", "never");
  const told = await refused(stack.up(program("renamed", mistaken, undefined, [{ name: "moved" }])));
  expect(await live(service, "Monitor", "before")).toBeDefined();
  expect(told).toContain("its replacement failed the validation: intervalSecs: expected");
});
