import { readFileSync, writeFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import type { Review } from "../../dist/cli/review/review.js";
import type { EnginePreview } from "../../dist/sdk/engine/preview.js";
import type { Json } from "../property/equivalence.js";
import { newProject } from "../support/project.js";
import type { Ended } from "../support/run.js";
import { ask, ownService } from "../support/service.js";

/** Texts hold the word, numbers begin with these digits. */
const canary = /canary|7310\d\d/g;

/**
 * Each resource holds a secret in another place. Its name says what becomes of it: "same" stays, whatever else changes. What
 * somebody edits in the service begins with "edited", and the program changes those with "both" too.
 */
const program = (isAfter: boolean) => `
const pulumi = require("@pulumi/pulumi");
const obs = require("pulumi-observability");
const now = (before, after) => (${isAfter} ? after : before);
const secret = pulumi.secret;
const changing = (before, after) => secret(now(before, after));
const gt = (value, more) => ({ op: "GT", value, ...more });
const critical = (...conditions) => ({ seriesConditions: { defaults: { critical: { conditions } } } });
const monitor = (name, args, options) => new obs.Monitor(name, {
  labels: { team: "a", notifier: "pager" }, annotations: { runBook: "r" }, labelQuery: "up", ...critical(gt(1, { sustainSecs: 60 })), ...args,
}, options);
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
const edited = (name, args, options) => monitor("edited-" + name, args, options);
new obs.Notifier("edited-hook", { webhook: { url: url("old") } });
new obs.Notifier("edited-both-hook", { webhook: { url: now(url("old"), url("newer")) } });
new obs.Notifier("edited-masked", { oncallB: { routingKey: "canary-routing" } });
edited("label", { labels: { team: secret("canary-a"), notifier: "pager" } });
edited("erased", { annotations: { runBook: "r", note: secret("canary-note") } });
edited("item", critical(gt(secret(731001))));
edited("number", { intervalSecs: secret(731010) });
edited("query", { labelQuery: secret("canary_up") });
const labels = { team: "canary-a", notifier: "pager" };
edited("map", { labels: secret(labels) });
edited("map-of-outputs", { labels }, { additionalSecretOutputs: ["labels"] });
edited("both-name", { name: now("a", "b"), labels: secret(labels) });
`;

const service = await ownService();
const { at, command, create, done, write } = newProject(service.url, program(false));

/** Changes an object as another client would. */
async function edit(kind: "monitor" | "notifier", name: string, change: (object: any) => void): Promise<void> {
  const path = `/api/v1/config/${kind}s/edited-${name}`;
  const { body } = await ask(service, "GET", path);
  const object = body[kind] as Json;
  change(object);
  expect(await ask(service, "PUT", path, { [kind]: object })).toMatchObject({ status: 200 });
}

const edits = [
  ...["hook", "both-hook"].map((slug) =>
    edit.bind(null, "notifier", slug, ({ webhook }) => (webhook.url = "https://hooks.example.com/canary-new")),
  ),
  // The service masks the key, so the same mask is what a refresh sees.
  edit.bind(null, "notifier", "masked", ({ oncall_b }) => (oncall_b.routing_key = "canary-other")),
  edit.bind(null, "monitor", "label", ({ labels }) => (labels.team = "canary-b")),
  edit.bind(null, "monitor", "erased", ({ annotations }) => delete annotations.note),
  edit.bind(null, "monitor", "item", ({ series_conditions: { defaults } }) => {
    defaults.critical.conditions[0].value = 731002;
  }),
  edit.bind(null, "monitor", "number", (monitor) => (monitor.interval_secs = 731020)),
  edit.bind(null, "monitor", "query", (monitor) => (monitor.label_query = "canary_down")),
  ...["map", "map-of-outputs", "both-name"].map((slug) =>
    edit.bind(null, "monitor", slug, ({ labels }) => Object.assign(labels, { team: "canary-b", "canary-key": "b" })),
  ),
];

/** Of the changed program, before anything is edited. */
let json: Ended;
let report: Review;
/** Of the same after the edits. */
let after: Ended;
let refreshed: Ended;

beforeAll(async () => {
  writeFileSync(
    at("observability.standards.mjs"),
    'export { starter as default } from "pulumi-observability/standards";',
  );
  await create();
  write(program(true));
  json = await command("review", "--stack", "dev", "--json", "--markdown", "review.md");
  report = JSON.parse(json.stdout);
  for (const each of edits) await each();
  writeFileSync(at("after.json"), await done("preview", "--json", "--refresh"));
  after = await command("drift", "--from", "after.json", "--json");
  refreshed = await command("review", "--from", "after.json", "--json");
});

test("no form holds a secret, also if it was plain before, and nothing crashes", () => {
  expect([json.code, refreshed.code], json.stderr + refreshed.stderr).toEqual([0, 0]);
  const forms = [json, after, refreshed].flatMap(({ stdout, stderr }) => [stdout, stderr]);
  // What the program has in plain now is no secret any more, but it was one.
  for (const form of [...forms, readFileSync(at("review.md"), "utf8")]) expect(form.match(canary) ?? []).toEqual([]);
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
const fires = "may fire at other times";
const overrides = [fires, "may apply to other series"];
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
  ["query", "labelQuery", "changed", ["may read other data"]],
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
    `${place}: ${verb} (secret)${ends.length === 0 ? " (text only)" : ""}`,
  ]);
});

