import * as pulumi from "@pulumi/pulumi";
import type { Service } from "@pulumi-observability/service";
import * as obs from "pulumi-observability";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newStack, type Outcome, type TestStack } from "../support/engine.js";
import { args, conditions, done } from "../support/monitors.js";
import { ask, ownService, takeCounts, token } from "../support/service.js";

const changedArgs = { ...args, intervalSecs: 90 };

type Monitors = Readonly<Record<string, Record<string, unknown>>>;

/** The monitors of a service, by slug. */
const monitorsOf = async (service: Service): Promise<Monitors> => {
  const { body } = await ask(service, "GET", "/api/v1/config/monitors");
  return Object.fromEntries((body.monitors as { slug: string }[]).map((each) => [each.slug, each]));
};
/** What was told of a resource, and how gravely. */
const toldOf = ({ messages }: Outcome, resource: string) =>
  messages.flatMap(({ name, severity, text }) => (name === resource ? [`${severity}: ${text}`] : [])).join("\n");
const theirs = { name: "Theirs", label_query: "up", series_conditions: conditions };

describe("in one stack's life, each option at a resource of its own", () => {
  const swapped = (one: string, other: string, options: obs.ResourceOptions = {}) => {
    new obs.Monitor("one", { ...args, slug: one, intervalSecs: 30 }, options);
    new obs.Monitor("other", { ...args, slug: other, intervalSecs: 90 }, options);
  };
  const guarded = () => new obs.Monitor("protected", args, { protect: true });
  const successor = (change: obs.MonitorArgs = { slug: "old" }) =>
    new obs.Monitor("successor", { ...args, ...change }, { deleteBeforeReplace: true });
  const before = () => {
    guarded();
    successor();
    new obs.Monitor("retained", args, { retainOnDelete: true });
    new obs.Monitor("ignored", args);
    new obs.Monitor("patient", args, { customTimeouts: { create: "1s" } });
    new obs.Monitor("aliased", args);
    new obs.Monitor("replaced", args);
    new obs.Monitor("deleted", args);
    new obs.Monitor("moved", args);
    swapped("left", "right");
  };
  const refusedBefore = () => {
    guarded();
    swapped("right", "left");
    const spoilt = (props: Record<string, unknown>) => ({ ...props, intervalSecs: -5 });
    new obs.Monitor("of-transformations", args, {
      transformations: [({ props, opts }) => ({ props: spoilt(props), opts })],
    });
    new obs.Monitor("of-transforms", args, {
      transforms: [async ({ props, opts }) => ({ props: spoilt(props), opts })],
    });
    for (const name of ["One", "Two"]) {
      const parent = new pulumi.ComponentResource(`test:index:${name}`, name);
      new obs.Monitor("twice", args, { parent });
    }
  };
  const renamed = () => {
    guarded();
    new obs.Monitor("retained", args, { retainOnDelete: true });
    new obs.Monitor("ignored", changedArgs, { ignoreChanges: ["intervalSecs"] });
    new obs.Monitor("patient", args, { customTimeouts: { create: "1s" } });
    new obs.Monitor("with-alias", { ...args, name: "aliased" }, { aliases: [{ name: "aliased" }] });
  };
  const after = (change?: obs.MonitorArgs) => {
    renamed();
    successor(change);
    const options = { aliases: [{ name: "replaced" }], replaceOnChanges: ["intervalSecs"] };
    new obs.Monitor("its-successor", { ...changedArgs, name: "replaced" }, options);
    new obs.Monitor("deleted", changedArgs);
    new obs.Monitor("taker", { ...args, slug: "moved" }, { adopt: true });
    new obs.Monitor("prefixed", args, { provider: new obs.Provider("own") });
    swapped("right", "left", { adopt: true });
  };
  const unchanged = () => {
    renamed();
    successor();
    for (const name of ["replaced", "deleted", "moved"]) new obs.Monitor(name, args);
    swapped("left", "right");
  };

  const lifeOf = async () => {
    const service = await ownService();
    const stack = await newStack(service.url);
    await done(stack.up(before));
    const made = await monitorsOf(service);
    await stack.setConfig("observability:slugPrefix", "team-a-");
    service.resetCounters();
    const same = await done(stack.preview(unchanged));
    const asked = takeCounts(service);
    const refused = await stack.preview(refusedBefore);
    await ask(service, "DELETE", "/api/v1/config/monitors/deleted");
    const preview = await done(stack.preview(() => after()));
    const updated = await done(stack.up(() => after()));
    const changed = await monitorsOf(service);
    const settled = await done(stack.preview(() => after(), { refresh: true }));
    const invalid = await stack.up(() => after({ slug: "new", intervalSecs: -1 }));
    const still = await monitorsOf(service);
    await ask(service, "PUT", "/api/v1/config/monitors/theirs", { create_if_missing: true, monitor: theirs });
    const taken = await stack.preview(() => after({ slug: "theirs" }));
    const emptied = await done(stack.up(() => void guarded()));
    const left = await monitorsOf(service);
    const protecting = await stack.up(() => undefined);
    const last = await monitorsOf(service);
    return {
      made,
      same,
      asked,
      refused,
      preview,
      updated,
      changed,
      settled,
      invalid,
      still,
      taken,
      emptied,
      left,
      protecting,
      last,
    };
  };
  let life: Awaited<ReturnType<typeof lifeOf>>;
  beforeAll(async () => {
    life = await lifeOf();
  });

  test("protect keeps a resource from being deleted", () => {
    expect(life.protecting.failed).toBe(true);
    expect(life.protecting.text).toContain("protected");
    expect(life.last).toHaveProperty("protected");
  });

  test("retainOnDelete leaves the object at the service", () => {
    const { same, ...steps } = life.emptied.steps;
    expect({ same, steps }).toEqual({ same: 1, steps: { delete: 11 } });
    expect(Object.keys(life.left).sort()).toEqual(["protected", "retained", "theirs"]);
  });

  test("an alias renames without replacing: the slug stays as it was created", () => {
    expect(life.same.steps).toEqual({ same: 11 });
    expect(life.changed.aliased).toEqual(life.made.aliased);
    expect(life.changed).not.toHaveProperty("with-alias");
    expect(life.changed).not.toHaveProperty("team-a-with-alias");
  });

  test("a renamed resource keeps its slug also if an option replaces it", () => {
    expect(life.updated.steps).toMatchObject({ replace: 3 });
    expect(life.changed.replaced).toMatchObject({ interval_secs: changedArgs.intervalSecs });
    expect(life.changed).not.toHaveProperty("its-successor");
    expect(life.changed).not.toHaveProperty("team-a-its-successor");
  });

  test("ignoreChanges keeps what stands there, and asks nothing about it", () => {
    expect(life.same.steps).toEqual({ same: 11 });
    expect(life.asked).toEqual({ "GET monitors": 1 });
  });

  test("a new slug prefix replaces nothing that stands", () => {
    expect(life.same.steps).toEqual({ same: 11 });
  });

  test("deleteBeforeReplace validates the successor before anything is deleted, in an update too", () => {
    expect(life.invalid.failed).toBe(true);
    expect(life.invalid.text).toContain("intervalSecs: ");
    expect(life.still).toEqual(life.changed);
  });

  test("deleteBeforeReplace does not mistake somebody else's object for the one it removes", () => {
    expect(life.taken.failed).toBe(true);
    expect(life.taken.text).toContain('monitor "theirs" already exists');
  });

  test("one name under two parents makes one slug twice: it fails, asking for slug", () => {
    expect(life.refused.failed).toBe(true);
    expect(toldOf(life.refused, "twice")).toContain('declare monitor "team-a-twice": set slug on one of them');
  });

  test.each(["transformations", "transforms"])("%s change what is declared, and what is validated", (option) => {
    expect(toldOf(life.refused, `of-${option}`)).toContain("intervalSecs: ");
  });

  test("an explicit provider takes from stack config what its arguments leave out", () => {
    expect(life.changed).toHaveProperty("team-a-prefixed");
  });

  test("customTimeouts is accepted and changes nothing: the provider's own time limits hold", () => {
    expect(life.made).toHaveProperty("patient");
  });

  test("a slug that moves from one resource to another with adopt stays: delete leaves what this run has taken", () => {
    expect(life.changed).toHaveProperty("moved");
  });

  test("two resources swap their slugs with adopt, and the preview without it says so", () => {
    for (const name of ["one", "other"])
      expect(toldOf(life.refused, name)).toMatch(/^error: .*already exists.*set adopt: true/m);
    expect(life.changed.right).toMatchObject({ name: "one", interval_secs: 30 });
    expect(life.changed.left).toMatchObject({ name: "other", interval_secs: 90 });
  });

  test("an object that somebody has deleted and the program edits: the preview says that it is created anew", () => {
    expect(toldOf(life.preview, "deleted")).toContain(
      'warning: monitor "deleted" is no longer at the service: the update creates it anew',
    );
    expect(life.changed.deleted).toMatchObject({ interval_secs: 90 });
  });

  test("nothing is left to do after all of it", () => {
    expect(life.settled.steps).toEqual({ refresh: 12, same: 12 });
  });
});

