import type { Service } from "@pulumi-observability/service";
import { describe, expect, test } from "vitest";
import { argsWith, caseOf, cases, changed, idOf, oneOfEach, pathOf } from "../support/cases.js";
import * as faults from "../support/faults.js";
import { localHost } from "../support/host.js";
import { ask, live, ownService, put, token } from "../support/service.js";

// What may happen between two steps of ours: a read and a write, a write and its repeat, a page and a delete.

type Json = Record<string, any>;

async function world(settings: Record<string, string> = {}, layer?: faults.Layer) {
  const service = await ownService();
  await put(service, "Dataset", String(caseOf("Dataset").args.slug));
  const proxy = await faults.ownProxy(service.url, layer);
  service.resetCounters();
  /** Another process: one leaves to its owner what it has written itself. */
  const newHost = () => localHost({ baseUrl: proxy.url, apiToken: token, ...settings });
  return { service, proxy, newHost, host: newHost() };
}

const theirs = { name: "somebody else's" };

/** Somebody deletes the object and creates another one under its slug, later than the first in milliseconds. */
async function recreate(service: Service, name: string, slug: string, change: Json = theirs): Promise<void> {
  await ask(service, "DELETE", pathOf(caseOf(name).kind, slug));
  const start = Date.now();
  await faults.until(() => Date.now() > start + 1, "the next millisecond");
  await put(service, name, slug, change);
}

/** Runs once before the first request that matches. */
function once(
  matches: (arrival: faults.Arrival) => boolean,
  work: () => Promise<unknown>,
  fault?: faults.Fault,
): faults.Rule {
  let isDone = false;
  return (arrival) => {
    if (isDone || !matches(arrival)) return undefined;
    isDone = true;
    return faults.meanwhile(work, fault);
  };
}

describe("a service that ignores dry_run", () => {
  const declared = (name: string) => ({ dryRun: true, name });
  const ignoring = async (settings = {}) => {
    const all = await world(settings);
    all.proxy.use(() => faults.ignoringDryRuns);
    return all;
  };

  // That a preview writes one object, names it and stops: test/engine/validation.test.ts.
  test.each(oneOfEach.map((each) => [each.kind.name, each] as const))(
    "keeps an existing %s from a create's preview",
    async (name, each) => {
      const { service, host } = await ignoring();
      const id = idOf(each, "taken");
      await put(service, name, id, each.kind.isSingleton ? {} : theirs);
      const before = await live(service, name, id);
      const { failures } = await host.check(name, {}, { ...argsWith(each, "taken"), __ctx: declared("taken") });
      if (!each.kind.isSingleton) expect(failures).toEqual([expect.stringContaining("already exists")]);
      expect(await live(service, name, id)).toEqual(before);
    },
  );

  test("is named by the preview of an update, with the object that it has changed", async () => {
    const { host, proxy } = await ignoring({ validate: "never" });
    const each = caseOf("Monitor");
    const { outputs } = await host.create("Monitor", argsWith(each, "changed"));
    const preview = localHost({ baseUrl: proxy.url, apiToken: token });
    const news = { ...argsWith(each, "changed"), intervalSecs: 77, __ctx: declared("changed") };
    const { failures } = await preview.check("Monitor", outputs, news);
    expect(failures).toEqual([expect.stringMatching(/a dry run changed monitor "changed", .*Restore the object/)]);
  });

  test("works with validate never: a create asks by reads, and overwrites nothing", async () => {
    const { service, host } = await ignoring({ validate: "never" });
    await put(service, "Monitor", "taken", theirs);
    await expect(host.create("Monitor", argsWith(caseOf("Monitor"), "taken"))).rejects.toThrow("already exists");
    expect(await live(service, "Monitor", "taken")).toMatchObject(theirs);
  });
});

test("the first PUT of a dry run goes alone too, after those of POST were honored", async () => {
  const { service, proxy, host } = await world();
  const slugs = ["one", "two", "three"];
  for (const slug of slugs) await put(service, "Dataset", slug);
  let [sent, isAnswered] = [0, false];
  // This service has no GET, and answers 404 to it. Only a PUT shows that a slug is taken.
  proxy.use(({ method, path }) => {
    if (method === "GET" && path.includes("/datasets")) return faults.failing(404);
    if (method !== "PUT") return undefined;
    if (!isAnswered) sent += 1;
    return { ...faults.edited("answered", (body) => ((isAnswered = true), body)), delayMs: 100 };
  });
  const check = (slug: string) =>
    host.check(
      "Dataset",
      {},
      { ...argsWith(caseOf("Dataset"), slug), __ctx: { dryRun: true, name: slug, adopt: true } },
    );
  expect((await check("new")).failures).toEqual([]);
  for (const { failures } of await Promise.all(slugs.map(check))) expect(failures).toEqual([]);
  expect(sent).toBe(1);
});

