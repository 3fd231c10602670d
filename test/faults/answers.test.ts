import type { Service } from "@pulumi-observability/service";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toWire } from "../../dist/provider/wire/codec.js";
import { type KindCase, cases, changed, pathOf } from "../support/cases.js";
import * as faults from "../support/faults.js";
import { reportFigure } from "../support/figures.js";
import { type Host, startHost } from "../support/host.js";
import { ask, ownService, token } from "../support/service.js";

type Json = Record<string, unknown>;

const isDeep = process.env.TEST_DEEP === "1";

/** A success whose words are lost. */
const unreadable: readonly faults.Fault[] = [faults.halfOfTheJson, faults.htmlAfter(200)];
/** Ways of losing the answer to what the service has done. */
const losses: readonly faults.Fault[] = [
  faults.resetAfter,
  faults.cutShort,
  ...unreadable,
  faults.failingAfter(500),
  faults.failingAfter(503),
  faults.htmlAfter(502),
  faults.emptyAfter,
  faults.silentAfter,
];
/** What looks alike, and never reached the service. */
const neverThere: readonly faults.Fault[] = [
  faults.resetBefore,
  faults.failing(500),
  faults.failing(503),
  faults.html(502),
  faults.silent,
];
const all = [...losses, ...neverThere];
const repeated = all.filter((way) => !unreadable.includes(way));

const byPost = cases.filter(({ kind }) => !kind.createsByPut);
const byPut = cases.filter(({ kind }) => kind.createsByPut);
const singleton = cases.find(({ kind }) => kind.isSingleton);
if (singleton === undefined) throw new Error("there is a singleton");
const lostPosts = isDeep ? Math.ceil(1_000 / byPost.length) : 40;
// One object cannot be made many at a time.
const lostPostsOfSingleton = isDeep ? lostPosts : losses.length;

let service: Service;
let proxy: faults.FaultProxy;
let host: Host;
/** A process that has written nothing, so that it deletes whatever it is told to. */
let deleter: Host;
const sum = { trials: 0, objects: 0, twice: 0, failures: 0 };

beforeAll(async () => {
  service = await ownService();
  proxy = await faults.ownProxy(service.url);
  proxy.use(planned);
  await ask(service, "POST", "/api/v1/config/datasets", {
    dataset: { slug: "checkout-logs", name: "Logs", configuration: { type: "LOGS", log_dataset: {} } },
  });
  const settings = {
    baseUrl: proxy.url,
    apiToken: token,
    requestTimeoutSecs: "1",
    retryBudgetSecs: "30",
    maxConcurrency: "64",
  };
  const hosts = await Promise.all([startHost(settings), startHost(settings)]);
  [host, deleter] = hosts;
  return () => Promise.all(hosts.map((each) => each.stop()));
});

