import * as pulumi from "@pulumi/pulumi";
import * as obs from "pulumi-observability";
import { beforeEach, describe, expect, test } from "vitest";
import { newStack, type TestStack } from "../support/engine.js";
import { ask, ownService, takeCounts, token } from "../support/service.js";

const conditions = { defaults: { critical: { conditions: [{ op: "GT", value: 1 }] } } };
const args = { labelQuery: "up", seriesConditions: conditions };
const changedArgs = { ...args, intervalSecs: 90 };

describe("resource options", () => {
  let service: Awaited<ReturnType<typeof ownService>>;
  let stack: TestStack;
  const monitor =
    (options: obs.ResourceOptions = {}, monitorArgs: obs.MonitorArgs = args, name = "errors") =>
    () => {
      new obs.Monitor(name, monitorArgs, options);
    };
  const live = async (slug = "errors") => {
    const { status, body } = await ask(service, "GET", `/api/v1/config/monitors/${slug}`);
    return status === 404 ? undefined : (body.monitor as Record<string, unknown>);
  };
  const nothing = () => undefined;
  const done = async (outcome: ReturnType<TestStack["up"]>) => {
    const { failed, text, steps } = await outcome;
    expect(failed, text).toBe(false);
    return steps;
  };

  beforeEach(async () => {
    service = await ownService();
    stack = await newStack(service.url);
  });

  test("protect keeps a resource from being deleted", async () => {
    await done(stack.up(monitor({ protect: true })));
    const { failed, text } = await stack.up(nothing);
    expect(failed).toBe(true);
    expect(text).toContain("protected");
    expect(await live()).toBeDefined();
  });

  test("retainOnDelete leaves the object at the service", async () => {
    await done(stack.up(monitor({ retainOnDelete: true })));
    expect(await done(stack.up(nothing))).toEqual({ delete: 1 });
    expect(await live()).toBeDefined();
  });

  test("an alias renames without replacing: the slug stays as it was created", async () => {
    await done(stack.up(monitor()));
    const before = await live();
    const renamed = monitor({ aliases: [{ name: "errors" }] }, { ...args, name: "errors" }, "failures");
    expect(await done(stack.up(renamed))).toEqual({ same: 1 });
    expect(await live()).toEqual(before);
    expect(await live("failures")).toBeUndefined();
  });

  test("a renamed resource keeps its slug also if an option replaces it", async () => {
    await done(stack.up(monitor()));
    const options = { aliases: [{ name: "errors" }], replaceOnChanges: ["intervalSecs"] };
    const renamed = monitor(options, { ...changedArgs, name: "errors" }, "failures");
    await done(stack.preview(renamed));
    await done(stack.up(renamed));
    expect(await live()).toMatchObject({ interval_secs: changedArgs.intervalSecs });
    expect(await live("failures")).toBeUndefined();
  });

  test("ignoreChanges keeps what stands there, and asks nothing about it", async () => {
    await done(stack.up(monitor()));
    service.resetCounters();
    expect(await done(stack.preview(monitor({ ignoreChanges: ["intervalSecs"] }, changedArgs)))).toEqual({ same: 1 });
    expect(takeCounts(service)).toEqual({ "GET monitors": 1 });
  });

  test("deleteBeforeReplace validates the successor before anything is deleted, in an update too", async () => {
    await done(stack.up(monitor({ deleteBeforeReplace: true }, { ...args, slug: "old" })));
    const invalid = { ...args, slug: "new", intervalSecs: -1 };
    const { failed, text } = await stack.up(monitor({ deleteBeforeReplace: true }, invalid));
    expect(failed).toBe(true);
    expect(text).toContain("intervalSecs: ");
    expect(await live("old")).toBeDefined();
  });

  test("one name under two parents makes one slug twice: it fails, asking for slug", async () => {
    const { failed, text } = await stack.preview(() => {
      for (const name of ["One", "Two"]) {
        const parent = new pulumi.ComponentResource(`test:index:${name}`, name);
        new obs.Monitor("errors", args, { parent });
      }
    });
    expect(failed).toBe(true);
    expect(text).toContain('declare monitor "errors": set slug on one of them');
  });

  test("dependsOn orders, and a component hands its provider down", async () => {
    const provider = () => new obs.Provider("team", { baseUrl: service.url, apiToken: token });
    await stack.setConfig("observability:apiToken", "wrong", true);
    await done(
      stack.up(() => {
        const parent = new pulumi.ComponentResource("test:index:Team", "team", {}, { provider: provider() });
        const first = new obs.Notifier("pager", { discard: true }, { parent });
        new obs.Monitor("errors", args, { parent, dependsOn: first });
      }),
    );
    const [notifier, own] = [await ask(service, "GET", "/api/v1/config/notifiers/pager"), await live()];
    expect(String((notifier.body.notifier as { created_at: string }).created_at) <= String(own?.created_at)).toBe(true);
  });

  test("an explicit provider has its own token and service, encrypted in state", async () => {
    const other = await ownService({ token: "token-of-the-other" });
    const program = () => {
      const provider = new obs.Provider("other", { baseUrl: other.url, apiToken: "token-of-the-other" });
      new obs.Monitor("errors", args, { provider });
      new obs.Monitor("errors-here", { ...args, slug: "errors" });
    };
    await done(stack.preview(program));
    await done(stack.up(program));
    expect(other.counters().total).toBeGreaterThan(0);
    expect(await live()).toBeDefined();
    expect(JSON.stringify(await stack.state())).not.toContain("token-of-the-other");
    service.resetCounters();
    expect(await done(stack.preview(program))).toEqual({ same: 2 });
    expect(await done(stack.refresh())).toEqual({ refresh: 2 });
    expect(await done(stack.destroy())).toEqual({ delete: 2 });
  });

  test("a rotated token changes no resource", async () => {
    const program = (apiToken: string) => () => {
      const provider = new obs.Provider("own", { baseUrl: service.url, apiToken });
      new obs.Monitor("errors", args, { provider });
    };
    await done(stack.up(program(token)));
    const { steps, text } = await stack.preview(program("another"));
    expect(steps).toEqual({ same: 1 });
    expect(text).toContain("answered 401");
  });

  test("an explicit provider takes from stack config what its arguments leave out", async () => {
    await stack.setConfig("observability:slugPrefix", "team-a-");
    await done(
      stack.up(() => {
        new obs.Monitor("errors", args, { provider: new obs.Provider("own") });
      }),
    );
    expect(await live("team-a-errors")).toBeDefined();
  });

  test("a new slug prefix replaces nothing that stands", async () => {
    await done(stack.up(monitor()));
    await stack.setConfig("observability:slugPrefix", "team-a-");
    expect(await done(stack.preview(monitor()))).toEqual({ same: 1 });
  });

  test("transformations and transforms change what is declared, and what is validated", async () => {
    const transformed = (props: Record<string, unknown>) => ({ ...props, intervalSecs: -5 });
    const old = await stack.preview(
      monitor({ transformations: [({ props, opts }) => ({ props: transformed(props), opts })] }),
    );
    expect(old.failed).toBe(true);
    expect(old.text).toContain("intervalSecs: ");
    const current = await stack.preview(
      monitor({ transforms: [async ({ props, opts }) => ({ props: transformed(props), opts })] }),
    );
    expect(current.failed).toBe(true);
    expect(current.text).toContain("intervalSecs: ");
  });

  test("customTimeouts is accepted and changes nothing: the provider's own time limits hold", async () => {
    await done(stack.up(monitor({ customTimeouts: { create: "1s" } })));
    expect(await live()).toBeDefined();
  });

  test("import is refused with the way that works", async () => {
    const { failed, text } = await stack.preview(monitor({ import: "errors" }));
    expect(failed).toBe(true);
    expect(text).toContain('set the option adopt: "identical" instead');
  });

  test("get shows what is managed elsewhere, in a preview too, and never touches it", async () => {
    await ask(service, "PUT", "/api/v1/config/monitors/elsewhere", {
      create_if_missing: true,
      monitor: { name: "Elsewhere", label_query: "up", labels: { a: "b" }, series_conditions: conditions },
    });
    const program = () => {
      const found = obs.Monitor.get("found", "elsewhere");
      new obs.Monitor("errors", { ...args, name: pulumi.interpolate`${found.name} too`, labels: found.labels });
    };
    service.resetCounters();
    await done(stack.preview(program));
    expect(takeCounts(service)).toEqual({
      "GET monitors": 1,
      "GET monitors/{slug}": 1,
      "PUT monitors/{slug} dry": 2,
    });
    await done(stack.up(program));
    expect(await live()).toMatchObject({ name: "Elsewhere too", labels: { a: "b" } });
    await done(stack.refresh());
    await done(stack.destroy());
    expect(await live("elsewhere")).toBeDefined();
  });

  test("validate always asks in an update, never asks not even in a preview", async () => {
    await stack.setConfig("observability:validate", "never");
    service.resetCounters();
    await done(stack.preview(monitor()));
    expect(takeCounts(service)).toEqual({});
    await stack.setConfig("observability:validate", "always");
    const { failed, text } = await stack.up(monitor({}, { ...args, intervalSecs: -1 }));
    expect(failed).toBe(true);
    expect(text).toContain("has a problem: intervalSecs: ");
    expect(takeCounts(service)).toEqual({ "PUT monitors/{slug} dry": 2 });
  });

  test("a take-over whose run fails half-way is not undone by the next run", async () => {
    await done(stack.up(monitor()));
    const failing = (broken: boolean) => () => {
      // Renamed in the program without an alias: the new owner takes over, and the old one's delete is due.
      new obs.Monitor("failures", { ...args, slug: "errors" }, { adopt: true });
      new obs.Dataset("broken", { configuration: { type: "LOGS", ...(broken ? {} : { logDataset: {} }) } });
    };
    expect((await stack.up(failing(true))).failed).toBe(true);
    await done(stack.up(failing(false)));
    expect(await live()).toBeDefined();
    expect(await done(stack.preview(failing(false), { refresh: true }))).toMatchObject({ same: 2 });
  });

  test("deleteBeforeReplace does not mistake somebody else's object for the one it removes", async () => {
    await ask(service, "PUT", "/api/v1/config/monitors/theirs", {
      create_if_missing: true,
      monitor: { name: "Theirs", label_query: "up", series_conditions: conditions },
    });
    await done(stack.up(monitor({ deleteBeforeReplace: true })));
    const { failed, text } = await stack.preview(monitor({ deleteBeforeReplace: true }, { ...args, slug: "theirs" }));
    expect(failed).toBe(true);
    expect(text).toContain("it exists already");
  });

  test("a log allocation without arguments is validated, updated and repaired like any other", async () => {
    const empty = () => {
      new obs.LogAllocationConfig("budget", {});
    };
    const some = () => {
      new obs.LogAllocationConfig("budget", { defaultDataset: { allocation: { percentOfLicense: 5 } } });
    };
    await done(stack.up(empty));
    expect(await done(stack.preview(empty))).toEqual({ same: 1 });
    expect(await done(stack.preview(some))).toEqual({ update: 1 });
    await done(stack.up(some));
    await ask(service, "PUT", "/api/v1/config/log-allocation-config", { log_allocation_config: {} });
    await done(stack.refresh());
    expect(await done(stack.preview(some))).toEqual({ update: 1 });
    await done(stack.up(some));
    expect(await done(stack.preview(some, { refresh: true }))).toMatchObject({ same: 1 });
  });

  test("what a program calls a secret is in clear nowhere in state, not even as the service changed it", async () => {
    const program = () => {
      new obs.Notifier("pager", { email: { to: pulumi.secret("CANARY-to"), text: "plain" } });
    };
    await done(stack.up(program));
    expect(JSON.stringify(await stack.state())).not.toContain("CANARY");
    await ask(service, "PUT", "/api/v1/config/notifiers/pager", {
      notifier: { name: "pager", email: { to: "CANARY-other", text: "plain" } },
    });
    await done(stack.refresh());
    expect(JSON.stringify(await stack.state())).not.toContain("CANARY");
  });

  test("destroy with the program deletes what the program declares", async () => {
    await done(stack.up(monitor()));
    // A destroy takes the workspace's program.
    stack.stack.workspace.program = async () => monitor()();
    await done(stack.destroy({ runProgram: true }));
    expect(await live()).toBeUndefined();
  });

  test("a slug that moves from one resource to another with adopt stays: delete leaves what this run has taken", async () => {
    await done(stack.up(monitor()));
    await done(stack.up(monitor({ adopt: true }, { ...args, slug: "errors" }, "failures")));
    expect(await live()).toBeDefined();
  });

  test("two resources swap their slugs with adopt, and the preview without it says so", async () => {
    const two = (one: string, other: string, options: obs.ResourceOptions = {}) => {
      new obs.Monitor("one", { ...args, slug: one, intervalSecs: 30 }, options);
      new obs.Monitor("other", { ...args, slug: other, intervalSecs: 90 }, options);
    };
    await done(stack.up(() => two("left", "right")));
    const refused = await stack.preview(() => two("right", "left"));
    expect(refused.failed).toBe(true);
    expect(refused.text).toMatch(/it exists already.*set adopt: true/);
    const swap = () => two("right", "left", { adopt: true });
    await done(stack.preview(swap));
    await done(stack.up(swap));
    expect(await live("right")).toMatchObject({ name: "one", interval_secs: 30 });
    expect(await live("left")).toMatchObject({ name: "other", interval_secs: 90 });
    expect(await done(stack.preview(swap, { refresh: true }))).toMatchObject({ same: 2 });
  });

  test("an object that somebody has deleted and the program edits: the preview says that it is created anew", async () => {
    await done(stack.up(monitor()));
    await ask(service, "DELETE", "/api/v1/config/monitors/errors");
    const preview = await stack.preview(monitor({}, changedArgs));
    expect(preview.failed, preview.text).toBe(false);
    expect(preview.text).toContain('warning: monitor "errors" is no longer at the service: the update creates it anew');
    await done(stack.up(monitor({}, changedArgs)));
    expect(await live()).toMatchObject({ interval_secs: 90 });
  });
});
