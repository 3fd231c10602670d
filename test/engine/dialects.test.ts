import { expect } from "vitest";
import { caseOf, cases, idOf, pathOf } from "../support/cases.js";
import { dialectOf, masks, speaking } from "../support/dialects.js";
import { newStack } from "../support/engine.js";
import { everyKind } from "../support/everyKind.js";
import { deepTest } from "../support/figures.js";
import { done } from "../support/monitors.js";
import { ask, live, ownService } from "../support/service.js";

// Services that differ from the plain one in each way that test/support/dialects.ts knows are in test/provider/dialects.test.ts.
const names = [
  "lists summaries",
  "rejects page.max_size over 100",
  "trims and upper-cases names",
  "has times in seconds",
  "answers dry runs with null",
  "has errors as text",
];

deepTest(
  "a stack of every kind lives with a service that differs from the plain one in many ways at once",
  async () => {
    const service = await ownService();
    const proxy = await speaking(service, names.map(dialectOf));
    const stack = await newStack(proxy.url);
    await stack.setConfig("observability:secretMasks", masks);
    const all = cases.length;
    expect((await done(stack.preview(everyKind()))).steps).toEqual({ create: all });
    expect((await done(stack.up(everyKind()))).steps).toEqual({ create: all });
    const unchanged = await done(stack.preview(everyKind(), { refresh: true, expectNoChanges: true }));
    expect(unchanged.steps).toEqual({ refresh: all, same: all });
    const object = await live(service, "Dataset", "checkout-logs");
    await ask(service, "PUT", pathOf(caseOf("Dataset").kind, "checkout-logs"), {
      dataset: { ...object, description: "by hand" },
    });
    const changes = Object.fromEntries(cases.map((each) => [each.kind.name, Object.values(each.changes)[0] ?? {}]));
    expect((await done(stack.up(everyKind(changes)))).steps).toEqual({ update: all });
    await done(stack.destroy());
    for (const each of cases) expect(await live(service, each.kind.name, idOf(each))).toBeUndefined();
  },
);
