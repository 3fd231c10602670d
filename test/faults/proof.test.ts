import { join } from "node:path";
import { type Service, startService } from "@pulumi-observability/service";
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { type KindCase, cases, describedCases, pathOf } from "../support/cases.js";
import * as faults from "../support/faults.js";
import { type Host, startHost } from "../support/host.js";
import { ownFolder } from "../support/folders.js";
import { ask, ownService, token } from "../support/service.js";

type Json = Record<string, unknown>;

const slugOf = ({ kind, args }: KindCase) => (kind.isSingleton ? kind.singletonId : String(args.slug));
// The log allocation refers to the dataset: last made, first deleted.
const inOrder = [...cases].sort((a, b) => Number(a.kind.isSingleton) - Number(b.kind.isSingleton));
const titleOf = (each: KindCase) =>
  each.kind.isSingleton ? `the ${each.kind.title}` : `${each.kind.title} "${slugOf(each)}"`;

let service: Service;
let proxy: faults.FaultProxy;
/** Has written and read every kind, as a process in the middle of its work. */
let busy: Host;
/** Nothing has succeeded in it so far, and nothing does in any test that it is used for. */
let fresh: Host;
const recorded = new Map<string, Json>();

const newHost = (baseUrl = proxy.url) =>
  startHost({ baseUrl, apiToken: token, requestTimeoutSecs: "2", retryBudgetSecs: "1" });
const exists = async (each: KindCase) => (await ask(service, "GET", pathOf(each.kind, slugOf(each)))).status === 200;

beforeAll(async () => {
  service = await ownService();
  proxy = await faults.ownProxy(service.url);
  const maker = await newHost();
  for (const { kind, args } of inOrder) recorded.set(kind.name, (await maker.create(kind.name, { ...args })).outputs);
  await maker.stop();
  busy = await newHost();
  for (const each of cases) await busy.read(each.kind.name, slugOf(each), recordOf(each));
  fresh = await newHost();
  return () => Promise.all([busy.stop(), fresh.stop()]);
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
  /** True where some requests succeed, so that the process knows the service afterwards. */
  readonly partly?: true;
}

const objectPath = /^\/api\/v1\/config\/([^/]+\/[^/]+|log-allocation-config)$/;
const conditions: readonly Answered[] = [
  { what: "a wrong base path", rule: () => faults.wrongBasePath },
  { what: "a gateway that answers {} with 200", rule: () => faults.empty },
  { what: "a gateway that answers a page with 200", rule: () => faults.html(200) },
  { what: "a gateway that answers a page with 404", rule: () => faults.html(404) },
  { what: "a gateway that answers a page with 502", rule: () => faults.html(502) },
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
        error.message.includes(titleOf(each)) ? "" : `an error that does not name it: ${error.message}`,
      );
      return outcome === "" ? [] : [`${each.kind.name}: ${outcome}`];
    }),
  );
  return told.flat();
}

const refresh = (host: Host) => (each: KindCase) =>
  host.read(each.kind.name, slugOf(each), recordOf(each)).then(({ id, outputs, inputs }) => {
    if (id !== slugOf(each)) return `read as "${id}"`;
    // Nothing to tell the engine: what is recorded stays.
    expect(outputs).toMatchObject({ ...each.args });
    expect(inputs).toBeUndefined();
    return "";
  });
const get = (host: Host) => (each: KindCase) =>
  host.read(each.kind.name, slugOf(each), {}).then(({ id, outputs }) => {
    if (id !== slugOf(each)) return `got as "${id}"`;
    const [field = "slug"] = Object.keys(each.args).filter((key) => typeof each.args[key] === "string");
    expect(outputs[field]).toEqual(each.args[field]);
    return "";
  });
const remove = (host: Host) => (each: KindCase) =>
  host
    .delete(each.kind.name, slugOf(each), recordOf(each))
    .then(async () => ((await exists(each)) ? "deleted, and it is still there" : ""));

const processes = ["a new process", "a process that has read every kind before"] as const;

/** A process that knows nothing yet, or one in the middle of its work; the fault is there from now on. */
function behind(rule: faults.Rule, which: (typeof processes)[number], started: Host): Host {
  proxy.use(rule);
  onTestFinished(() => proxy.reset());
  return which === "a new process" ? started : busy;
}

