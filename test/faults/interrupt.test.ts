import type { Service } from "@pulumi-observability/service";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { caseOf, changed, type KindCase, pathOf } from "../support/cases.js";
import * as faults from "../support/faults.js";
import { type Host, startHost } from "../support/host.js";
import { ask, ownService, token } from "../support/service.js";

// What an interrupted process does at all is told in test/conformance/interrupt.test.ts; here it meets faults as well.

const notifier = caseOf("Notifier");
const monitor = caseOf("Monitor");

let service: Service;

beforeAll(async () => {
  service = await ownService();
});

async function hostBehindProxy(): Promise<{ host: Host; proxy: faults.FaultProxy }> {
  const proxy = await faults.ownProxy(service.url);
  const host = await startHost({ baseUrl: proxy.url, apiToken: token, retryBudgetSecs: "20" });
  onTestFinished(() => {
    proxy.release();
    return host.stop();
  });
  return { host, proxy };
}

const told = (asked: Promise<unknown>) =>
  asked.then(
    () => "done",
    (error: Error) => error.message,
  );
const isWrite = ({ method, dryRun }: faults.Arrival) => method !== "GET" && !dryRun;

/** Sends the signal, and waits until what would ask for something is refused; a dry run, which proves no address. */
async function interrupt(host: Host): Promise<void> {
  host.interrupt();
  let asked = 0;
  await faults.until(async () => {
    const declared = { ...notifier.args, slug: `asked-${asked++}`, __ctx: { dryRun: true, name: "asked" } };
    const { failures } = await host.check("Notifier", {}, declared);
    return failures.join().includes("interrupted");
  }, "the interruption");
}

test("writes under way are finished and answered, several at once", async () => {
  const { host, proxy } = await hostBehindProxy();
  const { outputs } = await host.create("Notifier", { ...notifier.args, slug: "changing" });
  proxy.use((arrival) => (isWrite(arrival) ? faults.held : undefined));
  const wanted = changed({ ...notifier.args, slug: "changing" }, notifier.changes.name ?? {});
  const writes = Promise.all([
    host.create("Notifier", { ...notifier.args, slug: "coming" }),
    host.create("Monitor", { ...monitor.args, slug: "coming" }),
    host.update("Notifier", "changing", outputs, wanted),
  ]);
  await faults.until(() => proxy.heldNow() === 3, "the writes");
  await interrupt(host);
  proxy.release();
  const [posted, put, updated] = await writes;
  expect([posted.id, put.id, updated.name]).toEqual(["coming", "coming", "Another name"]);
  await host.ended;
});

test("so is a delete, in a process that has read nothing", async () => {
  const { host, proxy } = await hostBehindProxy();
  const maker = await startHost({ baseUrl: proxy.url, apiToken: token });
  const { outputs } = await maker.create("Notifier", { ...notifier.args, slug: "going" }).finally(() => maker.stop());
  proxy.use((arrival) => (isWrite(arrival) ? faults.held : undefined));
  const deleted = told(host.delete("Notifier", "going", outputs));
  await faults.until(() => proxy.heldNow() === 1, "the delete");
  await interrupt(host);
  proxy.release();
  const outcome = await deleted;
  await host.ended;
  expect((await ask(service, "GET", pathOf(notifier.kind, "going"))).status).toBe(404);
  expect(outcome).toBe("done");
});

/** The signal comes while the service does the write, and then the answer is lost. */
async function lose(each: KindCase, slug: string, fault: faults.Fault): Promise<void> {
  const { host, proxy } = await hostBehindProxy();
  let sent = 0;
  proxy.use((arrival) => {
    if (!isWrite(arrival)) return undefined;
    sent += 1;
    return faults.meanwhile(() => interrupt(host), fault);
  });
  const outcome = await told(host.create(each.kind.name, { ...each.args, slug }));
  await host.ended;
  expect((await ask(service, "GET", pathOf(each.kind, slug))).status).toBe(200);
  expect(sent).toBe(1);
  expect(outcome).toContain(`unable to create ${each.kind.title} "${slug}": `);
  expect(outcome).toMatch(/may exist.*adopt/);
}

test.each([
  ["503", faults.failingAfter(503)],
  ["reset", faults.resetAfter],
])("a POST whose answer is lost then (%s) is told as what may exist, and not sent again", (name, fault) =>
  lose(notifier, `lost-post-${name}`, fault),
);

test.each([
  ["503", faults.failingAfter(503)],
  ["reset", faults.resetAfter],
])("a PUT whose answer is lost then (%s) is told as what may exist, and not sent again", (name, fault) =>
  lose(monitor, `lost-put-${name}`, fault),
);

test("nobody waits to send something again", async () => {
  const { host, proxy } = await hostBehindProxy();
  proxy.use(() => faults.rateLimited("15"));
  const creating = told(host.create("Notifier", { ...notifier.args, slug: "waiting" }));
  await faults.until(() => proxy.arrivals().length === 1, "the first attempt");
  const start = Date.now();
  host.interrupt();
  expect(await creating).toMatch(/unable to create notifier "waiting": .*the run was interrupted/);
  await host.ended;
  expect(Date.now() - start).toBeLessThan(5_000);
  expect(proxy.arrivals()).toHaveLength(1);
});

test("nor to create again what was looked up and is not there; the lost answer stays the cause", async () => {
  const { host, proxy } = await hostBehindProxy();
  const later = faults.failing(503, undefined, { "retry-after": "15" });
  proxy.use((arrival) => (isWrite(arrival) ? later : arrival.method === "GET" ? faults.held : undefined));
  const creating = told(host.create("Notifier", { ...notifier.args, slug: "looked-up" }));
  await faults.until(() => proxy.heldNow() === 1, "the look-up");
  proxy.release();
  // Answered after the look-up: by then only the delay is waited for.
  await host.check("Notifier", {}, { ...notifier.args, slug: "other", __ctx: { dryRun: true, name: "other" } });
  const start = Date.now();
  host.interrupt();
  expect(await creating).toMatch(
    /unable to create notifier "looked-up": POST .* answered 503: failed before.*; not sent again, because the run was interrupted \(request/,
  );
  await host.ended;
  expect(Date.now() - start).toBeLessThan(5_000);
  expect(proxy.arrivals().filter(isWrite)).toHaveLength(1);
});

test("a second signal takes no answer away", async () => {
  const { host, proxy } = await hostBehindProxy();
  proxy.use((arrival) => (isWrite(arrival) ? faults.held : undefined));
  const creating = host.create("Notifier", { ...notifier.args, slug: "twice" }).then(
    ({ id }) => id,
    (error: Error) => error.message,
  );
  await faults.until(() => proxy.heldNow() === 1, "the write");
  await interrupt(host);
  await interrupt(host);
  proxy.release();
  expect(await creating).toBe("twice");
  await host.ended;
});
