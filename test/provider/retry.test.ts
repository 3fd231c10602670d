import type { Service } from "@pulumi-observability/service";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { type Settings } from "../../dist/provider/client/settings.js";
import { Client } from "../../dist/provider/client/client.js";
import type { Request } from "../../dist/provider/client/answers.js";
import { toWire } from "../../dist/provider/wire/codec.js";
import { caseOf } from "../support/cases.js";
import * as faults from "../support/faults.js";
import { localHost } from "../support/host.js";
import { ownService, token } from "../support/service.js";
import { settingsFor } from "../support/settings.js";

const { kind: notifier, args } = caseOf("Notifier");
const notifierOnWire = toWire(notifier.root, notifier.example);
const list = notifier.operations.list;
if (list === undefined) throw new Error("notifiers are listed");

let service: Service;

beforeAll(async () => {
  service = await ownService();
});

const clientTo = (baseUrl: string, more: Partial<Settings> = {}) =>
  new Client(settingsFor(baseUrl, { requestTimeoutSecs: 60, retryBudgetSecs: 60, ...more }));

const get: Request = { operation: list, path: list.path };
const update: Request = {
  operation: notifier.operations.update,
  path: `${list.path}/one`,
  body: { notifier: { ...notifierOnWire, slug: "one" }, create_if_missing: true },
};
const remove: Request = { operation: notifier.operations.delete, path: `${list.path}/one` };
const post: Request = {
  operation: notifier.operations.create,
  path: list.path,
  body: { notifier: { ...notifierOnWire, slug: "two" } },
};
const dryPost: Request = { ...post, body: { ...post.body, dry_run: true } };

const requests = { GET: get, PUT: update, DELETE: remove, "dry run": dryPost, POST: post };
type Name = keyof typeof requests;
/** Reads and dry runs are retried here. A write is sent once: its verb looks at the object before it sends it again. */
const retried: readonly Name[] = ["GET", "dry run"];
const writes = { PUT: 1, DELETE: 1, POST: 1 };

interface Row {
  readonly what: string;
  readonly fault: faults.Fault;
  /** How many attempts meet the fault, if not all. */
  readonly first?: number;
  readonly seen?: boolean;
  readonly requestTimeoutSecs?: number;
  /** Arrivals by request. */
  readonly counts: Readonly<Partial<Record<Name, number>>>;
}

/** How often one request arrives, and what is said in the end. */
async function arrivals(name: Name, { fault, first = Infinity, seen = true, requestTimeoutSecs = 60 }: Row) {
  const proxy = await faults.ownProxy(service.url);
  const client = clientTo(proxy.url, { requestTimeoutSecs });
  if (seen) await client.send(get);
  proxy.reset();
  proxy.use(faults.on({ first }, fault));
  const error: unknown = await client.send(requests[name]).then(
    () => "succeeded",
    (failed: unknown) => failed,
  );
  return { count: proxy.arrivals().length, error };
}

const each = (count: number) => ({ ...Object.fromEntries(retried.map((name) => [name, count])), ...writes });

// A row for each class of failures. test/unit/client/retry.test.ts has all of them, and the delays, without waiting.
const rows: readonly Row[] = [
  { what: "429 without Retry-After", fault: faults.rateLimited(), first: 2, counts: each(3) },
  { what: "503", fault: faults.failing(503), first: 2, counts: each(3) },
  { what: "a connection reset", fault: faults.resetBefore, first: 2, counts: each(3) },
  { what: "an answer cut short", fault: faults.cutShort, first: 2, counts: { GET: 3, PUT: 1 } },
  {
    what: "no answer in time",
    fault: faults.silent,
    first: 1,
    requestTimeoutSecs: 3,
    counts: { GET: 2, PUT: 1, POST: 1 },
  },
  { what: "500", fault: faults.failing(500), counts: each(3) },
  { what: "a reset, never seen", fault: faults.resetBefore, seen: false, counts: { GET: 4, POST: 1 } },
  { what: "no JSON", fault: faults.html(200), counts: each(3) },
  { what: "no JSON, never seen", fault: faults.html(200), seen: false, counts: { GET: 1 } },
];

describe("how often a request arrives, if it meets", () => {
  // Each waits most of the time.
  test.concurrent.each(rows)("$what", async (row) => {
    const names = Object.keys(row.counts) as Name[]; // They are the table's.
    const outcomes = await Promise.all(names.map((name) => arrivals(name, row)));
    expect(Object.fromEntries(names.map((name, i) => [name, outcomes[i]?.count]))).toEqual(row.counts);
    for (const { error, count } of outcomes) {
      if (count > (row.first ?? Infinity)) expect(error).toBe("succeeded");
      else expect(error).toBeInstanceOf(Error);
      if (count > 1 && row.first === undefined)
        expect(String(error)).toMatch(new RegExp(`Gave up after ${count} attempts in [\\d.]+ s`));
    }
  });
});

