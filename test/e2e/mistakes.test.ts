import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { startService } from "@pulumi-observability/service";
import * as obs from "pulumi-observability";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { newStack, type TestStack } from "../support/engine.js";
import { newProject } from "../support/project.js";
import { ask, ownFolder, ownService, takeCounts, token } from "../support/service.js";
import { validators } from "../support/validators.js";

const root = join(import.meta.dirname, "../..");
const valid = {
  labelQuery: "up",
  seriesConditions: { defaults: { critical: { conditions: [{ op: "GT", value: 1 }] } } },
};
const logs = { configuration: { type: "LOGS", logDataset: {} } };
const monitor = () => {
  new obs.Monitor("errors", valid);
};

/** A program that TypeScript would refuse, as plain JavaScript could hold it. */
const untyped = (args: object) => args as never;

let service: Awaited<ReturnType<typeof ownService>>;
let stack: TestStack;

beforeAll(async () => {
  service = await ownService();
  stack = await newStack(service.url);
});

test("all mistakes of a program are told in one preview, each under its own resource", async () => {
  const { failed, messages } = await stack.preview(() => {
    new obs.Monitor("mistyped", untyped({ ...valid, intervalSecs: "60" }));
    new obs.Monitor("misspelt", untyped({ ...valid, labelQury: "up" }));
    new obs.Monitor("refused", { ...valid, intervalSecs: -1 });
    new obs.Monitor("one", { ...valid, slug: "same" });
    new obs.Monitor("two", { ...valid, slug: "same" });
    new obs.Monitor("adopting", valid, { adopt: "identicle" as never });
    new obs.Dataset("日本", logs);
  });
  expect(failed).toBe(true);
  const told = messages.flatMap(({ severity, name, text }) =>
    severity === "error" && name !== undefined ? [`${name}: ${text}`] : [],
  );
  expect(told.sort()).toEqual(
    expect.arrayContaining([
      'adopting: adopt must be false, "identical" or true',
      'misspelt: labelQury: there is no such field; did you mean "labelQuery"?',
      "mistyped: intervalSecs: expected a whole number, got a string",
      "refused: intervalSecs: expected 0 or more seconds, got -1",
      // Whichever is registered later.
      expect.stringMatching(
        /^(one|two): both "(one|two)" and "(one|two)" declare monitor "same": set slug on one of them$/,
      ),
      '日本: slug: the resource\'s name "日本" has no character that a slug may hold; set slug',
    ]),
  );
  expect(told).toHaveLength(6);
});

test("a mistake that changes nothing else of a resource is told too", async () => {
  const own = await newStack(service.url);
  const program = (args: object) => () => void new obs.Monitor("unchanged", untyped({ ...valid, labels: {}, ...args }));
  expect((await own.up(program({}))).failed).toBe(false);
  for (const [mistake, told] of [
    [{ labelQury: "up" }, "labelQury: there is no such field"],
    [{ labels: 5 }, "labels: expected a map of strings, got a number"],
    [{ intervalSecs: "60" }, "intervalSecs: expected a whole number, got a string"],
  ] as const) {
    const { failed, text } = await own.preview(program(mistake));
    expect(failed, text).toBe(true);
    expect(text).toContain(told);
  }
});

test("a value that is almost a known one is warned of once, at its resource, and fails nothing", async () => {
  const own = await newStack(service.url);
  const program = () => void new obs.Dataset("logs", { configuration: { type: "LOG", logDataset: {} } });
  const warned = {
    severity: "warning",
    name: "logs",
    text: 'dataset "logs": configuration.type "LOG" is not a known value: did you mean "LOGS"?',
  };
  const preview = await own.preview(program);
  expect(preview.failed, preview.text).toBe(false);
  expect(preview.messages.filter(({ severity }) => severity === "warning")).toEqual([warned]);
});

test.each(validators)("a value that the program marks as secret is in no error, validated by %s", async (validator) => {
  const own = await newStack(service.url, { validator });
  const { failed, text, messages } = await own.preview(() => {
    const timezone = pulumi.secret("Mars/CANARY-zone");
    new obs.Monitor("zone", { ...valid, schedule: { timezone } });
    new obs.Monitor("slug", { ...valid, slug: pulumi.secret("a CANARY-slug") });
    new obs.Monitor("interval", { ...valid, intervalSecs: pulumi.secret(-123456) });
    const configuration = { type: "LOG", logDataset: {} };
    new obs.Dataset("named", { slug: pulumi.secret("CANARY-named"), configuration });
    new obs.Dataset("typed", { configuration: { ...configuration, type: pulumi.secret("TRACES-") } });
  });
  expect(failed).toBe(true);
  expect(text).toContain("[secret]");
  expect(`${text}${JSON.stringify(messages)}`).not.toMatch(/CANARY|123456|TRACES/);
});