afterAll(() => {
  reportFigure(
    `lost answers: ${sum.trials} trials, objects: ${sum.objects}, twice: ${sum.twice}, failures: ${sum.failures}`,
  );
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

const own = ({ kind, args }: KindCase, slug: string): Json => (kind.isSingleton ? { ...args } : { ...args, slug });
const posts = ({ kind }: KindCase, prefix: string) =>
  proxy
    .arrivals()
    .filter(({ method, dryRun }) => method === "POST" && !dryRun)
    .filter((arrival) => placeOf(arrival).startsWith(`${kind.operations.create.path}/${prefix}-`));

/** The slugs of all objects of the kind that begin so. */
async function standing({ kind }: KindCase, prefix: string): Promise<readonly string[]> {
  const found: string[] = [];
  let next = "";
  do {
    const query = new URLSearchParams({ "page.max_size": "1000", "page.token": next });
    const { body } = await ask(service, "GET", `${kind.family.list?.path}?${query}`);
    found.push(...(body[String(kind.wire.many)] as Json[]).map(({ slug }) => String(slug)));
    next = String((body.page as Json).next_token ?? "");
  } while (next !== "");
  return found.filter((slug) => slug.startsWith(`${prefix}-`)).sort();
}

/** Creates many at a time, each losing its request or its answer in its own way, and counts what then stands there. */
async function trials(each: KindCase, ways: readonly faults.Fault[], count: number, prefix: string) {
  const { kind } = each;
  const slugs = Array.from({ length: count }, (_, i) => `${prefix}-${i}`);
  const outcomes = await Promise.all(
    slugs.map(async (slug, i) => {
      const way = ways[i % ways.length] ?? faults.pass;
      plan(kind.operations.create.method, each, slug, way);
      const created = await host.create(kind.name, own(each, slug)).catch((error: unknown) => `${way.name}: ${error}`);
      return typeof created === "string" ? { failure: created } : { id: created.id };
    }),
  );
  const failures = outcomes.flatMap(({ failure }) => failure ?? []);
  const there = await standing(each, prefix);
  sum.trials += count;
  sum.objects += there.length;
  // A service that makes a slug up ends it with a number of its own.
  sum.twice += there.length - new Set(there.map((slug) => slug.split("-").slice(0, 2).join("-"))).size;
  sum.failures += failures.length;
  return { failures, inState: outcomes.flatMap(({ id }) => id ?? []).sort(), there, all: [...slugs].sort() };
}

const slugged = byPost.filter(({ kind }) => !kind.isSingleton);

describe.concurrent.each(slugged.map((each) => [each.kind.name, each] as const))("a POST of a %s", (name, each) => {
  const { kind } = each;

  test.concurrent(`whose answer is lost makes one object, which state holds, ${lostPosts} times`, async () => {
    const result = await trials(each, losses, lostPosts, "lost");
    expect(result.failures).toEqual([]);
    expect(result.inState).toEqual(result.all);
    expect(result.there).toEqual(result.all);
    // Found by looking, not by a second POST.
    expect(posts(each, "lost")).toHaveLength(lostPosts);
  });

  test.concurrent("that never reached the service is sent again", async () => {
    const count = neverThere.length * 2;
    const result = await trials(each, neverThere, count, "again");
    expect(result.failures).toEqual([]);
    expect(result.inState).toEqual(result.all);
    expect(result.there).toEqual(result.all);
    expect(posts(each, "again")).toHaveLength(2 * count);
  });

  const somebodyElse = async (ways: readonly faults.Fault[], prefix: string) => {
    const [change = {}] = Object.values(each.changes);
    const outcomes = await Promise.all(
      ways.map(async (way, i) => {
        const slug = `${prefix}-${i}`;
        const theirs = { ...objectOf(each, changed(own(each, slug), change)), name: "somebody else's" };
        plan("POST", each, slug, meanwhile(each, theirs, way));
        const told = await host.create(name, own(each, slug)).then(() => "taken", String);
        const { body } = await ask(service, "GET", pathOf(kind, slug));
        return { way: way.name, told, name: (body[kind.wire.one] as Json | undefined)?.name };
      }),
    );
    const refusal = (slug: string) =>
      new RegExp(`${kind.title} "${slug}" already exists.*set adopt`);
    expect(outcomes).toEqual(
      ways.map((way, i) => ({
        way: way.name,
        told: expect.stringMatching(refusal(`${prefix}-${i}`)),
        name: "somebody else's",
      })),
    );
  };

  test.concurrent("never takes an object of somebody else that appeared at the same time", () =>
    somebodyElse(
      all.filter((way) => way !== faults.emptyAfter),
      "other",
    ),
  );

  test.concurrent("nor where a gateway answers {} in the place of the refusal", () =>
    somebodyElse([faults.emptyAfter], "gateway"),
  );

  test.concurrent("never takes an identical object that is older than the first attempt", async () => {
    const slug = "older-1";
    plan("POST", each, slug, meanwhile(each, objectOf(each, own(each, slug)), faults.resetBefore));
    const older = faults.edited("made older", (body) =>
      JSON.parse(JSON.stringify(body).replace(/"created_at":"[^"]*"/g, '"created_at":"2026-01-01T00:00:00.000Z"')),
    );
    plan("GET", each, slug, older, Infinity);
    await expect(host.create(name, own(each, slug))).rejects.toThrow(/already exists.*adopt/);
  });
});

describe.concurrent.each(byPut.map((each) => [each.kind.name, each] as const))("a creating PUT of a %s", (_, each) => {
  test.concurrent("makes one object, whether the request or its answer is lost", async () => {
    const result = await trials(each, all, all.length, "put");
    expect(result.failures).toEqual([]);
    expect(result.inState).toEqual(result.all);
    expect(result.there).toEqual(result.all);
  });
});

const several = cases.filter(({ kind }) => !kind.isSingleton);

describe.concurrent.each(several.map((each) => [each.kind.name, each] as const))("%s", (name, each) => {
  const { kind } = each;
  const [change = {}] = Object.values(each.changes);

  const run = async (way: faults.Fault, i: number) => {
    const slug = `changing-${i}`;
    const at = pathOf(kind, slug);
    const { outputs } = await host.create(name, own(each, slug));
    plan("PUT", each, slug, way);
    const wanted = changed(own(each, slug), change);
    const updated = await host.update(name, slug, outputs, wanted);
    const live = (await ask(service, "GET", at)).body[kind.wire.one] as Json;
    const refreshed = await deleter.read(name, slug, updated);
    expect(refreshed).toEqual({ id: slug, outputs: updated });
    expect(live.updated_at).toBe(refreshed.outputs.updatedAt);
    plan("DELETE", each, slug, way);
    await deleter.delete(name, slug, updated);
    expect((await ask(service, "GET", at)).status).toBe(404);
  };
  const told = (way: faults.Fault, i: number) =>
    run(way, i).then(
      () => [],
      (error: unknown) => [`${way.name}: ${String(error)}`],
    );

  test.concurrent("an update converges, and a delete succeeds, whether they or their answers are lost", async () => {
    expect((await Promise.all(repeated.map(told))).flat()).toEqual([]);
  });

  test.concurrent("nor where the answer is a success that is no JSON", async () => {
    expect((await Promise.all(unreadable.map((way, i) => told(way, all.length + i)))).flat()).toEqual([]);
  });
});

describe("the singleton", () => {
  const each = singleton;
  const { kind } = each;
  const path = pathOf(kind, "");

  const attempt = async (way: faults.Fault): Promise<string> => {
    await ask(service, "DELETE", path);
    plan("POST", each, "", way);
    const created = await host.create(kind.name, own(each, "")).catch((error: unknown) => `${way.name}: ${error}`);
    const { status } = await ask(service, "GET", path);
    sum.trials += 1;
    sum.objects += status === 200 ? 1 : 0;
    if (typeof created === "string") sum.failures += 1;
    return typeof created === "string" ? created : `${created.id} ${status}`;
  };

  test(`is made once and held by state, though the answer to its POST is lost, ${lostPostsOfSingleton} times`, async () => {
    const outcomes: string[] = [];
    for (let i = 0; i < lostPostsOfSingleton; i++)
      outcomes.push(await attempt(losses[i % losses.length] ?? faults.pass));
    expect(new Set(outcomes)).toEqual(new Set([`${kind.singletonId} 200`]));
  });

  const somebodyElse = async (ways: readonly faults.Fault[]) => {
    const theirs = { default_dataset: { allocation: { percent_of_license: 3 } } };
    for (const way of ways) {
      await ask(service, "DELETE", path);
      plan("POST", each, "", meanwhile(each, theirs, way));
      await expect(host.create(kind.name, own(each, ""))).rejects.toThrow(/already exists.*adopt/);
      expect((await ask(service, "GET", path)).body[kind.wire.one]).toMatchObject(theirs);
    }
  };

  test("is not taken where somebody else's appeared at the same time", () =>
    somebodyElse([faults.resetBefore, faults.resetAfter, faults.failingAfter(500)]));

  test("nor where a gateway answers {} in the place of the refusal", () => somebodyElse([faults.emptyAfter]));

  const changeAndDelete = async (ways: readonly faults.Fault[]) => {
    const [change = {}] = Object.values(each.changes);
    for (const way of ways) {
      await ask(service, "DELETE", path);
      const { outputs } = await host.create(kind.name, own(each, ""));
      plan("PUT", each, "", way);
      const updated = await host.update(kind.name, kind.singletonId, outputs, changed(own(each, ""), change));
      plan("DELETE", each, "", way);
      await deleter.delete(kind.name, kind.singletonId, updated);
      expect((await ask(service, "GET", path)).status, way.name).toBe(404);
    }
  };

  test("is updated and deleted, whether requests or answers are lost", () =>
    changeAndDelete(repeated.filter(({ then }) => then !== "silence")));

  test("nor where the answer is a success that is no JSON", () => changeAndDelete(unreadable));
});

function objectOf({ kind }: KindCase, args: Json): Json {
  return toWire(kind.root, args) as Json; // an object's wire form is an object
}

/** Somebody else makes an object between the arrival of a request and what happens to it. */
function meanwhile({ kind }: KindCase, object: Json, way: faults.Fault): faults.Fault {
  return faults.meanwhile(async () => {
    const { status } = await ask(service, "POST", kind.operations.create.path, { [kind.wire.one]: object });
    if (status !== 200) throw new Error(`somebody else's ${kind.title} was answered ${status}`);
  }, way);
}