test("each cause has its own number of retries, and a last answer that is never retried stands alone", async () => {
  const proxy = await faults.ownProxy(service.url);
  const client = clientTo(proxy.url);
  await client.send(get);
  proxy.use(faults.script([503, 503, 500, 404].map((status) => faults.failing(status, { message: "no" }))));
  await expect(client.send(get)).rejects.toThrow(/answered 404: no \(request \S+\)$/);
});

test.concurrent.each([
  ["answers", faults.pass],
  ["rejects a request", faults.failing(404)],
])(
  "a service that is unavailable for more than a moment is reported once, with the next attempt, and when it %s again",
  async (_, then) => {
    const proxy = await faults.ownProxy(service.url);
    const notes: string[] = [];
    const settings = settingsFor(proxy.url, { requestTimeoutSecs: 60, retryBudgetSecs: 60 });
    const client = new Client(settings, (text) => notes.push(text));
    await client.send(get);
    proxy.reset();
    const away = faults.failing(503, { message: "quoting a-secret" }, { "retry-after": "3" });
    proxy.use(({ count }) => (count > 2 ? then : away));
    await Promise.allSettled([client.send(get), client.send(get)]);
    const [gone = "", back = "", ...others] = notes;
    expect(gone).toMatch(
      new RegExp(
        `^the service at "${proxy.url}" answers 503. Attempt 2 follows in 3(\\.\\d)? s; retries end at \\d\\d:\\d\\d:\\d\\d UTC$`,
      ),
    );
    expect(back).toMatch(new RegExp(`^the service at "${proxy.url}" answers again after \\d(\\.\\d)? s$`));
    expect(others).toEqual([]);
  },
);

test("a request without an answer is told after five seconds, once, with the end of its time", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const proxy = await faults.ownProxy(service.url);
  proxy.use(() => faults.silent);
  const notes: string[] = [];
  const settings = settingsFor(proxy.url, { requestTimeoutSecs: 30, retryBudgetSecs: 60 });
  const client = new Client(settings, (text) => notes.push(text));
  const end = new Date(Date.now() + 30_000).toISOString().slice(11, 19);
  const sent = Promise.allSettled([client.send(get), client.send(get)]);
  while (proxy.arrivals().length < 2) await new Promise(setImmediate);
  await vi.advanceTimersByTimeAsync(4_900);
  expect(notes).toEqual([]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(notes).toEqual([
    `still waiting for "${proxy.url}" (GET ${list.path}, 5 s so far). This attempt times out at ${end} UTC`,
  ]);
  client.interrupt();
  const reason = { code: "canceled", message: expect.stringMatching(/ was canceled because the run was interrupted$/) };
  expect(await sent).toMatchObject([{ reason }, { reason }]);
});

test.each([-3_600_000, 3_600_000])("a clock that is set by %i ms changes no wait and no budget", async (ms) => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const proxy = await faults.ownProxy(service.url);
  const client = clientTo(proxy.url, { retryBudgetSecs: 1 });
  await client.send(get);
  proxy.reset();
  proxy.use(({ count }) => {
    if (count === 1) vi.setSystemTime(Date.now() + ms);
    return faults.failing(503);
  });
  await expect(client.send(get)).rejects.toThrow(/Gave up after [23] attempts in 0\.\d s, because the next wait of/);
});

test("no 429 of a limited service within the budget, and no more requests at once than maxConcurrency", async () => {
  const proxy = await faults.ownProxy(service.url);
  let [refused, end, used] = [0, 0, 0];
  // 20 requests in 2 s.
  proxy.use(() => {
    if (Date.now() >= end) [end, used] = [Date.now() + 2_000, 0];
    if (++used <= 20) return faults.latency(50);
    refused += 1;
    return faults.rateLimited(String(Math.ceil((end - Date.now()) / 1_000)));
  });
  const host = localHost({ baseUrl: proxy.url, apiToken: token, maxConcurrency: "7" });
  const warned = vi.fn();
  process.on("warning", warned);
  onTestFinished(() => void process.off("warning", warned));
  const slugs = Array.from({ length: 60 }, (_, i) => `many-${i}`);
  const outcomes = await Promise.allSettled(slugs.map((slug) => host.create("Notifier", { ...args, slug })));
  expect(outcomes.filter(({ status }) => status === "rejected")).toEqual([]);
  expect(refused).toBeGreaterThan(0);
  expect(proxy.mostAtOnce()).toBe(7);
  // Many that wait are no leak.
  expect(warned).not.toHaveBeenCalled();
});
