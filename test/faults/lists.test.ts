import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { type Service, startService } from "@pulumi-observability/service";
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { kinds } from "../../dist/provider/kinds/index.gen.js";
import { Claims } from "../../dist/provider/lifecycle/claims.js";
import { prove } from "../../dist/provider/lifecycle/proof.js";
import { read } from "../../dist/provider/lifecycle/read.js";
import { Run } from "../../dist/provider/lifecycle/run.js";
import { Target } from "../../dist/provider/lifecycle/target.js";
import { validate } from "../../dist/provider/lifecycle/validate.js";
import type { Kind } from "../../dist/provider/schema/kind.js";
import { caseOf, describedCases, pathOf } from "../support/cases.js";
import * as faults from "../support/faults.js";
import { isDeep } from "../support/figures.js";
import { settingsFor } from "../support/settings.js";
import { ownFolder } from "../support/folders.js";
import { ask, ownService, takeCounts, token } from "../support/service.js";

type Json = Record<string, unknown>;

const listable = kinds.filter(({ isSingleton }) => !isSingleton);
/** Kinds whose list the interface document does not describe. */
const byConvention = listable.filter(({ family }) => family.list?.described === false);
const createdByPut = listable.filter(({ createsByPut }) => createsByPut);
const names = (all: readonly Kind[]) => all.map(({ name }) => name);

/** What the process of one operation has, and what it told. */
function newRun(baseUrl: string): { run: Run; notes: string[] } {
  const notes: string[] = [];
  const listed = kinds.find(({ provesAddress }) => provesAddress);
  if (listed === undefined) throw new Error("one kind's list proves the address");
  const claims = new Claims(join(ownFolder(), randomUUID()));
  onTestFinished(() => claims.close());
  const settings = settingsFor(baseUrl, { requestTimeoutSecs: 10, retryBudgetSecs: 2 });
  return { run: new Run(settings, listed, (text) => notes.push(text), claims), notes };
}

const argsOf = (kind: Kind, slug: string): Json => ({ ...caseOf(kind.name).args, slug });
const slugsOf = (title: string, count: number) => Array.from({ length: count }, (_, i) => `${title}-${i}`);
const fill = async (service: Service, kind: Kind, slugs: readonly string[]) => {
  for (const slug of slugs) {
    const body = { create_if_missing: true, [kind.wire.one]: { ...kind.example.wire, slug } };
    expect((await ask(service, "PUT", pathOf(kind, slug), body)).status).toBe(200);
  }
};

const recorded = (baseUrl: string, kind: Kind, slug: string): Json => ({
  ...argsOf(kind, slug),
  __observability: { baseUrl, filledIn: {} },
});
/** Refreshes objects as the engine does, 16 at a time, and tells what came of each. */
async function refresh({ run }: { run: Run }, kind: Kind, slugs: readonly string[]): Promise<Record<string, string[]>> {
  const outcomes: Record<string, string[]> = {};
  const rest = [...slugs];
  const lane = async () => {
    for (let slug = rest.shift(); slug !== undefined; slug = rest.shift()) {
      const found = await read(run, kind, slug, recorded(run.settings.baseUrl, kind, slug)).catch(() => "failed");
      const outcome =
        typeof found === "string"
          ? found
          : found === undefined
            ? "gone"
            : found.inputs === undefined
              ? "unchanged"
              : "edited";
      (outcomes[outcome] ??= []).push(slug);
    }
  };
  await Promise.all(Array.from({ length: 16 }, lane));
  return outcomes;
}

/** Validates new objects all at once, as the classes do; the refusals by slug. */
async function preview({ run }: { run: Run }, kind: Kind, slugs: readonly string[]): Promise<Record<string, string>> {
  const validated = await Promise.all([
    prove(new Target(run, kind, {}, "")).then((proof) => proof().failures),
    ...slugs.map(async (slug) => {
      const { failures } = await validate(new Target(run, kind, argsOf(kind, slug)), { mayReplaceItself: false });
      return failures.map((failure) => [slug, failure] as const);
    }),
  ]);
  return Object.fromEntries(validated.flat() as [string, string][]); // the proof fails in no test here
}

