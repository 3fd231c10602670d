import type { Service } from "@pulumi-observability/service";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import {
  argsWith,
  caseOf,
  cases,
  describedCases,
  idOf,
  inOrder as allInOrder,
  type KindCase,
  oneOfEach,
  pathOf,
  titleOf,
} from "../support/cases.js";
import * as faults from "../support/faults.js";
import { type LocalHost, localHost } from "../support/host.js";
import { ask, describedService, ownService, put, token } from "../support/service.js";

type Json = Record<string, unknown>;

// The dataset to which the log allocation refers stays.
const inOrder = allInOrder.filter((each) => oneOfEach.includes(each));
const named = (each: KindCase) => titleOf(each.kind, idOf(each));

let service: Service;
let proxy: faults.FaultProxy;
/** Has written and read every kind, as a process in the middle of its work. */
let busy: LocalHost;
/** Nothing has succeeded in it so far, and nothing does in any test that it is used for. */
let fresh: LocalHost;
const recorded = new Map<string, Json>();

const newHost = (baseUrl = proxy.url) =>
  localHost({ baseUrl, apiToken: token, requestTimeoutSecs: "30", retryBudgetSecs: "10" });

/** Makes objects in a process that knows nothing of the others. */
async function makeAll(some: readonly KindCase[]): Promise<void> {
  const maker = newHost();
  for (const { kind, args } of some) recorded.set(kind.name, (await maker.create(kind.name, { ...args })).outputs);
}

beforeAll(async () => {
  service = await ownService();
  proxy = await faults.ownProxy(service.url);
  await put(service, "Dataset", String(caseOf("Dataset").args.slug));
  await makeAll(inOrder);
  busy = newHost();
  for (const each of inOrder) await busy.read(each.kind.name, idOf(each), recordOf(each));
  fresh = newHost();
});

function recordOf({ kind }: KindCase): Json {
  const outputs = recorded.get(kind.name);
  if (outputs === undefined) throw new Error(`${kind.name} was made`);
  return outputs;
}

interface Answered {
  readonly what: string;
  readonly rule: faults.Rule;
  /** True where objects can be read all the same. */
  readonly readable?: true;
  /** True where some requests succeed, so that the process knows the service afterward. */
  readonly partly?: true;
}

const objectPath = /^\/api\/v1\/config\/([^/]+\/[^/]+|log-allocation-config)$/;
const conditions: readonly Answered[] = [
  { what: "a wrong base path", rule: () => faults.wrongBasePath },
  { what: "a gateway that answers {} with 200", rule: () => faults.empty },
  { what: "a gateway that answers a page with 200", rule: () => faults.html(200) },
  { what: "a gateway that answers a page with 404", rule: () => faults.html(404) },
  { what: "404 without codes on everything", rule: () => faults.failing(404, { message: "not found" }) },
  { what: "404 without a body on everything", rule: () => faults.failing(404, "") },
  {
    what: "{} for lists and 404 without codes for objects",
    rule: ({ path, method }) =>
      method === "GET" && !objectPath.test(path) ? faults.empty : faults.failing(404, { message: "not found" }),
  },
  {
    what: "{} for writes and 404 without codes for reads",
    rule: ({ method }) => (method === "GET" ? faults.failing(404, { message: "not found" }) : faults.empty),
  },
  { what: "array parameters ignored", rule: () => faults.withoutArrays, readable: true },
  { what: "lists without page", rule: () => faults.withoutPage, partly: true },
  { what: "a token that is not valid any more", rule: () => faults.failing(401) },
  { what: "a token that lost its rights", rule: () => faults.failing(403) },
];

/** What a host says of every object: it is there and as recorded, or an error that names it; anything else is told. */
async function verdicts(act: (each: KindCase) => Promise<string>): Promise<string[]> {
  const told = await Promise.all(
    inOrder.map(async (each) => {
      const outcome = await act(each).catch((error: Error) =>
        error.message.includes(named(each)) ? "" : `an error that does not name it: ${error.message}`,
      );
      return outcome === "" ? [] : [`${each.kind.name}: ${outcome}`];
    }),
  );
  return told.flat();
}

const refresh = (host: LocalHost) => (each: KindCase) =>
  host.read(each.kind.name, idOf(each), recordOf(each)).then(({ id, outputs, inputs }) => {
    if (id !== idOf(each)) return `read as "${id}"`;
    // Nothing to tell the engine: what is recorded stays.
    expect(outputs).toMatchObject({ ...each.args });
    expect(inputs).toBeUndefined();
    return "";
  });
const get = (host: LocalHost) => (each: KindCase) =>
  host.read(each.kind.name, idOf(each), {}).then(({ id, outputs }) => {
    if (id !== idOf(each)) return `got as "${id}"`;
    const [field = "slug"] = Object.keys(each.args).filter((key) => typeof each.args[key] === "string");
    expect(outputs[field]).toEqual(each.args[field]);
    return "";
  });
const remove = (host: LocalHost) => (each: KindCase) =>
  host
    .delete(each.kind.name, idOf(each), recordOf(each))
    .then(async () => ((await isThere(each)) ? "deleted, and it is still there" : ""));

const isThere = async (each: KindCase) => (await ask(service, "GET", pathOf(each.kind, idOf(each)))).status === 200;

/** What could be deleted, for all that is broken, is there again. */
async function restore(): Promise<void> {
  const there = await Promise.all(inOrder.map(isThere));
  const missing = inOrder.filter((_, i) => !there[i]);
  if (missing.length > 0) await makeAll(missing);
}

