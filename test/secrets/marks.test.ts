import * as pulumi from "@pulumi/pulumi";
import type { Service } from "@pulumi-observability/service";
import * as obs from "pulumi-observability";
import { beforeEach, expect, test } from "vitest";
import { newStack, type Program, type TestStack } from "../support/engine.js";
import { args, done, refused } from "../support/monitors.js";
import { ownService } from "../support/service.js";
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
