import type { Service } from "@pulumi-observability/service";
import * as obs from "pulumi-observability";
import { beforeAll, describe, expect, test } from "vitest";
import { caseOf, cases, changed, newResource, pathOf } from "../support/cases.js";
import { newStack, type TestStack } from "../support/engine.js";
import { done } from "../support/monitors.js";
import { ask, live as liveIn, ownService } from "../support/service.js";

type Args = Readonly<Record<string, unknown>>;
/** What changes of each kind's arguments, by the kind's name. */
type Changes = Readonly<Record<string, Args>>;

const total = cases.length;

/** One of every kind, the log allocation referring to the dataset. */
const everyKind =
  (changes: Changes = {}) =>
  () => {
    const argsOf = (name: string) => changed(caseOf(name).args, changes[name] ?? {});
    for (const { kind } of cases)
      if (!kind.isSingleton && kind.name !== "Dataset") newResource(kind.name, `a-${kind.name}`, argsOf(kind.name));
    const dataset = new obs.Dataset("a-Dataset", argsOf("Dataset"));
    const budget = argsOf("LogAllocationConfig");
    const [first = {}] = budget.datasetAllocations as Args[]; // as the example has them
    new obs.LogAllocationConfig("budget", {
      ...budget,
      datasetAllocations: [{ ...first, datasetSlug: dataset.slug }],
    });
  };

/** Labels under odd keys: the engine writes a changed key into a path, and reads that again. */
const odd = Object.fromEntries(
  ['a"b', 'a\\"', "a.b[0]", "$", "toString", "constructor"].map((key) => [key, "by hand"]),
);
/** These make no path that it can read. */
const unreadable = { "a\\": "by hand", "a\\\\": "by hand" };

// The steps of one stack's life: each starts from what the one before left. What operations cost: the demo in
// test/commands/readme.test.ts, and test/install/states.test.ts, which updates and destroys every kind too.
describe("a stack with every kind", () => {
  let service: Service;
  let stack: TestStack;
  beforeAll(async () => {
    service = await ownService();
    stack = await newStack(service.url);
    expect((await done(stack.up(everyKind()))).steps).toEqual({ create: total });
  });
  const live = (name: string) => liveIn(service, name, String(caseOf(name).args.slug));

  test("shows a value, an addition and a removal that were made outside and objects that were deleted, and repairs all", async () => {
    const gone = ["Notifier", "TraceMetricsRule"];
    for (const name of gone) await ask(service, "DELETE", pathOf(caseOf(name).kind, String(caseOf(name).args.slug)));
    const edit = { labels: { team: "checkout", added: "outside", ...odd }, annotations: {}, interval_secs: 31 };
    await ask(service, "PUT", "/api/v1/config/monitors/checkout-errors", {
      monitor: { ...(await live("Monitor")), ...edit },
    });
    await ask(service, "PUT", "/api/v1/config/slos/checkout-availability", {
      slo: { ...(await live("SLO")), labels: { team: "checkout", ...unreadable } },
    });
    await done(stack.refresh());
    const { text, steps } = await stack.preview(everyKind(), { diff: true });
    expect(steps).toEqual({ update: 2, create: gone.length, same: total - 2 - gone.length });
    expect(text).toMatch(/- added +: "outside"/);
    expect(text).toContain("+ runBook: ");
    expect(text).toContain("~ intervalSecs: 31 => 30");
    await done(stack.up(everyKind()));
    const after = await stack.preview(everyKind(), { refresh: true });
    expect(after.steps, after.text).toMatchObject({ same: total });
    for (const name of ["Monitor", "SLO"]) expect((await live(name))?.labels).toEqual({ team: "checkout" });
    for (const name of gone) expect(await live(name)).toBeDefined();
  });

  test("renames a dataset while it is allocated: new first, then the allocation, then the old one goes", async () => {
    const renamed = everyKind({ Dataset: { slug: "renamed-logs" } });
    expect((await done(stack.preview(renamed))).steps).toMatchObject({ replace: 1, update: 1 });
    await done(stack.up(renamed));
    expect(await liveIn(service, "Dataset", "renamed-logs")).toBeDefined();
    expect(await live("Dataset")).toBeUndefined();
    expect(JSON.stringify(await live("LogAllocationConfig"))).toContain("renamed-logs");
  });
});
