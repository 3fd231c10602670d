import * as pulumi from "@pulumi/pulumi";
import type { Service } from "@pulumi-observability/service";
import * as obs from "pulumi-observability";
import { beforeEach, expect, test } from "vitest";
import { caseOf } from "../support/cases.js";
import { newStack, type Program, type TestStack } from "../support/engine.js";
import { failing, ownProxy } from "../support/faults.js";
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

/** Writes a monitor as another client does. */
const write = (slug: string, more: object) =>
  ask(service, "PUT", `/api/v1/config/monitors/${slug}`, {
    create_if_missing: true,
    monitor: { name: slug, label_query: "up", series_conditions: conditions, ...more },
  });

test("a value that the program marks as secret from now on is encrypted by one update, through a refresh too, and a mark that is taken away is no change", async () => {
  const isInState = async () => JSON.stringify(await stack.state()).includes(canary);
  await done(stack.up(monitor({ team: canary })));
  expect(await isInState()).toBe(true);
  const program = monitor({ team: marked(canary) });
  expect((await done(stack.preview(program, { refresh: true }))).steps).toEqual({ refresh: 1, update: 1 });
  expect((await done(stack.up(program, { refresh: true }))).steps).toEqual({ refresh: 1, update: 1 });
  expect((await done(stack.up(program, { refresh: true }))).steps).toEqual({ refresh: 1, same: 1 });
  expect(await isInState()).toBe(false);
  expect((await done(stack.up(monitor({ team: canary })))).steps).toEqual({ same: 1 });
  // With the next change it is in clear, so a new mark is a change again.
  await done(stack.up(monitor({ team: canary, tier: "1" })));
  expect(await isInState()).toBe(true);
  await done(stack.up(monitor({ team: marked(canary), tier: "1" })));
  expect(await isInState()).toBe(false);
});

test("the notes in state are encrypted for a resource whose arguments may have a secret, and plain for others", async () => {
  const transformations: pulumi.ResourceTransformation[] = [({ props, opts }) => ({ props, opts })];
  await done(
    stack.up(() => {
      monitor({ team: canary }, {}, "plain")();
      monitor({ team: marked(canary) }, {}, "marked")();
      monitor(Promise.resolve({ team: marked(canary) }), {}, "promised")();
      monitor({ team: canary }, { transformations }, "transformed")();
      monitor({ team: canary }, { additionalSecretOutputs: ["labels"] }, "optional")();
      new obs.Notifier("pager", { email: { to: "a@example.com" } });
    }),
  );
  const { resources } = await stack.state();
  const isPlain = ({ outputs }: (typeof resources)[number]) => !(secretMark[0] in (outputs?.__observability as object));
  const ours = resources.filter(({ outputs }) => outputs?.__observability !== undefined);
  expect(ours).toHaveLength(6);
  expect(ours.filter(isPlain).map(({ id }) => id)).toEqual(["plain"]);
});

test("an adoption shows no value of a place that the program marks as secret", async () => {
  await write("errors", { labels: { team: canary, tier: "1" } });
  await write("latency", { labels: { team: canary } });
  const program = () => {
    monitor({ team: marked("another"), tier: "2" }, { adopt: true })();
    monitor(pulumi.secret({ tier: "2" }), { adopt: true }, "latency")();
  };
  for (const { text, messages } of [await done(stack.preview(program)), await done(stack.up(program))]) {
    expect(text).toContain('labels.team [secret] → [secret], labels.tier "1" → "2"');
    expect(text).toContain("erases: labels [secret]");
    expect(`${text}${JSON.stringify(messages)}`).not.toContain(canary);
  }
});

