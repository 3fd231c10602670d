import * as pulumi from "@pulumi/pulumi";
import type { Service } from "@pulumi-observability/service";
import * as obs from "pulumi-observability";
import { beforeEach, describe, expect, test } from "vitest";
import { newStack, type Program, type TestStack } from "../support/engine.js";
import { failing, type FaultProxy, ownProxy } from "../support/faults.js";
import { args, conditions, done, refused } from "../support/monitors.js";
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
      expect(text).toContain("erases: labels.team [secret]");
      expect(`${text}${JSON.stringify(messages)}`).not.toContain(canary);
    }
  },
);

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

  test.each<[string, Program]>([
    [
      "by a transformation",
      monitor({ tier: "staging" }, { transformations: [({ props, opts }) => ({ props: add(props), opts })] }),
    ],
    [
      "by a transformation beside one of its own",
      monitor({ tier: marked("staging") }, { transformations: [({ props, opts }) => ({ props: add(props), opts })] }),
    ],
    [
      "by a transformation that only marks",
      monitor({ team: canary }, { transformations: [({ props, opts }) => ({ props: same(props), opts })] }),
    ],
  ])("%s is in no error of a preview", async (_, program) => {
    const text = await refused(stack.preview(program));
    expect(text).toMatch(/it is wrong: \[secret\]/);
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
