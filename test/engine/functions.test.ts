import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { type Service, startService } from "@pulumi-observability/service";
import * as obs from "pulumi-observability";
import { beforeAll, describe, expect, test } from "vitest";
import { withoutSecrets } from "../../dist/provider/values/secrets.js";
import { cases, type KindCase, pathOf } from "../support/cases.js";
import { newStack, type TestStack } from "../support/engine.js";
import * as faults from "../support/faults.js";
import { args, done, refused } from "../support/monitors.js";
import { newProject } from "../support/project.js";
import { ownFolder } from "../support/folders.js";
import { ask, ownService, takeCounts, token } from "../support/service.js";

type Json = Record<string, unknown>;
type AnyFunction = (args?: object, opts?: pulumi.InvokeOutputOptions) => Promise<Json> & pulumi.Output<Json>;

const url = "https://hook.example.com/credential";

class OtherProvider extends pulumi.ProviderResource {}

/** A function by its name: here all kinds are called alike. */
const named = (name: string) => (obs as unknown as Record<string, AnyFunction>)[name] as AnyFunction;

async function fill(service: Service, all: readonly KindCase[]): Promise<void> {
  // The log allocation refers to the dataset.
  for (const { kind } of [...all].sort((a, b) => Number(a.kind.isSingleton) - Number(b.kind.isSingleton))) {
    const body = { create_if_missing: true, [kind.wire.one]: kind.example.wire };
    const { status } = await ask(service, "PUT", pathOf(kind, String(kind.example.wire.slug)), body);
    expect(status, kind.name).toBe(200);
  }
}

const put = (service: Service, plural: string, one: string, slug: string, object: Json) =>
  ask(service, "PUT", `/api/v1/config/${plural}/${slug}`, { create_if_missing: true, [one]: { slug, ...object } });

/** What a call fails with; empty if it does not. */
const failureOf = async (call: () => unknown) => {
  try {
    await call();
    return "";
  } catch (error) {
    return String(error);
  }
};

describe.each(["preview", "up"] as const)("in a %s", (operation) => {
  let service: Service;
  let stack: TestStack;
  beforeAll(async () => {
    service = await ownService();
    await fill(service, cases);
    stack = await newStack(service.url);
  });

  test("each kind is shown as it is declared, by slug and by list, as a promise and as an output", async () => {
    const seen: Record<string, unknown[]> = {};
    const program = async () => {
      for (const { kind, args: declared } of cases) {
        const one = kind.isSingleton ? undefined : { slug: declared.slug };
        const keep = (value: unknown) => void (seen[kind.name] ??= []).push(value);
        keep(await named(`get${kind.name}`)(one));
        named(`get${kind.name}Output`)(one).apply(keep);
        if (kind.manyName === undefined) continue;
        const filters = { slugs: [String(declared.slug)], names: [String(declared.name)] };
        const list = `get${kind.plural(kind.name)}`;
        keep(((await named(list)(filters))[kind.manyName] as unknown[])[0]);
        named(`${list}Output`)(filters).apply((all) => keep((all[kind.manyName ?? ""] as unknown[])[0]));
      }
    };
    await done(stack[operation](program));
    for (const { kind, args: declared } of cases) {
      expect(seen[kind.name]).toHaveLength(kind.isSingleton ? 2 : 4);
      const shown = { ...(withoutSecrets(kind.root, declared) as Json), createdAt: expect.stringMatching(/^20.*Z$/) };
      for (const each of seen[kind.name] ?? []) expect(each).toMatchObject(shown);
      expect(JSON.stringify(seen[kind.name])).not.toContain("REDACTED");
    }
  });
});

