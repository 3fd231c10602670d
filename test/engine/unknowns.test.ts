import * as pulumi from "@pulumi/pulumi";
import * as obs from "pulumi-observability";
import { beforeEach, expect, test } from "vitest";
import { newStack, type TestStack } from "../support/engine.js";
import { until } from "../support/faults.js";
import { args, done } from "../support/monitors.js";
import { ownService, takeCounts } from "../support/service.js";

// What `check` says of the same is tried without an engine in test/property.
const logs = { configuration: { type: "LOGS", logDataset: {} } };

let service: Awaited<ReturnType<typeof ownService>>;
let stack: TestStack;
beforeEach(async () => {
  service = await ownService();
  stack = await newStack(service.url);
});

test("a preview names the values of other resources that are unknown, at any depth, and fails nothing", async () => {
  const program = (origin: string) => () => {
    const later = new obs.Dataset(origin, logs).createdAt;
    const inTime = <T>(value: T) => later.apply(() => value);
    new obs.Monitor("errors", {
      name: "Errors\nof all",
      ...args,
      labels: { team: inTime("a"), 'odd "key"': inTime("b") },
      schedule: { timezone: "UTC", weeklySchedule: inTime({ monday: { active: "NEVER" } }) },
      signalGrouping: { labelNames: ["a", inTime("b")] },
    });
    // The engine sends fields by name, the schema has "to" first.
    const email = { to: inTime("team@example.com"), html: inTime("<b>{{ . }}</b>") };
    new obs.Notifier("pager", { slug: inTime("pager"), email });
    new obs.LogAllocationConfig("budget", { defaultDataset: { allocation: { percentOfLicense: inTime(5) } } });
  };
  const words = " is validated only in the update, because these values are unknown until then: ";
  const preview = async (origin: string) => {
    takeCounts(service);
    const { messages } = await done(stack.preview(program(origin)));
    const lines = messages.flatMap(({ text }) => text.split("\n")).filter((line) => line.includes(words));
    const places = lines.map((line) => line.split(words)).map(([title, all = ""]) => [title, all.split(", ").sort()]);
    expect(lines).toHaveLength(3);
    expect(Object.fromEntries(places)).toEqual({
      'monitor "errors"': [
        "labels.team",
        'labels["odd \\"key\\""]',
        "schedule.weeklySchedule",
        "signalGrouping.labelNames[1]",
      ],
      'notifier "pager"': ["email.html", "email.to", "slug"],
      "the log allocation config": ["defaultDataset.allocation.percentOfLicense"],
    });
    expect(takeCounts(service)).toEqual({ "GET datasets": 1, "POST datasets dry": 1 });
  };
  await preview("origin");
  expect((await done(stack.up(program("origin")))).steps).toEqual({ create: 4 });
  expect((await done(stack.preview(program("origin")))).steps).toEqual({ same: 4 });
  // Of existing objects too, though nothing will change. The notifier may be replaced, so the engine checks it twice.
  await preview("other-origin");
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
    await done(stack.preview(program(count)));
    const { messages } = await stack.preview(program(count, 1));
    expect(messages).toContainEqual({ severity: "error", name: "budget", text: expect.stringMatching(wayOut) });
    await done(stack.up(program(count)));
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
