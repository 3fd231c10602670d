import { readFileSync, writeFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import type { Review } from "../../dist/cli/review/review.js";
import type { Ended } from "../support/run.js";
import { newProject } from "../support/project.js";
import { ask, ownService } from "../support/service.js";

/**
 * One program before and after a change. It holds what only an engine can tell apart, and one change in each form of a
 * list; test/unit/review has every sort of risk.
 */
const program = (isAfter: boolean) => `
const pulumi = require("@pulumi/pulumi");
const obs = require("pulumi-observability");
const now = (before, after) => (${isAfter} ? after : before);
const conditions = (value, more = {}) => ({ conditions: [{ op: "GT", value, sustainSecs: 120, ...more }] });
const critical = (value, more) => ({ seriesConditions: { defaults: { critical: conditions(value, more) } } });
const monitor = (name, args, options) =>
  new obs.Monitor(name, { labels: { team: "a" }, labelQuery: "up", ...critical(1), ...args }, options);
const slo = (name, definition) =>
  new obs.SLO(name, {
    definition: { objective: 99.9, timeWindow: "4w", enableBurnRateAlerting: true, ...definition },
    sli: { customIndicator: { totalQueryTemplate: "t", badQueryTemplate: "b" } },
  });

monitor("later", critical(now(0.05, 0.2)));
monitor("widened", {
  seriesConditions: {
    defaults: { critical: conditions(1) },
    overrides: [{
      labelMatchers: [{ name: "region", type: "EXACT", value: "eu" }, ...now([{ name: "env", type: "EXACT", value: "prod" }], [])],
      severityConditions: conditions(5),
    }],
  },
});
monitor("secretive", { annotations: { note: pulumi.secret("canary-threshold") }, ...critical(now(1, 1)) });
monitor("edited", {});
new obs.Notifier("discarded", now({ email: { to: "a@example.com" } }, { discard: true }));
new obs.Notifier("pager", { oncallB: { routingKey: now("canary-routing-1", "canary-routing-2") } });
new obs.Notifier("hook", { webhook: { url: now("https://h.example.com/canary-hook-1", "https://h.example.com/canary-hook-2") } });
const dataset = new obs.Dataset("logs", {
  slug: now("logs", "all-logs"),
  configuration: { type: "LOGS", logDataset: { matchCriteria: { query: "a" } } },
});
const kept = new obs.Dataset("kept-logs", { configuration: { type: "LOGS", logDataset: { matchCriteria: { query: "b" } } } });
new obs.LogAllocationConfig("shares", {
  datasetAllocations: [{
    datasetSlug: kept.slug,
    allocation: { percentOfLicense: now(40, 30) },
    priorities: { lowPriorityFilters: [{ query: now("a", "b") }] },
  }],
  defaultDataset: { allocation: { percentOfLicense: 60 } },
});
monitor("moved", { slug: now("old-slug", "new-slug") }, { deleteBeforeReplace: true });
// An option keeps the change from happening, and an alias keeps the object of the old name.
monitor("unheard", critical(now(0.05, 0.9)), { ignoreChanges: ["seriesConditions"] });
monitor(now("old-name", "renamed"), { name: "a", slug: "renamed", ...critical(now(0.05, 0.4)) }, { aliases: [{ name: "old-name" }] });
// Means the same: defaults written out, another spelling, another order.
monitor("same", now({ signalGrouping: { labelNames: ["a", "b"] } }, { intervalSecs: 60, annotations: {}, signalGrouping: { labelNames: ["b", "a"] } }));
slo("respelled", { timeWindow: now("4w", "28d") });
if (${isAfter}) {
  monitor("taken", {}, { adopt: true });
  monitor("open", { labels: { id: dataset.createdAt } });
  obs.Monitor.get("read", "read");
} else {
  monitor("removed", {});
  monitor("left", {}, { retainOnDelete: true });
  monitor("read", {});
}
`;

const service = await ownService();
const { at, command, create, write } = newProject(service.url, program(false));

/** Somebody else writes a monitor that differs in its threshold. */
async function edit(slug: string, value: number): Promise<void> {
  const critical = { conditions: [{ op: "GT", value, sustain_secs: 120 }] };
  const monitor = {
    name: slug,
    labels: { team: "a" },
    label_query: "up",
    series_conditions: { defaults: { critical } },
  };
  const body = { create_if_missing: true, monitor };
  expect((await ask(service, "PUT", `/api/v1/config/monitors/${slug}`, body)).status).toBeLessThan(300);
}

beforeAll(async () => {
  await create();
  await edit("edited", 9);
  await edit("taken", 7);
});

describe("a change", () => {
  let ended: Ended;
  let report: Review;

  beforeAll(async () => {
    write(program(true));
    ended = await command("review", "--stack", "dev", "--refresh", "--json", "--markdown", "review.md");
    report = JSON.parse(ended.stdout);
  });

  test("each risk is named once, in words and with its direction", () => {
    expect(ended.code, ended.stderr).toBe(0);
    expect(report.risks.map(({ class: riskClass, direction, sentence }) => `${riskClass} ${direction} ${sentence}`))
      .toMatchInlineSnapshot(`
        [
          "removed alerts-less removed: the monitor is removed: it no longer fires",
          "discard alerts-less discarded: now discards every notification",
          "threshold alerts-less later: critical condition > 0.05 for 2 min → > 0.2 for 2 min: fires later or not at all",
          "threshold alerts-less renamed: critical condition > 0.05 for 2 min → > 0.4 for 2 min: fires later or not at all",
          "override alerts-less widened: override for {region="eu"} is new, critical > 5 for 2 min instead of critical > 1 for 2 min, except for {env="prod", region="eu"}: fires later or not at all",
          "budget alerts-less shares: dataset "kept-logs": 40 % → 30 % of the license",
          "drift alerts-less edited: edited outside Pulumi: critical condition > 1 for 2 min → > 9 for 2 min, fires later or not at all; "pulumi up --refresh" reverts the edit",
          "receiver unclear hook: webhook.url changed (secret): may notify other people",
          "receiver unclear pager: oncallB.routingKey changed (secret): may notify other people",
          "precedence unclear shares: dataset "kept-logs", "b" now dropped first, "a" no longer dropped first: may drop other records",
          "replaced unclear logs: the dataset is replaced, because its slug changes "logs" → "all-logs": references to the old object no longer resolve",
          "replaced unclear moved: the monitor is deleted and recreated, because its slug changes "old-slug" → "new-slug": there is no alerting in between, and references to the old object no longer resolve",
          "adopts unclear taken: adopts the existing monitor "taken" and changes: seriesConditions.defaults.critical.conditions[0].value 7 → 1",
          "retained unclear left: the monitor "left" stays in the service, but this stack no longer manages it (retainOnDelete)",
          "retained unclear read: the monitor "read" stays in the service, but this stack no longer manages it (.get)",
          "unvalidated unclear open: not validated yet: labels.id is known only after the update",
        ]
      `);
  });

  test("a program that breaks is told under its stack, also from a file that another job wrote", async () => {
    writeFileSync(at("first.json"), ended.stdout);
    write("throw new Error('it breaks');");
    const { code, stdout } = await command("review", "--json");
    expect(code).toBe(1);
    writeFileSync(at("second.json"), stdout.replaceAll("project/dev", "project/other"));
    const both = await command("review", "--from", "first.json", "second.json", "--markdown", "both.md");
    expect(both.code).toBe(1);
    expect(readFileSync(at("both.md"), "utf8")).toMatch(
      /^<!-- pulumi-observability review -->\n### Observability review: 16 risks and 1 failed preview in 2 stacks\n/,
    );
    expect(both.stdout).toMatch(/^project\/other: failed\n {2}error {2}.*\n(?: {6}.*\n)* {6}Error: it breaks$/m);
  });
});

test.each([
  [[], 2, /^Usage: pulumi-observability \[options\] \[command\]\n/],
  [["teams"], 2, /^Usage: pulumi-observability teams \[options\] \[command\]\n/],
  [["review", "--fail-on", "removd"], 2, /Did you mean "removed"\? Classes are declared-elsewhere, removed, /],
  [["review", "--fail-on", "schedule:alert-less"], 2, /Did you mean "schedule:alerts-less"\? /],
  [["review", "--from", "a.json", "--stack", "dev"], 2, /cannot be used with option/],
  [["review", "--stack", "none"], 1, /^project\/none: failed\n {2}error {2}no stack named 'none' found/m],
  [["drift", "--stack", "dev", "prod"], 1, /the folder "prod" does not exist. To name another stack, repeat --stack/],
])("%j ends with %i and says why", async (args, code, words) => {
  const ended = await command(...args);
  expect(ended.stdout + ended.stderr).toMatch(words);
  expect(ended.code).toBe(code);
});
