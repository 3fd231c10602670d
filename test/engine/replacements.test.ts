import { readFileSync } from "node:fs";
import { join } from "node:path";
import type * as pulumi from "@pulumi/pulumi";
import type { Service } from "@pulumi-observability/service";
import * as obs from "pulumi-observability";
import { beforeAll, describe, expect, test } from "vitest";
import { newStack, type TestStack } from "../support/engine.js";
import { args, conditions, done, liveMonitor, refused } from "../support/monitors.js";
import { ownFolder } from "../support/folders.js";
import { ask, ownService } from "../support/service.js";
import { type Validator, validators } from "../support/validators.js";

type Transformation = pulumi.ResourceTransformation;
type Transform = pulumi.ResourceTransform;

const changedArgs = { ...args, intervalSecs: 90 };

let service: Service;
let stack: TestStack;
/** A service and a stack of its own, for a test or for all rows of one life. */
const begin = async (validator: Validator = "class", env: Record<string, string> = {}) => {
  service = await ownService();
  stack = await newStack(service.url, { validator, env });
};

const monitor =
  (options: obs.ResourceOptions = {}, monitorArgs: obs.MonitorArgs = args, name = "errors") =>
  () =>
    void new obs.Monitor(name, monitorArgs, options);
const live = (slug = "errors") => liveMonitor(service, slug);

/** In an update nobody validates: of both, the previews differ. */
describe.each(validators)("an update by a saved plan, validated by %s, succeeds", (validator) => {
  type Way = "transforms" | "transformations";
  const adding = (way: Way, name: string, intervalSecs: number) => {
    const add = ({ props, opts }: { props: pulumi.Inputs; opts: pulumi.ResourceOptions }) => ({
      props: { ...props, intervalSecs },
      opts,
    });
    monitor({ [way]: [add] }, args, name)();
  };
  const slugs = (slug: string) => {
    const first = new obs.Monitor("first", { ...args, slug: `first-${slug}` });
    new obs.Monitor("second", { ...args, slug: `second-${slug}` }, { deleteBeforeReplace: true });
    new obs.Monitor("third", { ...args, labels: { since: first.createdAt } });
  };
  const program = (routingKey: string, severity: string, intervalSecs: number, slug: string) => () => {
    new obs.Notifier("rotated", { oncallB: { routingKey, severity: "critical" } });
    new obs.Notifier("pager", { oncallB: { routingKey: "CANARY", severity } });
    adding("transforms", "errors", intervalSecs);
    adding("transformations", "latency", intervalSecs);
    slugs(slug);
  };
  /** What was said and saved, for each program in turn. */
  const told: string[] = [];
  beforeAll(async () => {
    await begin(validator, { PULUMI_EXPERIMENTAL: "true" });
    for (const [i, each] of [
      program("CANARY-1", "critical", 30, "a"),
      program("CANARY-2", "warning", 90, "b"),
    ].entries()) {
      const plan = join(ownFolder(), `plan-${i}.json`);
      const preview = await done(stack.preview(each, { plan }));
      const up = await done(stack.up(each, { plan }));
      told.push(`${preview.text} ${up.text} ${readFileSync(plan, "utf8")}`);
    }
  });

  test("with a new secret, a replaced one, and a change beside one", async () => {
    expect(told).toHaveLength(2);
    for (const each of told) {
      for (const name of ["rotated", "pager"]) expect(each).toContain(name);
      expect(each).not.toContain("CANARY");
    }
    const { body } = await ask(service, "GET", "/api/v1/config/notifiers/pager");
    expect(body.notifier).toMatchObject({ oncall_b: { severity: "warning" } });
  });

  test("with what a transform or a transformation has added", async () => {
    expect(await live()).toMatchObject({ interval_secs: 90 });
    expect(await live("latency")).toMatchObject({ interval_secs: 90 });
  });

  test("with a new slug, with deleteBeforeReplace, and with what is known only after the update", async () => {
    expect(await live("first-b")).toBeDefined();
    expect(await live("second-b")).toBeDefined();
    expect(await live("first-a")).toBeUndefined();
  });

  test("and its preview's differences hold no key of our own", async () => {
    const places: string[] = [];
    await stack.stack.preview({
      program: async () => program("CANARY-3", "warning", 60, "b")(),
      onEvent: ({ resourcePreEvent }) => {
        const { op, detailedDiff, diffs } = resourcePreEvent?.metadata ?? {};
        if (op === "update") places.push(...Object.keys(detailedDiff ?? {}), ...(diffs ?? []));
      },
    });
    expect(places).toContain("intervalSecs");
    expect(places.filter((place) => place.startsWith("__"))).toEqual([]);
  });
});