describe("what a function shows", () => {
  let service: Service;
  let stack: TestStack;
  beforeAll(async () => {
    service = await ownService();
    stack = await newStack(service.url);
    await put(service, "notifiers", "notifier", "hook", { name: "Hook", webhook: { url } });
    await put(service, "notifiers", "notifier", "quiet", { name: "Quiet", discard: true });
    await put(service, "notifiers", "notifier", "silent", { name: "Quiet", discard: true });
  });

  const outputs = async () => {
    const state = await stack.state();
    return state.resources.find(({ type }) => type === "pulumi:pulumi:Stack")?.outputs ?? {};
  };

  test("is secret as an output if a secret is in it, and plain as a promise", async () => {
    let plain: obs.GetNotifierResult | undefined;
    const program = async () => {
      plain = await obs.getNotifier({ slug: "hook" });
      return {
        hook: obs.getNotifierOutput({ slug: "hook" }),
        quiet: obs.getNotifierOutput({ slug: "quiet" }).name,
        given: obs.getNotifierOutput({ slug: pulumi.secret("quiet") }).name,
        all: obs.getNotifiersOutput(),
      };
    };
    await done(stack.up(program));
    expect(plain?.webhook).toEqual({ url });
    const { hook, quiet, given, all } = await outputs();
    expect(quiet).toBe("Quiet");
    for (const secret of [hook, given, all]) expect(secret).toHaveProperty("ciphertext");
    expect(JSON.stringify(await stack.state())).not.toContain(url);
  });

  test("are all objects that match every filter, and none if a filter is empty", async () => {
    const slugsOf = async (filters?: obs.GetNotifiersArgs) =>
      (await obs.getNotifiers(filters)).notifiers.map(({ slug }) => slug);
    const found: unknown[] = [];
    await done(
      stack.preview(async () => {
        found.push(await slugsOf(), await slugsOf({ names: ["Quiet"] }), await slugsOf({ slugs: ["quiet", "hook"] }));
        found.push(await slugsOf({ slugs: ["quiet", "hook", "quiet"], names: ["Quiet", "other"] }));
        found.push(await slugsOf({ slugs: [] }), await slugsOf({ slugs: [""] }), await slugsOf({ slugs: ["nowhere"] }));
      }),
    );
    const [all, quiet] = [
      ["hook", "quiet", "silent"],
      ["quiet", "silent"],
    ];
    expect(found).toEqual([all, quiet, ["hook", "quiet"], ["quiet"], [], [], []]);
  });

  test("comes from all pages, and for long filters from several requests", async () => {
    const own = await ownService();
    const slugs = Array.from({ length: 250 }, (_, i) => `${"long-".repeat(20)}${i}`);
    for (const slug of slugs) await put(own, "notifiers", "notifier", slug, { name: slug, discard: true });
    const proxy = await faults.ownProxy(own.url);
    const small = (path: string) => path.replace("page.max_size=1000", "page.max_size=100");
    proxy.use(() => ({ ...faults.pass, path: small }));
    const many = await newStack(proxy.url);
    let counts: number[] = [];
    const program = async () => {
      const results = [
        await obs.getNotifiers(),
        await obs.getNotifiers({ slugs: slugs.slice(10) }),
        await obs.getNotifiers({ names: slugs.slice(20) }),
      ];
      counts = results.map(({ notifiers }) => new Set(notifiers.map(({ slug }) => slug)).size);
    };
    await done(many.preview(program));
    expect(counts).toEqual([250, 240, 230]);
  });
});

describe("a function of a resource that this program declares", () => {
  let service: Service;
  let stack: TestStack;
  beforeAll(async () => {
    service = await ownService();
    stack = await newStack(service.url);
  });

  const program = () => {
    const first = new obs.Monitor("first", args);
    const read = obs.getMonitorOutput({ slug: first.slug });
    const listed = obs.getMonitorsOutput({ slugs: ["first"] }, { dependsOn: first });
    const component = new pulumi.ComponentResource("test:index:Team", "team");
    new obs.Monitor("child", args, { parent: component });
    const below = obs.getMonitorOutput({ slug: "child" }, { dependsOn: [component] });
    new obs.Monitor("second", { ...args, annotations: { since: read.createdAt } });
    return { name: read.name, listed: listed.monitors.length, below: below.name };
  };

  test("is unknown until the resource exists, and then reads it", async () => {
    expect((await done(stack.preview(program))).steps).toEqual({ create: 3 });
    expect(takeCounts(service)).not.toHaveProperty("GET monitors/{slug}");
    await done(stack.up(program));
    const { resources } = await stack.state();
    const outputs = resources.find(({ type }) => type === "pulumi:pulumi:Stack")?.outputs;
    expect(outputs).toEqual({ name: "first", listed: 1, below: "child" });
    const [first, second] = ["first", "second"].map((name) => resources.find(({ id }) => id === name));
    expect(second?.inputs?.annotations).toEqual({ since: first?.outputs?.createdAt });
    // What is made of the result depends on the resource.
    expect(second).toMatchObject({ dependencies: [first?.urn] });
    expect((await done(stack.preview(program))).steps).toEqual({ same: 3 });
  });
});