test("the error about an object that exists keeps its own words, and shows no key of a map that is marked, also by additionalSecretOutputs", async () => {
  const labels = { "CANARY-own": "b" };
  const seriesConditions = pulumi.secret({ defaults: { critical: { conditions: [{ op: "EXISTS" }] } } });
  const ways: Readonly<Record<string, readonly [obs.MonitorArgs, obs.ResourceOptions]>> = {
    secret: [{ labels: pulumi.secret(labels) }, {}],
    option: [{ labels }, { additionalSecretOutputs: ["labels"] }],
  };
  for (const slug of Object.keys(ways)) await write(slug, { labels: { "CANARY-live": "a" } });
  const text = await refused(
    stack.preview(() => {
      for (const [slug, [more, options]] of Object.entries(ways))
        new obs.Monitor(slug, { ...args, seriesConditions, ...more }, options);
    }),
  );
  for (const slug of Object.keys(ways))
    expect(text).toMatch(new RegExp(`monitor "${slug}" already exists and differs in .*labels[,:]`));
  expect(text).not.toContain("CANARY");
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

test("a secret that a transformation adds or marks is in no error of a preview, and takes no other words with it", async () => {
  const proxy = await ownProxy(service.url);
  stack = await newStack(proxy.url);
  const said = `it is wrong: ${canary}, staging and checkout`;
  proxy.use(({ dryRun }) => (dryRun ? failing(400, { code: 400008, message: said }) : undefined));
  const labeled = (change: (labels: object) => unknown): obs.ResourceOptions => ({
    transformations: [({ props, opts }) => ({ props: { ...props, labels: change(props.labels) }, opts })],
  });
  const adding = labeled((labels) => ({ ...labels, team: marked(canary) }));
  const { failed, messages } = await stack.preview(() => {
    monitor({ tier: "staging" }, adding, "added")();
    monitor({ tier: marked("staging") }, adding, "added-to-another")();
    monitor(
      { team: canary },
      labeled((labels) => pulumi.secret(labels)),
      "marked",
    )();
    monitor(
      { tier: "staging", area: marked("checkout") },
      labeled((labels) => labels),
      "unchanged",
    )();
  });
  expect(failed).toBe(true);
  const told = (resource: string) => messages.flatMap(({ name, text }) => (name === resource ? text : [])).join("\n");
  for (const name of ["added", "added-to-another", "marked"]) {
    expect(told(name)).toMatch(new RegExp(`validate monitor "${name}": .*it is wrong: \\[secret\\]`));
    expect(told(name)).not.toContain(canary);
  }
  expect(told("unchanged")).toContain(`it is wrong: ${canary}, staging and [secret]`);
});

test("what was marked in the last update stays out of errors and notes after the mark was removed", async () => {
  const query = "CANARY-query > 0";
  const inClear = { seriesConditions: conditions, labelQuery: query, labels: { team: canary } };
  const declare = (labelQuery: Value, more: obs.MonitorArgs, options: obs.ResourceOptions) => () => {
    new obs.Monitor("errors", { ...inClear, labelQuery, ...more });
    new obs.Monitor("latency", inClear, options);
  };
  const proxy = await ownProxy(service.url);
  stack = await newStack(proxy.url);
  const words = [canary, query];
  const failOn = (failed: string) =>
    proxy.use(({ method }) =>
      method === failed ? failing(400, { code: 3, message: `it is wrong: ${words.join(", ")}` }) : undefined,
    );
  const isAbsent = (text: string) => {
    expect(text).toContain("it is wrong: [secret], [secret]");
    for (const word of words) expect(text).not.toContain(word);
  };
  const labels = { team: marked(canary) };
  const additionalSecretOutputs = ["labelQuery", "labels"];
  await done(stack.up(declare(pulumi.secret(query), { labels }, { additionalSecretOutputs })));
  failOn("GET");
  isAbsent(await refused(stack.refresh()));
  failOn("PUT");
  isAbsent(await refused(stack.up(declare("up", {}, {}))));
  failOn("DELETE");
  isAbsent(await refused(stack.destroy()));
  proxy.reset();
  await write("errors", { label_query: "theirs", labels: { team: "theirs" } });
  const { text } = await done(stack.up(declare("up", { labels: { team: "payments" } }, {})));
  expect(text).toMatch(/To revert that, this update changes: .*labelQuery \[secret\] → \[secret\]/);
  for (const word of ["theirs", canary, query]) expect(text).not.toContain(word);
});

test("a slug that is a secret is rejected by name, and one that was unmarked is accepted", async () => {
  const dataset = (slug: Value) => () =>
    void new obs.Dataset("logs", { slug, configuration: { type: "LOGS", logDataset: {} } });
  const text = await refused(stack.up(dataset(marked(canary))));
  expect(text).toContain("slug: the program marks the slug as secret");
  expect(text).not.toContain(canary);
  await done(stack.up(dataset(pulumi.unsecret(pulumi.secret(canary)))));
});
