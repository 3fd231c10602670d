import * as pulumi from "@pulumi/pulumi";
import type { Service } from "@pulumi-observability/service";
import * as obs from "pulumi-observability";
import { beforeEach, describe, expect, test } from "vitest";
import { newStack, type Program, type TestStack } from "../support/engine.js";
import { failing, type FaultProxy, ownProxy } from "../support/faults.js";
import { args, conditions, done, refused } from "../support/monitors.js";
import { secretMark } from "../support/plain.js";
import { ask, ownService } from "../support/service.js";
import { validators } from "../support/validators.js";

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

test("a value that the program marks as secret from now on is encrypted by one update, through a refresh too, and a mark that is taken away is no change", async () => {
  await done(stack.up(monitor({ team: canary })));
  expect((await done(stack.refresh())).steps).toEqual({ refresh: 1 });
  expect(JSON.stringify(await stack.state())).toContain(canary);
  const program = monitor({ team: marked(canary) });
  expect((await done(stack.preview(program))).steps).toEqual({ update: 1 });
  expect((await done(stack.up(program))).steps).toEqual({ update: 1 });
  await done(stack.refresh());
  expect(JSON.stringify(await stack.state())).not.toContain(canary);
  expect((await done(stack.preview(program))).steps).toEqual({ same: 1 });
  expect((await done(stack.up(monitor({ team: canary })))).steps).toEqual({ same: 1 });
  // With the next change it is in clear, so a new mark is a change again.
  await done(stack.up(monitor({ team: canary, tier: "1" })));
  expect(JSON.stringify(await stack.state())).toContain(canary);
  await done(stack.up(monitor({ team: marked(canary), tier: "1" })));
  expect(JSON.stringify(await stack.state())).not.toContain(canary);
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

test.each(validators)(
  "a take-over shows no value of a place that the program marks as secret, validated by %s",
  async (validator) => {
    const own = await newStack(service.url, { validator });
    const write = (slug: string, more: object) =>
      ask(service, "PUT", `/api/v1/config/monitors/${slug}`, {
        create_if_missing: true,
        monitor: { name: slug, label_query: "up", series_conditions: conditions, interval_secs: 60, ...more },
      });
    await write("errors", { labels: { team: canary, tier: "1" } });
    await write("latency", { labels: { team: canary } });
    const program = () => {
      monitor({ team: marked("another"), tier: "2" }, { adopt: true })();
      monitor(pulumi.secret({ tier: "2" }), { adopt: true }, "latency")();
    };
    for (const { text, messages } of [await done(own.preview(program)), await done(own.up(program))]) {
      expect(text).toContain('labels.team [secret] → [secret], labels.tier "1" → "2"');
      expect(text).toContain("erases: labels [secret]");
      expect(`${text}${JSON.stringify(messages)}`).not.toContain(canary);
    }
  },
);

test("the interface's own words in a marked place stay readable in messages", async () => {
  await ask(service, "PUT", "/api/v1/config/monitors/errors", {
    create_if_missing: true,
    monitor: { name: "errors", label_query: "up", series_conditions: conditions },
  });
  const critical = { conditions: [{ op: "EXISTS" }] };
  const seriesConditions = pulumi.secret({ defaults: { critical } });
  const message = await refused(stack.preview(() => void new obs.Monitor("errors", { ...args, seriesConditions })));
  expect(message).toContain("already exists and differs");
});

describe("a secret that a program adds later", () => {
  let proxy: FaultProxy;
  beforeEach(async () => {
    proxy = await ownProxy(service.url);
    stack = await newStack(proxy.url);
    const said = `it is wrong: ${canary}, staging and checkout`;
    proxy.use(({ dryRun }) => (dryRun ? failing(400, { code: 40001, message: said }) : undefined));
  });
  const add = (props: { labels?: object }) => ({ ...props, labels: { ...props.labels, team: marked(canary) } });
  const same = (props: { labels?: object }) => ({ ...props, labels: pulumi.secret(props.labels) });

  test("by a transformation is in no error of a preview, also if that only marks, or beside a mark of the program's", async () => {
    const adding: pulumi.ResourceTransformation = ({ props, opts }) => ({ props: add(props), opts });
    const marking: pulumi.ResourceTransformation = ({ props, opts }) => ({ props: same(props), opts });
    const text = await refused(
      stack.preview(() => {
        monitor({ tier: "staging" }, { transformations: [adding] }, "added")();
        monitor({ tier: marked("staging") }, { transformations: [adding] }, "added-to-another")();
        monitor({ team: canary }, { transformations: [marking] }, "marked")();
      }),
    );
    for (const name of ["added", "added-to-another", "marked"])
      expect(text).toMatch(new RegExp(`validate monitor "${name}": .*it is wrong: \\[secret\\]`));
    expect(text).not.toContain(canary);
  });

  test("takes no other words with it", async () => {
    const transformations: pulumi.ResourceTransformation[] = [({ props, opts }) => ({ props, opts })];
    const text = await refused(
      stack.preview(monitor({ tier: "staging", area: marked("checkout") }, { transformations })),
    );
    expect(text).toContain(`it is wrong: ${canary}, staging and [secret]`);
  });
});

describe("what was secret in the last update", () => {
  const [query, other, key] = ["CANARY-query > 0", "CANARY-other", "CANARY-key"];
  const words = [canary, query, other, key];
  let proxy: FaultProxy;
  beforeEach(async () => {
    proxy = await ownProxy(service.url);
    stack = await newStack(proxy.url);
  });
  const echo = (isFailing: (arrival: { method: string; dryRun: boolean }) => boolean) =>
    proxy.use((arrival) =>
      isFailing(arrival) ? failing(400, { code: 3, message: `it is wrong: ${words.join(", ")}` }) : undefined,
    );
  const isAbsent = (text: string) => {
    expect(text).toContain("it is wrong: [secret], [secret]");
    for (const word of words) expect(text).not.toContain(word);
  };
  const declared =
    (more: object, options: obs.ResourceOptions = {}): Program =>
    () =>
      void new obs.Monitor("errors", { seriesConditions: conditions, ...more }, options);
  const ways: readonly [string, Program][] = [
    [
      "by pulumi.secret",
      declared({
        labelQuery: pulumi.secret(query),
        labels: { team: marked(canary) },
        annotations: pulumi.secret({ [key]: other }),
      }),
    ],
    [
      "by additionalSecretOutputs",
      declared(
        { labelQuery: query, labels: { team: canary }, annotations: { [key]: other } },
        { additionalSecretOutputs: ["labelQuery", "labels", "annotations"] },
      ),
    ],
  ];

  test.each(ways)("stays out of all errors after its mark was removed, %s", async (_, program) => {
    await done(stack.up(program));
    echo(({ method }) => method === "GET");
    isAbsent(await refused(stack.refresh()));
    isAbsent(await refused(stack.destroy()));
    const unmarked = declared({
      labelQuery: query,
      labels: { team: canary },
      annotations: { [key]: other },
      intervalSecs: 90,
    });
    const removed = declared({ labelQuery: "up" });
    echo(({ method }) => method === "PUT");
    for (const without of [unmarked, removed]) {
      isAbsent(await refused(stack.preview(without)));
      isAbsent(await refused(stack.up(without)));
    }
  });

  test.each(ways)("stays out of the errors of a preview in which nothing changes, %s", async (_, program) => {
    await done(stack.up(program));
    echo(({ method }) => method === "GET");
    isAbsent(await refused(stack.preview(program)));
  });

  test.each(ways)("stays out of the note about an edit that an update reverts, %s", async (_, program) => {
    await done(stack.up(program));
    const { status, body } = await ask(service, "GET", "/api/v1/config/monitors/errors");
    expect(status).toBe(200);
    const monitor = { ...(body.monitor as object), label_query: "edited", labels: { team: "edited" }, annotations: {} };
    await ask(service, "PUT", "/api/v1/config/monitors/errors", { monitor });
    const { text } = await done(
      stack.up(declared({ labelQuery: "up", labels: { team: "payments" }, annotations: { a: "b" } })),
    );
    expect(text).toMatch(/takes that back: it changes: .*labelQuery \[secret\] → \[secret\]/);
    for (const word of ["edited", ...words]) expect(text).not.toContain(word);
  });
});

test.each<[string, (labels: Record<string, string>) => Program]>([
  ["by pulumi.secret", (labels) => monitor(pulumi.secret(labels))],
  ["by additionalSecretOutputs", (labels) => monitor(labels, { additionalSecretOutputs: ["labels"] })],
])("the error about an object that exists shows no key of a map that is secret as a whole, %s", async (_, program) => {
  await ask(service, "PUT", "/api/v1/config/monitors/errors", {
    create_if_missing: true,
    monitor: { name: "errors", label_query: "up", series_conditions: conditions, labels: { "CANARY-live": "a" } },
  });
  const message = await refused(stack.preview(program({ "CANARY-own": "b" })));
  expect(message).toMatch(/already exists and differs in labels[,:]/);
  expect(message).not.toContain("CANARY");
});

test.each(validators)("a slug that is a secret is refused by name, validated by %s", async (validator) => {
  const own = await newStack(service.url, { validator });
  const dataset = (slug: Value) => () =>
    void new obs.Dataset("logs", { slug, configuration: { type: "LOGS", logDataset: {} } });
  for (const text of [
    await refused(own.preview(dataset(marked(canary)))),
    await refused(own.up(dataset(marked(canary)))),
  ]) {
    expect(text).toContain("slug: the program marks it as secret");
    expect(text).not.toContain(canary);
  }
  await done(own.up(dataset(pulumi.unsecret(pulumi.secret(canary)))));
});
