import type { Service } from "@pulumi-observability/service";
import { beforeAll, describe, expect, test } from "vitest";
import { toWire } from "../../dist/provider/wire/codec.js";
import { argsWith, type KindCase, changed, idOf, oneOfEach, pathOf, titleOf } from "../support/cases.js";
import * as faults from "../support/faults.js";
import { type LocalHost, localHost } from "../support/host.js";
import { ask, ownService, put, token } from "../support/service.js";

type Json = Record<string, unknown>;

/** What looks like a lost answer, and never reached the service. */
const neverThere: readonly faults.Fault[] = [faults.resetBefore, faults.failing(503)];
/** Ways of losing the answer to what the service has done, and those. */
const all: readonly faults.Fault[] = [
  faults.resetAfter,
  faults.cutShort,
  faults.halfOfTheJson,
  faults.htmlAfter(200),
  faults.failingAfter(503),
  faults.emptyAfter,
  ...neverThere,
];
/** Takes as long as a request may. Of updates and deletes: test/model. */
const withSilence = [...all, faults.silentAfter, faults.silent];

let service: Service;
let proxy: faults.FaultProxy;
let host: LocalHost;
/** A process that has written nothing, so that it deletes whatever it is told to. */
let deleter: LocalHost;

beforeAll(async () => {
  service = await ownService();
  proxy = await faults.ownProxy(service.url);
  proxy.use(planned);
  await put(service, "Dataset", "checkout-logs");
  // A request that no fault meets must never take as long: it would be lost too, and sent once more.
  const limits = { requestTimeoutSecs: "12", retryBudgetSecs: "120", maxConcurrency: "64" };
  const settings = { baseUrl: proxy.url, apiToken: token, ...limits };
  [host, deleter] = [localHost(settings), localHost(settings)];
});

/** What the next requests of one method for one object meet; tests that run at once have objects of their own. */
const plans = new Map<string, { fault: faults.Fault; times: number }>();
const plan = (method: string, { kind }: KindCase, slug: string, fault: faults.Fault, times = 1) =>
  plans.set(`${method} ${kind.isSingleton ? pathOf(kind, "") : `${kind.family.list?.path}/${slug}`}`, { fault, times });

function planned(arrival: faults.Arrival): faults.Fault | undefined {
  if (arrival.dryRun) return undefined;
  const next = plans.get(`${arrival.method} ${placeOf(arrival)}`);
  if (next === undefined || next.times === 0) return undefined;
  next.times -= 1;
  return next.fault;
}

/** Where the object stands that a request is about, whether it names it in its path, its query or its body. */
function placeOf({ path, query, body }: faults.Arrival): string {
  const inBody = Object.values(body).find((value) => typeof value === "object" && value !== null) as Json | undefined;
  const slug = query.get("slugs") ?? inBody?.slug;
  return typeof slug === "string" && !path.endsWith(`/${slug}`) ? `${path}/${slug}` : path;
}

/** Somebody else makes an object between the arrival of a request and what happens to it. */
function meanwhile({ kind }: KindCase, object: Json, way: faults.Fault): faults.Fault {
  return faults.meanwhile(async () => {
    const { status } = await ask(service, "POST", kind.operations.create.path, { [kind.wire.one]: object });
    if (status !== 200) throw new Error(`somebody else's ${kind.title} was answered ${status}`);
  }, way);
}

/** Tries each way with an object of its own, all at once; with the singleton, which is one object, in turn. */
async function tryAll<T>(
  { kind }: KindCase,
  prefix: string,
  ways: readonly faults.Fault[],
  attempt: (way: faults.Fault, slug: string) => Promise<T>,
): Promise<T[]> {
  if (!kind.isSingleton) return Promise.all(ways.map((way, i) => attempt(way, `${prefix}-${i}`)));
  const outcomes: T[] = [];
  for (const way of ways) {
    await ask(service, "DELETE", pathOf(kind, ""));
    outcomes.push(await attempt(way, ""));
  }
  return outcomes;
}

