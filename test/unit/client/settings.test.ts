import { describe, expect, test } from "vitest";
import { isLoopback, readSettings } from "../../../dist/provider/client/settings.js";
import { settingTexts } from "../../../dist/provider/client/settingTexts.js";

const read = (configured: Record<string, string>, environment: NodeJS.ProcessEnv = {}) =>
  readSettings(settingTexts((name) => configured[name], environment));

describe("settings", () => {
  test("come from config before the environment; an empty one is not set, and never becomes the environment's", () => {
    const environment = { OBSERVABILITY_BASE_URL: "https://environment.example.com" };
    expect(read({ baseUrl: "https://config.example.com" }, environment).baseUrl).toBe("https://config.example.com");
    expect(read({}, environment).baseUrl).toBe("https://environment.example.com");
    expect(() => read({ baseUrl: "" }, environment).baseUrl).toThrow("no baseUrl");
  });

  test("have the documented defaults", () => {
    const { validate, adopt, slugPrefix, onMissingDelete, secretMasks, knownValues, allowInsecure, ...numbers } = read({
      baseUrl: "https://x",
      apiToken: "t",
    });
    expect({ validate, adopt, slugPrefix, onMissingDelete, secretMasks, knownValues, allowInsecure }).toEqual({
      validate: "preview",
      adopt: false,
      slugPrefix: "",
      onMissingDelete: "fail",
      secretMasks: [],
      knownValues: [],
      allowInsecure: false,
    });
    expect(numbers).toMatchObject({ maxConcurrency: 16, requestTimeoutSecs: 30, retryBudgetSecs: 60 });
  });

  test("are refused by name when they are asked for, not before, and never quoted", () => {
    const settings = read({ validate: "sometimes", apiToken: "a secret with spaces" });
    expect(() => settings.validate).toThrow('observability:validate must be one of "preview", "always", "never"');
    expect(() => settings.apiToken).toThrow(/^observability:apiToken must be printable ASCII/);
    expect(() => settings.baseUrl).toThrow(/no baseUrl: .*OBSERVABILITY_BASE_URL/);
  });

  test("are values of their types, whatever text names them", () => {
    const { adopt, allowInsecure, maxConcurrency } = read({
      adopt: "true",
      allowInsecure: "true",
      maxConcurrency: "4",
    });
    expect({ adopt, allowInsecure, maxConcurrency }).toEqual({ adopt: true, allowInsecure: true, maxConcurrency: 4 });
    const wrong = read({ adopt: "yes", allowInsecure: "yes", maxConcurrency: "0" });
    expect(() => wrong.adopt).toThrow('observability:adopt must be one of "false", "identical", "true"');
    expect(() => wrong.allowInsecure).toThrow('observability:allowInsecure must be one of "true", "false"');
    expect(() => wrong.maxConcurrency).toThrow("observability:maxConcurrency must be a whole number of at least 1");
  });

  test("are read once, at their first use", () => {
    const asked: string[] = [];
    const settings = readSettings((name) => void asked.push(name));
    expect([settings.validate, settings.validate, asked]).toEqual(["preview", "preview", ["validate"]]);
  });

  test.each<[string, RegExp]>([
    ["config.example.com", /must be a URL like/],
    ["ftp://config.example.com", /must be an https or http URL/],
    ["https://user:password@config.example.com", /must be a URL without credentials/],
    ["https://config.example.com/?a=b", /without query and fragment/],
    ["http://config.example.com", /would send the API token unencrypted/],
  ])("base URL %s is refused", (baseUrl, message) => {
    expect(() => read({ baseUrl }).baseUrl).toThrow(message);
  });

  test.each([
    ["https://config.example.com/", "https://config.example.com"],
    ["https://config.example.com/gateway/", "https://config.example.com/gateway"],
    ["http://127.0.0.1:8787", "http://127.0.0.1:8787"],
    ["http://[::1]:8787", "http://[::1]:8787"],
  ])("base URL %s is taken as %s", (baseUrl, taken) => {
    expect(read({ baseUrl }).baseUrl).toBe(taken);
  });

  test("plain http elsewhere is allowed where it is asked for", () => {
    expect(read({ baseUrl: "http://config.example.com", allowInsecure: "true" }).baseUrl).toBe(
      "http://config.example.com",
    );
  });

  test("masks are a list, with commas or as JSON", () => {
    expect(read({ secretMasks: '["hidden","(none)"]' }).secretMasks).toEqual(["hidden", "(none)"]);
    expect(read({}, { OBSERVABILITY_SECRET_MASKS: "hidden,(none)" }).secretMasks).toEqual(["hidden", "(none)"]);
    expect(read({ secretMasks: "[hidden], (none)" }).secretMasks).toEqual(["[hidden]", "(none)"]);
    expect(() => read({ secretMasks: "[{}]" }).secretMasks).toThrow(
      "must be a list of strings, with commas or as JSON",
    );
    // The CLI writes what looks like a number as one.
    expect(read({ knownValues: "[60000,true]" }).knownValues).toEqual(["60000", "true"]);
    expect(read({ knownValues: "60000" }).knownValues).toEqual(["60000"]);
  });

  test("this machine's own addresses are known", () => {
    expect(["localhost", "a.localhost", "127.8.9.1", "[::1]"].every(isLoopback)).toBe(true);
    expect(["10.0.0.1", "localhost.example.com", "127.0.0.1.example.com", "[::2]"].some(isLoopback)).toBe(false);
  });
});
