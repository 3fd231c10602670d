import * as obs from "pulumi-observability";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { providerText } from "../../dist/provider/dynamic/providerText.js";
import type { Operation } from "../../dist/provider/schema/kind.js";
import { secretTexts } from "../../dist/provider/values/secrets.js";
import { toWire } from "../../dist/provider/wire/codec.js";
import { caseOf, cases, changed, newResource, pathOf } from "../support/cases.js";
import { newStack, type TestStack } from "../support/engine.js";
import { isDeep } from "../support/figures.js";
import { ask, ownService, takeCounts } from "../support/service.js";
import { masked } from "../witness/witnesses.js";

type Args = Readonly<Record<string, unknown>>;

const sluggish = cases.filter(({ kind }) => !kind.isSingleton);
const total = cases.length;

interface Variant {
  readonly change?: Readonly<Record<string, Args>>;
  readonly datasetSlug?: string;
  readonly options?: obs.ResourceOptions;
}

/** One of every kind, the log allocation referring to the dataset. */
const everyKind =
  ({ change = {}, datasetSlug = "checkout-logs", options = {} }: Variant = {}) =>
  () => {
    for (const { kind, args } of sluggish) {
      if (kind.name !== "Dataset")
        newResource(kind.name, `a-${kind.name}`, changed(args, change[kind.name] ?? {}), options);
    }
    const dataset = new obs.Dataset(
      "a-Dataset",
      { ...changed(caseOf("Dataset").args, change.Dataset ?? {}), slug: datasetSlug },
      options,
    );
    const budget = changed(caseOf("LogAllocationConfig").args, change.LogAllocationConfig ?? {});
    const [first = {}] = budget.datasetAllocations as Args[];
    new obs.LogAllocationConfig(
      "budget",
      { ...budget, datasetAllocations: [{ ...first, datasetSlug: dataset.slug }] },
      options,
    );
  };

/** An operation as the service counts its requests. */
const requestOf = ({ method, path }: Operation) => `${method} ${path.replace("/api/v1/config/", "")}`;
const dry = (request: string) => `${request} dry`;
const createdBy = (wanted: string) =>
  cases.map(({ kind }) => kind.operations.create).flatMap((each) => (each.method === wanted ? [requestOf(each)] : []));
const [byPost, byPut] = [createdBy("POST"), createdBy("PUT")];
const each = (requests: readonly string[], count: number) =>
  Object.fromEntries(requests.map((request) => [request, count]));

