import * as pulumi from "@pulumi/pulumi";
import type { Service } from "@pulumi-observability/service";
import * as obs from "pulumi-observability";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { begin, newStack, type TestStack, typePrefix } from "../support/engine.js";
import { argsWith, caseOf, cases, newResource } from "../support/cases.js";
import { type Arrival, failing, ignoringDryRuns, nothing, ownProxy, pass } from "../support/faults.js";
import { args, done } from "../support/monitors.js";
import { newProject } from "../support/project.js";
import { ownService, put, takeCounts, token } from "../support/service.js";

const rejectedArgs = { ...args, seriesConditions: { defaults: { critical: { conditions: [{ value: 1 }] } } } };
const configuration = { type: "LOGS", logDataset: {} };
const dryPut = "PUT monitors/{slug} dry";
/** Each preview asks once whether address and token are right. */
const proof = { "GET monitors": 1 };
/** The requests since the last call. Until a dry run has shown that the service honors them, a read is the probe of a slug. */
function requestsTo(asked: Service): Record<string, number> {
  const { "GET monitors/{slug}": reads = 0, ...counts } = takeCounts(asked);
  return reads === 0 ? counts : { ...counts, [dryPut]: (counts[dryPut] ?? 0) + reads };
}

let service: Service;
let stack: TestStack;
beforeEach(async () => {
  ({ service, stack } = await begin());
});

const monitors =
  (all: Readonly<Record<string, obs.MonitorArgs>>, options: obs.ResourceOptions = {}) =>
  () => {
    for (const [name, each] of Object.entries(all)) new obs.Monitor(name, each, options);
  };
/** Under which resources a rejection is reported, and by whom: the engine's words stand around what check says. */
const rejected = (text: string) => ({
  byClass: new Set([...text.matchAll(/Monitor \(([\w-]+)\):\n\s+error: seriesConditions/g)].map(([, name]) => name)),
  byCheck: new Set([...text.matchAll(/resource '([\w-]+)' has a problem: seriesConditions/g)].map(([, name]) => name)),
});
const by = (byClass: readonly string[], byCheck: readonly string[] = []) => ({
  byClass: new Set(byClass),
  byCheck: new Set(byCheck),
});

test("in a preview the classes ask about what is new or changes, and report a rejection under its own resource", async () => {
  const proxy = await ownProxy(service.url);
  await stack.setConfig("observability:baseUrl", proxy.url);
  const before = () => {
    monitors({ unchanged: args, changed: args, "changed-wrongly": args, renamed: args, taking: args, taken: args })();
    monitors({ ignoring: args }, { transformations: [({ props, opts }) => ({ props, opts })] })();
  };
  const more = { bucketSlug: "a-bucket" };
  const wrong = { ...more, seriesConditions: rejectedArgs.seriesConditions };
  const after = () => {
    monitors({ new: args, "new-a": rejectedArgs, "new-b": rejectedArgs, unchanged: args })();
    monitors({ changed: { ...args, intervalSecs: 90 }, "changed-wrongly": rejectedArgs })();
    monitors({ renamed: { ...args, slug: "new-slug" }, taking: { ...args, slug: "taken" } })();
    const transformations: pulumi.ResourceTransformation[] = [
      ({ props, opts }) => ({ props: { ...props, ...wrong }, opts }),
    ];
    monitors({ transformed: args }, { transformations })();
    const transforms: pulumi.ResourceTransform[] = [({ props, opts }) => ({ props: { ...props, ...more }, opts })];
    monitors({ "with-more": args, "with-more-wrongly": rejectedArgs }, { transforms })();
    // A run makes a dataset about which check has asked, and the class knows that.
    const logs = new obs.Dataset("logs", { configuration }, { deleteBeforeReplace: true });
    new obs.LogAllocationConfig("budget", { datasetAllocations: [{ datasetSlug: logs.slug }] });
    // Rejected, were it not ignored.
    monitors({ ignoring: { ...rejectedArgs, intervalSecs: 90 } }, { ignoreChanges: ["seriesConditions"] })();
    new obs.Notifier("pager", { webhook: { url: pulumi.secret("https://hook.example.com") } });
  };
  await done(stack.up(before));
  proxy.reset();
  const { failed, text, messages } = await stack.preview(after);
  expect(failed).toBe(true);
  const names = ["new-a", "new-b", "changed-wrongly", "transformed", "with-more-wrongly"];
  expect(rejected(text)).toEqual(by(names));
  expect(text).toContain('monitor "taken" already exists');
  expect(messages.filter(({ name, severity }) => name === "budget" && severity === "error")).toEqual([]);

  const slugOf = ({ path, body }: Arrival) =>
    (body.notifier as { slug?: string } | undefined)?.slug ?? String(path.split("/").at(-1));
  const isProbe = ({ method, path }: Arrival) => method === "GET" && /monitors\/(new|transf|with-|taken)/.test(path);
  const dryRuns: Record<string, number> = {};
  for (const each of proxy.arrivals())
    if (each.dryRun || isProbe(each)) dryRuns[slugOf(each)] = (dryRuns[slugOf(each)] ?? 0) + 1;
  expect(dryRuns).toEqual({
    // The probe of a new slug and the create itself, also if an option or a transform makes what is created.
    new: 2,
    "new-a": 2,
    "new-b": 2,
    "new-slug": 2,
    transformed: 2,
    "with-more": 2,
    "with-more-wrongly": 2,
    pager: 1,
    taken: 1,
    datasets: 1,
    "log-allocation-config": 1,
    changed: 1,
    "changed-wrongly": 1,
    ignoring: 1,
  });
  const lists = proxy.arrivals().filter(({ method, path }) => method === "GET" && /config\/[a-z]+$/.test(path));
  // The check of URL and token, which also shows that the filter works; the probes of notifier and dataset.
  expect(lists).toHaveLength(3);
});

