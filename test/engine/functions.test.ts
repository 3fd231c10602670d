import * as pulumi from "@pulumi/pulumi";
import type { Service } from "@pulumi-observability/service";
import * as obs from "pulumi-observability";
import { beforeAll, expect, test } from "vitest";
import { withoutSecrets } from "../../dist/provider/values/secrets.js";
import { cases, inOrder } from "../support/cases.js";
import { begin, type TestStack } from "../support/engine.js";
import * as faults from "../support/faults.js";
import { valueOf } from "../support/mocks.js";
import { args, done, refused } from "../support/monitors.js";
import { newProject } from "../support/project.js";
import { describedService, ownService, put, takeCounts, token } from "../support/service.js";

type Json = Record<string, unknown>;
type AnyFunction = (args?: object, opts?: pulumi.InvokeOutputOptions) => Promise<Json> & pulumi.Output<Json>;

/** What a notifier is that shows a secret in plain text. */
const url = "https://hook.example.com/credential";
const hook = { name: "Hook", oncallB: undefined, webhook: { url } };

class OtherProvider extends pulumi.ProviderResource {}

/** A function by its name: here all kinds are called alike. */
const named = (name: string) => (obs as unknown as Record<string, AnyFunction>)[name] as AnyFunction;

/** The outputs of the program, as the state has them. */
const outputsOf = async (stack: TestStack) =>
  (await stack.state()).resources.find(({ type }) => type === "pulumi:pulumi:Stack")?.outputs;

/** What a call fails with; empty if it does not. */
const failureOf = async (call: () => unknown) => {
  try {
    await call();
    return "";
  } catch (error) {
    return String(error);
  }
};

/** What the program of one preview asks. */
const asks: (() => Promise<unknown>)[] = [];

/** A test of what functions answer. All such tests share a preview, because they declare no resources. */
function answers<T>(title: string, ask: () => Promise<T>, look: (found: T) => void): void {
  let found: T;
  asks.push(async () => (found = await ask()));
  test(title, () => look(found));
}

let standing: Service;
beforeAll(async () => {
  const begun = await begin();
  standing = begun.service;
  const program = async () => {
    for (const ask of asks) await ask();
  };
  await done(begun.stack.preview(program));
});

const filtered: readonly (readonly [filters: obs.GetMonitorsArgs | undefined, slugs: readonly string[]])[] = [
  [undefined, ["loud", "quiet", "silent"]],
  [{ names: ["Quiet"] }, ["quiet", "silent"]],
  [{ slugs: ["quiet", "loud"] }, ["loud", "quiet"]],
  [{ slugs: ["quiet", "loud", "quiet"], names: ["Quiet", "other"] }, ["quiet"]],
  [{ slugs: [] }, []],
  [{ slugs: [""] }, []],
  [{ slugs: ["nowhere"] }, []],
];

const providerOf = (name: string, baseUrl: pulumi.Input<string>) =>
  new obs.Provider(name, { baseUrl, apiToken: pulumi.secret(token) });

answers(
  "each kind is shown as it is declared, by slug and by list, as a promise and as an output",
  async () => {
    for (const { kind } of inOrder) await put(standing, kind.name, String(kind.example.slug));
    const seen: Record<string, unknown[]> = {};
    for (const { kind, args: declared } of cases) {
      const one = kind.isSingleton ? undefined : { slug: declared.slug };
      const [get, list] = [`get${kind.name}`, `get${kind.plural(kind.name)}`];
      const shown = [await named(get)(one), await valueOf(named(`${get}Output`)(one))];
      if (kind.manyName !== undefined) {
        const filters = { slugs: [String(declared.slug)], names: [String(declared.name)] };
        for (const all of [await named(list)(filters), (await valueOf(named(`${list}Output`)(filters))) as Json])
          shown.push((all[kind.manyName] as Json[])[0] ?? {});
      }
      seen[kind.name] = shown;
    }
    return seen;
  },
  (seen) => {
    for (const { kind, args: declared } of cases) {
      expect(seen[kind.name]).toHaveLength(kind.isSingleton ? 2 : 4);
      const shown = { ...(withoutSecrets(kind.root, declared) as Json), createdAt: expect.stringMatching(/^20.*Z$/) };
      for (const each of seen[kind.name] ?? []) expect(each).toMatchObject(shown);
      expect(JSON.stringify(seen[kind.name])).not.toContain("REDACTED");
    }
  },
);

answers(
  "a list has all objects that match every filter, and none if a filter is empty",
  async () => {
    const service = await ownService();
    for (const [slug, name] of Object.entries({ loud: "Loud", quiet: "Quiet", silent: "Quiet" }))
      await put(service, "Monitor", slug, { name });
    const provider = providerOf("lists", service.url);
    const found: unknown[] = [];
    for (const [filters] of filtered)
      found.push([filters, (await obs.getMonitors(filters, { provider })).monitors.map(({ slug }) => slug)]);
    return found;
  },
  (found) => expect(found).toEqual(filtered),
);

