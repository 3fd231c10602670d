import * as pulumi from "@pulumi/pulumi";
import * as obs from "pulumi-observability";
import { expect, test } from "vitest";
import { begin } from "../support/engine.js";
import { args, done, liveMonitor } from "../support/monitors.js";
import { token } from "../support/service.js";

const logs = { configuration: { type: "LOGS", logDataset: {} } };

// Of the keys, and of defaults that change: test/unit/sdk/defaults.test.ts and test/model.

test("defaults of providers are in a first preview what they are, also with an unknown one, then at the service, and no difference", async () => {
  const { service, stack } = await begin();
  const labelsOf = async (slug: string) => (await liveMonitor(service, slug))?.labels;
  const provider = (name: string, defaults: obs.ProviderArgs) =>
    new obs.Provider(name, { baseUrl: service.url, apiToken: token, ...defaults });
  /** The explicit provider's defaults come from a dataset of the same program. */
  const program = () => {
    new obs.Monitor("plain", args);
    new obs.Monitor("own", { ...args, labels: { team: "own" } });
    const dataset = new obs.Dataset("logs", logs);
    const explicit = provider("explicit", {
      defaultLabels: { origin: dataset.createdAt.apply(() => "logs"), tier: pulumi.secret("canary-tier") },
    });
    new obs.Monitor("explicit", { ...args, labels: { page: "yes" } }, { provider: explicit });
    const parent = new pulumi.ComponentResource("test:index:Team", "team", {}, { providers: [explicit] });
    new obs.Monitor("child", args, { parent });
    const none = provider("none", { defaultLabels: {} });
    new obs.Monitor("none", args, { parent, provider: none });
  };
  await stack.stack.setConfig("observability:defaultLabels.team", { value: "canary-team", secret: true }, true);
  const previewed = await done(stack.preview(program, { diff: true }));
  expect(previewed.messages.flatMap(({ text }) => text.split("\n"))).toContain(
    'monitor "explicit" is validated only in the update, because these values are unknown until then: labels.origin [known-later]',
  );
  expect(previewed.text).toMatch(/labels *: \{\s+origin *: \[unknown\]\s+page *: "yes"\s+tier *: \[secret\]/);
  expect(previewed.text).not.toContain("canary");
  expect((await done(stack.up(program))).steps).toEqual({ create: 6 });
  expect(await labelsOf("plain")).toEqual({ team: "canary-team" });
  expect(await labelsOf("own")).toEqual({ team: "own" });
  expect(await labelsOf("explicit")).toEqual({ origin: "logs", page: "yes", tier: "canary-tier" });
  expect(await labelsOf("child")).toEqual({ origin: "logs", tier: "canary-tier" });
  expect(await labelsOf("none")).toBeUndefined();
  expect(JSON.stringify(await stack.state())).not.toContain("canary");
  const { steps } = await done(stack.preview(program, { refresh: true, expectNoChanges: true }));
  expect(steps).toEqual({ refresh: 6, same: 6 });
});
