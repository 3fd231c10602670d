import { expect, test } from "vitest";
import { cut } from "../../../dist/provider/lifecycle/explain.js";
import { secretTexts, strikeSecrets } from "../../../dist/provider/lifecycle/secrets.js";
import { notifier } from "../../../dist/provider/kinds/notifier.js";

test("every secret of a configuration is found, at any depth", () => {
  const args = {
    oncallB: { routingKey: "one", severity: "high", httpConfig: { basicAuth: { username: "u", password: "two" } } },
    webhook: { url: "https://three" },
  };
  expect(secretTexts(notifier.root, args)).toEqual(["one", "two", "https://three"]);
});

test("secrets are struck out, longer ones first", () => {
  expect(strikeSecrets("abc-key and abc-key-long", ["abc-key", "abc-key-long"])).toBe("[secret] and [secret]");
});

test("secrets are struck out as JSON, URL or folded text quotes them too", () => {
  const secret = 'with "quotes"\nand lines';
  const quoted = [JSON.stringify({ key: secret }), encodeURIComponent(secret), secret.replace(/\s+/g, " ")].join(" | ");
  expect(strikeSecrets(quoted, [secret])).toBe('{"key":"[secret]"} | [secret] | [secret]');
});

test("a secret too short to be told from ordinary words is left, rather than every text be garbled", () => {
  expect(strikeSecrets("a text that has an a", ["a"])).toBe("a text that has an a");
});

test("a text is cut well-formed, in bytes", () => {
  expect(cut("ab😀", 4)).toBe("ab…");
  expect(cut("a\ud800b", 10)).toBe("a\ufffdb");
  expect(cut("short", 5)).toBe("short");
});