answers(
  "a list comes from all pages, and for a long filter from several requests",
  async () => {
    const service = await ownService();
    const slugs = Array.from({ length: 60 }, (_, i) => `${"long-".repeat(20)}${i}`);
    for (const slug of slugs) await put(service, "Monitor", slug);
    const proxy = await faults.ownProxy(service.url);
    const small = (path: string) => path.replace("page.max_size=1000", "page.max_size=10");
    proxy.use(() => ({ ...faults.pass, path: small }));
    const provider = providerOf("pages", proxy.url);
    const counts: number[] = [];
    for (const filters of [{}, { slugs: slugs.slice(10) }])
      counts.push(new Set((await obs.getMonitors(filters, { provider })).monitors.map(({ slug }) => slug)).size);
    return { counts, arrivals: proxy.arrivals() };
  },
  ({ counts, arrivals }) => {
    expect(counts).toEqual([60, 50]);
    // Servers limit the length of an address.
    for (const { query } of arrivals) expect(String(query).length).toBeLessThan(5_000);
  },
);

answers(
  "an explicit provider's service is asked, given as provider or by the parent",
  async () => {
    const other = await ownService();
    await put(standing, "Monitor", "errors", { name: "of the stack" });
    await put(other, "Monitor", "errors", { name: "of the team" });
    const provider = providerOf("team", pulumi.output(other.url));
    const parent = new pulumi.ComponentResource("test:index:Team", "team", {}, { providers: [provider] });
    const found: unknown[] = [];
    for (const opts of [{}, { provider }, { parent }]) {
      const output = obs.getMonitorOutput({ slug: "errors" }, opts);
      expect(await pulumi.isSecret(output)).toBe(false);
      found.push((await obs.getMonitor({ slug: "errors" }, opts)).name, await valueOf(output.name));
    }
    return found;
  },
  (found) => expect(found).toEqual(["of the stack", "of the stack", ...Array<string>(4).fill("of the team")]),
);

answers(
  "datasets that a service shows but cannot list are listed by their slugs, and else the error names the remedy",
  async () => {
    const { url: address } = await describedService((full) => put(full, "Dataset", "logs"));
    const described = { provider: providerOf("described", address) };
    const elsewhere = { provider: providerOf("elsewhere", `${address}/elsewhere`) };
    const slugsOf = async (filters: obs.GetDatasetsArgs) =>
      (await obs.getDatasets(filters, described)).datasets.map(({ slug }) => slug);
    const found = [await slugsOf({ slugs: ["logs", "nowhere"] }), await slugsOf({ slugs: ["logs"], names: ["other"] })];
    const told: string[] = [];
    for (const opts of [described, elsewhere]) told.push(await failureOf(() => obs.getDatasets({}, opts)));
    return { address, found, told };
  },
  ({ address, found, told }) => {
    expect(found).toEqual([["logs"], []]);
    // Which kinds each service lists is in test/messages.
    expect(told[0]).toMatch(
      /unable to list datasets: this service lacks that operation \(GET .*\)\. Only the functions for lists of /,
    );
    // Another address is not taken for a service without the list.
    expect(told[1]).toContain(`Check that baseUrl "${address}/elsewhere" is the configuration service's URL`);
    expect(told[1]).not.toContain("lacks that operation");
  },
);

const late = (url: string) => {
  const monitor = new obs.Monitor("origin", args);
  return new obs.Provider("late", { baseUrl: monitor.createdAt.apply(() => url) });
};

