import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import * as obs from "pulumi-observability";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { newStack } from "../support/engine.js";
import { ownFolder } from "../support/folders.js";
import { args, done, refused } from "../support/monitors.js";
import { ownService, token } from "../support/service.js";

const logs = { configuration: { type: "LOGS", logDataset: {} } };
const monitor = () => {
  new obs.Monitor("errors", args);
};

/** Settings that TypeScript would refuse, as plain JavaScript could hold them. */
const untyped = (settings: object) => settings as never;

let service: Awaited<ReturnType<typeof ownService>>;
beforeAll(async () => {
  service = await ownService();
});

describe("a provider that cannot work says why, at the resource", () => {
  const withConfig = async (config: Record<string, string>) => {
    const own = await newStack(service.url);
    for (const [name, value] of Object.entries(config)) await own.setConfig(`observability:${name}`, value);
    return own;
  };

  test("a misspelled setting is warned of, once, with the right one; a key of the program's own and an encrypted token are not", async () => {
    const own = await withConfig({ apiTokn: "secret-canary", maxConcurency: "4", dashboards: "x" });
    vi.stubEnv("OBSERVABILITY_API_TOKN", "secret-canary");
    onTestFinished(() => void vi.unstubAllEnvs());
    const { failed, text, messages } = await own.preview(() => {
      monitor();
      const settings = { apiTokn: "secret-canary", slug_prefix: undefined, team: "a" };
      new obs.Provider("team", untyped(settings));
      new obs.Dataset("logs", logs);
    });
    expect(failed, text).toBe(false);
    expect(messages.flatMap((each) => (each.severity === "warning" ? [each.text] : [])).sort()).toEqual([
      'OBSERVABILITY_API_TOKN is not a known setting. Did you mean "OBSERVABILITY_API_TOKEN"?',
      'Provider "team": apiTokn is not a known setting. Did you mean "apiToken"?',
      'observability:apiTokn is not a known setting. Did you mean "apiToken"?',
      'observability:maxConcurency is not a known setting. Did you mean "maxConcurrency"?',
    ]);
    expect(text).not.toMatch(/secret-canary|unencrypted/);
  });

  test("a provider that is removed with its resources uses the token in state, which a failed delete explains", async () => {
    const database = join(ownFolder(), "service.db");
    const { url, port, close } = await ownService({ database, token: "first" });
    const own = await newStack(url);
    const team = (apiToken: string) => new obs.Provider("team", { apiToken: pulumi.secret(apiToken) });
    await done(own.up(() => void new obs.Monitor("errors", args, { provider: team("first") })));
    await close();
    const rotated = await ownService({ database, token: "second", port });
    const told = await refused(own.up(() => undefined));
    expect(told).toMatch(
      /answered 401.*\. The token is from state, .* keep the provider in the program for one update/,
    );
    await done(own.up(() => void team("second")));
    await done(own.up(() => undefined));
    expect(rotated.counters().requests).toContainEqual(
      expect.objectContaining({ operation: "deleteMonitor", status: 200, count: 1 }),
    );
  });

  test("a service that is another one than the state's is named with it, and one that has moved is known, which is said once, like a token in clear", async () => {
    const first = await ownService();
    const own = await withConfig({ baseUrl: first.url, apiToken: token });
    const two = () => {
      monitor();
      new obs.Dataset("logs", logs);
    };
    const { text: warned } = await done(own.up(two));
    expect(warned.match(/warning: observability:apiToken is unencrypted in stack config/g)).toHaveLength(2);
    expect(warned).toContain("1 warning");
    const other = await ownService();
    await own.setConfig("observability:baseUrl", other.url);
    expect(await refused(own.preview(two))).toContain(
      `the object belongs to the service at "${first.url}", but baseUrl is "${other.url}", where this token doesn't find the object. Set baseUrl back`,
    );
    expect((await own.state()).resources.filter(({ id }) => id === "errors")).toHaveLength(1);
    // An object of ours is there.
    const moved = first.url.replace("127.0.0.1", "localhost");
    await own.setConfig("observability:baseUrl", moved);
    const said = `the service has moved from "${first.url}" to "${moved}"`;
    const preview = await done(own.preview(two));
    expect(preview.steps).toEqual({ same: 2 });
    expect(preview.text.split("Diagnostics:")[1]?.split(said)).toHaveLength(2);
    // A refresh goes to the address of the last update.
    await done(own.up(two));
    await done(own.refresh());
    expect((await own.preview(two)).text).not.toContain(said);
    expect((await own.destroy()).steps).toEqual({ delete: 2 });
  });
});