const totalOf = (counts: Record<string, number>) => Object.values(counts).reduce((sum, count) => sum + count, 0);

/** Of one kind whose list is only a convention so many that twice as many take two pages; of the others fewer. */
const manyOf = (name: string) => (isDeep ? 1_000 : name === "Monitor" ? 520 : 30);

const allKinds = await ownService();
test.each(names(listable).map((name) => [name, manyOf(name)] as const))(
  "a refresh of %s objects takes at most 40 requests, for %i of twice as many",
  async (name, count) => {
    const { kind } = caseOf(name);
    const slugs = slugsOf("stack", count);
    await fill(allKinds, kind, [...slugsOf("other", count), ...slugs]);
    takeCounts(allKinds);
    expect(Object.keys(await refresh(newRun(allKinds.url), kind, slugs))).toEqual(["unchanged"]);
    expect(totalOf(takeCounts(allKinds))).toBeLessThanOrEqual(40);
  },
);

/** For previews of what is not there yet. */
const empty = await ownService();

describe.each(names(createdByPut))("of the kind %s", (name) => {
  const { kind } = caseOf(name);
  beforeEach(() => empty.resetCounters());

  const many = manyOf(name);
  test(`a first preview of ${many} takes at most ${many + 20} requests`, async () => {
    expect(await preview(newRun(empty.url), kind, slugsOf("new", many))).toEqual({});
    expect(totalOf(takeCounts(empty))).toBeLessThanOrEqual(many + 20);
  });

  test("a preview of 16 asks as it does for one, and a page stands for the probes of all further ones", async () => {
    const [list, dry] = [`GET ${kind.wire.many?.replaceAll("_", "-")}`, `PUT ${pathOf(kind, "{slug}").slice(15)} dry`];
    for (const [count, pages, probes] of [
      [1, 0, 1],
      [16, 0, 16],
      [17, 1, 16],
      [40, 1, 16],
    ] as const) {
      expect(await preview(newRun(empty.url), kind, slugsOf("new", count))).toEqual({});
      expect(takeCounts(empty)).toEqual({ [list]: 1 + pages, [dry]: probes + count });
    }
  });

  test("a slug that is taken is red, whether it is probed or on a page", async () => {
    const service = await ownService();
    const slugs = slugsOf("new", 40);
    const taken = [slugs[3], slugs[35]].map(String);
    await fill(service, kind, taken);
    const failures = await preview(newRun(service.url), kind, slugs);
    expect(Object.keys(failures).sort()).toEqual([...taken].sort());
    for (const failure of Object.values(failures)) expect(failure).toContain("already exists");
  });
});

