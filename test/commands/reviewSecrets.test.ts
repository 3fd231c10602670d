import { readFileSync, writeFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import type { Review } from "../../dist/cli/review/review.js";
import type { Ended } from "../support/run.js";
import { newProject } from "../support/project.js";
import { ownService } from "../support/service.js";

/** Texts hold the word, numbers begin with these digits. */
const canary = /canary|7310\d\d/g;

/** Each resource holds a secret in another place. Its name says what becomes of it: "same" stays, whatever else changes. */
const program = (isAfter: boolean) => `
const pulumi = require("@pulumi/pulumi");
const obs = require("pulumi-observability");
const now = (before, after) => (${isAfter} ? after : before);
const secret = pulumi.secret;
const changing = (before, after) => secret(now(before, after));
const gt = (value, more) => ({ op: "GT", value, ...more });
const critical = (...conditions) => ({ seriesConditions: { defaults: { critical: { conditions } } } });
const monitor = (name, args) => new obs.Monitor(name, {
  labels: { team: "a", notifier: "pager" }, annotations: { runBook: "r" }, labelQuery: "up", ...critical(gt(1, { sustainSecs: 60 })), ...args,
});
const interval = { intervalSecs: now(30, 60) };

monitor("list-same", { ...interval, ...critical(gt(secret(731001))) });
monitor("list-changed", critical(gt(changing(731002, 731003))));
monitor("list-beside", critical(gt(secret(731004), { sustainSecs: now(60, 120) })));
monitor("marked", critical(gt(now(731005, secret(731005)))));
monitor("marked-edited", { ...interval, ...critical(gt(now(731006, secret(731007)))) });
monitor("plain-same", critical(gt(now(secret(731008), 731008))));
monitor("plain-changed", critical(gt(now(secret(731009), 731010), { sustainSecs: 60 })));
const override = (value) => [{
  labelMatchers: [{ name: "region", type: "EXACT", value: "eu" }], severityConditions: { conditions: [gt(value)] },
}];
const overriding = (first, value) => ({ seriesConditions: {
  defaults: { critical: { conditions: [gt(first, { sustainSecs: 60 })] } }, overrides: override(value),
} });
monitor("override-same", overriding(now(1, 2), secret(731011)));
monitor("override-changed", overriding(1, changing(731012, 731013)));
monitor("map-same", { ...interval, annotations: { runBook: "r", note: secret("canary-map-same") } });
monitor("map-odd-key", { annotations: { runBook: "r", "odd\\\\": "x", note: changing("canary-odd-1", "canary-odd-2") } });
monitor("query", { labelQuery: changing("canary_up", "canary_down") });
monitor("query-same", { ...interval, labelQuery: secret("canary_same") });
const slo = (name, definition) => new obs.SLO(name, {
  labels: { team: "a", notifier: "pager" }, annotations: { runBook: "r" },
  definition: { objective: 99.9, timeWindow: "28d", enableBurnRateAlerting: true, ...definition },
  sli: { customIndicator: { totalQueryTemplate: "t", badQueryTemplate: "b" } },
});
const alerts = (severity) => ({ burnRateAlertingConfig: [{ window: "1h", budget: 2, severity }] });
slo("burn-same", { objective: now(99.9, 99), ...alerts(secret("canary-burn-same")) });
slo("burn-changed", alerts(changing("canary-burn-1", "canary-burn-2")));
slo("burn-marked", alerts(now("canary-burn-3", secret("canary-burn-3"))));
const url = (name) => "https://hooks.example.com/canary-" + name;
new obs.Notifier("hook-same", { name: now("a", "b"), webhook: { url: url("same") } });
new obs.Notifier("hook-changed", { webhook: { url: now(url("old"), url("new")) } });
new obs.Notifier("moved-hook" + now("", "-again"), { slug: "moved-hook", webhook: { url: now(url("moved-1"), url("moved-2")) } },
  { adopt: true });
new obs.Notifier("images", { oncallB: {
  routingKey: "canary-routing", images: [{ href: changing(url("image-1"), url("image-2")) }],
} });
monitor("new", critical(gt(secret(${isAfter ? 731014 : 731015}))));
`;

const service = await ownService();
const { at, command, create, write } = newProject(service.url, program(false));
let json: Ended;
let text: Ended;
let report: Review;

beforeAll(async () => {
  writeFileSync(
    at("observability.standards.mjs"),
    'export { starter as default } from "pulumi-observability/standards";',
  );
  await create();
  write(program(true));
  json = await command("review", "--stack", "dev", "--json", "--markdown", "review.md");
  text = await command("review", "--stack", "dev", "--refresh");
  report = JSON.parse(json.stdout);
});

test("no form holds a secret, also if it was plain before, and nothing crashes", () => {
  expect([json.code, text.code], text.stdout + json.stderr).toEqual([0, 0]);
  const forms = [json.stdout, json.stderr, text.stdout, text.stderr, readFileSync(at("review.md"), "utf8")];
  // What the program has in plain now is no secret any more, but it was one.
  for (const form of forms) expect(form.match(canary) ?? []).toEqual([]);
  expect(report.violations).toEqual([]);
});

/** What the review says of a resource with the word "secret" in it: risks and differences. */
const saidOf = (name: string) =>
  [
    ...report.risks.filter((risk) => risk.name === name).map(({ sentence }) => sentence.slice(name.length + 2)),
    ...report.stacks.flatMap(({ changes }) =>
      changes.filter((change) => change.name === name).flatMap((change) => change.differences),
    ),
  ].filter((words) => words.includes("secret"));

test("an untouched secret is not called changed, whatever changes beside it", () => {
  const names = ["list-same", "plain-same", "override-same", "map-same", "query-same", "burn-same", "hook-same"];
  expect(names.flatMap(saidOf)).toEqual([]);
});

const takeOver =
  'adopts the existing notifier "moved-hook" and changes: name "moved-hook" → "moved-hook-again", webhook.url [secret] → [secret]';
const fires = "fires at other times";
const overrides = [fires, "applies to other series"];
const alerts = [
  "burn-rate alerts may fire at other times or not at all",
  "notifications may be routed elsewhere",
  "notifications may go elsewhere",
];
const conditions = "seriesConditions.defaults.critical.conditions";

test.each([
  ["list-changed", conditions, "changed", [fires]],
  ["list-beside", conditions, "changed", [fires]],
  ["marked-edited", conditions, "changed", [fires]],
  ["plain-changed", conditions, "changed", [fires]],
  ["override-changed", "seriesConditions.overrides", "changed", overrides],
  ["query", "labelQuery", "changed", ["reads other data"]],
  ["burn-changed", "definition.burnRateAlertingConfig", "changed", alerts],
  ["hook-changed", "webhook.url", "changed", ["may notify other people"]],
  ["images", "oncallB.images", "changed", []],
  // The engine does not say what is different.
  ["marked", conditions, "may have changed", [fires]],
  ["burn-marked", "definition.burnRateAlertingConfig", "may have changed", alerts],
  ["map-odd-key", "annotations.note", "may have changed", []],
])("a secret that changes, or may, is called so: %s", (name, place, verb, ends) => {
  expect(saidOf(name)).toEqual([
    ...ends.map((end) => `${place} ${verb} (secret): ${end}`),
    `${place}: ${verb} (secret)`,
  ]);
});

test("a secret of an object that another resource adopts may have changed", () => {
  expect(saidOf("moved-hook-again")).toEqual([
    "webhook.url may have changed (secret): may notify other people",
    takeOver,
  ]);
});
