import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import * as obs from "pulumi-observability";
import { beforeAll, expect, test } from "vitest";
import { begin, newStack, type Outcome, type TestStack } from "../support/engine.js";
import { args as valid } from "../support/monitors.js";
import { newProject } from "../support/project.js";
import { ownService, put } from "../support/service.js";

const root = join(import.meta.dirname, "../..");
const logs = { configuration: { type: "LOGS", logDataset: {} } };

/** A program that TypeScript would refuse, as plain JavaScript could hold it. */
const untyped = (args: object) => args as never;

let service: Awaited<ReturnType<typeof ownService>>;
let stack: TestStack;

beforeAll(async () => {
  ({ service, stack } = await begin());
});

/** Neither a stack of ours nor the SDK's. */
const expectNoStack = (text: string) => expect(text.split("CommandError")[0]).not.toMatch(/^\s+at .*\(/m);

test("errors are reported together, each once under its resource, and a likely mistake only as a warning, unless the setting knownValues has the value", async () => {
  const { failed, text, messages } = await stack.preview(() => {
    const mistyped = { intervalSecs: "60", labelQury: "up", labels: { a: 1 }, seriesConditions: { defaults: [] } };
    new obs.Monitor("mistyped", untyped(mistyped));
    new obs.Monitor("unknowable", { ...valid, intervalSecs: -1, schedule: { timezone: "Mars" } });
    new obs.Monitor("several", { ...valid, loggingQuery: "error" });
    new obs.Monitor("adopting", valid, { adopt: "true" as never });
    new obs.Monitor("text", { ...valid, labels: { notifier: `${pulumi.output("pager")}` } });
    new obs.Dataset("misnamed", { slug: "a b", ...logs });
    new obs.Dataset("日本", logs);
    for (const name of ["first", "second"]) new obs.Dataset(name, { slug: "same", ...logs });
    new obs.Dataset("slip", { configuration: { type: "LOG", logDataset: {} } });
    const provider = new obs.Provider("p", { knownValues: ["GTT", "60000"] });
    const conditions = [{ op: "GTT", value: 1, sustainSecs: 60_000 }];
    new obs.Monitor("meant", { ...valid, seriesConditions: { defaults: { critical: { conditions } } } }, { provider });
    const strict = new obs.Provider("strict", { unknownValues: "fail" });
    new obs.Dataset("doubted", { configuration: { type: "LOG", logDataset: {} } }, { provider: strict });
  });
  expect(failed).toBe(true);
  const errors: Record<string, number> = {};
  for (const { severity, name } of messages) if (severity === "error" && name) errors[name] = (errors[name] ?? 0) + 1;
  const { first = 0, second = 0, ...others } = errors;
  expect(others).toEqual({
    mistyped: 4,
    unknowable: 2,
    several: 1,
    adopting: 1,
    text: 1,
    misnamed: 1,
    日本: 1,
    doubted: 1,
  });
  // Whichever is registered later.
  expect(first + second).toBe(1);
  // The words of the others do not depend on the engine: they are in test/messages.
  expect(text).toContain("labels.notifier: contains the SDK's text");
  const why =
    'configuration.type: unknown value "LOG". Did you mean "LOGS"? Known values: LOGS, TRACES. To allow "LOG", add it to';
  expect(messages.filter(({ severity }) => severity === "warning")).toEqual([
    { severity: "warning", name: "slip", text: `dataset "slip": ${why} observability:knownValues` },
  ]);
  expectNoStack(text);
});

test("a likely mistake in many resources is reported once, with their number and the first of them", async () => {
  const own = await newStack(service.url);
  const count = 30;
  const seriesConditions = { defaults: { critical: { conditions: [{ op: "GTT", value: 1 }] } } };
  const program = () => {
    for (let i = 1; i <= count; i += 1) new obs.Monitor(`slip-${i}`, { ...valid, seriesConditions });
  };
  const told =
    /knownValues: 30 objects: monitor "slip-1": seriesConditions\S+; (monitor "slip-\d+": \S+; ){9}and 20 more/;
  const textsOf = ({ messages }: Outcome) =>
    messages.flatMap(({ text }) => (text.includes("unknown value") ? [text] : []));
  expect(textsOf(await own.preview(program))).toEqual([expect.stringMatching(told)]);
  // The provider process reports after a pause between two checks, which a busy machine may make in the middle too.
  expect(textsOf(await own.up(program)).at(-1)).toMatch(/: 30 objects:|, 30 in all:/);
});

test("a log allocation that exists already fails the preview, though it refers to a dataset of the same run, and no error has a value that the program marks as secret", async () => {
  const own = await ownService();
  await put(own, "Dataset", "checkout-logs");
  await put(own, "LogAllocationConfig", "");
  const other = await newStack(own.url);
  const { failed, text, messages } = await other.preview(() => {
    const dataset = new obs.Dataset("logs", logs);
    new obs.LogAllocationConfig("budget", { datasetAllocations: [{ datasetSlug: dataset.slug }] });
    const timezone = pulumi.secret("Mars/CANARY-zone");
    new obs.Monitor("zone", { ...valid, schedule: { timezone } });
    new obs.Monitor("slug", { ...valid, slug: pulumi.secret("a CANARY-slug") });
    new obs.Monitor("interval", { ...valid, intervalSecs: pulumi.secret(-123456) });
    const configuration = { type: "LOG", logDataset: {} };
    new obs.Dataset("named", { slug: pulumi.secret("CANARY-named"), configuration });
    new obs.Dataset("typed", { configuration: { ...configuration, type: pulumi.secret("TRACES-") } });
  });
  expect(failed).toBe(true);
  expect(text).toMatch(/already exists.*[Ss]et adopt: /);
  expect(text).toContain("[secret]");
  expect(`${text}${JSON.stringify(messages)}`).not.toMatch(/CANARY|123456|TRACES/);
});

test("a value that can't be sent is reported once, in outputs too", async () => {
  const program = `
    const pulumi = require("@pulumi/pulumi");
    const { Monitor } = require("pulumi-observability");
    const labels = {};
    labels.self = labels;
    new Monitor("output", { labels: { a: pulumi.secret("a").apply(() => ({ of: [pulumi.output(() => "a")] })) } });
    new Monitor("promise", { schedule: Promise.resolve({ startTime: new Date() }) });
    new Monitor("circular", { labels: pulumi.output(1).apply(() => labels) });
    new Monitor("plain", { labels });`;
  const project = newProject(service.url, program);
  await project.init();
  const { text } = await project.run(["preview"]);
  const circular = "labels.self: Pulumi can't send a circular reference. Pass a value that doesn't contain itself";
  const date = "an instance of Date. Pass a string, such as that of toISOString()";
  expect(
    text
      .split("Diagnostics:")[1]
      ?.match(/Monitor ".*/g)
      ?.sort(),
    text,
  ).toEqual([
    `Monitor "circular": ${circular}`,
    'Monitor "output": labels.a.of[0]: Pulumi can\'t send a function. Pass what it returns',
    `Monitor "plain": ${circular}`,
    `Monitor "promise": schedule.startTime: Pulumi can't send ${date}`,
  ]);
  expectNoStack(text);
});

test("a package that only another package has is reported with the remedy", async () => {
  const program = (name: string) => `new (require("${name}").Dataset)("logs", { configuration: { type: "LOGS" } });`;
  const project = newProject(service.url, program("pulumi-observability"));
  await project.init();
  const told = "the provider can't find pulumi-observability";
  const modules = project.file("node_modules");
  rmSync(modules);
  const nested = join(modules, "alerts/node_modules");
  mkdirSync(nested, { recursive: true });
  mkdirSync(join(modules, "@pulumi"));
  symlinkSync(join(root, "node_modules/@pulumi/pulumi"), join(modules, "@pulumi/pulumi"));
  symlinkSync(root, join(nested, "pulumi-observability"));
  writeFileSync(join(modules, "alerts/index.js"), 'module.exports = require("pulumi-observability");');
  project.write(program("alerts"));
  const { code, text } = await project.run(["preview"]);
  expect(code).not.toBe(0);
  expect(text).not.toMatch(/Cannot find module|^ +at /m);
  expect(text).toContain(
    `error: ${told} from "${realpathSync(project.folders.project)}", because the package is installed in ` +
      `"${realpathSync(root)}". Install it in the project too: run "npm install pulumi-observability"`,
  );
});