test("a secret of an object that another resource adopts may have changed", () => {
  expect(saidOf("moved-hook-again")).toEqual([
    "webhook.url may have changed (secret): may notify other people",
    takeOver,
  ]);
});

const places = {
  "edited-erased": "annotations.note: removed (secret) (text only)",
  "edited-hook": "webhook.url: changed (secret)",
  "edited-both-hook": "webhook.url: changed (secret)",
  "edited-item": "seriesConditions.defaults.critical.conditions[0].value: changed (secret)",
  "edited-label": "labels.team: changed (secret)",
  "edited-map": "labels: changed (secret)",
  "edited-map-of-outputs": "labels: changed (secret)",
  "edited-both-name": "labels: changed (secret)",
  "edited-number": "intervalSecs: changed (secret)",
  "edited-query": "labelQuery: changed (secret)",
};

test("drift names the place of each edited secret, whether the program changes it too or not, and no masked one", () => {
  expect(after.code, after.stderr).toBe(3);
  const { risks, stacks } = JSON.parse(after.stdout) as Review;
  const edited = stacks.flatMap(({ changes }) => changes.map(({ name, differences }) => [name, differences.join()]));
  expect(Object.fromEntries(edited)).toEqual(places);
  expect(risks).toHaveLength(edited.length);
  for (const { name, sentence } of risks) {
    const [place] = places[name as keyof typeof places].split(":");
    expect(sentence).toContain(`${name}: edited outside Pulumi: ${place}`);
    expect(sentence).toMatch(/; "pulumi up --refresh" overwrites it with what the program declares$/);
  }
});

test("an edited secret is not taken for a change of the program", () => {
  const notes = (JSON.parse(after.stdout) as Review).stacks.flatMap((stack) => stack.notes);
  // What the review of the program alone has, except for the secret that was edited too.
  const changes = report.stacks.flatMap((stack) => stack.changes).filter(({ name }) => name !== "edited-both-hook");
  expect(notes).toEqual([{ text: `${changes.length} changes of the program are not applied yet: run "pulumi up"` }]);
});

test("a review with a refresh names each edit, and says that the program may change the secret too", () => {
  const { risks } = JSON.parse(refreshed.stdout) as Review;
  const drifts = risks.filter((risk) => risk.class === "drift").map(({ name }) => name);
  expect(drifts.sort()).toEqual(Object.keys(places).sort());
  expect(risks.filter(({ name, class: kind }) => name === "edited-both-hook" && kind !== "drift")).toMatchObject([
    { sentence: "edited-both-hook: webhook.url may have changed (secret): may notify other people" },
  ]);
});

test("a preview that refreshed nothing cannot show an edit, so drift fails", async () => {
  const { steps } = JSON.parse(readFileSync(at("after.json"), "utf8")) as EnginePreview;
  writeFileSync(at("plain.json"), JSON.stringify({ steps: steps.filter(({ op }) => op !== "refresh") }));
  const { code, stdout } = await command("drift", "--from", "plain.json");
  expect(code).toBe(1);
  expect(stdout.replace(/\s+/g, " ")).toContain(
    'error nothing was refreshed, so no edit can be found: write this file with "pulumi preview --refresh --json"',
  );
  expect(await command("review", "--from", "plain.json")).toMatchObject({ code: 0 });
});