test("an output is secret if a secret is in it, and unknown until the resource that it is about, or its provider's settings, are known", async () => {
  const { service, stack } = await begin();
  await put(service, "Notifier", "hook", hook);
  await put(service, "Notifier", "quiet", { name: "Quiet", oncallB: undefined, discard: true });
  let plain: obs.GetNotifierResult | undefined;
  const program = async () => {
    plain = await obs.getNotifier({ slug: "hook" });
    const first = new obs.Monitor("first", args);
    const read = obs.getMonitorOutput({ slug: first.slug });
    const listed = obs.getMonitorsOutput({ slugs: ["first"] }, { dependsOn: first });
    const component = new pulumi.ComponentResource("test:index:Team", "team");
    new obs.Monitor("child", args, { parent: component });
    const below = obs.getMonitorOutput({ slug: "child" }, { dependsOn: [component] });
    new obs.Monitor("second", { ...args, annotations: { since: read.createdAt } });
    return {
      hook: obs.getNotifierOutput({ slug: "hook" }),
      given: obs.getNotifierOutput({ slug: pulumi.secret("quiet") }).name,
      all: obs.getNotifiersOutput(),
      quiet: obs.getNotifierOutput({ slug: "quiet" }).name,
      name: read.name,
      listed: listed.monitors.length,
      below: below.name,
      late: obs.getNotifierOutput({ slug: "quiet" }, { provider: late(service.url) }).name,
    };
  };
  expect((await done(stack.preview(program))).steps).toEqual({ create: 4 });
  // The probes of three slugs, and no function.
  expect(takeCounts(service)).toHaveProperty("GET monitors/{slug}", 3);
  await done(stack.up(program));
  expect(plain?.webhook).toEqual({ url });
  const { hook: whole, given, all, ...others } = (await outputsOf(stack)) ?? {};
  for (const secret of [whole, given, all]) expect(secret).toMatchObject({ ciphertext: expect.any(String) });
  expect(others).toEqual({ quiet: "Quiet", name: "first", listed: 1, below: "child", late: "Quiet" });
  const state = await stack.state();
  expect(JSON.stringify(state)).not.toContain(url);
  const [first, second] = ["first", "second"].map((name) => state.resources.find(({ id }) => id === name));
  expect(second?.inputs?.annotations).toEqual({ since: first?.outputs?.createdAt });
  // What is made of the result depends on the resource.
  expect(second).toMatchObject({ dependencies: [first?.urn] });
  expect((await done(stack.preview(program))).steps).toEqual({ same: 4 });
});

test("an error of a function names the function or the object, and the remedy", async () => {
  const untyped = (name: string, given?: unknown) => () => named(name)(given as object);
  const team = () => new obs.Provider("team", { apiToken: "another-token" });
  const rows: readonly (readonly [call: () => unknown, words: string])[] = [
    [() => obs.getLogAllocationConfig(), "unable to read the log allocation config: not found"],
    [untyped("getMonitor", {}), "getMonitor: slug is missing"],
    [untyped("getMonitor", { slug: "" }), "getMonitor: slug must be a string that is not empty"],
    [untyped("getMonitors", { slugs: [1] }), "getMonitors: slugs must be an array of strings"],
    [untyped("getMonitors", { names: "a" }), "getMonitors: names must be an array of strings"],
    [untyped("getMonitors", { slug: "a" }), 'unknown argument "slug". Known arguments: slugs, names'],
    [
      () => untyped("getMonitor", { slug: new obs.Monitor("first", args).id })(),
      "getMonitor: an argument is known only after the update. Call getMonitorOutput instead",
    ],
    [
      () => obs.getMonitor({ slug: "a" }, { provider: late("") }),
      "getMonitor: its provider's settings are known only after the update. Call getMonitorOutput instead",
    ],
    [
      () => obs.getMonitors({}, { provider: team() }),
      "unable to list monitors: GET /api/v1/config/monitors answered 401: the token",
    ],
    [
      () => obs.getMonitor({ slug: "a" }, { provider: new OtherProvider("other", "other") }),
      "getMonitor: its provider is not an obs.Provider. Pass an obs.Provider",
    ],
  ];
  const told: string[] = [];
  const program = async () => {
    for (const [call] of rows) told.push(await failureOf(call));
    obs.getMonitorOutput({ slug: "elsewhere" });
  };
  const text = await refused((await begin()).stack.preview(program));
  expect(told).toEqual(rows.map(([, words]) => expect.stringContaining(words)));
  expect(text).toContain('unable to read monitor "elsewhere": not found');
  expect(`${told.join("")}${text}`).not.toContain("another-token");
});

test("an error of a function names the settings that an inline program lacks", async () => {
  const { stack } = await begin();
  await stack.setConfig("observability:baseUrl", "");
  expect(await refused(stack.preview(() => obs.getMonitors()))).toContain(
    "getMonitors: an inline program can't read the environment variables of its stack. Set observability:baseUrl and " +
      "observability:apiToken in stack config, or pass an obs.Provider that has both",
  );
});

test("a program of the CLI asks with the settings of its environment, and ends when it is answered", async () => {
  const service = await ownService();
  await put(service, "Notifier", "hook", hook);
  const project = newProject(
    service.url,
    `
      const obs = require("pulumi-observability");
      module.exports = async () => {
        const { notifiers } = await obs.getNotifiers({ names: ["Hook"] });
        obs.getNotifierOutput({ slug: "hook" }).apply(({ name }) => new obs.Notifier("late", { discard: true, name }));
        return { slugs: notifiers.map(({ slug }) => slug), hook: obs.getNotifierOutput({ slug: "hook" }) };
      };`,
  );
  await project.init();
  const text = await project.done("up", "--yes", "--skip-preview");
  expect(text).toContain("slugs: [\n");
  expect(text).toContain("hook : [secret]");
  expect(text).not.toContain(url);
  expect(project.state().resources.map(({ id }) => id)).toContain("late");
});