test("in a preview the classes ask with the token of an explicit provider, only about what --target names, and a rejection in one stack does not fail another one of the same process", async () => {
  const another = await ownService({ token: "another-token" });
  const other = await newStack(service.url, { project: "other" });
  const program = () => {
    const provider = new obs.Provider("other", { baseUrl: another.url, apiToken: pulumi.secret("another-token") });
    monitors({ a: rejectedArgs, good: args }, { provider })();
    const parent = new pulumi.ComponentResource("test:index:Parent", "parent", {}, { providers: [provider] });
    monitors({ b: rejectedArgs }, { parent })();
  };
  const target = [`urn:pulumi:dev::other::${typePrefix}Monitor::a`];
  const [bad] = await Promise.all([
    stack.preview(program),
    done(other.preview(monitors({ a: args, b: rejectedArgs }), { target })),
  ]);
  expect(rejected(bad.text)).toEqual(by(["a", "b"]));
  expect(requestsTo(another)).toEqual({ ...proof, [dryPut]: 6 });
  expect(requestsTo(service)).toEqual({ ...proof, [dryPut]: 2 });
  expect(process.exitCode).toBeUndefined();
});

test("a service that cannot be asked is reported once for each provider, with the number of further resources, and neither that, a token that may not write one kind, nor one strange answer hides a mistake", async () => {
  const told = vi.spyOn(pulumi.log, "error");
  onTestFinished(() => told.mockRestore());
  const proxy = await ownProxy(service.url);
  proxy.use(({ path }) => {
    if (path.includes("/notifiers")) return failing(403);
    return path.includes("/odd") ? nothing : pass;
  });
  await stack.setConfig("observability:baseUrl", proxy.url);
  const { failed, messages, text } = await stack.preview(async () => {
    for (const name of ["n-1", "n-2"]) new obs.Notifier(name, { discard: true });
    monitors({ odd: args, a: rejectedArgs, b: rejectedArgs })();
    const strange = new obs.Provider("strange", { apiToken: "another-token" });
    const away = new obs.Provider("away", { baseUrl: "http://127.0.0.1:1" });
    monitors({ "s-1": args, "s-2": args, "s-3": args }, { provider: strange })();
    const wrong = new obs.Provider("wrong", { baseUrl: `${service.url}/elsewhere` });
    monitors({ "w-1": args, "w-2": args, "w-3": args }, { provider: wrong })();
    monitors({ "a-1": args, "a-2": args }, { provider: away })();
    // A program may declare bit by bit: what was not validated is counted when nothing is pending any more.
    const counted = () => told.mock.calls.filter(([line]) => /^1 more could/.test(line)).length;
    // Of the notifiers, and of those that are away.
    await vi.waitFor(() => expect(counted()).toBe(2), 60_000);
    monitors({ "a-3": args, "a-4": args, "a-5": args }, { provider: away })();
  });
  expect(failed).toBe(true);
  expect(rejected(text)).toEqual(by(["a", "b"]));
  const causes = messages.flatMap(({ text }) => (text.includes("unable to validate") ? [text] : []));
  expect(causes.sort()).toEqual([
    expect.stringMatching(/monitor "a-\d": .* failed: connection refused/),
    expect.stringMatching(/monitor "odd": /),
    expect.stringMatching(/monitor "s-\d": .* answered 401/),
    expect.stringMatching(/monitor "w-\d": .* answered 404: .*elsewhere" is the configuration service's URL/),
    expect.stringMatching(/notifier "n-\d": .* answered 403/),
  ]);
  const untold: Record<string, number> = {};
  for (const { name = "", text } of messages) {
    const [, count] = /^(\d+) more could not be validated, for the same reason$/.exec(text) ?? [];
    if (count !== undefined) untold[name] = (untold[name] ?? 0) + Number(count); // reported at a provider
  }
  expect(untold).toEqual({ away: 4, strange: 2, wrong: 2, "": 1 });
});

test("the class reports a rejection even if the environment of the engine is not the program's, only an environment has the token, and deleteBeforeReplace makes room", async () => {
  const own = await newStack(service.url, { env: { OBSERVABILITY_ADOPT: "true", OBSERVABILITY_API_TOKEN: token } });
  await own.stack.removeConfig("observability:apiToken");
  const { text } = await own.preview(() => {
    monitors({ a: rejectedArgs })();
    monitors({ b: rejectedArgs }, { deleteBeforeReplace: true })();
  });
  expect(rejected(text)).toEqual(by(["a", "b"]));
});

test("a rejection ends an update of the CLI before it touches anything", async () => {
  const program = (condition: string) => `
    const obs = require("pulumi-observability");
    for (const name of ["a", "b"]) {
      const seriesConditions = { defaults: { critical: { conditions: [${condition}] } } };
      new obs.Monitor(name, { labelQuery: "up", seriesConditions });
    }`;
  const project = newProject(service.url, program("{ value: 1 }"));
  await project.init();
  // An update begins with a preview.
  const { code, text } = await project.run(["up", "--yes"]);
  expect(code, text).not.toBe(0);
  expect(rejected(text)).toEqual(by(["a", "b"]));
  expect(text).not.toMatch(/exited? with|unhandled|at .*\.js:\d+/i);
  expect(requestsTo(service)).toEqual({ ...proof, [dryPut]: 4 });
  project.write(program('{ op: "GT", value: 1 }'));
  expect(await project.done("up", "--yes")).not.toContain("warning:");
  expect(requestsTo(service)).toEqual({ "GET monitors": 2, [dryPut]: 6, "PUT monitors/{slug}": 2 });
  // The engine checks nothing there, so the class has nothing to ask. Each delete looks whether that is the recorded object.
  await project.done("destroy", "--yes", "--skip-preview", "--run-program");
  expect(takeCounts(service)).toEqual({ "GET monitors/{slug}": 2, "DELETE monitors/{slug}": 2 });
});

test("a preview by a service that ignores dry_run writes one object, names it in its only error, and stops", async () => {
  await put(service, "Dataset", String(caseOf("Dataset").args.slug));
  service.resetCounters();
  const proxy = await ownProxy(service.url);
  proxy.use(() => ignoringDryRuns);
  await stack.setConfig("observability:baseUrl", proxy.url);
  const { failed, messages } = await stack.preview(() => {
    for (const each of cases)
      for (const name of each.kind.isSingleton ? ["only"] : ["one", "two"])
        newResource(each.kind.name, `${each.kind.name}-${name}`, argsWith(each, name));
  });
  const errors = messages.filter(({ severity, name }) => severity === "error" && name !== undefined);
  expect(errors.map(({ text }) => text)).toEqual([
    expect.stringMatching(
      /a dry run created (?:the |\w).* ignores dry_run\. The process that prints this message sends no more dry runs\. Delete the object, unless another .*validate to never/,
    ),
  ]);
  expect(failed).toBe(true);
  const written = service.counters().requests.filter(({ method, status }) => method !== "GET" && status === 200);
  expect(written).toEqual([expect.objectContaining({ count: 1 })]);
  // The look-ups that were in progress ask no dry run any more.
  expect(proxy.arrivals().filter(({ method, dryRun }) => method !== "GET" && dryRun).length).toBeLessThanOrEqual(1);
});
