import type { Service } from "@pulumi-observability/service";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { argsWith, caseOf, oneOfEach } from "../support/cases.js";
import * as faults from "../support/faults.js";
import { type LocalHost, localHost } from "../support/host.js";
import { live, ownService, put, token } from "../support/service.js";

let service: Service;
let proxy: faults.FaultProxy;
let host: LocalHost;

beforeAll(async () => {
  service = await ownService();
  proxy = await faults.ownProxy(service.url);
  host = localHost({ baseUrl: proxy.url, apiToken: token, requestTimeoutSecs: "30", retryBudgetSecs: "10" });
  // A process that knows the service.
  await host.check("Notifier", {}, { discard: true, slug: "any", __ctx: { dryRun: true, name: "any" } });
});

beforeEach(() => proxy.reset());

const isWrite = ({ method, dryRun }: faults.Arrival) => method === "PUT" && !dryRun;
const mayExist = /the object may exist. Set adopt: "identical"/;

/** The writes meet one fault after another; what `also` says meets its own. */
function meet(writes: readonly faults.Fault[], also: faults.Rule = () => undefined): void {
  const next = faults.script(writes);
  proxy.use((arrival) => (isWrite(arrival) ? next(arrival) : also(arrival)));
}

const byPut = oneOfEach.filter(({ kind }) => kind.createsByPut);

describe.each(byPut.map((each) => [each.kind.name, each] as const))("a creating PUT of a %s", (name, each) => {
  const theirs = { name: "somebody else's" };
  const standing = (slug: string) => live(service, name, slug);

  test("whose answer was lost is looked up, even if the retry gets a gateway's page", async () => {
    meet([faults.htmlAfter(200), faults.html(404)]);
    expect((await host.create(name, argsWith(each, "page-1"))).id).toBe("page-1");
    expect(await standing("page-1")).toBeDefined();
  });

  test("whose answer was lost may exist if it can't be looked up, whatever the retry gets", async () => {
    meet([faults.resetAfter, faults.failing(400)], ({ method }) =>
      method === "GET" ? faults.failing(403) : undefined,
    );
    await expect(host.create(name, argsWith(each, "page-2"))).rejects.toThrow(mayExist);
  });

  test("whose answer is inconclusive may exist if the lookup after it fails", async () => {
    let isSent = false;
    proxy.use((arrival) => {
      if (isSent) return faults.errorBody;
      isSent = isWrite(arrival);
      return isSent ? faults.nothingAfter : undefined;
    });
    await expect(host.create(name, argsWith(each, "page-6"))).rejects.toThrow(mayExist);
    expect(await standing("page-6")).toBeDefined();
  });

  test("that adopts may have created the object if its answer was lost and it can't be looked up", async () => {
    const context = { dryRun: false, name: "page-4", adopt: true };
    const { inputs } = await host.check(name, {}, { ...argsWith(each, "page-4"), __ctx: context });
    meet([faults.emptyAfter], ({ method }) => (method === "GET" ? faults.failing(403) : faults.empty));
    await expect(host.create(name, inputs)).rejects.toThrow(mayExist);
    expect(await standing("page-4")).toBeDefined();
  });

  test("that was lost reports an existing object that differs from what was sent", async () => {
    const make = () => put(service, name, "page-5", theirs);
    meet([faults.meanwhile(make, faults.resetBefore), faults.failing(400)]);
    await expect(host.create(name, argsWith(each, "page-5"))).rejects.toThrow(
      /the object under this slug differs from what was sent, .*adopt: true/,
    );
    expect(await standing("page-5")).toMatchObject(theirs);
  });

  test("never overwrites what a gateway's page hides", async () => {
    await put(service, name, "page-3", theirs);
    proxy.use(({ method }) => (method === "GET" ? faults.html(404) : undefined));
    await expect(host.create(name, argsWith(each, "page-3"))).rejects.toThrow(
      /answered 404: text\/html|already exists/,
    );
    expect(await standing("page-3")).toMatchObject(theirs);
  });
});

test("an update that only removes a value is not considered done without evidence", async () => {
  const name = "Dataset";
  const args = { ...argsWith(caseOf(name), "shrinks"), description: "goes" };
  const { outputs } = await host.create(name, args);
  meet([faults.empty, faults.empty, faults.empty]);
  const { description: _, ...without } = args;
  await expect(host.update(name, "shrinks", outputs, without)).rejects.toThrow(
    /the object in the service differs from what was sent/,
  );
  meet([faults.emptyAfter]);
  await host.update(name, "shrinks", outputs, without);
  expect((await live(service, name, "shrinks"))?.description).toBeUndefined();
});
