import * as pulumi from "@pulumi/pulumi";
import type { EngineEvent } from "@pulumi/pulumi/automation/index.js";
import type { Service } from "@pulumi-observability/service";
import * as obs from "pulumi-observability";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newStack, type Outcome, type Program, type TestStack } from "../support/engine.js";
import { type Arrival, failing, ownProxy, type Rule } from "../support/faults.js";
import { isDeep } from "../support/figures.js";
import { args, done, liveMonitor, refused } from "../support/monitors.js";
import { ask, ownService, token } from "../support/service.js";
import { type Validator, validators } from "../support/validators.js";

type Transformation = pulumi.ResourceTransformation;
type Transform = pulumi.ResourceTransform;

const configuration = { type: "LOGS", logDataset: {} };

let service: Service;
let stack: TestStack;
/** A service and a stack of its own, for a test or for all rows of one life. */
const begin = async (validator: Validator = "class") => {
  service = await ownService();
  stack = await newStack(service.url, { validator });
};

const monitor =
  (options: obs.ResourceOptions = {}, monitorArgs: obs.MonitorArgs = args, name = "errors") =>
  () =>
    void new obs.Monitor(name, monitorArgs, options);
const live = (slug = "errors") => liveMonitor(service, slug);
const provider = (name: string, at = service) => new obs.Provider(name, { baseUrl: at.url, apiToken: token });

describe.each(validators)("a reference to what another provider makes, validated by %s", (validator) => {
  beforeEach(() => begin(validator));
  const budget = (datasetSlug: pulumi.Input<string>, options: obs.ResourceOptions = {}, percentOfLicense = 40) =>
    new obs.LogAllocationConfig(
      "budget",
      { datasetAllocations: [{ datasetSlug, allocation: { percentOfLicense } }] },
      options,
    );
  const logs = (options: obs.ResourceOptions = {}) => new obs.Dataset("logs", { configuration }, options);

  const testOnce = test.skipIf(validator === "check" && !isDeep);
  const ways: [string, Program][] = [
    [
      "from an explicit one to another",
      () => void budget(logs({ provider: provider("first") }).slug, { provider: provider("second") }),
    ],
    ["from the default to an explicit one", () => void budget(logs().slug, { provider: provider("own") })],
    ["from an explicit one to the default", () => void budget(logs({ provider: provider("own") }).slug)],
  ];
  test.each(isDeep ? ways : ways.slice(0, 1))(
    "of the same service is good in the first preview, %s",
    async (_, program) => {
      await done(stack.preview(program));
    },
  );

  testOnce("under a provider that validates nothing is good too", async () => {
    const lax = () => new obs.Provider("lax", { baseUrl: service.url, apiToken: token, validate: "never" });
    await done(stack.preview(() => void budget(logs({ provider: lax() }).slug)));
  });

  testOnce("under a provider whose token is not known yet is good too, and so is the update", async () => {
    const program = () => {
      const origin = new obs.Notifier("origin", { discard: true });
      const apiToken = origin.createdAt.apply(() => token);
      const late = new obs.Provider("late", { baseUrl: service.url, apiToken });
      budget(new obs.Dataset("logs", { slug: "logs", configuration }, { provider: late }).slug);
    };
    await done(stack.preview(program));
    await done(stack.up(program));
    await done(stack.destroy());
  });

  test("of another service is refused", async () => {
    const other = await ownService();
    const text = await refused(
      stack.preview(() => {
        logs({ provider: provider("other", other) });
        budget("logs");
      }),
    );
    expect(text).toMatch(/datasetAllocations\[0\]\.datasetSlug: .*logs/);
  });
});

