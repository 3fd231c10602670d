import { describe, expect, test } from "vitest";
import { isLoopback, readSettings, type Settings } from "../../../dist/provider/client/settings.js";
import { settingTexts } from "../../../dist/provider/client/settingTexts.js";

const read = (configured: Record<string, string>, environment: NodeJS.ProcessEnv = {}) =>
  readSettings(settingTexts((name) => configured[name], environment));

describe("settings", () => {
  test("come from config before the environment; an empty one is not set, and never becomes the environment's", () => {
    const environment = { OBSERVABILITY_BASE_URL: "https://environment.example.com" };
    expect(read({ baseUrl: "https://config.example.com" }, environment).baseUrl).toBe("https://config.example.com");
    expect(read({}, environment).baseUrl).toBe("https://environment.example.com");
    expect(() => read({ baseUrl: "" }, environment).baseUrl).toThrow(
      'observability:baseUrl and observability:apiToken are not set. Run "pulumi config set observability:baseUrl …" and ' +
        '"pulumi config set --secret observability:apiToken …", or set OBSERVABILITY_BASE_URL and OBSERVABILITY_API_TOKEN',
    );
  });

  test("have the documented defaults", () => {
    expect({ ...read({ baseUrl: "https://x", apiToken: "t" }) }).toMatchObject({
      validate: "preview",
      adopt: false,
      slugPrefix: "",
      onMissingDelete: "fail",
      secretMasks: [],
      knownValues: [],
      allowInsecure: false,
      maxConcurrency: 16,
      requestTimeoutSecs: 30,
      retryBudgetSecs: 60,
    });
  });

  test.each<[keyof Settings, string, unknown]>([
    ["adopt", "true", true],
    ["adopt", "identical", "identical"],
    ["allowInsecure", "true", true],
    ["maxConcurrency", "4", 4],
    ["baseUrl", "https://config.example.com/", "https://config.example.com"],
    ["baseUrl", "https://config.example.com/gateway/", "https://config.example.com/gateway"],
    ["baseUrl", "http://127.0.0.1:8787", "http://127.0.0.1:8787"],
    ["baseUrl", "http://config.example.com", "http://config.example.com"],
    ["secretMasks", '["hidden","(none)"]', ["hidden", "(none)"]],
    ["secretMasks", "hidden,(none)", ["hidden", "(none)"]],
    // An environment file may keep its quotation marks.
    ["secretMasks", '"hidden"', ["hidden"]],
    ["secretMasks", '"hidden,(none)"', ["hidden", "(none)"]],
    ["secretMasks", "[hidden], (none)", ["[hidden]", "(none)"]],
    // The CLI writes what looks like a number as one.
    ["knownValues", "[60000,true]", ["60000", "true"]],
    ["knownValues", "60000", ["60000"]],
    ["knownValues", "[1.50,12345678901234567890]", ["1.50", "12345678901234567890"]],
    [
      "defaultLabels",
      '{"version":1.50, "build" : 12345678901234567890, "a\\" 1":": 2.0"}',
      { version: "1.50", build: "12345678901234567890", 'a" 1': ": 2.0" },
    ],
  ])("%s %s is %j", (name, text, value) => {
    expect(read({ allowInsecure: "true", [name]: text })[name]).toEqual(value);
  });

  // What else is rejected: "Settings" in test/messages/messages.snap.md.
  test.each(["0", "1.5"])("maxConcurrency %s is rejected", (maxConcurrency) => {
    expect(() => read({ maxConcurrency }).maxConcurrency).toThrow("must be a whole number of at least 1");
  });

  test("are read once, at their first use", () => {
    const asked: string[] = [];
    const settings = readSettings((name) => void asked.push(name));
    expect([settings.validate, settings.validate, asked]).toEqual(["preview", "preview", ["validate"]]);
  });

  test("this machine's own addresses are known", () => {
    expect(["localhost", "a.localhost", "127.8.9.1", "[::1]"].every(isLoopback)).toBe(true);
    expect(["10.0.0.1", "localhost.example.com", "127.0.0.1.example.com", "[::2]"].some(isLoopback)).toBe(false);
  });
});
