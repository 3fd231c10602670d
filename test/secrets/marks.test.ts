import * as pulumi from "@pulumi/pulumi";
import type { Service } from "@pulumi-observability/service";
import * as obs from "pulumi-observability";
import { beforeEach, expect, test } from "vitest";
import { caseOf } from "../support/cases.js";
import { newStack, type Program, type TestStack } from "../support/engine.js";
import { failing, on, ownProxy } from "../support/faults.js";
import { args, conditions, done, refused } from "../support/monitors.js";
import { secretMark } from "../support/plain.js";
import { ask, ownService } from "../support/service.js";

type Value = pulumi.Input<string>;

const canary = "CANARY-payments";
const marked = (value: string): Value => pulumi.secret(value);

let service: Service;
let stack: TestStack;

beforeEach(async () => {
  service = await ownService();
  stack = await newStack(service.url);
});

const monitor =
  (labels: pulumi.Input<Record<string, Value>>, options: obs.ResourceOptions = {}, name = "errors"): Program =>
  () =>
    void new obs.Monitor(name, { ...args, labels }, options);

const dataset = (slug: Value) => new obs.Dataset("logs", { slug, configuration: { type: "LOGS", logDataset: {} } });

/** Writes a monitor as another client does. */
const write = (slug: string, more: object) =>
  ask(service, "PUT", `/api/v1/config/monitors/${slug}`, {
    create_if_missing: true,
    monitor: { name: slug, label_query: "up", series_conditions: conditions, ...more },
  });

test("a mark that is taken away is no change, and a value that the program marks from now on is encrypted by one update, through a refresh too", async () => {
  const isInState = async () => JSON.stringify(await stack.state()).includes(canary);
  await done(stack.up(monitor({ team: marked(canary) })));
  expect(await isInState()).toBe(false);
  expect((await done(stack.up(monitor({ team: canary })))).steps).toEqual({ same: 1 });
  // With the next change it is in plain text, so a new mark is a change.
  await done(stack.up(monitor({ team: canary, tier: "1" })));
  expect(await isInState()).toBe(true);
  const program = monitor({ team: marked(canary), tier: "1" });
  expect((await done(stack.up(program, { refresh: true }))).steps).toEqual({ refresh: 1, update: 1 });
  expect(await isInState()).toBe(false);
  expect((await done(stack.up(program, { refresh: true }))).steps).toEqual({ refresh: 1, same: 1 });
});

test("an adoption shows no value of a marked place, a slug that was unmarked is accepted, and the notes in state are encrypted where the arguments may have a secret", async () => {
  await write("adopted", { labels: { team: canary, tier: "1" } });
  await write("latency", { labels: { team: canary } });
  const transformations: pulumi.ResourceTransformation[] = [({ props, opts }) => ({ props, opts })];
  const program = () => {
    monitor({ team: marked("another"), tier: "2" }, { adopt: true }, "adopted")();
    monitor(pulumi.secret({ tier: "2" }), { adopt: true }, "latency")();
    monitor({ team: "a" }, {}, "plain")();
    monitor(Promise.resolve({ team: marked(canary) }), {}, "promised")();
    monitor({ team: "a" }, { transformations }, "transformed")();
    monitor({ team: canary }, { additionalSecretOutputs: ["labels"] }, "optional")();
    new obs.Notifier("pager", { email: { to: "a@example.com" } });
    dataset(pulumi.unsecret(pulumi.secret("unmarked")));
  };
  for (const { text, messages } of [await done(stack.preview(program)), await done(stack.up(program))]) {
    expect(text).toContain('labels.team [secret] → [secret], labels.tier "1" → "2"');
    expect(text).toContain("erases: labels [secret]");
    expect(`${text}${JSON.stringify(messages)}`).not.toContain(canary);
  }
  const { resources } = await stack.state();
  const isPlain = ({ outputs }: (typeof resources)[number]) => !(secretMark[0] in (outputs?.__observability as object));
  const ours = resources.filter(({ outputs }) => outputs?.__observability !== undefined);
  expect(ours).toHaveLength(8);
  expect(ours.filter(isPlain).map(({ id }) => id)).toEqual(["plain"]);
});

