import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { Review } from "../../dist/cli/review/review.js";
import { riskClasses } from "../../dist/cli/stacks/risk.js";
import { runCommand } from "../support/command.js";
import type { Ended } from "../support/run.js";
import { digest, steps } from "../support/digests.js";
import { secretsProvider } from "../support/keys.js";
import { newProject } from "../support/project.js";
import { ask, ownService } from "../support/service.js";

const canaries = [
  "canary-routing-1",
  "canary-routing-2",
  "canary-hook-1",
  "canary-hook-2",
  "canary-key-1",
  "canary-key-2",
  "canary-threshold",
];

/** One program before and after a change that holds every risk. */
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

monitor("laxer", critical(now(0.05, 0.2)));
monitor("stricter", critical(1, { sustainSecs: now(120, 60) }));
monitor("muted", {
  schedule: { timezone: "UTC", weeklySchedule: { saturday: { active: "ALL_DAY" }, sunday: { active: now("ALL_DAY", "NEVER") } } },
});
monitor("widened", {
  seriesConditions: {
    defaults: { critical: conditions(1) },
    overrides: [{
      labelMatchers: [{ name: "region", type: "EXACT", value: "eu" }, ...now([{ name: "env", type: "EXACT", value: "prod" }], [])],
      severityConditions: conditions(5),
    }],
  },
});
monitor("queried", { labelQuery: now("up", "down") });
monitor("secretive", { annotations: { note: pulumi.secret("canary-threshold") }, ...critical(now(1, 1)) });
monitor("edited", {});
new obs.Notifier("discarded", now({ email: { to: "a@example.com" } }, { discard: true }));
new obs.Notifier("pager", { oncallB: { routingKey: now("canary-routing-1", "canary-routing-2") } });
new obs.Notifier("hook", { webhook: { url: now("https://h.example.com/canary-hook-1", "https://h.example.com/canary-hook-2") } });
slo("lowered", { objective: now(99.9, 99) });
slo("unalerted", { enableBurnRateAlerting: now(true, false) });
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
monitor("routed", { notificationPolicySlug: now("a", "b"), labels: { team: "a", tier: now("1", "2"), summary: now("c", "d") } });
monitor("grouped", { signalGrouping: { labelNames: now(["region", "pod"], ["region"]) } });
new obs.Notifier("told", {
  skipResolved: now(false, true),
  oncallA: { apiKey: now("canary-key-1", "canary-key-2"), responders: [{ name: "a" }], priority: now("P1", "P3"), note: now("c", "d") },
});
new obs.CloudxMetricsIntegration("cloud", {
  principal: { clientId: "c", tenantId: now("a", "b") },
  propagateTags: now(true, false),
  scrapeConfig: { locations: now(["a", "b"], ["b"]) },
});
// An option keeps the change from happening, and an alias keeps the object of the old name.
monitor("unheard", critical(now(0.05, 0.9)), { ignoreChanges: ["seriesConditions"] });
monitor(now("old-name", "renamed"), { name: "a", slug: "renamed", ...critical(now(0.05, 0.4)) }, { aliases: [{ name: "old-name" }] });
// Means the same: defaults written out, another spelling, another order.
monitor("same", now({ signalGrouping: { labelNames: ["a", "b"] } }, { intervalSecs: 60, annotations: {}, signalGrouping: { labelNames: ["b", "a"] } }));
slo("respelt", { timeWindow: now("4w", "28d") });
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

const standards = `
import { hasLabel, type Standards } from "pulumi-observability/standards";
const standards: Standards = { textLabels: ["summary"], Monitor: { "has a team": hasLabel("team") }, SLO: { "has a team": hasLabel("team") } };
export default standards;
`;

const service = await ownService();
const { folders, init, run, write, env } = newProject(service.url, program(false));
const command = (...args: readonly string[]) => runCommand(folders.project, args, env);
const at = (name: string) => join(folders.project, name);

async function put(slug: string, change: Record<string, unknown>): Promise<void> {
  const monitor = { name: slug, labels: { team: "a" }, label_query: "up", ...change };
  const body = { create_if_missing: true, monitor };
  expect((await ask(service, "PUT", `/api/v1/config/monitors/${slug}`, body)).status).toBeLessThan(300);
}

const conditions = (value: number) => ({
  series_conditions: { defaults: { critical: { conditions: [{ op: "GT", value, sustain_secs: 120 }] } } },
});

beforeAll(async () => {
  await init();
  const { code, text } = await run(["up", "--yes", "--skip-preview"]);
  expect(code, text).toBe(0);
  await put("edited", conditions(9));
  await put("taken", conditions(7));
});

