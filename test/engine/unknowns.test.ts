import * as pulumi from "@pulumi/pulumi";
import * as obs from "pulumi-observability";
import { beforeEach, expect, test } from "vitest";
import { begin, type TestStack } from "../support/engine.js";
import { until } from "../support/faults.js";
import { done } from "../support/monitors.js";

// What `check` says of the same is tried without an engine in test/property.
const logs = { configuration: { type: "LOGS", logDataset: {} } };

let stack: TestStack;
beforeEach(async () => {
  ({ stack } = await begin());
});

test("a dataset of the same run never fails the allocation that depends on it, but one that no resource declares does", async () => {
  const program = (count: number, place?: number) => () => {
    const datasets = Array.from({ length: count }, (_, i) => new obs.Dataset(`logs-${i}`, logs));
    const named = datasets.map((dataset, i) => ({ datasetSlug: i === 1 ? "logs-1" : dataset.slug }));
    const strange = place === undefined ? [] : [{ datasetSlug: "not-declared" }];
    const datasetAllocations = [...named.slice(0, place), ...strange, ...named.slice(place ?? count)];
    new obs.LogAllocationConfig("budget", { datasetAllocations }, { dependsOn: datasets });
  };
  const wayOut =
    /(?:^| has a problem: )datasetAllocations\[1\]\.datasetSlug: there is no dataset .*pass its slug output instead of a string$/;
  // The allocation is new, and then an existing one is changed.
  for (const count of [1, 3]) {
    const { messages } = await stack.preview(program(count, 1));
    expect(messages).toContainEqual({ severity: "error", name: "budget", text: expect.stringMatching(wayOut) });
    await done(count === 1 ? stack.up(program(count)) : stack.preview(program(count)));
  }
});

test("an allocation that names a dataset by a text, before the program declares it, fails with what to pass", async () => {
  const { failed, messages } = await stack.preview(async () => {
    new obs.LogAllocationConfig("budget", { datasetAllocations: [{ datasetSlug: "logs" }] });
    await until(() => pulumi.log.hasErrors(), "the refusal");
    new obs.Dataset("logs", logs);
  });
  expect(failed).toBe(true);
  const [error] = messages.filter(({ severity, name }) => severity === "error" && name === "budget");
  expect(error?.text).toMatch(/datasetAllocations\[0\]\.datasetSlug: .*pass its slug output instead of a string$/);
});
