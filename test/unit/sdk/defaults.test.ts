import * as pulumi from "@pulumi/pulumi";
import * as obs from "pulumi-observability";
import { beforeEach, expect, test } from "vitest";
import { type Mocked, mocks, valueOf } from "../../support/mocks.js";

let mocked: Mocked;

beforeEach(async () => {
  delete process.env.OBSERVABILITY_DEFAULT_LABELS;
  pulumi.runtime.setAllConfig({});
  mocked = await mocks();
});

/** What the engine got of a resource, the last time. */
const inputsOf = (name: string) => mocked.declared.findLast((each) => each.name === name)?.inputs;
const setLabels = (value: unknown) => pulumi.runtime.setConfig("observability:defaultLabels", JSON.stringify(value));

/** The labels that the engine gets of a monitor. */
async function labelsOf(labels?: obs.MonitorArgs["labels"], opts: obs.ResourceOptions = {}): Promise<unknown> {
  const monitor = new obs.Monitor("errors", { labels }, opts);
  await valueOf(monitor.urn);
  return inputsOf("errors")?.labels;
}

const team = (defaultLabels: obs.ProviderArgs["defaultLabels"]) => ({
  provider: new obs.Provider("team", { defaultLabels }),
});

test("a monitor and an SLO have the defaults beside their own entries, whose keys win; other kinds have none", async () => {
  setLabels({ team: "checkout", env: "prod" });
  pulumi.runtime.setConfig("observability:defaultAnnotations", '{"owner":"team-a"}');
  const own = { labels: { team: "payment" }, annotations: { runBook: "https://runbooks.example.com" } };
  const all = [
    new obs.Monitor("monitor", own),
    new obs.SLO("slo", {}),
    new obs.Notifier("pager", { discard: true }),
    new obs.DerivedMetric("metric", { metricLabels: { a: "b" } } as obs.DerivedMetricArgs),
  ];
  await Promise.all(all.map(({ urn }) => valueOf(urn)));
  expect(inputsOf("monitor")).toMatchObject({
    labels: { team: "payment", env: "prod" },
    annotations: { owner: "team-a", runBook: "https://runbooks.example.com" },
  });
  expect(inputsOf("slo")).toMatchObject({
    labels: { team: "checkout", env: "prod" },
    annotations: { owner: "team-a" },
  });
  expect(inputsOf("pager")).toEqual({ name: "pager", slug: "pager", discard: true });
  expect(inputsOf("metric")).not.toHaveProperty("labels");
});

test("the labels that a program reads of a monitor hold the defaults", async () => {
  setLabels({ team: "checkout" });
  expect(await valueOf(new obs.Monitor("errors", {}).labels)).toEqual({ team: "checkout" });
});

test.each<[string, obs.MonitorArgs["labels"], unknown]>([
  ["are left out", undefined, { team: "a", env: "b" }],
  ["are empty", {}, { team: "a", env: "b" }],
  ["are an output", pulumi.output({ team: "own" }), { team: "own", env: "b" }],
  ["are an output of nothing", pulumi.output(undefined), { team: "a", env: "b" }],
  ["are a promise", Promise.resolve({ more: "own" }), { team: "a", env: "b", more: "own" }],
  ["hold an output", { team: pulumi.output("own") }, { team: "own", env: "b" }],
  ["hold an output of nothing", { team: pulumi.output(undefined) as never }, { team: "a", env: "b" }],
  ["hold nothing under the key", { team: undefined as never, env: null as never }, { team: "a", env: "b" }],
  ["hold an empty text under the key", { team: "" }, { team: "", env: "b" }],
  ["have keys that every object has", { toString: "own" }, { team: "a", env: "b", toString: "own" }],
  ["have a wrong type, which the check reports", "team=own" as never, "team=own"],
  ["are an array, which the check reports", ["team"] as never, ["team"]],
])("a monitor has the defaults if its own labels %s", async (_, labels, expected) => {
  setLabels({ team: "a", env: "b" });
  expect(await labelsOf(labels)).toEqual(expected);
  expect(await labelsOf(labels, team(pulumi.output({ team: pulumi.output("a"), env: "b" })))).toEqual(expected);
});

