import { isDeepStrictEqual } from "node:util";
import type { Service } from "@pulumi-observability/service";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { secretTexts, withoutSecrets } from "../../dist/provider/values/secrets.js";
import { toWire } from "../../dist/provider/wire/codec.js";
import { argsWith, caseOf, cases, changed, idOf as idIn, pathOf } from "../support/cases.js";
import { type LocalHost, localHost, startHost } from "../support/host.js";
import { ask, live as liveIn, ownService, put, takeCounts, token } from "../support/service.js";
import { masked } from "../witness/witnesses.js";

type Json = Record<string, unknown>;

let service: Service;
let host: LocalHost;
/** A process that has created nothing: what another has created it takes for its own, and leaves. */
let deleter: LocalHost;
const settings = () => ({ baseUrl: service.url, apiToken: token });
const newHost = () => localHost(settings());

beforeAll(async () => {
  service = await ownService();
  await put(service, "Dataset", "checkout-logs");
  deleter = newHost();
});

describe.each(cases.map((each) => [each.kind.name, each] as const))("%s", (name, each) => {
  const { kind, args, changes, refused } = each;
  // Each test has an object of its own; the singleton's tests follow one another.
  const own = (slug: string): Json => argsWith(each, slug);
  const idOf = (slug: string) => idIn(each, slug);
  const at = (slug: string) => pathOf(kind, idOf(slug));
  const live = (slug: string) => liveIn(service, name, slug);
  const declare = (inputs: Json, olds: Json = {}, more: Json = {}) =>
    host.check(name, olds, { ...inputs, __ctx: { dryRun: true, name: "example", instance: "the one", ...more } });
  const create = async (inputs: Json, more: Json = {}) => {
    const checked = await declare(inputs, {}, { dryRun: false, ...more });
    expect(checked.failures).toEqual([]);
    return host.create(name, checked.inputs);
  };
  const wireOf = (inputs: Json) => toWire(kind.root, inputs) as Json;
  /** What a read may show: everything but secrets. */
  const readable = (inputs: Json) => withoutSecrets(kind.root, inputs) as Json;
  /** What the service shows: a mask for each secret. */
  const shown = (inputs: Json) => masked(name, wireOf(inputs)) as Json;
  // A change of nothing but a secret is not. Of a list of secrets an empty list is readable.
  const visible = Object.keys(changes).filter((field) => {
    const value = readable(changed(args, changes[field] ?? {}))[field];
    return value !== undefined && !isDeepStrictEqual(value, []);
  });

  /** The requests since the last call; of the singleton, whose processes are all new, without the proof of address and token. */
  const takeAsked = () => {
    const counts = Object.entries(takeCounts(service));
    return Object.fromEntries(counts.filter(([request]) => !(kind.isSingleton && request.startsWith("GET "))));
  };

  if (kind.isSingleton) {
    // Its tests share the one object, but not what a process remembers of it.
    beforeEach(async () => {
      await ask(service, "DELETE", at(""));
      host = newHost();
    });
  } else {
    // Pulumi's own host does with all kinds the same.
    beforeAll(async () => void (host = name === "Notifier" ? await startHost(settings()) : newHost()));
  }
  beforeEach(() => service.resetCounters());

  // That what it answers with is a fixed point, other spellings, unknown values and mistakes: test/property. What new objects
  // cost: test/commands/readme.test.ts.
  test("check hands on what the service refuses, by path in the arguments' spelling", async () => {
    const { failures } = await declare(changed(own("check-6"), refused.change));
    expect(failures.length).toBeGreaterThan(0);
    expect(failures[0]).toMatch(new RegExp(`^${refused.path.replaceAll(".", "\\.")}`));
  });

  test("create writes the whole configuration and answers with it and the timestamps", async () => {
    const { id, outputs } = await create(own("create-1"));
    expect(id).toBe(idOf("create-1"));
    const { __observability, createdAt, updatedAt, ...rest } = outputs;
    expect(rest).toEqual(own("create-1"));
    expect(createdAt).toMatch(/^\d{4}-.*Z$/);
    expect(updatedAt).toBe(createdAt);
    expect(await live("create-1")).toMatchObject(shown(own("create-1")));
  });

  test("create rejects an existing object, leaves it unchanged, and names the remedy", async () => {
    await create(own("taken-1"));
    const before = await live("taken-1");
    await expect(create(own("taken-1"))).rejects.toThrow(/already exists.*adopt: /);
    expect(await live("taken-1")).toEqual(before);
    const { failures } = await declare(own("taken-1"));
    expect(failures.join()).toMatch(/already exists.*adopt: /);
  });

  test('adopt "identical" adopts an equal object, with a write only for a secret that is not shown', async () => {
    await create(own("adopt-1"));
    const before = await live("adopt-1");
    const isMasked = JSON.stringify(before).includes("**REDACTED**");
    const { failures } = await declare(own("adopt-1"), {}, { adopt: "identical" });
    expect(failures).toEqual([]);
    const { outputs } = await create(own("adopt-1"), { adopt: "identical" });
    expect(outputs.createdAt).toBe(before?.created_at);
    expect(await live("adopt-1")).toEqual(isMasked ? { ...before, updated_at: outputs.updatedAt } : before);
    const writes = service.counters().requests.filter(({ method, dryRun }) => method === "PUT" && !dryRun);
    const made = kind.createsByPut ? 1 : 0;
    expect(writes.reduce((sum, { count }) => sum + count, 0)).toBe(isMasked ? made + 1 : made);
  });

  test('adopt "identical" refuses what differs, naming the place', async () => {
    await create(own("adopt-2"));
    const field = visible.at(-1) ?? "";
    const other = changed(own("adopt-2"), changes[field] ?? {});
    await expect(create(other, { adopt: "identical" })).rejects.toThrow(new RegExp(`differs in .*${field}`));
    const { failures } = await declare(other, {}, { adopt: "identical" });
    expect(failures.join()).toMatch(new RegExp(`differs in .*${field}`));
  });

  test("adopt true adopts and updates", async () => {
    await create(own("adopt-3"));
    const [change = {}] = Object.values(changes);
    const other = changed(own("adopt-3"), change);
    expect((await declare(other, {}, { adopt: true })).failures).toEqual([]);
    await create(other, { adopt: true });
    expect(await live("adopt-3")).toMatchObject(shown(changed({}, change)));
  });

  test.each(Object.keys(changes))("a changed %s is a difference that update writes", async (field) => {
    const slug = `update-${field.toLowerCase()}`;
    const { id, outputs } = await create(own(slug));
    const wanted = changed(own(slug), changes[field] ?? {});
    expect(await host.diff(name, id, outputs, wanted)).toEqual({ changes: "unknown", replaces: [] });
    service.resetCounters();
    const { failures, inputs } = await declare(wanted, own(slug));
    expect(failures).toEqual([]);
    // A process that knows when the object was created looks whether that is the one.
    expect(new Set(Object.values(takeAsked()))).toEqual(new Set([1]));
    const updated = await host.update(name, id, outputs, inputs);
    // It looks what the service has beyond the schema, and writes.
    expect(Object.values(takeCounts(service))).toEqual([1, 1]);
    expect(await live(slug)).toMatchObject(shown(wanted));
    expect(await host.diff(name, id, updated, inputs)).toEqual({ changes: "none", replaces: [] });
    expect(await host.read(name, id, updated)).toEqual({ id, outputs: updated });
  });

  test("read of an untouched object answers with what is recorded, and leaves the inputs to the engine", async () => {
    const { id, outputs } = await create(own("read-1"));
    expect(await host.read(name, id, outputs)).toEqual({ id, outputs });
    // So does what an import file that a user writes has brought into state: it has no notes of ours.
    expect(await host.read(name, id, own("read-1"))).toEqual({ id, outputs });
    // What a transformation adds to a `.get` makes no declaration of it, if the kind has a field that one needs.
    if (kind.isSingleton || !Object.values(kind.args.fields).some(({ options }) => options.required)) return;
    const { slug } = own("read-1");
    const [got, transformed] = [await host.read(name, id, {}), await host.read(name, id, { slug, labels: { a: "b" } })];
    expect(transformed).toEqual(got);
  });

  // Of every field, and with what repairs it, in test/property/differences.test.ts.
  test("read shows what was changed outside, also if state has no notes of ours", async () => {
    const [field = ""] = visible;
    const { id, outputs } = await create(own("drift-1"));
    const outside = changed(own("drift-1"), changes[field] ?? {});
    await ask(service, "PUT", at("drift-1"), { [kind.wire.one]: wireOf(outside) });
    const { inputs } = await host.read(name, id, outputs);
    expect(inputs?.[field] ?? false).toEqual(readable(outside)[field] ?? false);
    expect((await host.read(name, id, own("drift-1"))).inputs).toEqual(inputs);
  });

  test("get reads what is managed elsewhere, without its secrets", async () => {
    const { id } = await create(own("get-1"));
    const { outputs, inputs } = await host.read(name, id, {});
    expect(inputs).toBeUndefined();
    expect(wireOf(outputs)).toMatchObject(wireOf(readable(own("get-1"))));
    expect(JSON.stringify(outputs)).not.toContain("REDACTED");
    expect(secretTexts(kind.root, outputs)).toEqual([]);
  });

  test("delete removes the object, and succeeds with a note when it is already gone", async () => {
    const { id, outputs } = await create(own("delete-1"));
    await deleter.delete(name, id, outputs);
    expect(await live("delete-1")).toBeUndefined();
    expect(deleter.output()).not.toContain(kind.titleOf(id));
    await deleter.delete(name, id, outputs);
    await expect.poll(() => deleter.output()).toContain(kind.titleOf(id));
    expect(deleter.output()).toContain("nothing to delete, because this token finds no such object");
  });

  test("delete leaves what this run has just taken over", async () => {
    const { id, outputs } = await create(own("delete-2"));
    await host.delete(name, id, outputs);
    expect(await live("delete-2")).toBeDefined();
  });
});

