import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import type { Service } from "@pulumi-observability/service";
import * as obs from "pulumi-observability";
import { beforeEach, describe, expect, test } from "vitest";
import { newStack, type Outcome, type TestStack } from "../support/engine.js";
import { type Arrival, edited, ownProxy } from "../support/faults.js";
import { ask, ownFolder, ownService, takeCounts, token } from "../support/service.js";
import { validators } from "../support/validators.js";

type Json = Record<string, unknown>;

const conditions = { defaults: { critical: { conditions: [{ op: "GT", value: 1 }] } } };
const args = { labelQuery: "up", seriesConditions: conditions };
const sameSlug = { ...args, slug: "errors" };
const leftInPlace = 'monitor "errors" is left in place';

let service: Service;
let stack: TestStack;
beforeEach(async () => {
  service = await ownService();
  stack = await newStack(service.url);
});

const done = async (outcome: Promise<Outcome>) => {
  const ended = await outcome;
  expect(ended.failed, ended.text).toBe(false);
  return ended;
};
const refused = async (outcome: Promise<Outcome>) => {
  const { failed, text } = await outcome;
  expect(failed, text).toBe(true);
  return text;
};
const live = async (slug = "errors", at = service) => {
  const { status, body } = await ask(at, "GET", `/api/v1/config/monitors/${slug}`);
  return status === 404 ? undefined : (body.monitor as Json);
};
const write = async (path: string, body: Json, at = service) => {
  const answer = await ask(at, "PUT", `/api/v1/config/${path}`, { create_if_missing: true, ...body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
};
/** A monitor that says the same as the arguments above, and what else is given. */
const writeMonitor = (more: Json = {}) =>
  write("monitors/errors", {
    monitor: { name: "errors", label_query: "up", series_conditions: conditions, interval_secs: 60, ...more },
  });
/** How many monitors the state holds, those among them that are still to be deleted. */
const recorded = async () =>
  (await stack.state()).resources.filter(({ type }) => type.endsWith("observability:Monitor")).length;
const provider = (name: string, at = service) => new obs.Provider(name, { baseUrl: at.url, apiToken: token });
const monitor = (options: obs.ResourceOptions = {}, monitorArgs: obs.MonitorArgs = args, name = "errors") =>
  new obs.Monitor(name, monitorArgs, options);
/** In a component with a provider of its own. */
const inComponent = (options: obs.ResourceOptions, at = service) => {
  const providers = [provider("own", at)];
  const parent = new pulumi.ComponentResource("test:index:Team", "team", {}, { providers });
  return monitor({ parent, ...options }, { ...sameSlug, name: "errors" }, "failures");
};
/** Breaks a run off once something else is done: the service refuses it, and an update asks nobody before. */
const breakAfter = (dependsOn: pulumi.Resource) =>
  new obs.Dataset("broken", { configuration: { type: "LOGS" } }, { dependsOn });

describe("what moves to another provider of the same service stays", () => {
  test.each([true, "identical"] as const)("into a component, and out of it again, with adopt: %s", async (adopt) => {
    await done(stack.up(() => void monitor()));
    const before = await live();
    const moved = await done(stack.up(() => void inComponent({ adopt })));
    expect((await live())?.created_at).toBe(before?.created_at);
    expect(moved.text).toContain(leftInPlace);
    expect(await recorded()).toBe(1);
    const back = await done(stack.up(() => void monitor({ adopt })));
    expect((await live())?.created_at).toBe(before?.created_at);
    expect(back.text).toContain(leftInPlace);
    expect(await recorded()).toBe(1);
    const { steps } = await done(stack.preview(() => void monitor(), { refresh: true }));
    expect(steps).toMatchObject({ same: 1 });
    await done(stack.destroy());
    expect(await live()).toBeUndefined();
  });

  const urn = "urn:pulumi:dev::team::pulumi-nodejs:dynamic/observability:Monitor::errors";
  const byFirst = () => monitor({ provider: provider("first") });
  const bySecond = (options: obs.ResourceOptions = {}, monitorArgs: obs.MonitorArgs = args) =>
    monitor({ provider: provider("second"), adopt: true, ...options }, monitorArgs);
  /** There once, as the state says it. */
  const isThere = async (program: () => unknown) => {
    expect(await live()).toBeDefined();
    expect(await recorded()).toBe(1);
    const { steps } = await done(stack.preview(() => void program(), { refresh: true }));
    expect(steps).toMatchObject({ same: 1 });
  };

  test("where it keeps its name and its place in the program", async () => {
    await done(stack.up(() => void monitor()));
    const before = await live();
    await done(stack.preview(() => void bySecond()));
    await done(stack.up(() => void bySecond()));
    await isThere(bySecond);
    expect((await live())?.created_at).toBe(before?.created_at);
    await done(stack.up(() => void byFirst()));
    const first = () => bySecond({ deleteBeforeReplace: true });
    await done(stack.preview(() => void first()));
    await done(stack.up(() => void first()));
    await isThere(first);
  });

  test.each([undefined, true, false])(
    "where it is replaced as it moves, with deleteBeforeReplace: %s",
    async (deleteBeforeReplace) => {
      const options = {
        replaceOnChanges: ["intervalSecs"],
        ...(deleteBeforeReplace === undefined ? {} : { deleteBeforeReplace }),
      };
      await done(stack.up(() => void byFirst()));
      const moved = () => bySecond(options, { ...args, intervalSecs: 90 });
      await done(stack.preview(() => void moved()));
      const { text } = await done(stack.up(() => void moved()));
      if (deleteBeforeReplace === false) expect(text).toContain(leftInPlace);
      await isThere(moved);
      expect(await live()).toMatchObject({ interval_secs: 90 });
    },
  );

  test("where somebody asks for its replacement as it moves", async () => {
    await done(stack.up(() => void byFirst()));
    await done(stack.up(() => void bySecond(), { replace: [urn] }));
    await isThere(bySecond);
  });

  const replaced = (deleteBeforeReplace: boolean) =>
    bySecond({ deleteBeforeReplace, replaceOnChanges: ["intervalSecs"] }, { ...args, intervalSecs: 90 });
  test.each<[string, () => obs.Monitor]>([
    ["into a component", () => inComponent({ adopt: true })],
    ["where it keeps its name", () => bySecond()],
    ["where it is replaced", () => replaced(false)],
    ["where it is replaced, with deleteBeforeReplace", () => replaced(true)],
  ])("after a run that is broken off, too: %s", async (_, move) => {
    await done(stack.up(() => void byFirst()));
    await refused(stack.up(() => void breakAfter(move())));
    expect(await live()).toBeDefined();
    await done(stack.up(() => void move()));
    await isThere(move);
    stack.stack.workspace.program = async () => void move();
    await done(stack.destroy({ runProgram: true }));
    expect(await live()).toBeUndefined();
  });

  test("but what the program no longer declares is deleted, under whichever provider", async () => {
    const other = (name: string) => monitor({}, args, name);
    const own = (name: string, by: obs.Provider) => monitor({ provider: by }, args, name);
    await done(
      stack.up(() => {
        const [first, second] = [provider("first"), provider("second")];
        for (const name of ["kept-here", "gone-here"]) other(name);
        for (const name of ["kept-first", "gone-first"]) own(name, first);
        own("gone-second", second);
      }),
    );
    const { steps } = await done(
      stack.up(() => {
        other("kept-here");
        own("kept-first", provider("first"));
      }),
    );
    expect(steps).toEqual({ same: 2, delete: 3 });
    expect(await Promise.all(["gone-here", "gone-first", "gone-second"].map((slug) => live(slug)))).toEqual(
      Array(3).fill(undefined),
    );
    expect(await live("kept-here")).toBeDefined();
    expect(await live("kept-first")).toBeDefined();
  });

  test("but what moves to another service is deleted at the first", async () => {
    const other = await ownService();
    await done(stack.up(() => void monitor()));
    const { text } = await done(stack.up(() => void inComponent({ adopt: true }, other)));
    expect(await live()).toBeUndefined();
    expect(await live("errors", other)).toBeDefined();
    expect(text).not.toContain("left in place");
    expect(await recorded()).toBe(1);
  });
});

describe("deleteBeforeReplace", () => {
  test("lets a rename that is broken off lose nothing", async () => {
    const options = { adopt: true, deleteBeforeReplace: true } as const;
    await done(stack.up(() => void monitor(options)));
    const before = await live();
    const renamed = () => monitor(options, sameSlug, "failures");
    await refused(stack.up(() => void breakAfter(renamed())));
    const { text } = await done(stack.up(() => void renamed()));
    expect((await live())?.created_at).toBe(before?.created_at);
    expect(text).toContain(leftInPlace);
    expect(await recorded()).toBe(1);
    const { steps } = await done(stack.preview(() => void renamed(), { refresh: true }));
    expect(steps).toMatchObject({ same: 1 });
  });

  test("deletes and makes anew what is replaced, also by an adopter under another provider", async () => {
    const options: obs.ResourceOptions = { adopt: true, deleteBeforeReplace: true, replaceOnChanges: ["intervalSecs"] };
    const declare = (intervalSecs: number) => () => {
      monitor(options, { ...args, intervalSecs });
      monitor({ ...options, provider: provider("own") }, { ...args, intervalSecs }, "latency");
    };
    await done(stack.up(declare(60)));
    const before = [await live(), await live("latency")];
    await done(stack.up(declare(90)));
    const after = [await live(), await live("latency")];
    for (const [i, now] of after.entries()) {
      expect(now).toMatchObject({ interval_secs: 90 });
      expect(now?.created_at).not.toBe(before[i]?.created_at);
    }
    expect(await recorded()).toBe(2);
  });
});

test.each(["false", "identicle", "true"])("adopt with the text %j is refused, and nothing is written", async (text) => {
  await writeMonitor({ labels: { team: "checkout" } });
  const before = await live();
  const adopt = text as unknown as true; // As a program in JavaScript can.
  const program = () => {
    monitor({ adopt });
    monitor({ adopt }, args, "new");
  };
  takeCounts(service);
  expect.soft(await refused(stack.preview(program))).toContain("adopt must be");
  expect.soft(await refused(stack.up(program))).toContain("adopt must be");
  const written = Object.keys(takeCounts(service)).filter((key) => !key.startsWith("GET") && !key.endsWith(" dry"));
  expect(written).toEqual([]);
  expect(await live()).toEqual(before);
});

describe.each(validators)("adopting, validated by %s", (validator) => {
  beforeEach(async () => {
    stack = await newStack(service.url, { validator });
  });
  const setByHand = {
    labels: { team: "checkout" },
    schedule: { timezone: "UTC", weekly_schedule: { monday: { active: "ALL_DAY" } } },
    notification_policy_slug: "checkout",
  };
  const adopting =
    (adopt: true | "identical", monitorArgs: obs.MonitorArgs = args) =>
    () =>
      void monitor({ adopt }, monitorArgs);

  test("what is identical refuses, by name, what somebody has set beside it", async () => {
    await writeMonitor(setByHand);
    const before = await live();
    const program = adopting("identical");
    for (const text of [await refused(stack.preview(program)), await refused(stack.up(program))]) {
      expect(text).toContain("labels.team");
      expect(text).toMatch(/\bschedule\b/);
      expect(text).toContain("notificationPolicySlug");
    }
    expect(await live()).toEqual(before);
    // One alone is enough.
    await writeMonitor({ labels: setByHand.labels });
    expect(await refused(stack.preview(program))).toContain("labels.team");
    const { text } = await done(stack.preview(adopting("identical", { ...args, labels: setByHand.labels })));
    expect(text).toContain('takes over monitor "errors"');
  });

  test("what is identical counts nothing that the service fills in by itself", async () => {
    await writeMonitor({ interval_secs: 0 });
    await write("slos/promise", {
      slo: {
        name: "promise",
        definition: { objective: 99.9, enable_burn_rate_alerting: true },
        sli: { custom_indicator: { total_query_template: "all", bad_query_template: "bad" } },
      },
    });
    const before = await live();
    const program = () => {
      monitor({ adopt: "identical" });
      new obs.SLO(
        "promise",
        {
          definition: { objective: 99.9, enableBurnRateAlerting: true },
          sli: { customIndicator: { totalQueryTemplate: "all", badQueryTemplate: "bad" } },
        },
        { adopt: "identical" },
      );
    };
    const preview = await done(stack.preview(program));
    expect(preview.text).toContain('takes over monitor "errors"');
    expect(preview.text).toContain('takes over SLO "promise"');
    expect(preview.text).not.toMatch(/changes:|erases:/);
    await done(stack.up(program));
    expect(await live()).toEqual(before);
    expect((await done(stack.preview(program, { refresh: true }))).steps).toMatchObject({ same: 2 });
  });

  test("with true says in the preview what it changes and what it erases", async () => {
    await writeMonitor({ ...setByHand, interval_secs: 30 });
    const program = adopting(true, { ...args, intervalSecs: 90 });
    const { text } = await done(stack.preview(program));
    expect(text).toMatch(/takes over monitor "errors", changes: [^]*intervalSecs.*30.*90/);
    const erased = /erases: ([^]*)/.exec(text)?.[1] ?? "";
    expect(erased).toMatch(/\blabels\b/);
    expect(erased).toMatch(/\bschedule\b/);
    expect(erased).toContain("notificationPolicySlug");
    await done(stack.up(program));
    expect(await live()).toMatchObject({ interval_secs: 90 });
    expect(await live()).not.toHaveProperty("labels.team");
  });

  test("with true shows no secret, neither the one that is there nor the one that comes", async () => {
    service = await ownService({ showSecrets: true });
    stack = await newStack(service.url, { validator });
    await write("notifiers/pager", {
      notifier: {
        name: "pager",
        oncall_b: { routing_key: "CANARY-theirs", severity: "warning", http_config: { bearer_token: "CANARY-erased" } },
      },
    });
    const program = () =>
      void new obs.Notifier("pager", { oncallB: { routingKey: "CANARY-ours", severity: "critical" } }, { adopt: true });
    const preview = await done(stack.preview(program, { diff: true }));
    // With the differences shown, the engine prints warnings elsewhere.
    const told = preview.messages.map(({ text }) => text).join("\n");
    expect(told).toMatch(/takes over notifier "pager", changes: /);
    expect(told).toContain("oncallB.routingKey");
    expect(told).toMatch(/oncallB\.severity.*warning.*critical/);
    expect(told).toMatch(/erases: [^]*oncallB\.httpConfig/);
    const up = await done(stack.up(program));
    expect(`${preview.text} ${up.text} ${JSON.stringify([preview.messages, up.messages])}`).not.toContain("CANARY");
  });

  test.each([true, "identical"] as const)("a masked secret writes it once, with adopt: %s", async (adopt) => {
    const database = join(ownFolder(), "service.db");
    service = await ownService({ database });
    stack = await newStack(service.url, { validator });
    await write("notifiers/pager", {
      notifier: { name: "pager", oncall_b: { routing_key: "CANARY-theirs", severity: "critical" } },
    });
    const program = () =>
      void new obs.Notifier("pager", { oncallB: { routingKey: "CANARY-ours", severity: "critical" } }, { adopt });
    const preview = await done(stack.preview(program));
    expect(preview.text).toMatch(/takes over notifier "pager"[^]*oncallB\.routingKey/);
    takeCounts(service);
    const up = await done(stack.up(program));
    const { "PUT notifiers/{slug}": puts, "POST notifiers": posts } = takeCounts(service);
    expect(puts).toBe(1);
    // At most the one that found the slug taken.
    expect(posts ?? 0).toBeLessThanOrEqual(1);
    expect(`${preview.text} ${up.text}`).not.toContain("CANARY");
    expect((await done(stack.preview(program, { refresh: true }))).steps).toMatchObject({ same: 1 });
    await service.close();
    const open = await ownService({ database, showSecrets: true });
    const { body } = await ask(open, "GET", "/api/v1/config/notifiers/pager");
    expect(body.notifier).toMatchObject({ oncall_b: { routing_key: "CANARY-ours" } });
  });
});

test("fields of a newer service keep what they hold when another field changes", async () => {
  const proxy = await ownProxy(service.url);
  stack = await newStack(proxy.url);
  let value = "p1";
  /** The objects of an answer, as a service that knows more has them. */
  const known: Readonly<Record<string, (object: Json) => Json>> = {
    monitor: (object) => {
      const { defaults } = object.series_conditions as typeof conditions;
      const [first] = defaults.critical.conditions;
      const critical = { conditions: [{ ...first, urgency: value }] };
      return { ...object, priority: value, series_conditions: { defaults: { critical } } };
    },
    slo: (object) => ({ ...object, priority: value, definition: { ...(object.definition as Json), budget: value } }),
    notifier: (object) => ({ ...object, priority: value, email: { ...(object.email as Json), priority: value } }),
  };
  const newer = edited("newer", (body) =>
    Object.fromEntries(
      Object.entries(body).map(([key, each]) => {
        const enrich = known[key] ?? known[key.replace(/s$/, "")];
        if (enrich === undefined) return [key, each];
        return [key, Array.isArray(each) ? (each as Json[]).map(enrich) : enrich(each as Json)];
      }),
    ),
  );
  proxy.use(({ method, dryRun }) => (method === "DELETE" || dryRun ? undefined : newer));
  const program = (description: string, intervalSecs: number) => () => {
    monitor({}, { ...args, intervalSecs });
    new obs.SLO("promise", {
      description,
      definition: { objective: 99.9 },
      sli: { customIndicator: { totalQueryTemplate: "all", badQueryTemplate: "bad" } },
    });
    new obs.Notifier("pager", { email: { to: "team@example.com", text: description } });
  };
  await done(stack.up(program("first", 60)));
  // Somebody changes them, where the field is known.
  value = "p2";
  const sent = (arrivals: readonly Arrival[], slug: string) =>
    arrivals.filter(({ method, path, dryRun }) => method === "PUT" && !dryRun && path.endsWith(slug)).at(-1)?.body;
  await done(stack.preview(program("second", 90)));
  const { steps } = await done(stack.up(program("second", 90)));
  expect(steps).toEqual({ update: 3 });
  const arrivals = proxy.arrivals();
  expect.soft(sent(arrivals, "errors")?.monitor).toMatchObject({
    interval_secs: 90,
    priority: "p2",
    series_conditions: { defaults: { critical: { conditions: [{ op: "GT", value: 1, urgency: "p2" }] } } },
  });
  expect
    .soft(sent(arrivals, "promise")?.slo)
    .toMatchObject({ description: "second", priority: "p2", definition: { objective: 99.9, budget: "p2" } });
  expect
    .soft(sent(arrivals, "pager")?.notifier)
    .toMatchObject({ priority: "p2", email: { to: "team@example.com", text: "second", priority: "p2" } });
  expect((await done(stack.preview(program("second", 90), { refresh: true }))).steps).toMatchObject({ same: 3 });
});

test.each(["errors", "failures"])(
  "an object stays though its new owner, %s, was not created because another resource failed",
  async (name) => {
    await done(stack.up(() => void new obs.Monitor("errors", { ...args, slug: "errors" })));
    const moved = () => {
      const broken = new obs.Dataset("broken", { configuration: { type: "LOGS" } });
      const parent = new pulumi.ComponentResource("test:index:Team", "team");
      new obs.Monitor(name, { ...args, slug: "errors", name: "errors" }, { parent, adopt: true, dependsOn: broken });
    };
    const { failed, text } = await stack.up(moved, { continueOnError: true });
    expect(failed).toBe(true);
    expect(text).toContain('monitor "errors" is left in place');
    expect(await live()).toBeDefined();
  },
);
