import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import * as obs from "pulumi-observability";
import { beforeAll, describe, expect, test } from "vitest";
import { newStack, type Outcome, type TestStack } from "../support/engine.js";
import { isDeep } from "../support/figures.js";
import { args as valid } from "../support/monitors.js";
import { newProject } from "../support/project.js";
import { ask, ownService } from "../support/service.js";
import { validators } from "../support/validators.js";

const root = join(import.meta.dirname, "../..");
const logs = { configuration: { type: "LOGS", logDataset: {} } };

/** A program that TypeScript would refuse, as plain JavaScript could hold it. */
const untyped = (args: object) => args as never;

let service: Awaited<ReturnType<typeof ownService>>;
let stack: TestStack;

beforeAll(async () => {
  service = await ownService();
  stack = await newStack(service.url);
});

test("a mistake that changes nothing else of a resource is told too", async () => {
  const own = await newStack(service.url);
  const program = (args: object) => () => void new obs.Monitor("unchanged", untyped({ ...valid, labels: {}, ...args }));
  expect((await own.up(program({}))).failed).toBe(false);
  const mistakes = [
    [{ labelQury: "up" }, "labelQury: there is no such field"],
    [{ labels: 5 }, "labels: expected a map of strings, got a number"],
    [{ intervalSecs: "60" }, "intervalSecs: expected a whole number, got a string"],
  ] as const;
  for (const [mistake, told] of isDeep ? mistakes : mistakes.slice(0, 2)) {
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
    text:
      'dataset "logs": configuration.type: "LOG" is none of LOGS, TRACES: did you mean "LOGS"? If not, add it to the ' +
      "setting knownValues",
  };
  const preview = await own.preview(program);
  expect(preview.failed, preview.text).toBe(false);
  expect(preview.messages.filter(({ severity }) => severity === "warning")).toEqual([warned]);
});

test("a slip in many resources is told once, with their number and the first of them", async () => {
  const own = await newStack(service.url);
  const count = 30;
  const seriesConditions = { defaults: { critical: { conditions: [{ op: "GTT", value: 1 }] } } };
  const program = () => {
    for (let i = 1; i <= count; i += 1) new obs.Monitor(`slip-${i}`, { ...valid, seriesConditions });
  };
  const told =
    /knownValues: 30 objects: monitor "slip-1": seriesConditions\S+; (monitor "slip-\d+": \S+; ){9}and 20 more/;
  for (const { messages } of [await own.preview(program), await own.up(program)]) {
    const doubts = messages.filter(({ text }) => text.includes("is none of"));
    expect(doubts.map(({ text }) => text)).toEqual([expect.stringMatching(told)]);
  }
});

test("slips are told without a preview, null among them, but not those that are said to be meant", async () => {
  const own = await newStack(service.url);
  const conditions = [{ op: "GTT", value: null, sustainSecs: 60_000 }];
  const seriesConditions = { defaults: { critical: { conditions } } };
  const place = "seriesConditions.defaults.critical.conditions[0]";
  const { text } = await own.up(() => void new obs.Monitor("slips", untyped({ ...valid, seriesConditions })));
  expect(text).toContain(`monitor "slips": ${place}.op: "GTT" is none of GT, `);
  expect(text).toContain(`monitor "slips": ${place}.sustainSecs: 60000 seconds are 16.7 hours: did you mean 60? `);
  expect(text).toContain(`monitor "slips": ${place}.value: null counts as left out`);

  const meant = await own.preview(() => {
    const args = { baseUrl: service.url, apiToken: service.token, knownValues: ["GTT", "60000"] };
    new obs.Monitor("meant", untyped({ ...valid, seriesConditions }), { provider: new obs.Provider("p", args) });
  });
  expect(meant.text).not.toContain("is none of");
  expect(meant.text).not.toContain("did you mean");
});

