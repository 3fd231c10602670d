import type { Service } from "@pulumi-observability/service";
import { beforeAll, describe, expect, test } from "vitest";
import { toWire } from "../../dist/provider/wire/codec.js";
import { caseOf, cases, changed, pathOf } from "../support/cases.js";
import { type Args, type Changes, everyKind } from "../support/everyKind.js";
import { newStack, type TestStack } from "../support/engine.js";
import { done } from "../support/monitors.js";
import { ask, live as liveIn, ownService, takeVerbs } from "../support/service.js";
import { masked } from "../witness/witnesses.js";

const total = cases.length;
const changes: Changes = Object.fromEntries(
  cases.map(({ kind, changes: each }) => [kind.name, Object.values(each)[0] ?? {}]),
);
const puts = cases.filter(({ kind }) => kind.createsByPut).length;
const posts = total - puts;
/** Those that a filtered list shows: while the kind has no object, the filter can't be trusted. */
const byList = cases.filter(({ kind }) => kind.readsByList);

/** Labels under odd keys: the engine writes a changed key into a path, and reads that again. */
const odd = Object.fromEntries(
  ['a"b', 'a\\"', "a.b[0]", "$", "toString", "constructor"].map((key) => [key, "by hand"]),
);
/** These make no path that it can read. */
const unreadable = { "a\\": "by hand", "a\\\\": "by hand" };

// The steps of one stack's life: each starts from what the one before left. A preview of what is unchanged, and the destroy:
// test/install/statesLife.ts.
describe("a stack with every kind", () => {
  let service: Service;
  let stack: TestStack;
  beforeAll(async () => {
    service = await ownService();
    stack = await newStack(service.url);
  });
  const live = (name: string) => liveIn(service, name, String(caseOf(name).args.slug));

  /** How many requests of each verb came since the last call. Those of each kind are in test/provider/verbs.test.ts. */
  test("previews as new at the cost of a dry run and a probe each", async () => {
    expect((await done(stack.preview(everyKind()))).steps).toEqual({ create: total });
    // Address and token are proved.
    expect(takeVerbs(service)).toEqual({ GET: 1 + total + byList.length, "POST dry": posts, "PUT dry": puts });
  });

  test("is created with one request each, and a probe if PUT creates", async () => {
    expect((await done(stack.up(everyKind()))).steps).toEqual({ create: total });
    const tried = byList.filter(({ kind }) => kind.createsByPut).length;
    expect(takeVerbs(service)).toEqual({ GET: 1 + puts + tried, POST: posts, PUT: puts });
  });

  // Each field by itself is changed in test/provider/verbs.test.ts.
  test("is updated with one look and one write each if a field of each kind changes", async () => {
    expect((await done(stack.up(everyKind(changes)))).steps).toEqual({ update: total });
    expect(takeVerbs(service)).toEqual({ GET: total, PUT: total });
    for (const { kind, args } of cases) {
      const declared = toWire(kind.root, changed(args, changes[kind.name] ?? {}));
      expect(await live(kind.name)).toMatchObject(masked(kind.name, declared) as Args);
    }
    service.resetCounters();
  });

  test("has no difference then, and a refresh only reads", async () => {
    expect((await stack.preview(everyKind(changes), { refresh: true })).steps).toMatchObject({ same: total });
    expect(Object.keys(takeVerbs(service))).toEqual(["GET"]);
  });

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
    const { text, steps } = await stack.preview(everyKind(changes), { diff: true, refresh: true });
    expect(steps).toMatchObject({ update: 2, create: gone.length, same: total - 2 - gone.length });
    expect(text).toMatch(/- added +: "outside"/);
    expect(text).toContain("+ runBook: ");
    expect(text).toContain("~ intervalSecs: 31 => 30");
    await done(stack.up(everyKind(changes), { refresh: true }));
    for (const name of ["Monitor", "SLO"]) expect((await live(name))?.labels).toEqual({ team: "checkout" });
    for (const name of gone) expect(await live(name)).toBeDefined();
  });

  test("renames a dataset while it is allocated: new first, then the allocation, then the old one goes", async () => {
    const renamed = everyKind({ ...changes, Dataset: { ...changes.Dataset, slug: "renamed-logs" } });
    // Everything else is as it was repaired.
    const preview = await done(stack.preview(renamed, { refresh: true }));
    expect(preview.steps, preview.text).toMatchObject({ replace: 1, update: 1, same: total - 2 });
    await done(stack.up(renamed));
    expect(await liveIn(service, "Dataset", "renamed-logs")).toBeDefined();
    expect(await live("Dataset")).toBeUndefined();
    expect(JSON.stringify(await live("LogAllocationConfig"))).toContain("renamed-logs");
  });
});
