import type { Service } from "@pulumi-observability/service";
import * as obs from "pulumi-observability";
import { beforeEach, expect, test } from "vitest";
import { newStack, type TestStack } from "../support/engine.js";
import { type FaultProxy, ownProxy } from "../support/faults.js";
import { args, conditions, done, liveMonitor, refused } from "../support/monitors.js";
import { ask, ownService } from "../support/service.js";

type Json = Record<string, unknown>;

let service: Service;
let proxy: FaultProxy;
let stack: TestStack;
beforeEach(async () => {
  service = await ownService();
  proxy = await ownProxy(service.url);
  stack = await newStack(proxy.url);
});

const write = async (path: string, body: Json) => {
  const answer = await ask(service, "PUT", `/api/v1/config/${path}`, { create_if_missing: true, ...body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
};
/** A monitor that says the same as the arguments of these tests, and what else is given. */
const writeMonitor = (slug: string, more: Json = {}) =>
  write(`monitors/${slug}`, {
    monitor: { name: slug, label_query: "up", series_conditions: conditions, interval_secs: 60, ...more },
  });
const setByHand = {
  labels: { team: "checkout" },
  schedule: { timezone: "UTC", weekly_schedule: { monday: { active: "ALL_DAY" } } },
  notification_policy_slug: "checkout",
};
const writes = () => proxy.arrivals().filter(({ method, dryRun }) => method !== "GET" && !dryRun);

test('adopt "identical" fails and names each field that someone has set in addition', async () => {
  await writeMonitor("errors", setByHand);
  const before = await liveMonitor(service, "errors");
  const program = () => void new obs.Monitor("errors", args, { adopt: "identical" });
  const text = await refused(stack.up(program));
  for (const field of ["labels.team", "schedule", "notificationPolicySlug"]) expect(text).toContain(field);
  expect(await liveMonitor(service, "errors")).toEqual(before);
});

test("one run adopts what is identical without a write, and what differs or hides a secret with one", async () => {
  const pagers = { "pager-true": true, "pager-identical": "identical" } as const;
  const program = () => {
    new obs.Monitor("errors", args, { adopt: "identical" });
    new obs.SLO(
      "promise",
      {
        definition: { objective: 99.9, enableBurnRateAlerting: true },
        sli: { customIndicator: { totalQueryTemplate: "all", badQueryTemplate: "bad" } },
      },
      { adopt: "identical" },
    );
    new obs.Monitor("latency", { ...args, intervalSecs: 90 }, { adopt: true });
    for (const [name, adopt] of Object.entries(pagers))
      new obs.Notifier(name, { oncallB: { routingKey: "CANARY-ours", severity: "critical" } }, { adopt });
  };
  // The service fills in what these leave out.
  await writeMonitor("errors", { interval_secs: 0 });
  const sli = { custom_indicator: { total_query_template: "all", bad_query_template: "bad" } };
  const definition = { objective: 99.9, enable_burn_rate_alerting: true };
  await write("slos/promise", { slo: { name: "promise", definition, sli } });
  await writeMonitor("latency", { ...setByHand, interval_secs: 30 });
  for (const name of Object.keys(pagers))
    await write(`notifiers/${name}`, {
      notifier: { name, oncall_b: { routing_key: "CANARY-theirs", severity: "critical" } },
    });

  const preview = await done(stack.preview(program));
  const notes = (name: string) => preview.messages.flatMap((each) => (each.name === name ? [each.text] : [])).join();
  expect(notes("errors")).toContain('adopts the existing monitor "errors" without changes');
  expect(notes("promise")).toContain('adopts the existing SLO "promise" without changes');
  const [changes, erases] = notes("latency").split("erases: ");
  expect(changes).toContain('adopts the existing monitor "latency" and changes: intervalSecs 30 → 90');
  for (const place of ["labels", "schedule", "notificationPolicySlug"]) expect(erases).toContain(place);
  for (const name of Object.keys(pagers)) expect(notes(name)).toContain("oncallB.routingKey");

  proxy.reset();
  const up = await done(stack.up(program));
  const written = writes().filter(({ method }) => method !== "POST"); // POSTs found that a slug is taken.
  expect(written.map(({ path }) => path.split("/").slice(-2).join("/")).sort()).toEqual(
    ["monitors/latency", ...Object.keys(pagers).map((name) => `notifiers/${name}`)].sort(),
  );
  for (const { path, body } of written.filter(({ path }) => path.includes("notifiers")))
    expect(body.notifier, path).toMatchObject({ oncall_b: { routing_key: "CANARY-ours" } });
  const latency = await liveMonitor(service, "latency");
  expect(latency).toMatchObject({ interval_secs: 90 });
  expect(latency).not.toHaveProperty("labels.team");
  expect(`${preview.text} ${up.text}`).not.toContain("CANARY");
  expect((await done(stack.preview(program, { refresh: true }))).steps).toMatchObject({ same: 5 });
});
