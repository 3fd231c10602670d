import * as pulumi from "@pulumi/pulumi";
import type { Service } from "@pulumi-observability/service";
import * as obs from "pulumi-observability";
import { beforeAll, describe, expect, test } from "vitest";
import { newStack, type Program, type TestStack } from "../support/engine.js";
import { args, done, liveMonitor } from "../support/monitors.js";
import { ownService, token } from "../support/service.js";

const logs = { configuration: { type: "LOGS", logDataset: {} } };

let service: Service;
let stack: TestStack;
beforeAll(async () => {
  service = await ownService();
  stack = await newStack(service.url);
});

const labelsOf = async (slug: string) => (await liveMonitor(service, slug))?.labels;
const provider = (name: string, defaults: obs.ProviderArgs) =>
  new obs.Provider(name, { baseUrl: service.url, apiToken: token, ...defaults });

/** A program whose explicit provider's defaults come from a dataset of the same program. */
const program =
  (more: Record<string, string> = {}): Program =>
  () => {
    new obs.Monitor("plain", args);
    new obs.Monitor("own", { ...args, labels: { team: "own" } });
    new obs.Monitor("ignoring", args, { ignoreChanges: ["labels"] });
    const dataset = new obs.Dataset("logs", logs);
    const explicit = provider("explicit", {
      defaultLabels: { origin: dataset.createdAt.apply(() => "logs"), tier: pulumi.secret("canary-tier"), ...more },
    });
    new obs.Monitor("explicit", { ...args, labels: { page: "yes" } }, { provider: explicit });
    const parent = new pulumi.ComponentResource("test:index:Team", "team", {}, { providers: [explicit] });
    new obs.Monitor("child", args, { parent });
    const none = provider("none", { defaultLabels: {} });
    new obs.Monitor("none", args, { parent, provider: none });
  };

describe("defaults of providers, in one stack's life", () => {
  test("are in a first preview what they are, also with an unknown one, then at the service, and no difference", async () => {
    await stack.stack.setConfig("observability:defaultLabels.team", { value: "canary-team", secret: true }, true);
    const previewed = await done(stack.preview(program(), { diff: true }));
    expect(previewed.messages.flatMap(({ text }) => text.split("\n"))).toContain(
      'monitor "explicit" is validated only in the update, because these values are unknown until then: labels.origin [known-later]',
    );
    expect(previewed.text).toMatch(/labels *: \{\s+origin *: \[unknown\]\s+page *: "yes"\s+tier *: \[secret\]/);
    expect(previewed.text).not.toContain("canary");
    expect((await done(stack.up(program()))).steps).toEqual({ create: 7 });
    expect(await labelsOf("plain")).toEqual({ team: "canary-team" });
    expect(await labelsOf("own")).toEqual({ team: "own" });
    expect(await labelsOf("explicit")).toEqual({ origin: "logs", page: "yes", tier: "canary-tier" });
    expect(await labelsOf("child")).toEqual({ origin: "logs", tier: "canary-tier" });
    expect(await labelsOf("none")).toBeUndefined();
    expect(JSON.stringify(await stack.state())).not.toContain("canary");
    const { steps } = await done(stack.preview(program(), { refresh: true, expectNoChanges: true }));
    expect(steps).toEqual({ refresh: 7, same: 7 });
  });

  test("that are changed, added or removed are a difference at each resource that takes them, by key", async () => {
    await stack.stack.removeConfig("observability:defaultLabels");
    await stack.setConfig("observability:defaultLabels", '{"env":"prod"}');
    const { changes } = await done(stack.up(program({ tier: "gold" })));
    expect(changes).toEqual({
      plain: ["labels.env", "labels.team"],
      own: ["labels.env"],
      explicit: ["labels.tier"],
      child: ["labels.tier"],
    });
    expect(await labelsOf("plain")).toEqual({ env: "prod" });
    expect(await labelsOf("own")).toEqual({ team: "own", env: "prod" });
    expect(await labelsOf("ignoring")).toEqual({ team: "canary-team" });
    expect(await labelsOf("child")).toEqual({ origin: "logs", tier: "gold" });
  });
});