describe.each(names(byConvention))("a list of the kind %s", (name) => {
  const { kind } = caseOf(name);
  const list = `${kind.family.list?.path}`;
  const slugs = slugsOf("stack", 60);
  const [vanished = "", edited = ""] = ["stack-50", "stack-55"];
  const rest = slugs.filter((slug) => slug !== vanished && slug !== edited);
  const isPage: (arrival: faults.Arrival) => boolean = ({ path, query }) => path === list && !query.has("slugs");
  /** Pages of ten. */
  const small: faults.Fault = {
    ...faults.pass,
    path: (path) => path.replace("page.max_size=1000", "page.max_size=10"),
  };

  async function stack(): Promise<Service> {
    const service = await ownService();
    await fill(
      service,
      kind,
      slugs.filter((slug) => slug !== vanished),
    );
    const object = { ...kind.example.wire, slug: edited, name: "edited by hand" };
    await ask(service, "PUT", pathOf(kind, edited), { [kind.wire.one]: object });
    return service;
  }

  /** For tests that only read: each has a proxy of its own. */
  let shared: Service;
  beforeAll(async () => {
    shared = await stack();
  });

  const told = (outcomes: Record<string, string[]>) => ({ ...outcomes, unchanged: outcomes.unchanged?.sort() });
  const asItIs = { unchanged: [...rest].sort(), gone: [vanished], edited: [edited] };

  test.each<[string, faults.Rule]>([
    ["in one page", () => undefined],
    ["in many pages", (arrival) => (isPage(arrival) ? small : undefined)],
    ["that fails midway", midway(faults.failing(400, { message: "bad token" }))],
    ["that ends in a page of a gateway", midway(faults.html(404))],
    ["that ends in {}", midway(faults.empty)],
    ["that is limited once", once(faults.rateLimited())],
    ["that this token may not read", (arrival) => (isPage(arrival) ? faults.failing(403) : undefined)],
    ["that is missing", (arrival) => (isPage(arrival) ? faults.failing(404) : undefined)],
    ["that a gateway hides", (arrival) => (isPage(arrival) ? faults.html(404) : undefined)],
    ["without page", (arrival) => (isPage(arrival) ? faults.withoutPage : undefined)],
    ["of parts of objects", (arrival) => (isPage(arrival) ? faults.edited("parts", parts) : undefined)],
    ["of no objects at all", (arrival) => (isPage(arrival) ? faults.edited("none", none) : undefined)],
    ["whose last page never comes", (arrival) => (isPage(arrival) ? faults.edited("endless", endless) : undefined)],
  ])("%s shows what is gone and what was edited, and nothing else", async (_, rule) => {
    const proxy = await faults.ownProxy(shared.url);
    proxy.use(rule);
    expect(told(await refresh(newRun(proxy.url), kind, slugs))).toEqual(asItIs);
  });

  function midway(fault: faults.Fault): faults.Rule {
    return (arrival) => (!isPage(arrival) ? undefined : arrival.query.has("page.token") ? fault : small);
  }

  function once(fault: faults.Fault): faults.Rule {
    return (arrival) => (isPage(arrival) && arrival.count === 1 ? fault : undefined);
  }

  function parts(body: Json): Json {
    const objects = body[String(kind.wire.many)] as Json[];
    return {
      ...body,
      [String(kind.wire.many)]: objects.map(({ slug, name, created_at, updated_at }) => ({
        slug,
        name,
        created_at,
        updated_at,
      })),
    };
  }

  const none = ({ page }: Json): Json => ({ page });
  const endless = (body: Json): Json => ({ ...body, page: { next_token: "again" } });

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
        await fill(service, kind, [`b-${gone}`]);
      };
      return faults.meanwhile(change, small);
    });
    expect(told(await refresh(newRun(proxy.url), kind, slugs))).toEqual(asItIs);
  });

  test("that is missing or forbidden is asked for once", async () => {
    for (const status of [403, 404, 405, 501]) {
      const proxy = await faults.ownProxy(shared.url);
      proxy.use((arrival) => (isPage(arrival) ? faults.failing(status) : undefined));
      const process = newRun(proxy.url);
      await refresh(process, kind, slugs);
      await refresh(process, kind, slugs);
      expect(proxy.arrivals().filter(isPage)).toHaveLength(1);
    }
  });

  if (!kind.operations.read.described) {
    test("shows objects if the service has no operation for a single one", async () => {
      const proxy = await faults.ownProxy(shared.url);
      proxy.use(({ method, path }) => (method === "GET" && path !== list ? faults.failing(404, "") : undefined));
      expect(told(await refresh(newRun(proxy.url), kind, slugs))).toEqual(asItIs);
      expect(proxy.arrivals().length).toBeLessThanOrEqual(40);
    });
  }
});

test("a service with nothing but the described operations is asked for each list once", async () => {
  const database = join(ownFolder(), "objects.db");
  const full = await startService({ database, token });
  const slugs = slugsOf("stack", 40);
  const there = byConvention.filter((kind) => describedCases.some((each) => each.kind === kind));
  for (const kind of there) await fill(full, kind, slugs);
  await full.close();
  const proxy = await faults.ownProxy((await ownService({ database, operations: "described" })).url);
  for (const kind of there) {
    const process = newRun(proxy.url);
    expect(Object.keys(await refresh(process, kind, slugs))).toEqual(["unchanged"]);
    expect(Object.keys(await refresh(process, kind, slugs))).toEqual(["unchanged"]);
    expect(proxy.arrivals().filter(({ path }) => path === kind.family.list?.path)).toHaveLength(1);
  }
});