describe("a program's mistake is told by its path, in the resource's own terms", () => {
  test.each<[string, () => unknown, readonly string[]]>([
    [
      "wrong types and misspelt keys, all at once",
      () =>
        new obs.Monitor(
          "errors",
          untyped({ intervalSecs: "60", labelQury: "up", labels: { a: 1 }, seriesConditions: { defaults: [] } }),
        ),
      [
        "error: labels.a: expected a string, got a number",
        "error: intervalSecs: expected a whole number, got a string",
        "error: seriesConditions.defaults: expected an object, got an array",
        'error: labelQury: there is no such field; did you mean "labelQuery"?',
      ],
    ],
    [
      "what only the service knows, all at once",
      () => new obs.Monitor("errors", { ...valid, intervalSecs: -1, schedule: { timezone: "Mars" } }),
      ["error: intervalSecs: ", "error: schedule.timezone: "],
    ],
    [
      "a rule about several fields, named as a program spells them",
      () => new obs.Monitor("errors", { ...valid, loggingQuery: "error" }),
      ["labelQuery, loggingQuery"],
    ],
    [
      "a bad slug",
      () => new obs.Dataset("logs", { slug: "a b", ...logs }),
      ['error: slug: expected 1 to 255 letters, digits, "_" and "-", got "a b"'],
    ],
    [
      "a name that makes no slug",
      () => new obs.Dataset("日本", logs),
      ["has no character that a slug may hold; set slug"],
    ],
    [
      "two resources with one slug",
      () => {
        new obs.Dataset("first", { slug: "same", ...logs });
        new obs.Dataset("second", { slug: "same", ...logs });
      },
      [/both "(first|second)" and "(first|second)" declare dataset "same": set slug on one of them/.source],
    ],
    [
      "two log allocations",
      () => {
        new obs.LogAllocationConfig("first", {});
        new obs.LogAllocationConfig("second", {});
      },
      ["there is one log allocation config per service, and both"],
    ],
    [
      "a reference to what nobody makes",
      () => new obs.LogAllocationConfig("budget", { datasetAllocations: [{ datasetSlug: "nowhere" }] }),
      ["datasetAllocations[0].datasetSlug: ", "pass its slug output instead of a text"],
    ],
    [
      "the option import",
      () => new obs.Monitor("errors", valid, { import: "errors" }),
      ['Monitor "errors": the option import is not available', 'adopt: "identical"'],
    ],
    [
      "a get of what is not there",
      () => obs.Monitor.get("errors", "nowhere"),
      ['unable to read monitor "nowhere": not found'],
    ],
  ])("%s", async (_, program, messages) => {
    const { failed, text } = await stack.preview(() => {
      program();
    });
    expect(failed).toBe(true);
    for (const message of messages)
      expect(text).toMatch(message.startsWith("both ") ? new RegExp(message) : escaped(message));
    // Neither a stack of ours nor the SDK's.
    expect(text.split("CommandError")[0]).not.toMatch(/^\s+at .*\(/m);
  });

  test("a reference to a dataset of the same run is no mistake, by output or by text", async () => {
    const { failed, text } = await stack.preview(() => {
      const dataset = new obs.Dataset("logs", logs);
      new obs.LogAllocationConfig("budget", { datasetAllocations: [{ datasetSlug: dataset.slug }] });
    });
    expect(failed, text).toBe(false);
    const byText = await stack.preview(() => {
      const dataset = new obs.Dataset("logs", logs);
      new obs.LogAllocationConfig("budget", { datasetAllocations: [{ datasetSlug: "logs" }] }, { dependsOn: dataset });
    });
    expect(byText.failed, byText.text).toBe(false);
  });

  test("an allocation that is there already is told in the preview, though it refers to a dataset of the same run", async () => {
    const own = await ownService();
    await ask(own, "POST", "/api/v1/config/log-allocation-config", { log_allocation_config: {} });
    const other = await newStack(own.url);
    const { failed, text } = await other.preview(() => {
      const dataset = new obs.Dataset("logs", logs);
      new obs.LogAllocationConfig("budget", { datasetAllocations: [{ datasetSlug: dataset.slug }] });
    });
    expect(failed, text).toBe(true);
    expect(text).toMatch(/it exists already.*set adopt: /);
  });

  test("a key that Pulumi cannot carry, or that it cannot name, is told or works", async () => {
    const own = await newStack(service.url);
    const labelled = (labels: Record<string, string>) => () => {
      new obs.Monitor("labelled", { ...valid, labels });
    };
    const { failed, text } = await own.preview(labelled(JSON.parse('{"__proto__": "x"}')));
    expect(failed).toBe(true);
    expect(text).toContain('Monitor "labelled": labels.__proto__: Pulumi cannot carry a key of this name');
    const odd = { "": "a", toString: "b", constructor: "c" };
    expect((await own.up(labelled(odd))).steps).toEqual({ create: 1 });
    expect((await own.preview(labelled(odd))).steps).toEqual({ same: 1 });
    const changed = { "": "b", toString: "c", constructor: "d" };
    const updated = await own.up(labelled(changed));
    expect(updated.steps, updated.text).toEqual({ update: 1 });
    const { body } = await ask(service, "GET", "/api/v1/config/monitors/labelled");
    expect((body.monitor as { labels: unknown }).labels).toEqual(changed);
    expect((await own.destroy()).steps).toEqual({ delete: 1 });
  });

  test("a value that is not known yet is named as not validated, and no request holds it", async () => {
    service.resetCounters();
    const { failed, text } = await stack.preview(() => {
      const dataset = new obs.Dataset("logs", logs);
      new obs.Monitor("errors", { ...valid, labels: { since: pulumi.interpolate`${dataset.createdAt}` } });
    });
    expect(failed, text).toBe(false);
    expect(text).toContain(
      'monitor "errors": not validated yet, because these are known only after the update: labels.since',
    );
    expect(takeCounts(service)).toEqual({ "GET datasets": 1, "POST datasets dry": 1 });
  });
});

describe("a provider that cannot work says why, at the resource", () => {
  const withConfig = async (config: Record<string, string>) => {
    const own = await newStack(service.url);
    for (const [name, value] of Object.entries(config)) await own.setConfig(`observability:${name}`, value);
    return own;
  };

  test.each<[string, Record<string, string>, string]>([
    ["a wrong token", { apiToken: "wrong" }, "answered 401"],
    [
      "no token",
      { apiToken: "" },
      'no apiToken: run "pulumi config set --secret observability:apiToken …" or set OBSERVABILITY_API_TOKEN',
    ],
    ["a token with a line break", { apiToken: "a\nb" }, "observability:apiToken must be printable ASCII"],
    ["no base URL", { baseUrl: "" }, 'no baseUrl: run "pulumi config set observability:baseUrl …"'],
    ["a base URL that is none", { baseUrl: "config.example.com" }, "observability:baseUrl must be a"],
    ["plain http elsewhere", { baseUrl: "http://config.example.com" }, "would send the API token unencrypted"],
    ["nobody listening", { baseUrl: "http://127.0.0.1:1" }, "was refused a connection (is the service running"],
    ["a setting out of range", { maxConcurrency: "none" }, "observability:maxConcurrency must be a whole number"],
  ])("%s", async (_, config, message) => {
    const own = await withConfig(config);
    const { failed, text } = await own.preview(monitor);
    expect(failed).toBe(true);
    expect(text).toContain('unable to validate monitor "errors": ');
    expect(text).toContain(message);
  });

  test("a token in clear in stack config is warned of, once, and an encrypted one is not", async () => {
    const own = await withConfig({ apiToken: token });
    const two = () => {
      monitor();
      new obs.Dataset("logs", logs);
    };
    const { text } = await own.preview(two);
    expect(text.match(/warning: observability:apiToken is in the stack's config unencrypted/g)).toHaveLength(2);
    expect(text).toContain("1 warning");
    await own.setConfig("observability:apiToken", token, true);
    expect((await own.preview(two)).text).not.toContain("unencrypted");
  });

  test("a misspelt setting is warned of, once, with the right one, and a key of the program's own is not", async () => {
    const own = await withConfig({ apiTokn: "secret-canary", maxConcurency: "4", dashboards: "x" });
    const { failed, text, messages } = await own.preview(() => {
      monitor();
      const settings = { apiTokn: "secret-canary", slug_prefix: undefined, team: "a" };
      new obs.Provider("team", untyped(settings));
      new obs.Dataset("logs", logs);
    });
    expect(failed, text).toBe(false);
    expect(messages.flatMap((each) => (each.severity === "warning" ? [each.text] : [])).sort()).toEqual([
      'Provider "team": apiTokn is not a known setting: did you mean "apiToken"?',
      'observability:apiTokn is not a known setting: did you mean "apiToken"?',
      'observability:maxConcurency is not a known setting: did you mean "maxConcurrency"?',
    ]);
    expect(text).not.toContain("secret-canary");
  });

  test("a service that never answers ends in the request's own time", async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void silent.close());
    const address = silent.address();
    if (typeof address !== "object" || address === null) throw new Error("a server has an address");
    const own = await withConfig({ baseUrl: `http://127.0.0.1:${address.port}`, requestTimeoutSecs: "1" });
    const { failed, text } = await own.preview(monitor);
    expect(failed).toBe(true);
    expect(text).toContain("got no answer within 1 s");
  });

  test("a service that is another one than the state's is named with it, and nothing is lost", async () => {
    const own = await withConfig({});
    expect((await own.up(monitor)).failed).toBe(false);
    const other = await ownService();
    await own.setConfig("observability:baseUrl", other.url);
    const { failed, text } = await own.preview(monitor);
    expect(failed).toBe(true);
    expect(text).toContain(
      `it belongs to the service at "${service.url}", but baseUrl is "${other.url}", which does not show that object: set baseUrl back`,
    );
    expect((await own.state()).resources.filter(({ id }) => id === "errors")).toHaveLength(1);
    await own.setConfig("observability:baseUrl", service.url);
    expect((await own.destroy()).steps).toEqual({ delete: 1 });
  });

  test("a service that has moved is known by an object of ours, which is said once", async () => {
    const own = await withConfig({});
    const two = () => {
      monitor();
      new obs.Dataset("logs", logs);
    };
    expect((await own.up(two)).failed).toBe(false);
    const moved = service.url.replace("127.0.0.1", "localhost");
    await own.setConfig("observability:baseUrl", moved);
    const said = `the service has moved from "${service.url}" to "${moved}"`;
    const preview = await own.preview(two);
    expect(preview.failed, preview.text).toBe(false);
    expect(preview.steps).toEqual({ same: 2 });
    expect(preview.text.split("Diagnostics:")[1]?.split(said)).toHaveLength(2);
    // A refresh goes to the address of the last update.
    expect((await own.up(two)).failed).toBe(false);
    expect((await own.refresh()).failed).toBe(false);
    expect((await own.preview(two)).text).not.toContain(said);
    expect((await own.destroy()).steps).toEqual({ delete: 2 });
  });

  test("a service that stops in the middle of an update loses nothing, and the next run goes on", async () => {
    const database = join(ownFolder(), "objects.db");
    const stopping = await startService({ database, token });
    const own = await withConfig({ baseUrl: stopping.url, retryBudgetSecs: "1" });
    let stop = async (): Promise<void> => stopping.close();
    const program = () => {
      const dataset = new obs.Dataset("logs", logs);
      const description = dataset.createdAt.apply(async () => {
        await stop();
        return "after the first write";
      });
      new obs.DerivedMetric("ratio", { description, metricName: "a:b", queries: [{ query: { labelExpr: "up" } }] });
    };
    const broken = await own.up(program);
    expect(broken.failed).toBe(true);
    expect(broken.text).toContain('unable to create derived metric "ratio": ');
    expect(broken.text).toContain("was refused a connection");
    expect((await own.state()).resources.map(({ id }) => id)).toContain("logs");
    expect((await own.state()).resources.map(({ id }) => id)).not.toContain("ratio");

    const again = await startService({ database, token, port: stopping.port });
    onTestFinished(() => again.close());
    stop = async () => undefined;
    const { steps, text } = await own.up(program);
    expect(steps, text).toEqual({ same: 1, create: 1 });
    expect((await own.destroy()).steps).toEqual({ delete: 2 });
  });
});

test("a package that only another package has is told of with the way out", async () => {
  const program = (name: string) => `new (require("${name}").Dataset)("logs", { configuration: { type: "LOGS" } });`;
  const project = newProject(service.url, program("pulumi-observability"));
  await project.init();
  const told = "the provider does not find pulumi-observability";
  expect((await project.run(["preview"])).text).not.toContain(told);
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
  expect(text).toContain("Cannot find module 'pulumi-observability/provider'");
  expect(text).toContain(
    `warning: ${told} from "${realpathSync(project.folders.project)}", because it is installed in another place, ` +
      `"${realpathSync(root)}": install it in the project too, with "npm install pulumi-observability"`,
  );
});

const escaped = (text: string) => new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
