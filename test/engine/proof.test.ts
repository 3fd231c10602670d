import * as pulumi from "@pulumi/pulumi";
import type { StackSettings } from "@pulumi/pulumi/automation/index.js";
import type { Service } from "@pulumi-observability/service";
import * as obs from "pulumi-observability";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newStack, type Outcome, type TestStack } from "../support/engine.js";
import { failing, type FaultProxy, on, ownProxy } from "../support/faults.js";
import { args, done } from "../support/monitors.js";
import { ownService, takeCounts, token } from "../support/service.js";

const list = "GET monitors";

const monitors = (names: readonly string[], more: obs.MonitorArgs = {}, options: obs.ResourceOptions = {}) => {
  for (const name of names) new obs.Monitor(name, { ...args, ...more }, options);
};
const program = () => monitors(["a", "b", "c"]);

/** What fails the preview; the engine's own words stand around what check says. */
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
    await done(stack.up(program));
  });
  // A preview leaves the stack as it is, so all tests have the same one; the one that updates it is the last.
  beforeEach(async () => {
    await stack.stack.workspace.saveStackSettings("dev", settings);
    proxy.reset();
    takeCounts(service);
  });

  // That it asks once: test/engine/options.test.ts and test/install/statesLife.ts.
  test("does not ask with validate: never", async () => {
    await stack.setConfig("observability:validate", "never");
    expect((await done(stack.preview(program))).steps).toEqual({ same: 3 });
    expect(takeCounts(service)).toEqual({});
  });

  // In which nothing changes: the last test has one.
  test("fails if the token has expired, and names the cause and the remedy once, even if something changes", async () => {
    await stack.setConfig("observability:apiToken", "expired", true);
    const { failed, messages } = await stack.preview(() => {
      monitors(["a", "b"]);
      monitors(["c"], { intervalSecs: 90 });
    });
    expect(failed).toBe(true);
    const [text = "", ...more] = messages.flatMap((each) => (each.text.includes("answered 401") ? [each.text] : []));
    expect(more).toEqual([]);
    expect(text).toContain("answered 401: the token in the header API-Token is not valid here. Set a valid token");
    expect(text).toContain("observability:apiToken (with --secret)");
  });

  test("succeeds with one warning if the service is away", async () => {
    await proxy.refuse();
    const { messages } = await done(stack.preview(program)).finally(() => proxy.accept());
    const [text, ...more] = messages.flatMap((each) =>
      each.text.includes("failed: connection refused") ? each.text : [],
    );
    expect(more).toEqual([]);
    expect(text).toMatch(/^(warning: )?unable to check baseUrl and apiToken: /);
    expect(text).toContain("It is unknown whether an update can reach the service");
  });

  // Every answer that proves nothing, such as 403 to all requests, is tried in test/provider and test/messages.
  test("succeeds if the token may see nothing, but the service accepts what changes", async () => {
    proxy.use(on({ method: "GET" }, failing(403, { code: 40301, message: "this token may not" })));
    expect(errorsIn(await done(stack.preview(() => monitors(["a", "b", "c"], { intervalSecs: 90 }))))).toEqual([]);
  });

  test("asks once for each of several providers, and names the one whose token has expired", async () => {
    const other = await ownService({ token: "another-token" });
    const program = (apiToken: string) => () => {
      monitors(["a", "b", "c"]);
      const own = new obs.Provider("other", { baseUrl: other.url, apiToken: pulumi.secret(apiToken) });
      monitors(["d", "e"], {}, { provider: own });
      const maker = new obs.Monitor("maker", args);
      const made = pulumi.secret(maker.createdAt.apply(() => token)); // Another resource makes this token.
      monitors(["f"], {}, { provider: new obs.Provider("made", { apiToken: made }) });
    };
    await done(stack.up(program("another-token")));
    takeCounts(other);
    takeCounts(service);
    const [error = "", ...more] = errorsIn(await stack.preview(program("expired")));
    expect(more).toEqual([]);
    expect(takeCounts(other)).toEqual({ [list]: 1 });
    expect(takeCounts(service)).toEqual({ [list]: 2 });
    expect(error).toContain(
      `${unproven}GET /api/v1/config/monitors answered 401: the token in the header API-Token is`,
    );
    expect(error).toContain("new obs.Provider");
  });
});
