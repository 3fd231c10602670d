import { join } from "node:path";
import type { Service, ServiceOptions } from "@pulumi-observability/service";
import * as obs from "pulumi-observability";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newStack, type Outcome, type TestStack } from "../support/engine.js";
import { type Arrival, type FaultProxy, ownProxy } from "../support/faults.js";
import { args, conditions, done, liveMonitor, refused } from "../support/monitors.js";
import { ownFolder } from "../support/folders.js";
import { ask, ownService, takeCounts } from "../support/service.js";

type Json = Record<string, unknown>;

let service: Service;
let proxy: FaultProxy;
let stack: TestStack;
/** A service and a stack of its own, for a test or for all rows of one life. */
const begin = async (options: ServiceOptions = {}) => {
  service = await ownService(options);
  proxy = await ownProxy(service.url);
  stack = await newStack(proxy.url);
};

const live = (slug = "errors", at = service) => liveMonitor(at, slug);
const write = async (path: string, body: Json, at = service) => {
  const answer = await ask(at, "PUT", `/api/v1/config/${path}`, { create_if_missing: true, ...body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
};
/** A monitor that says the same as the arguments above, and what else is given. */
const writeMonitor = (more: Json = {}, slug = "errors") =>
  write(`monitors/${slug}`, {
    monitor: { name: slug, label_query: "up", series_conditions: conditions, interval_secs: 60, ...more },
  });
const monitor = (options: obs.ResourceOptions = {}, monitorArgs: obs.MonitorArgs = args, name = "errors") =>
  new obs.Monitor(name, monitorArgs, options);
describe("adopt with a text is refused, and nothing is written:", () => {
  const texts = ["false", "identicle", "true"];
  let before: readonly unknown[];
  let after: readonly unknown[];
  let written: readonly string[];
  let outcomes: readonly Outcome[];
  beforeAll(async () => {
    await begin();
    for (const text of texts) await writeMonitor({ labels: { team: "checkout" } }, text);
    const all = () => Promise.all(texts.map((text) => live(text)));
    before = await all();
    const program = () => {
      for (const text of texts) {
        const adopt = text as unknown as true; // As a program in JavaScript can.
        monitor({ adopt }, args, text);
        monitor({ adopt }, args, `new-${text}`);
      }
    };
    takeCounts(service);
    outcomes = [await stack.preview(program), await stack.up(program)];
    written = Object.keys(takeCounts(service)).filter((key) => !key.startsWith("GET") && !key.endsWith(" dry"));
    after = await all();
  });

  test.each(texts)("%j", async (text) => {
    for (const outcome of outcomes) {
      expect(outcome.failed, outcome.text).toBe(true);
      const [told] = outcome.messages.filter(({ text: said }) => said.includes("adopt must be"));
      expect.soft(told).toBeDefined();
    }
    const preview = outcomes[0]?.messages.filter(({ text: said }) => said.includes("adopt must be"));
    expect(preview?.map(({ name }) => name)).toEqual(expect.arrayContaining([text, `new-${text}`]));
    expect(written).toEqual([]);
    expect(before[texts.indexOf(text)]).toBeDefined();
    expect(after[texts.indexOf(text)]).toEqual(before[texts.indexOf(text)]);
    expect(await live(`new-${text}`)).toBeUndefined();
  });
});

describe("adopting", () => {
  const setByHand = {
    labels: { team: "checkout" },
    schedule: { timezone: "UTC", weekly_schedule: { monday: { active: "ALL_DAY" } } },
    notification_policy_slug: "checkout",
  };
  test('with "identical" fails and names each field that someone has set in addition', async () => {
    await begin();
    await writeMonitor(setByHand);
    const before = await live();
    const program = () => void monitor({ adopt: "identical" });
    const outcomes = [await refused(stack.preview(program)), await refused(stack.up(program))];
    for (const text of outcomes) {
      expect(text).toContain("labels.team");
      expect(text).toMatch(/\bschedule\b/);
      expect(text).toContain("notificationPolicySlug");
    }
    expect(await live()).toEqual(before);
  });

  describe("in one run,", () => {
    const pagers = { "pager-true": true, "pager-identical": "identical" } as const;
    const objects = ["monitors/errors", "slos/promise", "monitors/latency"];
    const look = async () =>
      Object.fromEntries(
        await Promise.all(
          objects.map(async (path) => {
            const { monitor: one, slo } = (await ask(service, "GET", `/api/v1/config/${path}`)).body;
            return [path, (one ?? slo) as Json] as const;
          }),
        ),
      );
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
      monitor({ adopt: true }, { ...args, intervalSecs: 90 }, "latency");
      for (const [name, adopt] of Object.entries(pagers))
        new obs.Notifier(name, { oncallB: { routingKey: "CANARY-ours", severity: "critical" } }, { adopt });
    };
    let database: string;
    let before: Awaited<ReturnType<typeof look>>;
    let after: Awaited<ReturnType<typeof look>>;
    let preview: Outcome;
    let up: Outcome;
    let writes: readonly Arrival[];
    /** What the preview says of the object that a resource takes over. */
    const told = (what: string) =>
      preview.messages.flatMap(({ text }) => (text.includes(`takes over ${what}`) ? [text] : [])).join("\n");
    beforeAll(async () => {
      database = join(ownFolder(), "service.db");
      await begin({ database });
      await writeMonitor({ interval_secs: 0 });
      await write("slos/promise", {
        slo: {
          name: "promise",
          definition: { objective: 99.9, enable_burn_rate_alerting: true },
          sli: { custom_indicator: { total_query_template: "all", bad_query_template: "bad" } },
        },
      });
      await writeMonitor({ ...setByHand, interval_secs: 30 }, "latency");
      for (const name of Object.keys(pagers))
        await write(`notifiers/${name}`, {
          notifier: { name, oncall_b: { routing_key: "CANARY-theirs", severity: "critical" } },
        });
      before = await look();
      preview = await stack.preview(program);
      proxy.reset();
      up = await stack.up(program);
      writes = proxy.arrivals().filter(({ method, dryRun }) => (method === "PUT" || method === "POST") && !dryRun);
      after = await look();
    });
    beforeEach(() => {
      for (const { failed, text } of [preview, up]) expect(failed, text).toBe(false);
    });

    test("what is identical counts nothing that the service fills in by itself", () => {
      for (const what of ['monitor "errors"', 'SLO "promise"']) {
        expect(told(what)).toContain(`takes over ${what}`);
        expect(told(what)).not.toMatch(/changes:|erases:/);
      }
      for (const path of ["monitors/errors", "slos/promise"]) expect(after[path]).toEqual(before[path]);
    });

    test("with true says in the preview what it changes and what it erases", () => {
      expect(told('monitor "latency"')).toMatch(/takes over monitor "latency", changes: [^]*intervalSecs.*30.*90/);
      const erased = /erases: ([^]*)/.exec(told('monitor "latency"'))?.[1] ?? "";
      expect(erased).toMatch(/\blabels\b/);
      expect(erased).toMatch(/\bschedule\b/);
      expect(erased).toContain("notificationPolicySlug");
      expect(after["monitors/latency"]).toMatchObject({ interval_secs: 90 });
      expect(after["monitors/latency"]).not.toHaveProperty("labels.team");
    });

    test.each(Object.entries(pagers))("a masked secret writes it once: %s, with adopt: %s", (name) => {
      expect(told(`notifier "${name}"`)).toContain("oncallB.routingKey");
      expect(writes.filter(({ method, path }) => method === "PUT" && path.endsWith(`/${name}`))).toHaveLength(1);
      // At most the one that found the slug taken.
      const posts = writes.filter(({ method, body }) => method === "POST" && (body.notifier as Json)?.slug === name);
      expect(posts.length).toBeLessThanOrEqual(1);
      expect(`${preview.text} ${up.text}`).not.toContain("CANARY");
    });

    test("and the state is right then", async () => {
      expect((await done(stack.preview(program, { refresh: true }))).steps).toMatchObject({ same: 5 });
      await service.close();
      const open = await ownService({ database, showSecrets: true });
      for (const name of Object.keys(pagers)) {
        const { body } = await ask(open, "GET", `/api/v1/config/notifiers/${name}`);
        expect(body.notifier).toMatchObject({ oncall_b: { routing_key: "CANARY-ours" } });
      }
    });
  });
});
