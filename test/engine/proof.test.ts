import * as pulumi from "@pulumi/pulumi";
import type { StackSettings } from "@pulumi/pulumi/automation/index.js";
import type { Service } from "@pulumi-observability/service";
import * as obs from "pulumi-observability";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newStack, type Outcome, type TestStack } from "../support/engine.js";
import { type Arrival, empty, failing, type FaultProxy, html, ownProxy } from "../support/faults.js";
import { args } from "../support/monitors.js";
import { newProject } from "../support/project.js";
import { ownService, takeCounts, token } from "../support/service.js";

const list = "GET monitors";

const monitors = (names: readonly string[], more: obs.MonitorArgs = {}, options: obs.ResourceOptions = {}) => {
  for (const name of names) new obs.Monitor(name, { ...args, ...more }, options);
};
const program = () => monitors(["a", "b", "c"]);

/** What ends the preview red; the engine's own words stand around what check says. */
const errorsIn = ({ messages }: Outcome) =>
  messages.flatMap(({ severity, text }) => (severity === "error" && text.includes("unable to") ? [text] : []));
const unproven = "unable to check baseUrl and apiToken: ";

describe("a preview in which nothing changes", () => {
  let service: Service;
  let proxy: FaultProxy;
  let stack: TestStack;
  let settings: StackSettings;
  beforeAll(async () => {
    service = await ownService();
    proxy = await ownProxy(service.url);
    stack = await newStack(proxy.url);
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

  const preview = async (isRed: boolean, declared: () => void = program) => {
    const outcome = await stack.preview(declared);
    expect(outcome.failed, outcome.text).toBe(isRed);
    return outcome;
  };

  test("asks the service once", async () => {
    expect((await preview(false)).steps).toEqual({ same: 3 });
    expect(takeCounts(service)).toEqual({ [list]: 1 });
  });

  test("asks nothing with validate: never", async () => {
    await stack.setConfig("observability:validate", "never");
    expect((await preview(false)).steps).toEqual({ same: 3 });
    expect(takeCounts(service)).toEqual({});
  });

  test("fails if the token has expired, and names the cause once, and the way out", async () => {
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

  test("succeeds with one warning if the service is away", async () => {
    await proxy.refuse();
    const { messages } = await preview(false).finally(() => proxy.accept());
    const [text, ...more] = messages.flatMap((each) =>
      each.text.includes("was refused a connection") ? each.text : [],
    );
    expect(more).toEqual([]);
    expect(text).toMatch(/^(warning: )?unable to check baseUrl and apiToken: /);
    expect(text).toContain("this preview does not show whether an update can reach the service");
  });

  // Every answer that proves nothing is tried in test/provider and test/unit.
  test("succeeds with one warning if the service fails, and waits no longer than a preview may", async () => {
    await stack.setConfig("observability:retryBudgetSecs", "1");
    proxy.use(() => failing(503));
    const outcome = await preview(false);
    expect(outcome.messages.filter(({ text }) => text.includes(unproven))).toHaveLength(1);
  });

  test("fails if something else answers with a page", async () => {
    proxy.use(() => html(200));
    expect(errorsIn(await preview(true))).toEqual([expect.stringContaining(unproven)]);
  });

  const forbidden = failing(403, { code: 40301, message: "this token may not" });
  const isList = ({ path }: Arrival) => /config\/[a-z-]+$/.test(path);
  test("succeeds if the token may only see the objects", async () => {
    proxy.use((arrival) => (isList(arrival) ? forbidden : undefined));
    await preview(false);
    expect(takeCounts(service)).toEqual({ "GET monitors/{slug}": 1 });
  });

  test("fails if the token may see nothing", async () => {
    proxy.use(() => forbidden);
    expect(errorsIn(await preview(true))).toEqual([expect.stringContaining("answered 403")]);
  });

  test("succeeds if the token may see nothing, but what changes is accepted", async () => {
    proxy.use((arrival) => (arrival.method === "GET" ? forbidden : undefined));
    await preview(false, () => monitors(["a", "b", "c"], { intervalSecs: 90 }));
  });

  test("fails if something else accepts what changes", async () => {
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

    test("asks once for each, also with a token that another resource makes", async () => {
      await preview(false, program("another-token"));
      expect(takeCounts(other)).toEqual({ [list]: 1 });
      expect(takeCounts(service)).toEqual({ [list]: 2 });
    });

    test("names one whose token has expired", async () => {
      const [error = "", ...more] = errorsIn(await preview(true, program("expired")));
      expect(more).toEqual([]);
      expect(error).toContain("answered 401");
      expect(error).toContain("new obs.Provider");
    });
  });
});

test("a program of the CLI fails before an update if its token has expired", { timeout: 180_000 }, async () => {
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
  const { code, text } = await project.run(["up", "--yes"], { env: { OBSERVABILITY_API_TOKEN: "expired" } });
  expect(code, text).not.toBe(0);
  expect(text.split("Diagnostics:")[1]?.split(unproven), text).toHaveLength(2);
  expect(text).not.toMatch(/exited? with|unhandled|at .*\.js:\d+/i);
  expect(takeCounts(service)).toEqual({ [list]: 1 });
});