test("defaults come from the resource's provider: its own, its parent's, or the stack's; then stack config, then environment", async () => {
  process.env.OBSERVABILITY_DEFAULT_LABELS = '{"from":"environment"}';
  expect(await labelsOf()).toEqual({ from: "environment" });
  setLabels({ from: "config" });
  expect(await labelsOf()).toEqual({ from: "config" });
  expect(await labelsOf({}, team({ from: "provider" }))).toEqual({ from: "provider" });
  expect(await labelsOf({}, team(undefined))).toEqual({ from: "config" });
  expect(await labelsOf({}, team({}))).toEqual({});
  const parent = new pulumi.ComponentResource(
    "test:index:Team",
    "team",
    {},
    { providers: [team({ from: "p" }).provider] },
  );
  expect(await labelsOf({}, { parent })).toEqual({ from: "p" });
  expect(await labelsOf({}, { parent, ...team({ from: "provider" }) })).toEqual({ from: "provider" });
  const inner = new pulumi.ComponentResource("test:index:Inner", "inner", {}, { parent });
  expect(await labelsOf({}, { parent: inner })).toEqual({ from: "p" });
});

test("an explicit provider hands the engine no entries of the program, so an unknown one keeps no resource from its check", async () => {
  setLabels({ from: "config" });
  const { provider } = team({ team: "a" });
  await Promise.all([provider, new obs.Provider("other")].map(({ urn }) => valueOf(urn)));
  expect(inputsOf("team")).toEqual({ "observability:defaultLabels": 'given by the program to Provider "team"' });
  expect(inputsOf("other")).toEqual({ "observability:defaultLabels": '{"from":"config"}' });
});

test("numbers and booleans of stack config are texts, and keys that every object has are kept", async () => {
  pulumi.runtime.setConfig("observability:defaultLabels", '{"tier":1,"page":true,"constructor":"a","toString":"b"}');
  expect(await labelsOf()).toEqual({ tier: "1", page: "true", constructor: "a", toString: "b" });
});

test("a secret default stays one, and one that a monitor does not take makes nothing a secret", async () => {
  const secret = team({ team: pulumi.secret("a") });
  expect(pulumi.runtime.unwrapRpcSecret(await labelsOf({ env: "b" }, secret))).toEqual({ team: "a", env: "b" });
  expect(pulumi.runtime.isRpcSecret(inputsOf("errors")?.labels)).toBe(true);
  expect(await labelsOf({ team: "own" }, secret)).toEqual({ team: "own" });
  pulumi.runtime.setAllConfig({ "observability:defaultLabels": '{"team":"a"}' }, ["observability:defaultLabels"]);
  expect(pulumi.runtime.isRpcSecret(await labelsOf())).toBe(true);
  await valueOf(new obs.Provider("own").urn);
  expect(pulumi.runtime.isRpcSecret(inputsOf("own")?.["observability:defaultLabels"])).toBe(true);
});

test.each(["team=checkout", "[]", '"a"', "null", '{"team":{"name":"a"}}', '{"team":null}'])(
  "defaults that are no map are refused by the setting, and not quoted: %s",
  (text) => {
    pulumi.runtime.setConfig("observability:defaultLabels", text);
    const told = 'observability:defaultLabels must be a JSON object of strings, like {"team":"checkout"}';
    expect(() => new obs.Monitor("errors", {})).toThrow(told);
    expect(() => new obs.Notifier("pager", { discard: true })).not.toThrow();
  },
);

test("a default under a key that Pulumi cannot carry is refused", () => {
  pulumi.runtime.setConfig("observability:defaultLabels", '{"__proto__":"a"}');
  expect(() => new obs.Monitor("errors", {})).toThrow("labels.__proto__: Pulumi can't send a key with this name");
});

test("what is only read has no defaults", async () => {
  setLabels({ team: "a" });
  await valueOf(obs.Monitor.get("errors", "errors").urn);
  expect(inputsOf("errors")).toEqual({});
});