describe("inside of the program, ignored labels that it leaves out are those that there are", () => {
  const labels = { team: "checkout" };
  const ways: Readonly<Record<string, readonly [obs.MonitorArgs, obs.ResourceOptions]>> = {
    "the-program": [{ labels }, {}],
    "a-transformation": [{}, { transformations: [({ props, opts }) => ({ props: { ...props, labels }, opts })] }],
    "a-transform": [{}, { transforms: [({ props, opts }) => ({ props: { ...props, labels }, opts })] }],
  };
  /** Each way for a monitor of which nothing else changes, and for one of which something does. */
  const rows = Object.keys(ways).flatMap((way): [string, string, number][] => [
    [way, way, 60],
    [`${way}-beside-a-change`, way, 90],
  ]);
  /** What the program sees of each monitor's labels, run by run. */
  const runs: Record<string, Record<string, unknown[]>> = {};
  beforeAll(async () => {
    await begin();
    const run = async (
      what: string,
      operation: "preview" | "up",
      declare: (row: (typeof rows)[number]) => obs.Monitor,
    ) => {
      const seen: Record<string, unknown[]> = {};
      runs[what] = seen;
      await done(
        stack[operation](() => {
          for (const row of rows) declare(row).labels?.apply((value) => (seen[row[0]] ??= []).push(value));
        }),
      );
    };
    const given = ([name, way]: (typeof rows)[number]) => {
      const [monitorArgs, options] = ways[way] ?? [];
      return new obs.Monitor(name, { ...args, ...monitorArgs }, options);
    };
    const ignored = ([name, , intervalSecs]: (typeof rows)[number]) =>
      new obs.Monitor(name, { ...args, intervalSecs }, { ignoreChanges: ["labels"] });
    await run("as they are given", "up", given);
    await run("in a preview", "preview", ignored);
    await run("in an update", "up", ignored);
  });

  test.each(rows)("given before by %s", async (name, _, interval_secs) => {
    expect(Object.keys(runs)).toHaveLength(3);
    for (const [what, seen] of Object.entries(runs)) expect.soft(seen[name], what).toEqual([labels]);
    expect(await live(name)).toMatchObject({ labels, interval_secs });
  });
});

describe("a secret that is injected is in clear nowhere", () => {
  const secret = (name: string, place: string, count: number) => `CANARY-${count}-${name}-${place}-CANARY`;
  /** What an injection makes of a notifier that knows nothing of it. */
  const receivers: Record<string, (of: (place: string) => string) => obs.NotifierArgs> = {
    key: (of) => ({ oncallB: { routingKey: of("routingKey"), severity: "critical" } }),
    hook: (of) => ({
      webhook: { url: `https://${of("url")}.example.com`, httpConfig: { bearerToken: of("bearerToken") } },
    }),
  };
  const injected = (name: string, count: number): obs.NotifierArgs => {
    const receiver = receivers[name.split("-").at(-1) ?? ""];
    return receiver?.((place) => secret(name, place, count)) ?? {};
  };
  type Change = (name: string, props: pulumi.Inputs, opts: pulumi.ResourceOptions) => pulumi.Inputs;
  /** For each way in, a notifier of each receiver, which it reaches. */
  const ways: Record<string, (name: string, inject: Change) => void> = {
    transformation: (name, inject) =>
      void new obs.Notifier(
        name,
        {},
        { transformations: [({ props, opts }) => ({ props: inject(name, props, opts), opts })] },
      ),
    "component-transformation": (name, inject) => {
      const transformations: Transformation[] = [
        ({ name: each, props, opts }) => ({ props: each === name ? inject(each, props, opts) : props, opts }),
      ];
      const parent = new pulumi.ComponentResource("test:index:Team", `of-${name}`, {}, { transformations });
      new obs.Notifier(name, {}, { parent });
    },
    "stack-transformation": (name, inject) => {
      pulumi.runtime.registerStackTransformation(({ name: each, props, opts }) => ({
        props: each === name ? inject(each, props, opts) : props,
        opts,
      }));
      new obs.Notifier(name, {});
    },
    transform: (name, inject) =>
      void new obs.Notifier(
        name,
        {},
        { transforms: [({ props, opts }) => ({ props: inject(name, props, opts), opts })] },
      ),
    "component-transform": (name, inject) => {
      const transforms: Transform[] = [
        ({ name: each, props, opts }) => ({ props: each === name ? inject(each, props, opts) : props, opts }),
      ];
      const parent = new pulumi.ComponentResource("test:index:Team", `of-${name}`, {}, { transforms });
      new obs.Notifier(name, {}, { parent });
    },
    "stack-transform": (name, inject) => {
      pulumi.runtime.registerResourceTransform(({ name: each, props, opts }) => ({
        props: each === name ? inject(each, props, opts) : props,
        opts,
      }));
      new obs.Notifier(name, {});
    },
  };
  const program = (count: number) => () => {
    for (const [way, declare] of Object.entries(ways))
      for (const receiver of Object.keys(receivers))
        declare(`${way}-${receiver}`, (name, props) => ({ ...props, ...injected(name, count) }));
  };
  /** Which canaries a text holds, each once. */
  const canariesIn = (text: string) => [...new Set(text.match(/CANARY-\d-[\w-]+?-CANARY/g) ?? [])];

  test("in state, in output, in the engine's events, in an error that repeats it", async () => {
    await begin();
    const proxy = await ownProxy(service.url);
    await stack.setConfig("observability:baseUrl", proxy.url);
    const hits: Record<string, readonly string[]> = {};
    const look = (where: string, text: string) => {
      const found = canariesIn(text);
      if (found.length > 0) hits[where] = found;
    };
    /** Runs one operation and looks through everything that comes of it. */
    const looked = async (where: string, count: number, operation: "preview" | "up") => {
      const events: unknown[] = [];
      let text = "";
      const sinks = {
        diff: true,
        program: async () => program(count)(),
        onOutput: (chunk: string) => (text += chunk),
        // Pulumi's SDK tells the engine's log of inputs in clear: a known limit, which the README names.
        onEvent: (event: EngineEvent) =>
          void (String(event.diagnosticEvent?.severity) === "debug" || events.push(event)),
      };
      const error: unknown = await stack.stack[operation](sinks).then(
        () => undefined,
        (failed: unknown) => failed,
      );
      look(`the output of ${where}`, `${text} ${String(error)}`);
      look(`the events of ${where}`, JSON.stringify(events));
      look(`the state after ${where}`, JSON.stringify(await stack.state()));
      return { failed: error !== undefined, text: `${text} ${String(error)}` };
    };
    const green = async (where: string, count: number, operation: "preview" | "up") => {
      const { failed, text } = await looked(where, count, operation);
      expect(failed, text).toBe(false);
    };
    // Each verb by itself is looked through in test/secrets; here it counts how a secret comes in.
    await green("the first update", 0, "up");
    const stored = Object.keys(ways).flatMap((way) => Object.keys(receivers).map((receiver) => `${way}-${receiver}`));
    for (const slug of stored) {
      const { status } = await ask(service, "GET", `/api/v1/config/notifiers/${slug}`);
      expect(status, slug).toBe(200);
    }
    const echoing: Rule = ({ method, body, dryRun }: Arrival) =>
      (method === "PUT" || method === "POST") && body.notifier !== undefined
        ? failing(400, { code: 40001, message: `it is wrong${dryRun ? "" : ", finally"}: ${JSON.stringify(body)}` })
        : undefined;
    proxy.use(echoing);
    const rejected = await looked("a rejected preview", 1, "preview");
    expect(rejected.failed).toBe(true);
    expect(rejected.text).toContain("it is wrong");
    proxy.reset();
    await green("the rotation", 1, "up");
    expect(hits).toEqual({});
  });
});

