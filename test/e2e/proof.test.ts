import * as pulumi from "@pulumi/pulumi";
import type { StackSettings } from "@pulumi/pulumi/automation/index.js";
import type { Service } from "@pulumi-observability/service";
import * as obs from "pulumi-observability";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newStack, type Outcome, type TestStack } from "../support/engine.js";
import { type Arrival, empty, failing, type Fault, type FaultProxy, html, on, ownProxy } from "../support/faults.js";
import { isDeep } from "../support/figures.js";
import { args } from "../support/monitors.js";
import { newProject } from "../support/project.js";
import { ownService, takeCounts, token } from "../support/service.js";
import { validators } from "../support/validators.js";

const list = "GET monitors";

const monitors = (names: readonly string[], more: obs.MonitorArgs = {}, options: obs.ResourceOptions = {}) => {
  for (const name of names) new obs.Monitor(name, { ...args, ...more }, options);
};
const program = () => monitors(["a", "b", "c"]);

/** What ends the preview red; the engine's own words stand around what check says. */
const errorsIn = ({ messages }: Outcome) =>
  messages.flatMap(({ severity, text }) => (severity === "error" && text.includes("unable to") ? [text] : []));
const unproven = "unable to check baseUrl and apiToken: ";

describe.each(validators)("a preview in which nothing changes, validated by %s,", (validator) => {
  let service: Service;
  let proxy: FaultProxy;
  let stack: TestStack;
  let settings: StackSettings;
  beforeAll(async () => {
    service = await ownService();
    proxy = await ownProxy(service.url);
    stack = await newStack(proxy.url, { validator });
    settings = await stack.stack.workspace.stackSettings("dev");
    const { failed, text } = await stack.up(program);
    expect(failed, text).toBe(false);
  });
  // A preview leaves the stack as it is, so all tests have the same one; those that update it are the last.
  beforeEach(async () => {
    await stack.stack.workspace.saveStackSettings("dev", settings);
    proxy.reset();
    takeCounts(service);
  });

  // Who asks matters to how often it asks, and to what else is told.
  const testOnce = test.skipIf(validator === "check" && !isDeep);

  const preview = async (isRed: boolean, declared: () => void = program) => {
    const outcome = await stack.preview(declared);
    expect(outcome.failed, outcome.text).toBe(isRed);
    return outcome;
  };

  test("asks the service once", async () => {
    expect((await preview(false)).steps).toEqual({ same: 3 });
    expect(takeCounts(service)).toEqual({ [list]: 1 });
  });

  testOnce("asks nothing with validate: never", async () => {
    await stack.setConfig("observability:validate", "never");
    expect((await preview(false)).steps).toEqual({ same: 3 });
    expect(takeCounts(service)).toEqual({});
  });

  testOnce("is red if the token has expired, and names the cause once, and the way out", async () => {
    await stack.setConfig("observability:apiToken", "expired", true);
    const outcome = await preview(true);
    expect(errorsIn(outcome)).toHaveLength(1);
    const [text] = errorsIn(outcome);
    expect(text).toContain(`${unproven}GET /api/v1/config/monitors answered 401: the token in the header API-Token is`);
    expect(text).toContain('"pulumi config set --secret observability:apiToken …"');
    expect(takeCounts(service)).toEqual({ [list]: 1 });
  });

  test("names the cause once also beside something that changes", async () => {
    await stack.setConfig("observability:apiToken", "expired", true);
    const outcome = await preview(true, () => {
      monitors(["a", "b"]);
      monitors(["c"], { intervalSecs: 90 });
    });
    expect(outcome.messages.filter(({ text }) => text.includes("answered 401"))).toHaveLength(1);
  });

  testOnce("is green with one warning if the service is away", async () => {
    await proxy.refuse();
    const { messages } = await preview(false).finally(() => proxy.accept());
    const [text, ...more] = messages.flatMap((each) =>
      each.text.includes("was refused a connection") ? each.text : [],
    );
    expect(more).toEqual([]);
    expect(text).toMatch(/^(warning: )?unable to check baseUrl and apiToken: /);
    expect(text).toContain("this preview does not show whether an update can reach the service");
  });

  // Every answer that is no proof is tried by itself in test/faults and test/unit.
  const failures: [string, Fault][] = [
    ["fails", failing(503)],
    ["limits requests", failing(429)],
  ];
  testOnce.each(isDeep ? failures : failures.slice(0, 1))(
    "is green with one warning if the service %s, and waits no longer than a preview may",
    async (_, fault) => {
      await stack.setConfig("observability:retryBudgetSecs", "1");
      proxy.use(() => fault);
      const outcome = await preview(false);
      expect(outcome.messages.filter(({ text }) => text.includes(unproven))).toHaveLength(1);
    },
  );

  const others: [string, Fault][] = [
    ["a page", html(200)],
    ["{}", empty],
    ["a router's 404", html(404)],
    ["a redirection", failing(302, {}, { location: "https://sign-in.example.com" })],
  ];
  testOnce.each(isDeep ? others : others.slice(0, 1))("is red if something else answers with %s", async (_, fault) => {
    proxy.use(() => fault);
    expect(errorsIn(await preview(true))).toEqual([expect.stringContaining(unproven)]);
  });

  const forbidden = failing(403, { code: 40301, message: "this token may not" });
  const isList = ({ path }: Arrival) => /config\/[a-z-]+$/.test(path);
  testOnce("is green if the token may only see the objects", async () => {
    proxy.use((arrival) => (isList(arrival) ? forbidden : undefined));
    await preview(false);
    expect(takeCounts(service)).toEqual({ "GET monitors/{slug}": 1 });
  });

  test.skipIf(!isDeep)("is green if the token may only see another kind", async () => {
    proxy.use(on({ under: "/api/v1/config/monitors" }, forbidden));
    await preview(false);
    expect(takeCounts(service)).toEqual({ "GET notifiers": 1 });
  });

  testOnce("is red if the token may see nothing", async () => {
    proxy.use(() => forbidden);
    expect(errorsIn(await preview(true))).toEqual([expect.stringContaining("answered 403")]);
  });

  testOnce("is green if the token may see nothing, but what changes is accepted", async () => {
    proxy.use((arrival) => (arrival.method === "GET" ? forbidden : undefined));
    await preview(false, () => monitors(["a", "b", "c"], { intervalSecs: 90 }));
  });

  test("is red if something else accepts what changes", async () => {
    proxy.use(() => empty);
    const outcome = await preview(true, () => monitors(["a", "b", "c"], { intervalSecs: 90 }));
    expect(errorsIn(outcome)).toEqual([expect.stringContaining("the configuration service's address?")]);
  });

  describe("under several providers", () => {
    const program = (apiToken: string) => () => {
      monitors(["a", "b", "c"]);
      monitors(
        ["d", "e"],
        {},
        { provider: new obs.Provider("other", { baseUrl: other.url, apiToken: pulumi.secret(apiToken) }) },
      );
      const maker = new obs.Monitor("maker", args);
      const made = pulumi.secret(maker.createdAt.apply(() => token));
      monitors(["f"], {}, { provider: new obs.Provider("made", { apiToken: made }) });
    };
    let other: Service;
    beforeAll(async () => {
      other = await ownService({ token: "another-token" });
      proxy.reset();
      const { failed, text } = await stack.up(program("another-token"));
      expect(failed, text).toBe(false);
      takeCounts(other);
    });

    testOnce("asks once for each, also with a token that another resource makes", async () => {
      await preview(false, program("another-token"));
      expect(takeCounts(other)).toEqual({ [list]: 1 });
      expect(takeCounts(service)).toEqual({ [list]: 2 });
    });

    testOnce("names one whose token has expired", async () => {
      const [error = "", ...more] = errorsIn(await preview(true, program("expired")));
      expect(more).toEqual([]);
      expect(error).toContain("answered 401");
      expect(error).toContain("new obs.Provider");
    });
  });
});

test("a program of the CLI ends red before an update if its token has expired", { timeout: 180_000 }, async () => {
  const service = await ownService();
  const project = newProject(
    service.url,
    `const obs = require("pulumi-observability");
     for (const name of ["a", "b"]) new obs.Monitor(name, ${JSON.stringify(args)});`,
  );
  await project.init();
  expect((await project.run(["up", "--yes", "--skip-preview"])).code).toBe(0);
  takeCounts(service);
  const unchanged = await project.run(["up", "--yes"]);
  expect(unchanged.code, unchanged.text).toBe(0);
  expect(takeCounts(service)).toEqual({ [list]: 1 });
  // An update begins with a preview.
  const commands = [["up", "--yes"], ["preview"]].slice(0, isDeep ? 2 : 1);
  for (const command of commands) {
    const { code, text } = await project.run(command, { env: { OBSERVABILITY_API_TOKEN: "expired" } });
    expect(code, text).not.toBe(0);
    expect(text.split("Diagnostics:")[1]?.split(unproven), text).toHaveLength(2);
    expect(text).not.toMatch(/exited? with|unhandled|at .*\.js:\d+/i);
  }
  expect(takeCounts(service)).toEqual({ [list]: commands.length });
});