describe("a stack with every kind", () => {
  let service: Awaited<ReturnType<typeof ownService>>;
  let stack: TestStack;
  const live = async (kindName: string, slug?: string) => {
    const { kind, args } = caseOf(kindName);
    const { status, body } = await ask(service, "GET", pathOf(kind, slug ?? String(args.slug)));
    return status === 404 ? undefined : (body[kind.wire.one] as Record<string, unknown>);
  };

  /** What a preview has asked; its proof of address and token is a list of the kind that comes first. */
  const takePreviewed = () => {
    const counts = Object.entries(takeCounts(service));
    const isProof = ([request]: [string, number]) => /^GET (?!log-allocation-config)[a-z-]+$/.test(request);
    const proofs = counts.filter(isProof).reduce((sum, [, count]) => sum + count, 0);
    return { proofs, ...Object.fromEntries(counts.filter((each) => !isProof(each))) };
  };

  beforeAll(async () => {
    service = await ownService();
    stack = await newStack(service.url);
  });

  const written = { updates: 0, fields: 0 };
  afterAll(() => {
    console.log(
      `${total} kinds, ${written.fields} top-level fields changed once, ${written.updates} updates on the engine`,
    );
  });

  // The steps of one stack's life: each starts from what the one before left.
  test("previews as new at the cost of a dry run each, and a probe if PUT creates", async () => {
    const { steps, failed } = await stack.preview(everyKind());
    expect({ steps, failed }).toEqual({ steps: { create: total }, failed: false });
    expect(takePreviewed()).toEqual({
      proofs: 1,
      ...each(byPost.map(dry), 1),
      ...each(byPut.map(dry), 2),
      // Refused for the dataset, which the same run makes: is there an allocation already?
      "GET log-allocation-config": 1,
    });
  });

  test("is created with one request each, and a probe if PUT creates", async () => {
    const { steps, failed } = await stack.up(everyKind());
    expect({ steps, failed }).toEqual({ steps: { create: total }, failed: false });
    expect(takeCounts(service)).toEqual(each([...byPost, ...byPut, ...byPut.map(dry)], 1));
  });

  test("previews as unchanged with one request, which proves address and token", async () => {
    const { steps } = await stack.preview(everyKind(), { expectNoChanges: true });
    expect(steps).toEqual({ same: total });
    expect(takePreviewed()).toEqual({ proofs: 1 });
  });

  test("holds no secret in clear in its state, and the frozen provider text", async () => {
    const state = await stack.state();
    for (const { kind, args } of cases)
      for (const secret of secretTexts(kind.root, args)) expect(JSON.stringify(state)).not.toContain(secret);
    const ours = state.resources.filter(({ type }) => type.startsWith("pulumi-nodejs:dynamic/observability:"));
    expect(ours).toHaveLength(total);
    for (const { type, inputs, outputs } of ours) {
      const text = providerText(type.split(":").at(-1) ?? "");
      expect([inputs?.__provider, outputs?.__provider]).toEqual([text, text]);
    }
    expect(JSON.stringify(state.resources.map(({ inputs, outputs }) => ({ inputs, outputs })))).not.toContain("__ctx");
  });

  // All kinds at once change one field each. In the third round and the fourth, not every kind has another field, so they
  // are for deep runs. Each field by itself is changed in test/provider/verbs.test.ts.
  const rounds = isDeep ? 4 : 2;
  const dueIn = (round: number) => cases.filter(({ changes }) => Object.keys(changes)[round] !== undefined);
  const changeOf = (round: number) =>
    Object.fromEntries(dueIn(round).map(({ kind, changes }) => [kind.name, Object.values(changes)[round] ?? {}]));

  test.each(Array.from({ length: rounds }, (_, i) => i))(
    "updates just the kinds whose field number %i changes, or the one before changes back",
    async (round) => {
      const { steps, text } = await stack.up(everyKind({ change: changeOf(round) }));
      const due = new Set([...dueIn(round), ...dueIn(round - 1)]);
      written.fields += dueIn(round).length;
      written.updates += steps.update ?? 0;
      expect(steps, text).toEqual({ update: due.size, ...(due.size < total ? { same: total - due.size } : {}) });
      const requests = Object.entries(takeCounts(service));
      const sum = (method: string) =>
        requests.filter(([request]) => request.startsWith(method)).reduce((all, [, count]) => all + count, 0);
      expect(requests.every(([request]) => !request.endsWith("dry"))).toBe(true);
      // One look at what the service has beyond the schema, and one write.
      expect({ GET: sum("GET"), PUT: sum("PUT"), all: sum("") }).toEqual({
        GET: due.size,
        PUT: due.size,
        all: 2 * due.size,
      });
      for (const { kind, args } of due) {
        expect(await live(kind.name)).toMatchObject(
          masked(kind.name, toWire(kind.root, changed(args, changeOf(round)[kind.name] ?? {}))) as Args,
        );
      }
      service.resetCounters();
    },
  );

  test("is as it was after the last change is taken back", async () => {
    await stack.up(everyKind());
    service.resetCounters();
    expect((await stack.preview(everyKind(), { refresh: true })).steps).toMatchObject({ same: total });
    expect(Object.keys(takeCounts(service)).every((request) => request.startsWith("GET"))).toBe(true);
  });

  test("sees a value changed, an addition, a removal and objects deleted outside, and repairs them", async () => {
    const gone = ["Notifier", "TraceMetricsRule"];
    for (const { kind, args, changes } of sluggish) {
      const path = pathOf(kind, String(args.slug));
      if (gone.includes(kind.name)) {
        await ask(service, "DELETE", path);
        continue;
      }
      // The first change is the name's; the second one changes a field in depth, adds to it or takes it away.
      const [, change = {}] = Object.values(changes);
      await ask(service, "PUT", path, { [kind.wire.one]: toWire(kind.root, changed(args, change)) });
    }
    const monitor = (await live("Monitor")) ?? {};
    await ask(service, "PUT", "/api/v1/config/monitors/checkout-errors", {
      monitor: { ...monitor, labels: { team: "checkout", added: "outside" }, annotations: {}, interval_secs: 31 },
    });
    service.resetCounters();
    const refreshed = await stack.refresh();
    expect(refreshed.failed, refreshed.text).toBe(false);
    expect(Object.keys(takeCounts(service)).every((request) => request.startsWith("GET"))).toBe(true);
    const { text, steps } = await stack.preview(everyKind(), { diff: true });
    expect(steps).toEqual({ update: sluggish.length - gone.length, create: gone.length, same: 1 });
    expect(text).toContain('- added: "outside"');
    expect(text).toContain("+ runBook: ");
    expect(text).toContain("~ intervalSecs: 31 => 30");
    expect((await stack.up(everyKind())).failed).toBe(false);
    const after = await stack.preview(everyKind(), { refresh: true });
    expect(after.steps, after.text).toMatchObject({ same: total });
    expect((await live("Monitor"))?.labels).toEqual({ team: "checkout" });
    for (const name of gone) expect(await live(name)).toBeDefined();
  });

  test("another stack may not create what exists, and changes nothing", async () => {
    const other = await newStack(service.url, { project: "rival" });
    const before = await live("Monitor");
    // Of each kind by itself, a preview says so in test/provider/verbs.test.ts.
    const outcomes = isDeep
      ? [await other.preview(everyKind()), await other.up(everyKind())]
      : [await other.up(everyKind())];
    for (const outcome of outcomes) {
      expect(outcome.failed).toBe(true);
      expect(outcome.text).toMatch(/already exists.*adopt: /);
    }
    expect(await live("Monitor")).toEqual(before);
    expect((await other.state()).resources.filter(({ id }) => id === "checkout-errors")).toEqual([]);
  });

  test('another stack takes over what says the same with adopt "identical", and writes only the secret that it cannot see', async () => {
    const other = await newStack(service.url, { project: "heir" });
    const options = { adopt: "identical" } as const;
    const before = await live("SLO");
    const withMasks = cases.filter(({ kind }) =>
      JSON.stringify(masked(kind.name, kind.example.wire)).includes("REDACTED"),
    );
    if (isDeep) {
      const preview = await other.preview(everyKind({ options }));
      expect(preview.failed, preview.text).toBe(false);
    }
    service.resetCounters();
    const { steps, text } = await other.up(everyKind({ options }));
    expect(steps, text).toEqual({ create: total });
    expect(
      Object.keys(takeCounts(service)).filter((request) => /^(PUT|DELETE)/.test(request) && !request.endsWith("dry")),
    ).toEqual(withMasks.map(({ kind }) => requestOf(kind.operations.update)));
    expect(await live("SLO")).toEqual(before);
  });

  test("renames a dataset while it is allocated: new first, then the allocation, then the old one goes", async () => {
    const renamed = everyKind({ datasetSlug: "renamed-logs" });
    const preview = await stack.preview(renamed);
    expect(preview.failed, preview.text).toBe(false);
    expect(preview.steps).toMatchObject({ replace: 1, update: 1 });
    const { failed, text } = await stack.up(renamed);
    expect(failed, text).toBe(false);
    expect(await live("Dataset", "renamed-logs")).toBeDefined();
    expect(await live("Dataset")).toBeUndefined();
    expect(JSON.stringify(await live("LogAllocationConfig"))).toContain("renamed-logs");
  });

  test("is destroyed with two requests each: it looks whether that is the recorded object", async () => {
    service.resetCounters();
    const { steps, failed, text } = await stack.destroy();
    expect(failed, text).toBe(false);
    expect(steps).toEqual({ delete: total });
    const requests = Object.entries(takeCounts(service));
    const count = (method: string) =>
      requests.filter(([request]) => request.startsWith(method)).reduce((sum, [, each]) => sum + each, 0);
    expect({ looks: count("GET"), deletes: count("DELETE"), all: count("") }).toEqual({
      looks: total,
      deletes: total,
      all: 2 * total,
    });
    for (const { kind } of cases) expect(await live(kind.name)).toBeUndefined();
  });
});