/** The ids of the objects under a slug; a service that makes a slug up ends it with a number of its own. */
async function standing({ kind }: KindCase, slug: string): Promise<unknown[]> {
  const { status, body } = await ask(
    service,
    "GET",
    `${kind.family.list?.path ?? pathOf(kind, "")}?page.max_size=1000`,
  );
  if (kind.isSingleton) return status === 200 ? [kind.singletonId] : [];
  const slugs = (body[String(kind.wire.many)] as Json[]).map((each) => String(each.slug));
  return slugs.filter((each) => each === slug || each.startsWith(`${slug}-`));
}

// The tests of a kind follow one another, so that no request waits too long, and because the singleton is one object.
describe.concurrent.each(oneOfEach.map((each) => [each.kind.name, each] as const))("%s", (name, each) => {
  const { kind } = each;
  const [change = {}] = Object.values(each.changes);
  const live = async (slug: string) => (await ask(service, "GET", pathOf(kind, slug))).body[kind.wire.one] as Json;

  test.sequential("a create whose request or answer is lost makes one object, which the state records", async () => {
    const { method, path } = kind.operations.create;
    const outcomes = await tryAll(each, "lost", withSilence, async (way, slug) => {
      plan(method, each, slug, way);
      const before = proxy.arrivals().length;
      const created = await host.create(name, argsWith(each, slug)).catch(String);
      const posts = proxy
        .arrivals()
        .slice(before)
        .filter((one) => one.method === "POST" && !one.dryRun);
      const sent = posts.filter((one) => placeOf(one) === (kind.isSingleton ? path : `${path}/${slug}`)).length;
      return {
        way: way.name,
        id: typeof created === "string" ? created : created.id,
        there: await standing(each, slug),
        sent,
      };
    });
    const expected = withSilence.map((way, i) => {
      const id = idOf(each, `lost-${i}`);
      // What was lost is found by looking, not by a second POST.
      const sent = kind.createsByPut ? 0 : [...neverThere, faults.silent].includes(way) ? 2 : 1;
      return { way: way.name, id, there: [id], sent };
    });
    expect(outcomes).toEqual(expected);
  });

  if (!kind.createsByPut) {
    test.sequential("a POST never takes an object of somebody else that appeared at the same time", async () => {
      const outcomes = await tryAll(each, "other", all, async (way, slug) => {
        const named = kind.isSingleton ? {} : { name: "somebody else's" };
        const theirs = toWire(kind.root, { ...changed(argsWith(each, slug), change), ...named });
        plan("POST", each, slug, meanwhile(each, theirs, way));
        const told = await host.create(name, argsWith(each, slug)).then(() => "taken", String);
        const { created_at, updated_at } = await live(slug);
        return { way: way.name, told, isWritten: created_at !== updated_at };
      });
      const told = (slug: string) =>
        expect.stringMatching(`${titleOf(kind, slug)} already exists.*[Ss]et adopt`) as string;
      expect(outcomes).toEqual(all.map((way, i) => ({ way: way.name, told: told(`other-${i}`), isWritten: false })));
    });
  }

  test.sequential("an update converges, and a delete succeeds, whether they or their answers are lost", async () => {
    const outcomes = await tryAll(each, "changing", all, async (way, slug) => {
      const id = idOf(each, slug);
      const { outputs } = await host.create(name, argsWith(each, slug));
      plan("PUT", each, slug, way);
      const updated = await host.update(name, id, outputs, changed(argsWith(each, slug), change));
      const { updated_at } = await live(slug);
      expect(await deleter.read(name, id, updated), way.name).toEqual({ id, outputs: updated });
      expect(updated_at, way.name).toBe(updated.updatedAt);
      plan("DELETE", each, slug, way);
      await deleter.delete(name, id, updated);
      return standing(each, slug);
    });
    expect(outcomes).toEqual(all.map(() => []));
  });

  if (!kind.createsByPut && !kind.isSingleton) {
    test.sequential("a POST never takes an identical object that is older than its first attempt", async () => {
      const slug = "older-1";
      plan("POST", each, slug, meanwhile(each, toWire(kind.root, argsWith(each, slug)), faults.resetBefore));
      const older = faults.withField("created_at", () => "2026-01-01T00:00:00.000Z");
      plan("GET", each, slug, older, Infinity);
      await expect(host.create(name, argsWith(each, slug))).rejects.toThrow(/already exists.*adopt/);
    });
  }
});