describe.each(conditions.map((condition) => [condition.what, condition] as const))(
  "%s",
  (_, { rule, readable, partly = readable }) => {
    test.each(["a new process", "a process that has read every kind"])(
      "is no proof to %s that anything no longer exists, or was deleted",
      async (which) => {
        await restore();
        const host = which !== "a new process" ? busy : partly ? newHost() : fresh;
        proxy.use(rule);
        onTestFinished(() => proxy.reset());
        expect((await Promise.all([verdicts(refresh(host)), verdicts(get(host))])).flat()).toEqual([]);
        for (const each of readable ? inOrder : []) {
          expect((await host.read(each.kind.name, idOf(each), recordOf(each))).id).toBe(idOf(each));
        }
        expect(await verdicts(remove(host))).toEqual([]);
      },
    );
  },
);

test("nothing is written or deleted where a gateway shows creation times as objects, and each error names the object", async () => {
  await restore();
  proxy.use(() => faults.withField("created_at", () => ({ seconds: 1, nanos: 2 })));
  onTestFinished(() => proxy.reset());
  service.resetCounters();
  for (const each of inOrder) {
    const [name, slug, state] = [each.kind.name, idOf(each), recordOf(each)];
    const told = 'created_at as {"seconds":1,"nanos":2}';
    await expect(busy.update(name, slug, state, { ...each.args, name: "changed" })).rejects.toThrow(told);
    await expect(busy.delete(name, slug, state)).rejects.toThrow(told);
    await expect(busy.read(name, slug, state)).rejects.toThrow(told);
  }
  expect(service.counters().requests.filter(({ method }) => method !== "GET")).toEqual([]);
});

test("an empty service at another address is no proof, and both addresses are named", async () => {
  const other = await ownService();
  const host = newHost(other.url);
  const elsewhere = `the object belongs to the service at "${proxy.url}", but baseUrl is "${other.url}"`;
  for (const each of inOrder) {
    const state = recordOf(each);
    const slug = idOf(each);
    await expect(host.read(each.kind.name, slug, state)).rejects.toThrow(elsewhere);
    await expect(host.delete(each.kind.name, slug, state)).rejects.toThrow(elsewhere);
    await expect(host.diff(each.kind.name, slug, state, { ...each.args })).rejects.toThrow(elsewhere);
    await expect(host.read(each.kind.name, slug, {})).rejects.toThrow(`unable to read ${named(each)}: not found`);
  }
  expect(other.counters().requests.filter(({ method }) => method === "DELETE")).toEqual([]);
});

test.each([["monitors"], ["monitors and notifiers"]])(
  "a token that may not list %s passes in a preview, and can refresh and delete",
  async (lists) => {
    const own = await ownService();
    const { url, use } = await faults.ownProxy(own.url);
    const [name, args] = ["Monitor", { ...caseOf("Monitor").args }];
    const { id, outputs } = await newHost(url).create(name, args);
    const isList = (path: string) => lists.split(" and ").some((each) => path === `/api/v1/config/${each}`);
    use(({ method, path }) => (method === "GET" && isList(path) ? faults.failing(403, { code: 40301 }) : undefined));
    const declared = { ...args, __ctx: { dryRun: true, name: id, instance: id } };
    expect((await newHost(url).check(name, args, declared)).failures).toEqual([]);
    expect((await newHost(url).read(name, id, outputs)).id).toBe(id);
    await newHost(url).delete(name, id, outputs);
    expect((await ask(own, "GET", `/api/v1/config/monitors/${id}`)).status).toBe(404);
  },
);

describe("what is really gone is found gone", () => {
  const vanished = (each: KindCase, baseUrl: string): Json => ({
    ...argsWith(each, "vanished"),
    createdAt: "2026-01-01T00:00:00.000Z",
    __observability: { baseUrl, filledIn: {} },
  });
  const goneId = (each: KindCase) => idOf(each, "vanished");

  test.each(["all", "described"] as const)("on a service with %s operations", async (operations) => {
    // The dataset, which a dry run of the log allocation mentions, was made while there was an operation for it.
    const fill = (full: Service) => put(full, "Dataset", String(caseOf("Dataset").args.slug));
    const own = operations === "all" ? await ownService() : await describedService(fill);
    if (operations === "all") await fill(own);
    // Where a dry run decides or a 404 needs proof, in a process of its own, which no other kind's success helps.
    const needsProof = operations === "described" ? describedCases.filter(({ kind }) => !kind.readsByList) : [];
    const there = operations === "described" ? describedCases : cases;
    const shared = newHost(own.url);
    await Promise.all(
      there.map(async (each) => {
        const host = needsProof.includes(each) ? newHost(own.url) : shared;
        const read = await host.read(each.kind.name, goneId(each), vanished(each, own.url));
        expect(read.id, each.kind.name).toBe("");
        if (operations === "all") await host.delete(each.kind.name, goneId(each), vanished(each, own.url));
      }),
    );
  });

  test("and deleted, where nothing deletes it and nothing is there", async () => {
    const own = await ownService({ operations: "described" });
    const host = newHost(own.url);
    const there = describedCases.filter(({ kind }) => !kind.isSingleton);
    await Promise.all(there.map((each) => host.delete(each.kind.name, goneId(each), vanished(each, own.url))));
  });
});
