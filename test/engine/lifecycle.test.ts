import type { Service } from "@pulumi-observability/service";
import { beforeAll, describe, expect, test } from "vitest";
import { caseOf, cases, pathOf } from "../support/cases.js";
import { everyKind } from "../support/everyKind.js";
import { begin, type TestStack } from "../support/engine.js";
import { done } from "../support/monitors.js";
import { ask, live as liveIn } from "../support/service.js";

const total = cases.length;

/** Labels under odd keys: the engine writes a changed key into a path, and reads that again. */
const odd = Object.fromEntries(
  ['a"b', 'a\\"', "a.b[0]", "$", "toString", "constructor"].map((key) => [key, "by hand"]),
);
/** These make no path that it can read. */
const unreadable = { "a\\": "by hand", "a\\\\": "by hand" };

// The steps of one stack's life: each starts from what the one before left. What it costs: the demo in
// test/commands/readme.test.ts. A change of each resource, a preview of what is unchanged, and the destroy:
// test/install/statesLife.ts.
describe("a stack with every kind", () => {
  let service: Service;
  let stack: TestStack;
  beforeAll(async () => {
    ({ service, stack } = await begin());
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
    const { text, steps } = await stack.preview(everyKind(), { diff: true, refresh: true });
    expect(steps).toMatchObject({ update: 2, create: gone.length, same: total - 2 - gone.length });
    expect(text).toMatch(/- added +: "outside"/);
    expect(text).toContain("+ runBook: ");
    expect(text).toContain("~ intervalSecs: 31 => 30");
    await done(stack.up(everyKind(), { refresh: true }));
    for (const name of ["Monitor", "SLO"]) expect((await live(name))?.labels).toEqual({ team: "checkout" });
    for (const name of gone) expect(await live(name)).toBeDefined();
  });

  test("renames a dataset while it is allocated: new first, then the allocation, then the old one goes", async () => {
    const renamed = everyKind({ Dataset: { slug: "renamed-logs" } });
    // Everything else is as it was repaired.
    const preview = await done(stack.preview(renamed, { refresh: true }));
    expect(preview.steps, preview.text).toMatchObject({ replace: 1, update: 1, same: total - 2 });
    await done(stack.up(renamed));
    expect(await liveIn(service, "Dataset", "renamed-logs")).toBeDefined();
    expect(await live("Dataset")).toBeUndefined();
    expect(JSON.stringify(await live("LogAllocationConfig"))).toContain("renamed-logs");
  });
});