test("a service that echoes the object of a dry run is looked at once, and passes", async () => {
  const echo: faults.Layer = {
    request: (_, text) => text,
    reply: ({ dryRun, body }, reply) =>
      dryRun && reply.status === 200 ? { ...reply, text: JSON.stringify({ ...body, dry_run: undefined }) } : reply,
  };
  const { proxy, host } = await world({}, echo);
  for (const slug of ["one", "two", "three"]) {
    const { failures } = await host.check("Notifier", {}, { discard: true, slug, __ctx: { dryRun: true, name: slug } });
    expect(failures).toEqual([]);
  }
  // Each preview looks whether the slug is free; the first one looks before that whether the dry run has written.
  const reads = proxy.arrivals().flatMap(({ method, query }) => (method === "GET" ? query.getAll("slugs") : []));
  expect(reads).toEqual(["one", "one", "two", "three"]);
});

const byPost = cases.filter(({ kind }) => !kind.createsByPut);

test.each(byPost.map((each) => [each.kind.name, each] as const))(
  "a POST that would overwrite the existing %s fails in the preview, and is reported after the update",
  async (name, each) => {
    const { service, proxy, host } = await world();
    const slug = String(each.args.slug);
    const id = idOf(each);
    await put(service, name, slug, each.kind.isSingleton ? each.args : theirs);
    const start = Date.now();
    await faults.until(() => Date.now() > start + 500, "half a second");
    let answer: unknown = {};
    proxy.use(({ method, body, dryRun }) => {
      if (method !== "POST") return undefined;
      const write = async () => {
        const { kind } = each;
        if (!dryRun)
          answer = (await ask(service, "PUT", pathOf(kind, id), { [kind.wire.one]: body[kind.wire.one] })).body;
      };
      const reply = () => ({ status: 200, headers: {}, text: JSON.stringify(dryRun ? {} : answer) });
      return faults.meanwhile(write, { ...faults.nothing, reply });
    });
    const [change = {}] = Object.values(each.changes);
    const args = changed(each.args, change);
    const { failures } = await host.check(name, {}, { ...args, __ctx: { dryRun: true, name: slug } });
    expect(failures.join()).toContain("already exists");
    await expect(host.create(name, args)).rejects.toThrow("another client created the object at the same time");
  },
);

test("a preview of an update passes if the service shows its object in another form", async () => {
  const { proxy, host } = await world();
  const each = caseOf("Monitor");
  const { outputs } = await host.create("Monitor", argsWith(each, "odd"));
  proxy.use(
    faults.on(
      { method: "GET" },
      faults.withField("signal_grouping", () => "odd"),
    ),
  );
  const news = { ...argsWith(each, "odd"), intervalSecs: 77, __ctx: { dryRun: true, name: "odd" } };
  expect((await host.check("Monitor", outputs, news)).failures).toEqual([]);
});

test("a list that could not be read once is read again", async () => {
  const { proxy, host, newHost } = await world();
  const { outputs } = await host.create("Notifier", { name: "gone", slug: "gone", discard: true });
  await newHost().delete("Notifier", "gone", outputs);
  const reader = newHost();
  proxy.use(({ query }) => (query.has("slugs") ? undefined : faults.failing(403)));
  await expect(reader.read("Notifier", "gone", outputs)).rejects.toThrow("403");
  proxy.use(() => undefined);
  expect((await reader.read("Notifier", "gone", outputs)).id).toBe("");
});

const byPut = oneOfEach.filter(({ kind }) => kind.createsByPut);

// Also if the service reads its clock twice: test/support/dialects.ts.
test.each(byPut.map((each) => [each.kind.name, each] as const))(
  "a creating PUT of a %s is recorded if a gateway delivers it twice",
  async (name, each) => {
    const slug = "new-one";
    const { service, proxy, host } = await world();
    proxy.use((arrival) =>
      faults.isWrite(arrival) ? faults.meanwhile(() => ask(service, "PUT", arrival.path, arrival.body)) : undefined,
    );
    const { outputs } = await host.create(name, argsWith(each, slug));
    expect(outputs.createdAt).toBe((await live(service, name, slug))?.created_at);
    // Also if it was deleted outside, which an update finds.
    await ask(service, "DELETE", pathOf(each.kind, slug));
    const updated = await host.update(name, slug, outputs, { ...argsWith(each, slug), name: "again" });
    expect(updated.createdAt).toBe((await live(service, name, slug))?.created_at);
  },
);