describe("a token with few rights may do what it may", () => {
  const list =
    (kind: string): Rule =>
    (arrival) =>
      arrival.method === "GET" && arrival.path === `/api/v1/config/${kind}`
        ? failing(403, { code: 40301, message: "this token may not" })
        : undefined;
  const all =
    (...rules: readonly Rule[]): Rule =>
    (arrival) =>
      rules.map((rule) => rule(arrival)).find((fault) => fault !== undefined);

  const rights: Readonly<Record<string, Rule>> = {
    monitors: list("monitors"),
    either: all(list("notifiers"), list("monitors")),
  };
  const names = Object.keys(rights);
  let up: Outcome;
  beforeAll(async () => {
    await begin();
    const proxies = Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, await ownProxy(service.url)] as const)),
    );
    /** The resources of each token, under a provider of its own. */
    const program =
      (...prefixes: readonly string[]) =>
      () => {
        for (const [name, { url }] of Object.entries(proxies)) {
          const own = new obs.Provider(name, { baseUrl: url, apiToken: token });
          for (const prefix of prefixes) monitor({ provider: own }, args, `${prefix}-${name}`)();
        }
      };
    await done(stack.up(program("errors", "latency")));
    for (const [name, rule] of Object.entries(rights)) proxies[name]?.use(rule);
    up = await done(stack.up(program("errors")));
  });

  test.each(names)("delete monitors, where it may not list %s", async (name) => {
    expect(up.steps).toEqual({ same: names.length, delete: names.length });
    expect(await live(`errors-${name}`)).toBeDefined();
    expect(await live(`latency-${name}`)).toBeUndefined();
  });

  test("refresh and destroy", async () => {
    await done(stack.refresh());
    await done(stack.destroy());
    for (const name of names) expect(await live(`errors-${name}`)).toBeUndefined();
  });
});