describe("a change with every risk", () => {
  let ended: Ended;
  let report: Review & { readonly version: number };

  beforeAll(async () => {
    write(program(true));
    writeFileSync(at("observability.standards.ts"), standards);
    ended = await command("review", "--stack", "dev", "--refresh", "--json", "--markdown", "review.md");
    report = JSON.parse(ended.stdout);
  });

  test("ends with 3, because it breaks a rule", () => {
    expect(ended.code, ended.stderr).toBe(3);
    expect(report.version).toBe(1);
  });

  test("each is named once, in words and with its direction", () => {
    expect(report.risks.map(({ class: riskClass, direction, sentence }) => `${riskClass} ${direction} ${sentence}`))
      .toMatchInlineSnapshot(`
        [
          "removed laxer removed: the monitor is removed: it fires no more",
          "discarded laxer discarded: drops every notification from now on",
          "muted laxer muted: silent on Sunday (24 h a week)",
          "burn-rate-off laxer unalerted: burn-rate alerting is off: nobody is told while the error budget burns",
          "laxer laxer laxer: critical threshold 0.05 → 0.2 for 120 s: fires later",
          "laxer laxer renamed: critical threshold 0.05 → 0.4 for 120 s: fires later",
          "objective-lowered laxer lowered: objective 99.9 % → 99 %: promises less",
          "override-widened laxer widened: override for env="prod" and region="eu" → region="eu" covers more series, with GT 5 for 120 s in place of GT 1 for 120 s: fires later for them",
          "delivery-changed laxer told: says no longer that an alert has resolved",
          "grouping-changed laxer grouped: signals by "pod" and "region" → by "region": one signal stands for more series",
          "collection-narrowed laxer cloud: locations "a" and "b" → "b": collects less",
          "collection-narrowed laxer cloud: propagateTags true → false: collects less",
          "budget-taken laxer shares: dataset "kept-logs": 40 % → 30 % of the license",
          "drift laxer edited: edited at the service: critical threshold 1 → 9 for 120 s: fires later; "pulumi up --refresh" restores what the program says",
          "target-changed unclear hook: webhook.url changed (secret): other people may be told",
          "target-changed unclear pager: oncallB.routingKey changed (secret): other people may be told",
          "routing-changed unclear routed: labels.tier "1" → "2": may be routed elsewhere",
          "routing-changed unclear routed: notificationPolicySlug "a" → "b": notifications may go elsewhere",
          "credentials-changed unclear cloud: principal.tenantId "a" → "b": requests may be refused",
          "credentials-changed unclear told: oncallA.apiKey changed (secret): requests may be refused",
          "delivery-changed unclear told: oncallA.priority "P1" → "P3": notifications are delivered otherwise",
          "query-changed unclear queried: labelQuery "up" → "down": other data is read",
          "precedence-changed unclear shares: datasetAllocations[0].priorities.lowPriorityFilters[0].query "a" → "b": others come first",
          "replaced unclear logs: the dataset is replaced, because its slug is "logs" → "all-logs": what refers to the old one finds nothing",
          "adopts unclear taken: takes over monitor "taken", changes: seriesConditions.defaults.critical.conditions[0].value 7 → 1",
          "left-behind unclear left: the monitor "left" stays at the service, and this stack manages it no more (retainOnDelete)",
          "left-behind unclear read: the monitor "read" stays at the service, and this stack manages it no more (.get)",
          "unvalidated unclear open: not validated yet, because it is known only after the update: labels.id",
          "stricter stricter stricter: critical threshold 1, sustain 120 s → 60 s: fires earlier",
        ]
      `);
    const found = new Set(report.risks.map((risk) => risk.class));
    // Told of several stacks: below.
    expect(riskClasses.filter((each) => !found.has(each))).toEqual(["declared-elsewhere"]);
  });

  test("what means the same is none", () => {
    expect(report.risks.filter(({ name }) => ["same", "respelt", "secretive"].includes(name))).toEqual([]);
  });

  test("rules that it breaks are named, and those that were broken before are counted", () => {
    const message = "the label team is missing";
    expect(report.violations).toEqual([
      { stack: "project/dev", kind: "Monitor", name: "open", rule: "has a team", message },
    ]);
    expect(report.stacks[0]?.oldViolations).toBe(3);
  });

  test("no form holds a secret", () => {
    for (const form of [ended.stdout, ended.stderr, readFileSync(at("review.md"), "utf8")]) {
      expect(canaries.filter((canary) => form.includes(canary))).toEqual([]);
      expect(form.replaceAll(/\s+/g, " ")).toContain("oncallB.routingKey changed (secret)");
    }
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
      /^<!-- pulumi-observability review -->\n### Observability review: 29 risks, 1 broken standard and 1 failed preview in 2 stacks\n/,
    );
    expect(both.stdout).toMatch(/^project\/other: failed\n {2}error {2}.*\n(?: {9}.*\n)* {9}Error: it breaks$/m);
  });
});