test("an explicit provider's service is asked, given as provider or by the parent", async () => {
  const [service, other] = [await ownService(), await ownService()];
  await put(service, "notifiers", "notifier", "pager", { name: "of the stack", discard: true });
  await put(other, "notifiers", "notifier", "pager", { name: "of the team", discard: true });
  const stack = await newStack(service.url);
  const found: string[] = [];
  await done(
    stack.preview(async () => {
      const provider = new obs.Provider("team", { baseUrl: pulumi.output(other.url), apiToken: pulumi.secret(token) });
      const parent = new pulumi.ComponentResource("test:index:Team", "team", {}, { providers: [provider] });
      for (const opts of [{}, { provider }, { parent }]) {
        found.push((await obs.getNotifier({ slug: "pager" }, opts)).name);
        const output = obs.getNotifierOutput({ slug: "pager" }, opts);
        expect(await pulumi.isSecret(output)).toBe(false);
        await new Promise((resolve) => output.name.apply((name) => resolve(found.push(name))));
      }
    }),
  );
  const [ours, theirs] = ["of the stack", "of the team"];
  expect(found).toEqual([ours, ours, theirs, theirs, theirs, theirs]);
});

test("a provider whose settings are not known yet makes an output unknown, and a promise an error", async () => {
  const service = await ownService();
  await put(service, "notifiers", "notifier", "pager", { name: "Pager", discard: true });
  const stack = await newStack(service.url);
  const late = () => {
    const monitor = new obs.Monitor("first", args);
    return new obs.Provider("late", {
      baseUrl: pulumi.interpolate`${service.url}${monitor.createdAt.apply(() => "")}`,
    });
  };
  const program = () => ({ name: obs.getNotifierOutput({ slug: "pager" }, { provider: late() }).name });
  await done(stack.preview(program));
  const text = await refused(stack.preview(() => obs.getNotifier({ slug: "pager" }, { provider: late() })));
  expect(text).toContain(
    "getNotifier: its provider's settings are known only after the update: call getNotifierOutput instead",
  );
  await done(stack.up(program));
  const { resources } = await stack.state();
  expect(resources.find(({ type }) => type === "pulumi:pulumi:Stack")?.outputs).toEqual({ name: "Pager" });
});

describe("an error names the function or the object, and the way out", () => {
  let service: Service;
  let stack: TestStack;
  beforeAll(async () => {
    service = await ownService();
    stack = await newStack(service.url);
  });

  const untyped = (name: string, given?: unknown) => () => named(name)(given as object);

  const rows: [string, () => unknown, string | RegExp][] = [
    ["no object", () => obs.getMonitor({ slug: "nowhere" }), 'unable to read monitor "nowhere": not found'],
    ["no singleton", () => obs.getLogAllocationConfig(), "unable to read the log allocation config: not found"],
    ["no slug", untyped("getMonitor", {}), "getMonitor: slug is missing"],
    ["an empty slug", untyped("getMonitor", { slug: "" }), "getMonitor: slug must be a text that is not empty"],
    ["no arguments", untyped("getMonitor"), "getMonitor: slug is missing"],
    ["a number", untyped("getMonitors", { slugs: [1] }), "getMonitors: slugs must be an array of texts"],
    ["a text", untyped("getMonitors", { names: "a" }), "getMonitors: names must be an array of texts"],
    ["a misspelt filter", untyped("getMonitors", { slug: "a" }), '"slug" is no argument of it: it takes slugs, names'],
    [
      "an unknown argument",
      () => {
        const { id } = new obs.Monitor("first", args);
        return untyped("getMonitor", { slug: id })();
      },
      "getMonitor: an argument is known only after the update: call getMonitorOutput instead",
    ],
    [
      "a token that is refused",
      () => obs.getMonitors({}, { provider: new obs.Provider("team", { apiToken: "another-token" }) }),
      /unable to list monitors: GET \S+ answered 401: .*config set --secret observability:apiToken/,
    ],
    [
      "another provider",
      () => obs.getMonitor({ slug: "a" }, { provider: new OtherProvider("other", "other") }),
      "getMonitor: its provider is of another class: pass an obs.Provider",
    ],
  ];
  const told: Record<string, string> = {};
  let text: string;
  beforeAll(async () => {
    const program = async () => {
      for (const [name, call] of rows) told[name] = await failureOf(call);
      obs.getMonitorOutput({ slug: "nowhere" });
    };
    text = await refused(stack.preview(program));
  });

  test.each(rows)("for %s", (name, _, words) => {
    expect(told[name]).toMatch(words);
    expect(told[name]).not.toContain("another-token");
  });

  test("for no object, as an output", () => {
    expect(text).toContain('unable to read monitor "nowhere": not found');
    expect(text).not.toContain("another-token");
  });

  test("for an inline program whose stack has no address", async () => {
    const own = await newStack(service.url);
    await own.setConfig("observability:baseUrl", "");
    expect(await refused(own.preview(() => obs.getMonitors()))).toContain(
      "getMonitors: an inline program does not see the environment of its stack: set observability:baseUrl and " +
        "observability:apiToken in stack config, or pass an obs.Provider that has both",
    );
  });
});

