import type { Service } from "@pulumi-observability/service";
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { kinds } from "../../dist/provider/kinds/index.gen.js";
import { Claims } from "../../dist/provider/lifecycle/objects/claims.js";
import { showMany } from "../../dist/provider/lifecycle/verbs/functions.js";
import { accessFailures } from "../../dist/provider/lifecycle/verbs/verifyAccess.js";
import { read } from "../../dist/provider/lifecycle/verbs/read.js";
import { type Session, startSession } from "../../dist/provider/lifecycle/session.js";
import { Target } from "../../dist/provider/lifecycle/objects/target.js";
import { validate } from "../../dist/provider/lifecycle/verbs/validate.js";
import type { Kind } from "../../dist/provider/schema/kind.js";
import { argsWith, caseOf, oneOfEach, pathOf } from "../support/cases.js";
import * as faults from "../support/faults.js";
import { size, usualOrDeep } from "../support/figures.js";
import { ownFolder } from "../support/folders.js";
import { ask, ownService, put, takeCounts, token } from "../support/service.js";

type Json = Record<string, unknown>;

const isOneOfEach = (kind: Kind) => oneOfEach.some((each) => each.kind === kind);
const listable = kinds.filter(({ isSingleton }) => !isSingleton);
/** Shared code lists all kinds alike. */
const listed = usualOrDeep(listable.filter(isOneOfEach), listable);
/** Kinds whose list the API spec does not describe. */
const byConvention = listable.filter(({ family }) => family.list?.described === false);
const createdByPut = listable.filter(({ createsByPut }) => createsByPut);
const names = (all: readonly Kind[]) => all.map(({ name }) => name);

/** A run in the process of one operation. */
function newRun(baseUrl: string): Session {
  const claims = new Claims(ownFolder());
  onTestFinished(() => claims.close());
  const settings: Json = { baseUrl, apiToken: token, requestTimeoutSecs: "10", retryBudgetSecs: "2" };
  return startSession(
    (name) => settings[name] as string | undefined,
    () => undefined,
    claims,
  );
}

const slugsOf = (title: string, count: number) => Array.from({ length: count }, (_, i) => `${title}-${i}`);
const fill = async (service: Service, kind: Kind, slugs: readonly string[]) => {
  for (const slug of slugs) await put(service, kind.name, slug);
};

/** Refreshes objects as the engine does, 16 at a time; the slugs by what came of each. */
async function refresh(run: Session, kind: Kind, slugs: readonly string[]): Promise<Record<string, string[]>> {
  const outcomes: Record<string, string[]> = {};
  const rest = [...slugs];
  const outcomeOf = async (slug: string) => {
    const notes = { baseUrl: run.settings.baseUrl, filledIn: {} };
    const found = await read(run, kind, slug, { ...argsWith(caseOf(kind.name), slug), __observability: notes });
    if (found === undefined) return "gone";
    return found.inputs === undefined ? "unchanged" : "edited";
  };
  const lane = async () => {
    for (let slug = rest.shift(); slug !== undefined; slug = rest.shift())
      (outcomes[await outcomeOf(slug).catch(() => "failed")] ??= []).push(slug);
  };
  await Promise.all(Array.from({ length: 16 }, lane));
  return Object.fromEntries(Object.entries(outcomes).map(([outcome, found]) => [outcome, found.sort()]));
}

/** Validates new objects all at once, as the classes do; the refusals by slug. */
async function preview(run: Session, kind: Kind, slugs: readonly string[]): Promise<Record<string, string>> {
  const validated = await Promise.all([
    accessFailures(new Target(run, kind, {}, "")),
    ...slugs.map(async (slug) => {
      const target = new Target(run, kind, argsWith(caseOf(kind.name), slug));
      const { failures } = await validate(target, { is: "create", mayReplaceItself: false });
      return failures.map((failure) => [slug, failure] as const);
    }),
  ]);
  return Object.fromEntries(validated.flat() as [string, string][]); // the check of URL and token fails in no test here
}