test("a preview's errors have no secret that the program or a transformation marks, and keep their other words", async () => {
  const labels = { "CANARY-own": "b" };
  const seriesConditions = pulumi.secret({ defaults: { critical: { conditions: [{ op: "EXISTS" }] } } });
  const ways: Readonly<Record<string, readonly [obs.MonitorArgs, obs.ResourceOptions]>> = {
    secret: [{ labels: pulumi.secret(labels) }, {}],
    option: [{ labels }, { additionalSecretOutputs: ["labels"] }],
  };
  for (const slug of Object.keys(ways)) await write(slug, { labels: { "CANARY-live": "a" } });
  const proxy = await ownProxy(service.url);
  stack = await newStack(proxy.url);
  const said = `it is wrong: ${canary}, staging and checkout`;
  proxy.use(({ dryRun, body }) =>
    dryRun && JSON.stringify(body).includes('"rejected-') ? failing(400, { code: 400008, message: said }) : undefined,
  );
  const labeled = (change: (labels: object) => unknown): obs.ResourceOptions => ({
    transformations: [({ props, opts }) => ({ props: { ...props, labels: change(props.labels) }, opts })],
  });
  const adding = labeled((given) => ({ ...given, team: marked(canary) }));
  const { failed, text, messages } = await stack.preview(() => {
    for (const [slug, [more, options]] of Object.entries(ways))
      new obs.Monitor(slug, { ...args, seriesConditions, ...more }, options);
    monitor({ tier: "staging" }, adding, "rejected-added")();
    monitor({ tier: marked("staging") }, adding, "rejected-added-to-another")();
    monitor({ team: canary }, labeled(pulumi.secret), "rejected-marked")();
    const unchanged = labeled((given) => given);
    monitor({ tier: "staging", area: marked("checkout") }, unchanged, "rejected-unchanged")();
    dataset(marked("CANARY-slug"));
  });
  expect(failed).toBe(true);
  const told = (resource: string) => messages.flatMap(({ name, text }) => (name === resource ? text : [])).join("\n");
  for (const slug of Object.keys(ways))
    expect(text).toMatch(new RegExp(`monitor "${slug}" already exists and differs in .*labels[,:]`));
  for (const name of ["added", "added-to-another", "marked"])
    expect(told(`rejected-${name}`)).toMatch(
      new RegExp(`validate monitor "rejected-${name}": .*it is wrong: \\[secret\\]`),
    );
  // The service says it, but nothing marks it there.
  expect(told("rejected-unchanged")).toContain(`it is wrong: ${canary}, staging and [secret]`);
  expect(text).toContain("slug: the program marks the slug as secret");
  expect(text.replaceAll(`it is wrong: ${canary}, staging`, "")).not.toContain("CANARY");
});

test.each(["dynamic", "plugin"])(
  "an argument in additionalSecretOutputs with a secret inside is validated, encrypted, and readable by the program, under the host %s",
  async (host) => {
    await stack.setConfig("observability:host", host);
    const [url, filter] = [`https://${canary}.example.com`, `env="${canary}"`];
    const slo = caseOf("SLO").args;
    const hiding = (...names: string[]) => ({ additionalSecretOutputs: names });
    const seen: unknown[] = [];
    const program = () => {
      const labels = { team: marked(canary) };
      const read: pulumi.Output<unknown>[] = [
        new obs.Monitor("errors", { ...args, labels }, hiding("labels")).labels,
        new obs.Monitor("plain", { ...args, labels: { team: canary } }, hiding("labels")).labels,
        new obs.Notifier("pager", { webhook: { url } }, hiding("webhook")).webhook,
      ];
      pulumi.all(read).apply((values) => void seen.push(values));
      const sli = { ...(slo.sli as object), additionalLabelFilters: marked(filter) };
      new obs.SLO("sli", { ...slo, sli } as unknown as obs.SLOArgs, hiding("sli"));
      const transformations: pulumi.ResourceTransformation[] = [
        ({ props, opts }) => ({ props, opts: { ...opts, ...hiding("labels") } }),
      ];
      new obs.Monitor("transformed", { ...args, labels }, { transformations });
    };
    expect((await done(stack.preview(program, { diff: true }))).text).not.toContain(canary);
    expect((await done(stack.up(program, { diff: true }))).text).not.toContain(canary);
    expect(seen).toEqual([0, 1].map(() => [{ team: canary }, { team: canary }, expect.objectContaining({ url })]));
    expect(JSON.stringify(await stack.state())).not.toContain(canary);
    expect((await done(stack.preview(program, { refresh: true }))).steps).toEqual({ refresh: 5, same: 5 });
  },
);

// Of refresh and destroy: places.test.ts.
test("what was marked in the last update stays out of errors and notes after the mark was removed", async () => {
  const query = "CANARY-query > 0";
  const inClear = { seriesConditions: conditions, labelQuery: query, labels: { team: canary } };
  const declare = (labelQuery: Value, more: obs.MonitorArgs, options: obs.ResourceOptions) => () => {
    new obs.Monitor("errors", { ...inClear, labelQuery, ...more });
    new obs.Monitor("latency", inClear, options);
  };
  const proxy = await ownProxy(service.url);
  stack = await newStack(proxy.url);
  const labels = { team: marked(canary) };
  const additionalSecretOutputs = ["labelQuery", "labels"];
  await done(stack.up(declare(pulumi.secret(query), { labels }, { additionalSecretOutputs })));
  proxy.use(on({ method: "PUT" }, failing(400, { code: 3, message: `it is wrong: ${canary}, ${query}` })));
  const rejected = await refused(stack.up(declare("up", {}, {})));
  expect(rejected).toContain("it is wrong: [secret], [secret]");
  for (const word of [canary, query]) expect(rejected).not.toContain(word);
  proxy.reset();
  await write("errors", { label_query: "theirs", labels: { team: "theirs" } });
  const { text } = await done(stack.up(declare("up", { labels: { team: "payments" } }, {})));
  expect(text).toMatch(/This update overwrites the edit .* It changes: .*labelQuery \[secret\] → \[secret\]/);
  for (const word of ["theirs", canary, query]) expect(text).not.toContain(word);
});