describe.each(conditions.map((condition) => [condition.what, condition] as const))(
  "%s",
  (what, { rule, readable, partly = readable }) => {
    let started: Host;
    beforeAll(async () => {
      started = partly ? await newHost() : fresh;
      return () => (partly ? started.stop() : undefined);
    });
    // What could be deleted, for all that is broken, is there again for the next.
    beforeEach(async () => {
      const there = await Promise.all(inOrder.map(exists));
      const missing = inOrder.filter((_, i) => !there[i]);
      if (missing.length === 0) return;
      const maker = await newHost();
      for (const { kind, args } of missing) {
        recorded.set(kind.name, (await maker.create(kind.name, { ...args })).outputs);
      }
      await maker.stop();
    });

    for (const which of processes) {
      test(`is no proof that anything is gone, to ${which}`, async () => {
        const host = behind(rule, which, started);
        expect((await Promise.all([verdicts(refresh(host)), verdicts(get(host))])).flat()).toEqual([]);
        if (readable) {
          for (const each of cases) {
            expect((await host.read(each.kind.name, slugOf(each), recordOf(each))).id).toBe(slugOf(each));
          }
        }
      });

      test(`is no proof that anything was deleted, to ${which}`, async () => {
        const host = behind(rule, which, started);
        expect(await verdicts(remove(host))).toEqual([]);
      });
    }
  },
);

test("an empty service at another address is no proof, and both addresses are named", async () => {
  const other = await ownService();
  const host = await newHost(other.url);
  onTestFinished(() => host.stop());
  const elsewhere = `it belongs to the service at "${proxy.url}", but baseUrl is "${other.url}"`;
  for (const each of cases) {
    const state = recordOf(each);
    const slug = slugOf(each);
    await expect(host.read(each.kind.name, slug, state)).rejects.toThrow(elsewhere);
    await expect(host.delete(each.kind.name, slug, state)).rejects.toThrow(elsewhere);
    await expect(host.diff(each.kind.name, slug, state, { ...each.args })).rejects.toThrow(elsewhere);
    await expect(host.read(each.kind.name, slug, {})).rejects.toThrow(`unable to read ${titleOf(each)}: not found`);
  }
  expect(other.counters().requests.filter(({ method }) => method === "DELETE")).toEqual([]);
});

describe("what is really gone is found gone", () => {
  const vanished = (each: KindCase, baseUrl: string): Json => ({
    ...each.args,
    ...(each.kind.isSingleton ? {} : { slug: "vanished" }),
    createdAt: "2026-01-01T00:00:00.000Z",
    __observability: { baseUrl, filledIn: {} },
  });
  const idOf = ({ kind }: KindCase) => (kind.isSingleton ? kind.singletonId : "vanished");

  test.each(["all", "described"] as const)("on a service with %s operations", async (operations) => {
    // The dataset, which a dry run of the log allocation mentions, was made while there was an operation for it.
    const database = join(ownFolder(), "objects.db");
    const full = await startService({ database, token });
    await ask(full, "POST", "/api/v1/config/datasets", {
      dataset: cases.find(({ kind }) => kind.name === "Dataset")?.kind.example.wire,
    });
    await full.close();
    const own = await ownService({ database, operations });
    // Where a dry run decides or a 404 needs proof, in a process of its own, which no other kind's success helps.
    const needsProof = operations === "described" ? describedCases.filter(({ kind }) => !kind.readsByList) : [];
    const there = operations === "described" ? describedCases : cases;
    const shared = await newHost(own.url);
    onTestFinished(() => shared.stop());
    await Promise.all(
      there.map(async (each) => {
        const host = needsProof.includes(each) ? await newHost(own.url) : shared;
        if (host !== shared) onTestFinished(() => host.stop());
        const read = await host.read(each.kind.name, idOf(each), vanished(each, own.url));
        expect(read.id, each.kind.name).toBe("");
        if (operations === "all") await host.delete(each.kind.name, idOf(each), vanished(each, own.url));
      }),
    );
  });

  test("and deleted, where nothing deletes it and nothing is there", async () => {
    const own = await ownService({ operations: "described" });
    const host = await newHost(own.url);
    onTestFinished(() => host.stop());
    const told = await Promise.all(
      describedCases
        .filter(({ kind }) => !kind.isSingleton)
        .map((each) =>
          host.delete(each.kind.name, idOf(each), vanished(each, own.url)).then(
            () => [],
            (error: Error) => [error.message],
          ),
        ),
    );
    expect(told.flat()).toEqual([]);
  });
});