/** The requests since the last call. */
const requestsTo = (service: Service) => Object.values(takeCounts(service)).reduce((sum, count) => sum + count, 0);

/** Of one kind whose list is only a convention so many that twice as many take two pages; of the others fewer. */
const manyOf = (name: string) => size(name === "Monitor" ? 52 : 12);
const pagesOf = (count: number): faults.Fault => ({
  ...faults.pass,
  path: (path) => path.replace("page.max_size=1000", `page.max_size=${count}`),
});

const allKinds = await ownService();
const inHundreds = await faults.ownProxy(allKinds.url);
inHundreds.use(() => pagesOf(100));
test.each(names(listed).map((name) => [name, manyOf(name)] as const))(
  "a refresh of %s objects takes at most 40 requests, for %i of twice as many",
  async (name, count) => {
    const { kind } = caseOf(name);
    const slugs = slugsOf("stack", count);
    await fill(allKinds, kind, [...slugsOf("other", count), ...slugs]);
    takeCounts(allKinds);
    expect(Object.keys(await refresh(newRun(inHundreds.url), kind, slugs))).toEqual(["unchanged"]);
    expect(requestsTo(allKinds)).toBeLessThanOrEqual(40);
  },
);

/** For previews of what is not there yet. */
const empty = await ownService();

describe.each(names(createdByPut.filter(isOneOfEach)))("of the kind %s", (name) => {
  const { kind } = caseOf(name);
  beforeEach(() => empty.resetCounters());

  test("a preview of 16 asks as it does for one, and a page stands for the probes of all further ones", async () => {
    const path = pathOf(kind, "{slug}").slice(15);
    const [list, get, dry] = [`GET ${kind.wire.many?.replaceAll("_", "-")}`, `GET ${path}`, `PUT ${path} dry`];
    for (const [count, pages, probes] of [
      [1, 0, 1],
      [16, 0, 16],
      [17, 1, 16],
      [40, 1, 16],
    ] as const) {
      expect(await preview(newRun(empty.url), kind, slugsOf("new", count))).toEqual({});
      // A filter that finds nothing is tried once.
      const reads = kind.readsByList ? { [list]: 2 + pages + probes } : { [list]: 1 + pages, [get]: probes };
      expect(takeCounts(empty)).toEqual({ ...reads, [dry]: count });
    }
  });

  test("a preview fails for a slug that is taken, whether it is probed or on a page", async () => {
    const service = await ownService();
    const slugs = slugsOf("new", 40);
    const taken = [slugs[3], slugs[35]].map(String);
    await fill(service, kind, taken);
    const failures = await preview(newRun(service.url), kind, slugs);
    expect(Object.keys(failures).sort()).toEqual([...taken].sort());
    for (const failure of Object.values(failures)) expect(failure).toContain("already exists");
  });
});

