import type * as pulumi from "@pulumi/pulumi";
import type { Service } from "@pulumi-observability/service";
import * as obs from "pulumi-observability";
import { beforeEach, expect, test } from "vitest";
import { begin, type TestStack } from "../support/engine.js";
import { args, done, liveMonitor, refused } from "../support/monitors.js";
import { ownService, token } from "../support/service.js";

const configuration = { type: "LOGS", logDataset: {} };

let service: Service;
let stack: TestStack;
beforeEach(async () => {
  ({ service, stack } = await begin());
});

const provider = (name: string, more: obs.ProviderArgs = {}) =>
  new obs.Provider(name, { baseUrl: service.url, apiToken: token, ...more });

const logs = (name: string, options: obs.ResourceOptions) => new obs.Dataset(name, { configuration }, options);
const budget = (name: string, datasetSlug: pulumi.Input<string>, options: obs.ResourceOptions) => {
  const allocation = { percentOfLicense: 40 };
  new obs.LogAllocationConfig(name, { datasetAllocations: [{ datasetSlug, allocation }] }, options);
};

// Each service has one log allocation.
test("a reference to a dataset of another provider of the same service passes preview and update, also while that provider's token is unknown, and of another service is rejected", async () => {
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