test("an object that one stack drops is told if another one declares it, unchanged too, at the same service", async () => {
  const other = await ownService();
  /** Both stacks run one program, in which the old one declares some objects or none. */
  const program = (...old: readonly string[]) => `
      const pulumi = require("@pulumi/pulumi");
      const obs = require("pulumi-observability");
      const isNew = pulumi.getStack() === "new";
      const monitor = (name, options) =>
        (isNew || ${JSON.stringify(old)}.includes(name)) && new obs.Monitor(name, {
          labelQuery: "up", seriesConditions: { defaults: { critical: { conditions: [{ op: "GT", value: 1 }] } } },
        }, { adopt: isNew ? "identical" : false, ...options });
      const provider = new obs.Provider("own", { baseUrl: isNew ? "${other.url}" : "${service.url}/" });
      monitor("moved");
      monitor("separate", { provider });
      monitor("explicit", isNew ? {} : { provider });
    `;
  const two = newProject(service.url, program("moved", "separate", "explicit"));
  const { run, write } = two;
  writeFileSync(join(two.folders.project, "Pulumi.yaml"), "name: two\nruntime: nodejs\n");
  const ended = async (...args: readonly string[]) => {
    const { code, text } = await run(args);
    expect(code, text).toBe(0);
  };
  for (const stack of ["old", "new"]) {
    await ended("stack", "init", stack, "--secrets-provider", secretsProvider);
    await ended("up", "--yes", "--skip-preview", "--stack", stack);
  }
  write(program());
  const { stdout } = await runCommand(
    two.folders.project,
    ["review", "--stack", "old", "--stack", "new", "--json"],
    two.env,
  );
  const { risks } = JSON.parse(stdout) as Review;
  expect(risks.map(({ stack, class: each, direction, name }) => `${stack} ${each} ${direction} ${name}`)).toEqual([
    "two/old declared-elsewhere laxer explicit",
    "two/old declared-elsewhere laxer moved",
    ...["explicit", "moved", "separate"].map((name) => `two/old removed laxer ${name}`),
  ]);
  expect(risks[1]?.sentence).toMatch(
    /^moved: deletes Monitor "moved", which the stack "two\/new" declares: move it with /,
  );
  // The old stack cannot know.
  await ended("up", "--yes", "--skip-preview", "--stack", "old");
  expect((await ask(service, "GET", "/api/v1/config/monitors/moved")).status).toBe(404);
});

test("drift says what was edited and who wins", async () => {
  write(program(false));
  const { code, stdout } = await command("drift", "--all-stacks");
  expect(code).toBe(3);
  expect(stdout).toMatchInlineSnapshot(`
    "Observability drift: 1 object differs in 1 stack

    project/dev: 1 edited
      drift (laxer)  Monitor edited: edited at the service: critical threshold 1 → 9
          for 120 s: fires later; "pulumi up --refresh" restores what the program
          says
      ! edited Monitor edited
          seriesConditions.defaults.critical.conditions[0].value: 1 → 9
    "
  `);
});

test("the exit status is 3 only for the classes and directions of --fail-on", async () => {
  const [before, after] = [{ intervalSecs: 30 }, { intervalSecs: 60 }];
  writeFileSync(at("later.json"), JSON.stringify(digest([steps("Monitor", "x", { before, after })])));
  const from = ["review", "--from", "later.json", "--standards", "none.mjs"];
  writeFileSync(at("none.mjs"), "export default {};");
  expect(await command(...from, "--fail-on", "removed,muted", "stricter")).toMatchObject({ code: 0 });
  expect(await command(...from, "--fail-on", "removed,laxer")).toMatchObject({ code: 3 });
  expect(await command(...from, "--fail-on", "laxer:laxer")).toMatchObject({ code: 3 });
  expect(await command(...from, "--fail-on", "laxer:unclear", "muted:laxer")).toMatchObject({ code: 0 });
});

test.each([
  [[], 2, /^Usage: pulumi-observability \[options\] \[command\]\n/],
  [["teams"], 2, /^Usage: pulumi-observability teams \[options\] \[command\]\n/],
  [["review", "--fail-on", "removd"], 2, /Classes are declared-elsewhere, removed, /],
  [["review", "--from", "a.json", "--stack", "dev"], 2, /cannot be used with option/],
  [["review", "--parallel", "0"], 2, /a whole number from 1/],
  [["review", "--stack", "none"], 1, /^project\/none: failed\n {2}error {2}no stack named 'none' found/m],
  [["drift", "elsewhere"], 1, /"elsewhere": there is no such folder/],
])("%j ends with %i and says why", async (args, code, words) => {
  const ended = await command(...args);
  expect(ended.stdout + ended.stderr).toMatch(words);
  expect(ended.code).toBe(code);
});