describe.each(names(byConvention.filter(isOneOfEach)))("a list of the kind %s", (name) => {
  const { kind } = caseOf(name);
  const list = `${kind.family.list?.path}`;
  const many = String(kind.wire.many);
  const slugs = slugsOf("stack", 48);
  const [vanished = "", edited = ""] = ["stack-40", "stack-45"];
  const asItIs = {
    unchanged: slugs.filter((slug) => slug !== vanished && slug !== edited).sort(),
    gone: [vanished],
    edited: [edited],
  };
  const isPage = ({ path, query }: faults.Arrival) => path === list && !query.has("slugs");
  const small = pagesOf(10);

  async function stack(): Promise<Service> {
    const service = await ownService();
    await fill(service, kind, slugs);
    await ask(service, "DELETE", pathOf(kind, vanished));
    await put(service, name, edited, { name: "edited by hand" });
    return service;
  }

  /** For tests that only read: each has a proxy of its own. */
  let shared: Service;
  beforeAll(async () => {
    shared = await stack();
  });
  const proxyWith = async (rule: faults.Rule) => {
    const proxy = await faults.ownProxy(shared.url);
    proxy.use(rule);
    return proxy;
  };

  const someFields = ({ slug, name, created_at, updated_at }: Json): Json => ({ slug, name, created_at, updated_at });
  // How a page is not believed is told by test/unit/client/listing.test.ts.
  test.each<[string, (page: faults.Arrival) => faults.Fault]>([
    ["in one page", () => faults.pass],
    ["in many pages", () => small],
    ["that fails midway", ({ query }) => (query.has("page.token") ? faults.failing(400) : small)],
    ["that this token may not read", () => faults.failing(403)],
    ["that a gateway hides", () => faults.html(404)],
    [
      "of parts of objects",
      () => faults.edited("parts", (body) => ({ ...body, [many]: (body[many] as Json[]).map(someFields) })),
    ],
    ["of no objects at all", () => faults.edited("none", ({ page }) => ({ page }))],
  ])("%s shows what is gone and what was edited, and nothing else", async (_, faultOf) => {
    const proxy = await proxyWith((arrival) => (isPage(arrival) ? faultOf(arrival) : undefined));
    expect(await refresh(newRun(proxy.url), kind, slugs)).toEqual(asItIs);
  });

  test("that changes while it is read loses nothing and finds nothing gone", async () => {
    const service = await stack();
    const proxy = await faults.ownProxy(service.url);
    const others = slugsOf("a-other", 20);
    await fill(service, kind, others);
    proxy.use((arrival) => {
      if (!isPage(arrival)) return undefined;
      const gone = others.pop() ?? "";
      const change = async () => {
        await ask(service, "DELETE", pathOf(kind, gone));
        await put(service, name, `b-${gone}`);
      };
      return faults.meanwhile(change, small);
    });
    expect(await refresh(newRun(proxy.url), kind, slugs)).toEqual(asItIs);
  });

  test.each([403, 404, 405, 501])("that is answered %i is asked for once", async (status) => {
    const proxy = await proxyWith((arrival) => (isPage(arrival) ? faults.failing(status) : undefined));
    const run = newRun(proxy.url);
    await refresh(run, kind, slugs);
    await refresh(run, kind, slugs);
    expect(proxy.arrivals().filter(isPage)).toHaveLength(1);
  });

  if (!kind.operations.read.described) {
    test("shows objects if the service has no operation for a single one", async () => {
      const proxy = await proxyWith(({ method, path }) =>
        method === "GET" && path !== list ? faults.failing(404, "") : undefined,
      );
      expect(await refresh(newRun(proxy.url), kind, slugs)).toEqual(asItIs);
      expect(proxy.arrivals().length).toBeLessThanOrEqual(40);
    });
  }
});

test.each<[string, (values: string[]) => string[]]>([
  ["the last value of a filter alone", (values) => values.slice(-1)],
  ["the first value of a filter alone", (values) => values.slice(0, 1)],
  ["no value, as of another encoding", () => ["no such value"]],
])("a plural function finds all objects if the service reads %s", async (_, read) => {
  const service = await ownService();
  const slugs = ["a", "b", "c"];
  for (const slug of slugs) await put(service, "Monitor", slug, { name: `Name of ${slug}` });
  const proxy = await faults.ownProxy(service.url);
  const withRead = (path: string) => {
    const { pathname, searchParams } = new URL(path, service.url);
    for (const name of ["slugs", "names"]) {
      const values = searchParams.getAll(name);
      searchParams.delete(name);
      if (values.length > 0) for (const value of read(values)) searchParams.append(name, value);
    }
    return `${pathname}?${searchParams}`;
  };
  proxy.use(() => ({ ...faults.pass, path: withRead }));
  const found = async (filters: Json) => {
    const { value } = await showMany(newRun(proxy.url), "Monitor", "monitors", filters);
    return (value.monitors as Json[]).map(({ slug }) => slug).sort();
  };
  expect(await found({ slugs: ["a", "missing", "c"] })).toEqual(["a", "c"]);
  expect(await found({ names: ["Name of a", "Name of b", "missing"] })).toEqual(["a", "b"]);
  expect(await found({ slugs: ["b"] })).toEqual(["b"]);
});