test("an output in a template string is refused with its place", async () => {
  const own = await newStack(service.url);
  const notifier = `${pulumi.output("pager")}`;
  const { failed, text } = await own.preview(() => void new obs.Monitor("text", { ...valid, labels: { notifier } }));
  expect(failed).toBe(true);
  expect(text).toContain("labels.notifier: holds the SDK's words");
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
  describe("beside others", () => {
    const rows: readonly [title: string, names: readonly string[], told: readonly (string | RegExp)[]][] = [
      [
        "wrong types and misspelt keys, all at once",
        ["mistyped"],
        [
          /^labels\.a: expected a string, got a number$/,
          /^intervalSecs: expected a whole number, got a string$/,
          /^seriesConditions\.defaults: expected an object, got an array$/,
          /^labelQury: there is no such field; did you mean "labelQuery"\?$/,
        ],
      ],
      [
        "what only the service knows, all at once",
        ["unknowable"],
        [/^intervalSecs: expected 0 or more seconds, got -1$/, /^schedule\.timezone: /],
      ],
      ["an option of another value", ["adopting"], [/^adopt must be false, "identical" or true$/]],
      ["a rule about several fields, named as a program spells them", ["several"], ["labelQuery, loggingQuery"]],
      ["a bad slug", ["misnamed"], [/^slug: expected 1 to 255 letters, digits, "_" and "-", got "a b"$/]],
      ["a name that makes no slug", ["日本"], ["has no character that a slug may hold; set slug"]],
      [
        "two resources with one slug",
        ["first", "second"],
        [/^both "(first|second)" and "(first|second)" declare dataset "same": set slug on one of them$/],
      ],
    ];
    let outcome: Outcome;
    beforeAll(async () => {
      outcome = await stack.preview(() => {
        const mistyped = { intervalSecs: "60", labelQury: "up", labels: { a: 1 }, seriesConditions: { defaults: [] } };
        new obs.Monitor("mistyped", untyped(mistyped));
        new obs.Monitor("unknowable", { ...valid, intervalSecs: -1, schedule: { timezone: "Mars" } });
        new obs.Monitor("several", { ...valid, loggingQuery: "error" });
        new obs.Monitor("adopting", valid, { adopt: "identicle" as never });
        new obs.Dataset("misnamed", { slug: "a b", ...logs });
        new obs.Dataset("日本", logs);
        for (const name of ["first", "second"]) new obs.Dataset(name, { slug: "same", ...logs });
      });
    });

    test.each(rows)("%s", (_, names, told) => {
      const errors = outcome.messages.filter(({ severity, name = "" }) => severity === "error" && names.includes(name));
      const lines = errors.flatMap(({ text }) => text.split("\n"));
      for (const each of told)
        expect
          .soft(lines)
          .toContainEqual(each instanceof RegExp ? expect.stringMatching(each) : expect.stringContaining(each));
    });

    test("each under its own resource, once", () => {
      const told = outcome.messages.flatMap(({ severity, name }) => (severity === "error" && name ? [name] : []));
      const times = (name: string) => told.filter((each) => each === name).length;
      expect(["mistyped", "unknowable", "several", "adopting", "misnamed", "日本"].map(times)).toEqual([
        4, 2, 1, 1, 1, 1,
      ]);
      // Whichever is registered later.
      expect(times("first") + times("second")).toBe(1);
      expect(told).toHaveLength(11);
    });

    test("without a stack of ours or the SDK's", () => {
      expect(outcome.failed).toBe(true);
      expect(outcome.text.split("CommandError")[0]).not.toMatch(/^\s+at .*\(/m);
    });
  });

  const alone: [string, () => unknown, readonly string[]][] = [
    [
      "two log allocations",
      () => {
        new obs.LogAllocationConfig("first", {});
        new obs.LogAllocationConfig("second", {});
      },
      ["there is one log allocation config per service, and both"],
    ],
    [
      "the option import, with the way that works",
      () => new obs.Monitor("errors", valid, { import: "errors" }),
      ['Monitor "errors": the option import is not available', 'set the option adopt: "identical" instead'],
    ],
    [
      "a get of what is not there",
      () => obs.Monitor.get("errors", "nowhere"),
      ['unable to read monitor "nowhere": not found'],
    ],
  ];
  // A reference to what nobody makes is in test/engine/unknowns.test.ts.
  test.each(alone)("%s", async (_, program, messages) => {
    const { failed, text } = await stack.preview(() => void program());
    expect(failed).toBe(true);
    for (const message of messages) expect(text).toContain(message);
    // Neither a stack of ours nor the SDK's.
    expect(text.split("CommandError")[0]).not.toMatch(/^\s+at .*\(/m);
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
    expect(text).toMatch(/already exists.*set adopt: /);
  });

  const labelled = (labels: Record<string, string>) => () => {
    new obs.Monitor("labelled", { ...valid, labels });
  };
  test("a key that Pulumi cannot carry is told", async () => {
    const { failed, text } = await stack.preview(labelled(JSON.parse('{"__proto__": "x"}')));
    expect(failed).toBe(true);
    expect(text).toContain('Monitor "labelled": labels.__proto__: Pulumi cannot carry a key of this name');
  });
});

test("a package that only another package has is told of with the way out", async () => {
  const program = (name: string) => `new (require("${name}").Dataset)("logs", { configuration: { type: "LOGS" } });`;
  const project = newProject(service.url, program("pulumi-observability"));
  await project.init();
  const told = "the provider does not find pulumi-observability";
  if (isDeep) expect((await project.run(["preview"])).text).not.toContain(told);
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
