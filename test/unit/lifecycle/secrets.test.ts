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

test("the half of a secret that a cut leaves is struck out, and nothing else that is cut", () => {
  expect(strikeSecrets('text/html beginning "a page with abc-ke…"', ["abc-key"])).toBe(
    'text/html beginning "a page with [secret]…"',
  );
  expect(strikeSecrets("with %22abc%2... and a word…", ['"abc"'])).toBe("with [secret]... and a word…");
});

test.each([
  ["letters", (i: number) => `${i}k`],
  ["quotes and lines", (i: number) => `"\\\n<é>${i}`],
])("a secret of many %s is struck out, and what a cut leaves of it too", (_, part) => {
  const secret = Array.from({ length: 5_000 }, (_, i) => part(i)).join("");
  expect(strikeSecrets(`before ${secret} after`, [secret])).toBe("before [secret] after");
  expect(strikeSecrets(`before ${secret.slice(0, 16_000)}…`, [secret])).toBe("before [secret]…");
});

test("a text without any secret is told in a moment, whatever it is", () => {
  const text = "\\".repeat(16_000) + " ".repeat(16_000) + "&#".repeat(8_000);
  expect(strikeSecrets(text, ['\\\\"" &&', "    \\ a"])).toBe(text);
}, 20_000);

test("a secret too short to be told from ordinary words is left, rather than every text be garbled", () => {
  expect(strikeSecrets("a text that has an a", ["a"])).toBe("a text that has an a");
});

test("a text is cut well-formed, in bytes", () => {
  expect(cut("ab😀", 4)).toBe("ab…");
  expect(cut("a\ud800b", 10)).toBe("a\ufffdb");
  expect(cut("short", 5)).toBe("short");
});