describe.each(validators)("a replacement that keeps its slug, validated by %s,", (validator) => {
  const replaceOnChanges = ["intervalSecs"];
  const asked = { deleteBeforeReplace: true, replaceOnChanges };
  const transformations: Transformation[] = [({ props, opts }) => ({ props, opts: { ...opts, ...asked } })];
  const transforms: Transform[] = [({ props, opts }) => ({ props, opts: { ...opts, ...asked } })];
  const ways: Readonly<Record<string, obs.ResourceOptions>> = {
    "where-a-transformation-asks-for-it": { transformations },
    "where-a-transform-asks-for-it": { transforms },
    "where-nothing-is-said-of-it": { replaceOnChanges },
  };
  const slugs = Object.keys(ways);
  const kept = (monitorArgs: obs.MonitorArgs) =>
    monitor({ replaceOnChanges, deleteBeforeReplace: false }, monitorArgs, "kept")();
  const program = (monitorArgs: obs.MonitorArgs) => () => {
    for (const [slug, options] of Object.entries(ways)) monitor(options, monitorArgs, slug)();
    kept(args);
  };
  const createdAt = async () =>
    Object.fromEntries(await Promise.all(slugs.map(async (slug) => [slug, (await live(slug))?.created_at] as const)));
  let before: Readonly<Record<string, unknown>>;
  beforeAll(async () => {
    await begin(validator);
    await done(stack.up(program(args)));
    before = await createdAt();
    await done(stack.preview(program(changedArgs)));
    await done(stack.up(program(changedArgs)));
  });

  test.each(slugs)("deletes first %s", async (slug) => {
    expect(await live(slug)).toMatchObject({ interval_secs: 90 });
    expect(before[slug]).toBeDefined();
    expect((await createdAt())[slug]).not.toBe(before[slug]);
    const { resources } = await stack.state();
    expect(resources.filter(({ urn }) => urn.endsWith(`::${slug}`))).toHaveLength(1);
  });

  test("leaves the state right", async () => {
    const { steps } = await done(stack.preview(program(changedArgs), { refresh: true }));
    expect(steps).toMatchObject({ same: slugs.length + 1 });
  });

  test("is refused before the update where deleteBeforeReplace is false", async () => {
    const before = await live("kept");
    expect(before).toBeDefined();
    for (const operation of ["preview", "up"] as const)
      expect(await refused(stack[operation](() => kept(changedArgs)))).toMatch(/already exists/);
    expect(await live("kept")).toEqual(before);
  });
});

describe("a new resource with deleteBeforeReplace and somebody else's slug", () => {
  test.each(validators)("is refused before the update, validated by %s", async (validator) => {
    await begin(validator);
    await ask(service, "PUT", "/api/v1/config/monitors/errors", {
      create_if_missing: true,
      monitor: { name: "Theirs", label_query: "down", series_conditions: conditions },
    });
    const before = await live();
    for (const operation of ["preview", "up"] as const)
      expect(await refused(stack[operation](monitor({ deleteBeforeReplace: true })))).toContain("already exists");
    expect(await live()).toEqual(before);
  });
});
