import { expect, test } from "vitest";
import { cut } from "../../../dist/provider/lifecycle/explain.js";
import { secretTexts } from "../../../dist/provider/values/secrets.js";
import { notifier } from "../../../dist/provider/kinds/notifier.js";

test("every secret of a configuration is found, at any depth", () => {
  const args = {
    oncallB: { routingKey: "one", severity: "high", httpConfig: { basicAuth: { username: "u", password: "two" } } },
    webhook: { url: "https://three" },
  };
  expect(secretTexts(notifier.root, args)).toEqual(["one", "two", "https://three"]);
});

test("a text is cut well-formed, in bytes", () => {
  expect(cut("ab😀", 4)).toBe("ab…");
  expect(cut("a\ud800b", 10)).toBe("a\ufffdb");
  expect(cut("short", 5)).toBe("short");
});
