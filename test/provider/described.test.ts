import type { Service } from "@pulumi-observability/service";
import { beforeAll, describe, expect, test } from "vitest";
import { toWire } from "../../dist/provider/wire/codec.js";
import { argsWith, caseOf, changed, describedCases, idOf, inOrder } from "../support/cases.js";
import * as faults from "../support/faults.js";
import { type LocalHost, localHost } from "../support/host.js";
import { describedService, live, ownService, put, token } from "../support/service.js";
import { witnessOf } from "../witness/witnesses.js";

type Json = Record<string, unknown>;

// A service that has nothing but the eleven operations of the API spec. What each kind can do there follows
// from them; if it can do nothing, the user is told so.
const works = "works";
const no = (verb: string) => new RegExp(`this service can't ${verb} `);

let service: Service;
/** One for what a program declares, the others for what it does not: a delete leaves what the same run declares. */
let host: LocalHost;
let adopting: LocalHost;
let failing: LocalHost;
let retaining: LocalHost;
/** When each kind's object was created. */
const createdAt = new Map<string, unknown>();

beforeAll(async () => {
  // Every kind's example stands there already.
  service = await describedService(async (full) => {
    for (const { kind } of inOrder) {
      const slug = String(kind.example.slug);
      await put(full, kind.name, slug);
      createdAt.set(kind.name, (await live(full, kind.name, slug))?.created_at);
    }
  });
  const settings = { baseUrl: service.url, apiToken: token };
  [host, adopting, failing] = [localHost(settings), localHost(settings), localHost(settings)];
  retaining = localHost({ ...settings, onMissingDelete: "retain" });
});

describe.each(describedCases.map((each) => [each.kind.name, each] as const))("%s", (name, each) => {
  const { kind, args } = each;
  const [change = {}] = Object.values(each.changes);
  const operations = Object.keys(witnessOf(name).operations ?? {});
  const has = (method: string) => operations.some((operation) => operation.startsWith(`${method} `));
  const canRead = has("GET");
  const toCreate = has("POST") || has("PUT") ? works : no("create");
  const toUpdate = has("PUT") ? works : no("update");
  const slug = idOf(each);
  const recorded = (inputs: Json): Json => ({
    ...inputs,
    createdAt: createdAt.get(name),
    __observability: { baseUrl: service.url, filledIn: {} },
  });
  const declare = (inputs: Json, olds: Json = {}, more: Json = {}) =>
    host.check(name, olds, { ...inputs, __ctx: { dryRun: true, name: "x", instance: "one", ...more } });
  const fresh = argsWith(each, "fresh");
  const outcome = async (expected: typeof works | RegExp, act: () => Promise<unknown>) => {
    const told = await act().then(
      () => works,
      (error: Error) => error.message,
    );
    if (expected === works) expect(told).toBe(works);
    else expect(told).toMatch(expected);
  };
  const passing = async (checked: Promise<{ failures: readonly string[] }>) => {
    const { failures } = await checked;
    if (failures.length > 0) throw new Error(failures.join("\n"));
  };

  // The singleton stands there already, and its POST is refused for that.
  const expected = kind.isSingleton ? /already exists/ : toCreate;

  test("a new object at preview", () => outcome(expected, () => passing(declare(fresh))));

  test("create", () => outcome(expected, () => host.create(name, fresh)));

  test("a change at preview", () => outcome(toUpdate, () => passing(declare(changed(args, change), args))));

  test("update", () => outcome(toUpdate, () => host.update(name, slug, recorded(args), changed(args, change))));

  test("read keeps what is recorded, and says when that is all it can do", async () => {
    const read = await host.read(name, slug, recorded(args));
    expect(read.id).toBe(slug);
    const note = `this service can't show ${kind.manyTitle}, so a refresh finds deleted objects, but no edits`;
    if (!canRead) {
      expect(read).toEqual({ id: slug, outputs: recorded(args) });
      expect(host.output()).toContain(note);
    } else {
      expect(toWire(kind.root, read.outputs)).toMatchObject(kind.isSingleton ? {} : { slug });
    }
  });

  // That an object no longer exists: proof.test.ts.
  test("get", () => outcome(canRead ? works : no("show"), () => host.read(name, slug, {})));

  test('adopt "identical" needs to see the object', async () => {
    const { failures } = await adopting.check(name, {}, { ...args, __ctx: { name: "x", adopt: "identical" } });
    if (!canRead) expect(failures.join()).toMatch(/can't show whether it is identical/);
  });

  test("delete fails, with the remedy, or keeps the object if the setting allows it", async () => {
    await outcome(/this service can't delete .*config set observability:onMissingDelete retain/, () =>
      failing.delete(name, slug, recorded(args)),
    );
    await retaining.delete(name, slug, recorded(args));
    expect(retaining.output()).toMatch(new RegExp(`${kind.title}.* stays in the service, which can't delete it`));
  });
});

test("a singleton that is not there yet is created by its described operation, and then known to exist", async () => {
  const empty = await describedService((full) => put(full, "Dataset", String(caseOf("Dataset").args.slug)));
  const own = localHost({ baseUrl: empty.url, apiToken: token });
  const { kind, args } = caseOf("LogAllocationConfig");
  const gone = await own.read(kind.name, kind.singletonId, { ...args, __observability: { baseUrl: empty.url } });
  expect(gone.id).toBe("");
  const { failures } = await own.check(kind.name, {}, { ...args, __ctx: { dryRun: true, name: "x" } });
  expect(failures).toEqual([]);
  const { id, outputs } = await own.create(kind.name, { ...args });
  expect(id).toBe(kind.singletonId);
  expect(await own.read(kind.name, id, outputs)).toEqual({ id, outputs });
});

test("a list that the service has closed does not mean that it lacks the update or the delete", async () => {
  const { url } = await ownService();
  const proxy = await faults.ownProxy(url);
  // A delete leaves what the same run declares.
  const settings = { baseUrl: proxy.url, apiToken: token, onMissingDelete: "retain" };
  const [own, other] = [localHost(settings), localHost(settings)];
  const metric = argsWith(caseOf("DerivedMetric"), "errors");
  const { outputs } = await own.create("DerivedMetric", metric);
  proxy.use(({ method, path }) =>
    method === "GET" && path.includes("derived-metrics") ? faults.failing(405) : undefined,
  );
  const reason = /metric "errors": GET \S+ answered 405/;
  await expect(other.delete("DerivedMetric", "errors", outputs)).rejects.toThrow(reason);
  expect(other.output()).toBe("");
  await expect(own.update("DerivedMetric", "errors", outputs, { ...metric, name: "Other" })).rejects.toThrow(reason);
});
