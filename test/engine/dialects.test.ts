import { expect, test } from "vitest";
import { caseOf, cases, idOf, pathOf } from "../support/cases.js";
import { dialectOf, masks, speaking } from "../support/dialects.js";
import { newStack } from "../support/engine.js";
import { everyKind } from "../support/everyKind.js";
import { done } from "../support/monitors.js";
import { ask, live, ownService } from "../support/service.js";

// Services that differ from the plain one in all that test/support/dialects.ts knows are in test/provider/dialects.test.ts.
test.each([
  ["lists summaries", "rejects page.max_size over 100", "answers dry runs with null"],
  ["reads late", "trims and upper-cases names", "has times in seconds"],
  ["lists late", "answers writes with 204", "has errors as text"],
])("a stack of every kind lives with a service that %s, %s and %s", async (...names) => {
  const service = await ownService();
  const proxy = await speaking(service, names.map(dialectOf));
  const stack = await newStack(proxy.url);
  await stack.setConfig("observability:secretMasks", masks);
  const same = { same: cases.length };
  expect((await done(stack.preview(everyKind()))).steps).toEqual({ create: cases.length });
  expect((await done(stack.up(everyKind()))).steps).toEqual({ create: cases.length });
  expect((await done(stack.refresh())).changes).toEqual({});
  expect((await done(stack.preview(everyKind(), { expectNoChanges: true }))).steps).toEqual(same);
  const object = await live(service, "Dataset", "checkout-logs");
  await ask(service, "PUT", pathOf(caseOf("Dataset").kind, "checkout-logs"), {
    dataset: { ...object, description: "by hand" },
  });
  const changes = Object.fromEntries(cases.map((each) => [each.kind.name, Object.values(each.changes)[0] ?? {}]));
  expect((await done(stack.up(everyKind(changes)))).steps).toEqual({ update: cases.length });
  await done(stack.destroy());
  for (const each of cases) expect(await live(service, each.kind.name, idOf(each))).toBeUndefined();
});