test("of an object that differs in many places the first are named, and always the remedy", async () => {
  const { args } = caseOf("Monitor");
  const [maker, other] = [newHost(), newHost()];
  const labels = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`label-${i}`, "x"]));
  await maker.create("Monitor", { ...args, slug: "many-labels", labels });
  const declared = { ...args, slug: "many-labels", labels: {}, __ctx: { dryRun: true, name: "x", instance: "x" } };
  const { failures } = await other.check("Monitor", {}, declared);
  expect(failures.join()).toMatch(/differs in (labels\["label-\d+"\](, | )){10}and 290 more places\. .*adopt: true/);
});

test("a reference to a deleted object is rejected, unless this update recreates it", async () => {
  const [maker, other, third] = [newHost(), newHost(), newHost()];
  const dataset = { ...caseOf("Dataset").args, slug: "comes-back" };
  const { inputs } = await maker.check("Dataset", {}, { ...dataset, __ctx: { dryRun: false, name: "comes-back" } });
  await maker.create("Dataset", inputs);
  for (const gone of [pathOf(caseOf("LogAllocationConfig").kind, ""), "/api/v1/config/datasets/comes-back"])
    await ask(service, "DELETE", gone);
  const context = (instance: string) => ({ dryRun: true, name: instance, instance });
  const allocation = async (host: LocalHost) => {
    const datasetAllocations = [{ datasetSlug: "comes-back", allocation: { percentOfLicense: 1 } }];
    const config = { datasetAllocations, __ctx: context("allocation") };
    return (await host.check("LogAllocationConfig", {}, config)).failures.join();
  };
  const declare = (host: LocalHost, more: Json) =>
    host.check("Dataset", inputs, { ...inputs, ...more, __ctx: context("dataset") });
  expect((await declare(other, {})).failures).toEqual([]);
  expect(await allocation(other)).toMatch(/there is no dataset "comes-back"/);
  expect((await declare(third, { description: "back" })).failures).toEqual([]);
  expect(await allocation(third)).toBe("");
});

test("validate: always asks in an update too", async () => {
  const { args } = caseOf("Monitor");
  const always = localHost({ ...settings(), validate: "always" });
  service.resetCounters();
  const declared = { ...args, slug: "always", intervalSecs: -1, __ctx: { dryRun: false, name: "x", instance: "x" } };
  expect((await always.check("Monitor", {}, declared)).failures.join()).toMatch(/^intervalSecs: /);
  expect(takeCounts(service)).toMatchObject({ "GET monitors/{slug}": 1, "PUT monitors/{slug} dry": 1 });
});