describe.each(oneOfEach.map((each) => [each.kind.name, each] as const))("an object of the kind %s", (name, each) => {
  const id = idOf(each, "kept");
  const [change = {}] = Object.values(each.changes);
  const later = faults.failing(503, undefined, { "retry-after": "1" });
  const own = each.kind.isSingleton ? {} : theirs;

  async function recorded() {
    const all = await world();
    const { outputs } = await all.host.create(name, argsWith(each, "kept"));
    return { ...all, host: all.newHost(), outputs };
  }

  test("that is recreated between an update's read and its write is reported, and isn't recorded", async () => {
    const { service, proxy, host, outputs } = await recorded();
    proxy.use(once(faults.isWrite, () => recreate(service, name, id, own)));
    await expect(host.update(name, id, outputs, changed(argsWith(each, "kept"), change))).rejects.toThrow(
      /another client recreated the object at the same time .* this update overwrote it\. The state doesn't record/,
    );
  });

  test("that is recreated before an update is retried is not overwritten", async () => {
    const { service, proxy, host, outputs } = await recorded();
    proxy.use(once(faults.isWrite, () => recreate(service, name, id, own), later));
    await expect(host.update(name, id, outputs, changed(argsWith(each, "kept"), change))).rejects.toThrow(
      /was deleted and recreated outside this stack/,
    );
    expect(await live(service, name, id)).toMatchObject(own);
  });

  test("that is recreated before a delete is retried is not deleted", async () => {
    const { service, proxy, host, outputs } = await recorded();
    proxy.use(once(faults.isWrite, () => recreate(service, name, id, own), later));
    await host.delete(name, id, outputs);
    expect(await live(service, name, id)).toMatchObject(own);
    await faults.until(() => host.output().includes("not deleted, because the object was recreated"), "the note");
  });

  test("is deleted with a token that may write and not read", async () => {
    const { service, proxy, host, outputs } = await recorded();
    proxy.use(({ method }) => (method === "GET" ? faults.failing(403) : undefined));
    await host.delete(name, id, outputs);
    expect(await live(service, name, id)).toBeUndefined();
    await host.stop();
    expect(host.output()).toContain(`: this token can't read ${each.kind.manyTitle}, so the provider can't verify`);
  });
});

test("of 24 objects, one that was recreated after a refresh has read its page is not deleted", async () => {
  const { service, host, newHost } = await world();
  const [reader, { args }] = [newHost(), caseOf("Monitor")];
  const states = new Map<string, Json>();
  for (let i = 0; i < 24; i += 1) {
    const slug = `many-${i}`;
    states.set(slug, (await host.create("Monitor", { ...args, slug })).outputs);
  }
  for (const [slug, outputs] of states) await reader.read("Monitor", slug, outputs);
  await recreate(service, "Monitor", "many-20");
  for (const [slug, outputs] of states) await reader.delete("Monitor", slug, outputs);
  expect(await live(service, "Monitor", "many-20")).toMatchObject(theirs);
});

test("of 30 objects adopted as identical, those that were edited after a page was read are not adopted", async () => {
  const { service, proxy, host } = await world();
  const { args } = caseOf("Monitor");
  const slugs = Array.from({ length: 30 }, (_, i) => `there-${i}`);
  for (const slug of slugs) await put(service, "Monitor", slug);
  let probes = 0;
  // Each is edited while it is created, after the pages of the others may have been read.
  proxy.use((arrival) => {
    if (!/monitors.there-/.test(arrival.path) || ++probes < 20) return undefined;
    return faults.meanwhile(() =>
      put(service, "Monitor", String(arrival.path.split("/").at(-1)), { intervalSecs: 333 }),
    );
  });
  const adopt = async (slug: string) => {
    const context = { dryRun: false, name: slug, adopt: "identical" };
    const { inputs } = await host.check("Monitor", {}, { ...args, slug, __ctx: context });
    return host.create("Monitor", inputs).then(() => "adopted", String);
  };
  const outcomes: string[] = [];
  for (const slug of slugs) outcomes.push(await adopt(slug));
  expect(outcomes.slice(0, 19)).toEqual(outcomes.slice(0, 19).map(() => "adopted"));
  for (const outcome of outcomes.slice(19)) expect(outcome).toMatch(/already exists and differs in intervalSecs/);
});

test("an adoption that the service rejects shows why, and not that the slug was taken", async () => {
  const { service, proxy, host } = await world();
  await put(service, "Notifier", "taken", theirs);
  proxy.use(({ method, dryRun }) =>
    method === "PUT" && !dryRun ? faults.failing(400, { message: "no such URL" }) : undefined,
  );
  const context = { dryRun: false, name: "taken", adopt: true };
  const { inputs } = await host.check("Notifier", {}, { discard: true, slug: "taken", __ctx: context });
  await expect(host.create("Notifier", inputs)).rejects.toThrow(/answered 400: no such URL/);
});

test("a list that always has another, empty page is an error, and doesn't keep a preview waiting", async () => {
  const { proxy, host } = await world();
  let pages = 0;
  const endless = faults.edited("endless", (body) => ({ ...body, page: { next_token: `page-${(pages += 1)}` } }));
  proxy.use(faults.on({ method: "GET" }, { ...endless, path: (path) => path.replace(/page\.token=[^&]*&?/, "") }));
  const args = { ...argsWith(caseOf("TraceMetricsRule"), "rule"), __ctx: { dryRun: true, name: "rule" } };
  const { failures } = await host.check("TraceMetricsRule", {}, args);
  expect(failures).toEqual([expect.stringContaining("answered with 101 empty pages in a row, so the list has no end")]);
});