describe("a service with nothing but the described operations", () => {
  let service: Service;
  let stack: TestStack;
  beforeAll(async () => {
    const database = join(ownFolder(), "objects.db");
    const full = await startService({ database, token });
    await fill(full, cases);
    await full.close();
    service = await ownService({ database, operations: "described" });
    stack = await newStack(service.url);
  });

  const wayOut =
    "; each service lists derived metrics, notifiers and trace metrics rules, and shows a cloud metrics integration or " +
    "dataset by its slug";

  const told: Record<string, string> = {};
  let found: readonly string[][];
  beforeAll(async () => {
    await done(
      stack.preview(async () => {
        for (const { kind, args: declared } of cases) {
          const one = kind.isSingleton ? undefined : { slug: String(declared.slug) };
          const [get, list] = [`get${kind.name}`, `get${kind.plural(kind.name)}`];
          told[get] = await failureOf(() => named(get)(one));
          if (kind.operations.list !== undefined) told[list] = await failureOf(() => named(list)());
        }
        const slugsOf = async (filters: obs.GetDatasetsArgs) =>
          (await obs.getDatasets(filters)).datasets.map(({ slug }) => slug);
        const slugs = ["checkout-logs"];
        found = [await slugsOf({ slugs: [...slugs, "nowhere"] }), await slugsOf({ slugs, names: ["other"] })];
      }),
    );
  });

  test.each(cases.map((each) => [each.kind.name, each] as const))(
    "shows a %s, or says that it cannot",
    (name, each) => {
      const { title, manyTitle, operations } = each.kind;
      const one = told[`get${name}`];
      if (operations.read.described) expect(one).toBe("");
      else {
        expect(one).toContain(`: this service cannot show a ${title}: GET `);
        expect(one).toContain(wayOut);
      }
      if (operations.list === undefined) return;
      const all = told[`get${each.kind.plural(name)}`];
      if (operations.list.described) expect(all).toBe("");
      else {
        expect(all).toContain(`unable to list ${manyTitle}: this service cannot list ${manyTitle} (GET `);
        expect(all).toContain(wayOut);
      }
    },
  );

  test("lists by slugs what it shows singly", () => {
    expect(found).toEqual([["checkout-logs"], []]);
  });

  test("is not taken for one if the address is another", async () => {
    const proxy = await faults.ownProxy(service.url);
    proxy.use(() => faults.wrongBasePath);
    const elsewhere = await newStack(proxy.url);
    const text = await refused(elsewhere.preview(() => obs.getMonitors()));
    expect(text).not.toContain("cannot list");
    expect(text).toContain("is baseUrl");
  });
});

test("a program of the CLI asks with the settings of its environment, and ends when it is answered", async () => {
  const service = await ownService();
  await put(service, "notifiers", "notifier", "hook", { name: "Hook", webhook: { url } });
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
  expect((await project.init()).code).toBe(0);
  const up = await project.run(["up", "--yes", "--skip-preview"]);
  expect(up.code, up.text).toBe(0);
  expect(up.text).toContain("slugs: [\n");
  expect(up.text).toContain("hook : [secret]");
  expect(up.text).not.toContain(url);
  expect(project.state().resources.map(({ id }) => id)).toContain("late");

  project.write('require("pulumi-observability").getNotifier({ slug: "nowhere" });');
  const failed = await project.run(["preview"]);
  expect(failed.code, failed.text).not.toBe(0);
  expect(failed.text).toContain('unable to read notifier "nowhere": not found');
  // The stack is the program's, without frames of this package.
  expect(failed.text).toContain("project/index.js:1");
  expect(failed.text).not.toContain("dist/sdk");
});
