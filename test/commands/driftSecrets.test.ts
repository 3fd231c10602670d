import { writeFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import type { Review } from "../../dist/cli/review/review.js";
import type { Json } from "../property/equivalence.js";
import { newProject } from "../support/project.js";
import type { Ended } from "../support/run.js";
import { ask, ownService } from "../support/service.js";

/** Texts hold the word, numbers begin with these digits. */
const canary = /canary|7310\d\d/;

/** @param isAfter Whether the program has changed the resources whose names begin with "both". */
const program = (isAfter = false) => `
const pulumi = require("@pulumi/pulumi");
const obs = require("pulumi-observability");
const secret = pulumi.secret;
const now = (before, after) => (${isAfter} ? after : before);
const monitor = (name, args, options) => new obs.Monitor(name, {
  labels: { team: "a", notifier: "pager" }, annotations: { runBook: "r" }, labelQuery: "up",
  seriesConditions: { defaults: { critical: { conditions: [{ op: "GT", value: 1 }] } } }, ...args,
}, options);
const hook = (name, url) => new obs.Notifier(name, { webhook: { url: "https://hooks.example.com/canary-" + url } });
hook("hook", "old");
hook("both-hook", now("old", "newer"));
new obs.Notifier("masked", { oncallB: { routingKey: "canary-routing" } });
monitor("label", { labels: { team: secret("canary-a"), notifier: "pager" } });
monitor("erased", { annotations: { runBook: "r", note: secret("canary-note") } });
monitor("item", { seriesConditions: { defaults: { critical: { conditions: [{ op: "GT", value: secret(731001) }] } } } });
monitor("number", { intervalSecs: secret(731010) });
monitor("query", { labelQuery: secret("canary_up") });
const labels = { team: "canary-a", notifier: "pager" };
monitor("map", { labels: secret(labels) });
monitor("map-of-outputs", { labels }, { additionalSecretOutputs: ["labels"] });
monitor("both-name", { name: now("a", "b"), labels: secret(labels) });
monitor("untouched", { labels: secret(labels), labelQuery: secret("canary_up") });
`;

const service = await ownService();
const { at, command, create, done, write } = newProject(service.url, program());

/** Changes an object as another client would. */
async function edit(kind: "monitor" | "notifier", slug: string, change: (object: any) => void): Promise<void> {
  const path = `/api/v1/config/${kind}s/${slug}`;
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

let before: Ended;
let after: Ended;
let review: Ended;

beforeAll(async () => {
  await create();
  writeFileSync(at("plain.json"), await done("preview", "--json"));
  for (const each of edits) await each();
  before = await command("drift", "--json");
  write(program(true));
  after = await command("drift", "--json");
  review = await command("review", "--refresh", "--json");
});

const places = {
  erased: "annotations.note: removed (secret)",
  hook: "webhook.url: changed (secret)",
  "both-hook": "webhook.url: changed (secret)",
  item: "seriesConditions.defaults.critical.conditions[0].value: changed (secret)",
  label: "labels.team: changed (secret)",
  map: "labels: changed (secret)",
  "map-of-outputs": "labels: changed (secret)",
  "both-name": "labels: changed (secret)",
  number: "intervalSecs: changed (secret)",
  query: "labelQuery: changed (secret)",
};

test("drift names the place of each edited secret, whether the program changes it too or not, and no masked one", () => {
  for (const { code, stdout, stderr } of [before, after]) {
    expect(code, stderr).toBe(3);
    const { risks, stacks } = JSON.parse(stdout) as Review;
    const edited = stacks.flatMap(({ changes }) => changes.map(({ name, differences }) => [name, differences.join()]));
    expect(Object.fromEntries(edited)).toEqual(places);
    expect(risks).toHaveLength(edited.length);
    for (const { name, sentence } of risks) {
      const [place] = places[name as keyof typeof places].split(":");
      expect(sentence).toContain(`${name}: edited outside Pulumi: ${place}`);
      expect(sentence).toMatch(/; "pulumi up --refresh" overwrites it with what the program declares$/);
    }
  }
});

test("an edited secret is not taken for a change of the program", () => {
  const notes = ({ stdout }: Ended) => (JSON.parse(stdout) as Review).stacks.flatMap((stack) => stack.notes);
  expect(notes(before)).toEqual([]);
  expect(notes(after)).toEqual([{ text: '1 change of the program is not applied yet: run "pulumi up"' }]);
});

test("a review with a refresh names each edit, and says that the program may change the secret too", () => {
  const { risks } = JSON.parse(review.stdout) as Review;
  const drifts = risks.filter((risk) => risk.class === "drift").map(({ name }) => name);
  expect(drifts.sort()).toEqual(Object.keys(places).sort());
  expect(risks.filter(({ name, class: kind }) => name === "both-hook" && kind !== "drift")).toMatchObject([
    { sentence: "both-hook: webhook.url may have changed (secret): may notify other people" },
  ]);
});

test("a preview that refreshed nothing cannot show an edit, so drift fails", async () => {
  const { code, stdout } = await command("drift", "--from", "plain.json");
  expect(code).toBe(1);
  expect(stdout.replace(/\s+/g, " ")).toContain(
    'error nothing was refreshed, so no edit can be found: write this file with "pulumi preview --refresh --json"',
  );
  expect(await command("review", "--from", "plain.json")).toMatchObject({ code: 0 });
});

test("what a refresh has recorded is no edit any more", async () => {
  await done("refresh", "--yes", "--skip-preview");
  await done("refresh", "--yes", "--skip-preview", "--expect-no-changes");
  const { stdout } = await command("drift");
  expect(stdout).toContain("Observability drift: none in 1 stack");
});

test("no form holds an edited secret", () => {
  for (const { stdout, stderr } of [before, after, review]) expect(stdout + stderr).not.toMatch(canary);
});