describe("explicit providers", () => {
  const tokens = { own: "token-of-the-other", rotated: "another" };
  const lifeOf = async () => {
    const service = await ownService();
    const others = [await ownService({ token: tokens.own }), await ownService()] as const;
    const [other, team] = others;
    const stack = await newStack(service.url);
    const program =
      (apiToken = tokens.own) =>
      () => {
        const provider = new obs.Provider("other", { baseUrl: other.url, apiToken });
        new obs.Monitor("errors", args, { provider });
        new obs.Monitor("errors-here", { ...args, slug: "errors" });
        const handed = new obs.Provider("team", { baseUrl: team.url, apiToken: token });
        const parent = new pulumi.ComponentResource("test:index:Team", "team", {}, { provider: handed });
        const first = new obs.Notifier("pager", { discard: true }, { parent });
        new obs.Monitor("errors-of-team", args, { parent, dependsOn: first });
      };
    await done(stack.up(program()));
    const state = JSON.stringify(await stack.state());
    const made = { here: await monitorsOf(service), team: await monitorsOf(team), other: other.counters().total };
    const { body } = await ask(team, "GET", "/api/v1/config/notifiers/pager");
    const notifier = body.notifier as { created_at: string };
    const rotated = await stack.preview(program(tokens.rotated));
    const refreshed = await done(stack.refresh());
    const destroyed = await done(stack.destroy());
    return { state, made, notifier, rotated, refreshed, destroyed };
  };
  let life: Awaited<ReturnType<typeof lifeOf>>;
  beforeAll(async () => {
    life = await lifeOf();
  });

  test("have their own token and service, encrypted in state", () => {
    expect(life.made.other).toBeGreaterThan(0);
    expect(life.made.here).toHaveProperty("errors");
    expect(life.state).not.toContain(tokens.own);
    expect(life.refreshed.steps).toEqual({ refresh: 4 });
    expect(life.destroyed.steps).toEqual({ delete: 4 });
  });

  test("are handed down by a component, and dependsOn orders", () => {
    const own = life.made.team["errors-of-team"];
    expect(own).toBeDefined();
    expect(life.notifier.created_at <= String(own?.created_at)).toBe(true);
  });

  test("with a rotated token change no resource", () => {
    expect(life.rotated.steps).toEqual({ same: 4 });
    expect(life.rotated.text).toContain("answered 401");
  });
});

describe("in a stack of its own", () => {
  let service: Service;
  let stack: TestStack;
  const monitor =
    (monitorArgs: obs.MonitorArgs = args) =>
    () =>
      void new obs.Monitor("errors", monitorArgs);

  beforeEach(async () => {
    service = await ownService();
    stack = await newStack(service.url);
  });

  test("validate always asks in an update, never asks not even in a preview", async () => {
    await stack.setConfig("observability:validate", "never");
    service.resetCounters();
    await done(stack.preview(monitor()));
    expect(takeCounts(service)).toEqual({});
    await stack.setConfig("observability:validate", "always");
    const { failed, text } = await stack.up(monitor({ ...args, intervalSecs: -1 }));
    expect(failed).toBe(true);
    expect(text).toContain("has a problem: intervalSecs: ");
    expect(takeCounts(service)).toEqual({ "PUT monitors/{slug} dry": 2 });
  });
});
