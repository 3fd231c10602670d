import type { Service } from "@pulumi-observability/service";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { argsWith, caseOf, changed } from "../support/cases.js";
import * as faults from "../support/faults.js";
import { type Host, type LocalHost, localHost, startHost } from "../support/host.js";
import { live, ownService, token } from "../support/service.js";

const notifier = caseOf("Notifier");

let service: Service;

beforeAll(async () => {
  service = await ownService();
});

/** A proxy before the service, and the settings of a provider behind it. */
async function place() {
  const proxy = await faults.ownProxy(service.url);
  onTestFinished(() => proxy.release());
  return { proxy, settings: { baseUrl: proxy.url, apiToken: token, retryBudgetSecs: "200" } };
}

/** What a signal does is tried with processes; what an interruption does, without. */
async function localPlace() {
  const { proxy, settings } = await place();
  return { proxy, host: localHost(settings), maker: localHost(settings) };
}

const create = (host: LocalHost, kindName: string, slug: string) =>
  host.create(kindName, argsWith(caseOf(kindName), slug));
const told = (asked: Promise<unknown>) => asked.then(() => "done", String);
const holdWrites = (proxy: faults.FaultProxy) =>
  proxy.use((arrival) => (faults.isWrite(arrival) ? faults.held : undefined));
const check = (host: LocalHost, slug: string) =>
  host.check("Notifier", {}, { ...argsWith(notifier, slug), __ctx: { dryRun: true, name: slug } });

/** Sends the signal, and waits until what would ask for something is refused; a dry run, which proves no address. */
async function interrupt(host: Host, signal: NodeJS.Signals): Promise<void> {
  host.interrupt(signal);
  let asked = 0;
  await faults.until(async () => {
    const { failures } = await check(host, `asked-${asked++}`);
    return failures.join().includes("interrupted");
  }, "the interruption");
}

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "a process that gets %s finishes and answers several writes, and ends",
  async (signal) => {
    const { proxy, settings } = await place();
    const host = await startHost(settings);
    const slug = `coming-${signal.toLowerCase()}`;
    const { outputs } = await create(host, "Notifier", `${slug}-changed`);
    holdWrites(proxy);
    const wanted = changed(argsWith(notifier, `${slug}-changed`), notifier.changes.name ?? {});
    const writes = Promise.all([
      create(host, "Notifier", slug),
      create(host, "Monitor", slug),
      host.update("Notifier", `${slug}-changed`, outputs, wanted),
    ]);
    await faults.until(() => proxy.heldNow() === 3, "the writes");
    await interrupt(host, signal);
    // A second signal takes no answer away.
    await interrupt(host, signal);
    proxy.release();
    const [posted, put, updated] = await writes;
    expect([posted.id, put.id, updated.name]).toEqual([slug, slug, "Another name"]);
    await host.ended;
    expect(await live(service, "Notifier", slug)).toBeDefined();
  },
);

test("an interrupted process that has read nothing finishes a delete", async () => {
  const { proxy, host, maker } = await localPlace();
  const { outputs } = await create(maker, "Notifier", "going");
  holdWrites(proxy);
  const deleted = told(host.delete("Notifier", "going", outputs));
  await faults.until(() => proxy.heldNow() === 1, "the delete");
  const stopped = host.stop();
  proxy.release();
  expect(await deleted).toBe("done");
  await stopped;
  expect(await live(service, "Notifier", "going")).toBeUndefined();
});

test("an interrupted process gives up reading, and ends", async () => {
  const { proxy, settings } = await place();
  const host = await startHost(settings);
  proxy.use(() => faults.silent);
  const notes = { __observability: { baseUrl: proxy.url } };
  const reading = told(host.read("Notifier", "pager", { ...argsWith(notifier, "pager"), ...notes }));
  await faults.until(() => proxy.arrivals().length > 0, "the read");
  const asked = proxy.arrivals().length;
  host.interrupt();
  expect(await reading).toMatch(/unable to read notifier "pager": .*interrupted/);
  await host.ended;
  expect(proxy.arrivals()).toHaveLength(asked);
});

// The interruption comes while the service does the write, and then the answer is lost.
test.each([
  ["Notifier", "503", faults.failingAfter(503)],
  ["Monitor", "reset", faults.resetAfter],
])("a created %s whose answer is lost after an interruption (%s) may exist, and is not sent again", async (...row) => {
  const [name, way, fault] = row;
  const { proxy, host } = await localPlace();
  const stop = async () => void host.stop();
  proxy.use((arrival) => (faults.isWrite(arrival) ? faults.meanwhile(stop, fault) : undefined));
  const outcome = await told(create(host, name, `lost-${way}`));
  expect(await live(service, name, `lost-${way}`)).toBeDefined();
  expect(proxy.arrivals().filter(faults.isWrite)).toHaveLength(1);
  expect(outcome).toContain(`unable to create ${caseOf(name).kind.title} "lost-${way}": `);
  expect(outcome).toMatch(/may exist.*adopt/);
});

test("an interrupted process waits for no other attempt", async () => {
  const { proxy, host } = await localPlace();
  proxy.use(() => faults.rateLimited("100"));
  const creating = told(create(host, "Notifier", "waiting"));
  await faults.until(() => proxy.arrivals().length === 1, "the first attempt");
  const start = Date.now();
  await host.stop();
  expect(await creating).toMatch(/unable to create notifier "waiting": .*the run was interrupted/);
  expect(Date.now() - start).toBeLessThan(100_000);
  expect(proxy.arrivals()).toHaveLength(1);
});

test("an interrupted process does not create again what it has looked up; the lost answer stays the cause", async () => {
  const { proxy, host } = await localPlace();
  const later = faults.failing(503, undefined, { "retry-after": "100" });
  proxy.use((arrival) =>
    faults.isWrite(arrival) ? later : arrival.query.get("slugs") === "looked-up" ? faults.held : undefined,
  );
  const creating = told(create(host, "Notifier", "looked-up"));
  await faults.until(() => proxy.heldNow() === 1, "the look-up");
  proxy.release();
  // Answered after the look-up: by then only the delay is waited for.
  await check(host, "other");
  const start = Date.now();
  await host.stop();
  expect(await creating).toMatch(
    /unable to create notifier "looked-up": POST .* answered 503: failed before.*\. It was not retried because the run was interrupted \(request/,
  );
  expect(Date.now() - start).toBeLessThan(100_000);
  expect(proxy.arrivals().filter(faults.isWrite)).toHaveLength(1);
});
