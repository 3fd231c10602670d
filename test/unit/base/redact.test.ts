import fc from "fast-check";
import { expect, test } from "vitest";
import { redactSecrets } from "../../../dist/provider/base/redact.js";
import { runs } from "../../support/figures.js";

/** The same, within as many seconds of computing, however busy the machine is. */
function redactedWithin(secs: number, ...args: Parameters<typeof redactSecrets>): string {
  const start = process.cpuUsage();
  const redacted = redactSecrets(...args);
  expect(process.cpuUsage(start).user / 1e6).toBeLessThan(secs);
  return redacted;
}

test("secrets are struck out, longer ones first", () => {
  expect(redactSecrets("abc-key and abc-key-long", ["abc-key", "abc-key-long"])).toBe("[secret] and [secret]");
});

test("secrets that overlap in part are redacted together", () => {
  expect(redactSecrets("an abcdefghijklm.", ["abcdefgh", "fghijklm"])).toBe("an [secret].");
});

test("the half of a secret that a cut leaves is struck out, and nothing else that is cut", () => {
  expect(redactSecrets('text/html beginning "a page with abc-ke…"', ["abc-key"])).toBe(
    'text/html beginning "a page with [secret]…"',
  );
  expect(redactSecrets("with %22abc%2... and a word…", ['"abc"'])).toBe("with [secret]... and a word…");
});

test.each([
  ["letters", (i: number) => `${i}k`],
  ["quotes and lines", (i: number) => `"\\\n<é>${i}`],
])("a secret of many %s is struck out, and what a cut leaves of it too", (_, part) => {
  const secret = Array.from({ length: 5_000 }, (_, i) => part(i)).join("");
  expect(redactSecrets(`before ${secret} after`, [secret])).toBe("before [secret] after");
  expect(redactSecrets(`before ${secret.slice(0, 16_000)}…`, [secret])).toBe("before [secret]…");
});

test("a text without any secret is told in a moment, whatever it is", () => {
  const text = `${"\\".repeat(64_000)} ${" ".repeat(64_000)}${"&#".repeat(32_000)}${"%25".repeat(20_000)}`;
  expect(redactedWithin(20, text, ['\\\\"" &&', "    \\ a"])).toBe(text);
});

test("a secret too short to be told from ordinary words is left, rather than every text be garbled", () => {
  expect(redactSecrets("a text that has an a", ["a"])).toBe("a text that has an a");
});

test("a secret in capitals or in base64 is redacted", () => {
  expect(redactSecrets("BAD KEY 'ABC-KÉY'", ["abc-kéy"])).toBe("BAD KEY '[secret]'");
  const text = Buffer.from("abc-kéy~").toString("base64");
  expect(redactSecrets(`GET /a/${text}?`, ["abc-kéy~"])).toBe("GET /a/[secret]?");
  expect(redactSecrets(`GET /a/${text.replace("+", "-")}?`, ["abc-kéy~"])).toBe("GET /a/[secret]?");
});

test("a secret inside of another one hides nothing of it", () => {
  const config = 'receiver: "pager"\nkey: it\'s a canary\n';
  expect(redactSecrets(JSON.stringify({ e: config }), ["canary", config])).toBe('{"e":"[secret]"}');
});

test("a secret with an ellipsis of its own is redacted before a cut", () => {
  expect(redactSecrets("near abcd...ef…", ["abcd...efgh"])).toBe("near [secret]…");
});

const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
/** How services echo a text, in a body or in a message. */
const encodings: readonly ((text: string) => string)[] = [
  (text) => text,
  inJson,
  (text) => inJson(inJson(text)),
  (text) => encodeURIComponent(text),
  (text) => new URLSearchParams({ k: text }).toString().slice(2),
  (text) => text.replace(/[&<>"']/g, (each) => `&#${each.charCodeAt(0)};`),
  (text) => text.replace(/[&<>"']/g, (each) => `&#x${each.charCodeAt(0).toString(16)};`),
  (text) => inJson(text).replace(/[<>&]|[^ -~]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`),
  (text) => Buffer.from(text).toString("base64"),
  // Not of "ß", whose capital has two letters: what a service makes of it is not found.
  (text) => text.replace(/[^]/gu, (each) => (each.toUpperCase().length > each.length ? each : each.toUpperCase())),
  (text) => text.replace(/\p{Cc}+/gu, " "),
];
test("a text of any letters is read in a moment for a hundred secrets", () => {
  const secrets = Array.from({ length: 100 }, (_, i) => `${"a".repeat(20)}${i}`);
  for (const piece of ["word 1.5 ", "aaaa…", "%25", '"aaaaaaa'])
    redactedWithin(2, piece.repeat(16_000 / piece.length), secrets);
});

test("a secret of any letters is redacted in each form, also where a cut leaves its beginning", () => {
  // Marks of letters, so that what is left can be recognized.
  const secret = fc
    .tuple(fc.string({ unit: "binary", maxLength: 12 }), fc.string({ unit: "grapheme-ascii", maxLength: 12 }))
    .map(([a, b]) => `Q7zX${Buffer.from(a).toString()}mark${b}W9kV`);
  fc.assert(
    fc.property(
      secret,
      fc.constantFrom(...encodings),
      fc.double({ min: 0.5, max: 1, noNaN: true }),
      (text, by, part) => {
        const echo = by(text);
        expect(redactSecrets(`before (${echo}) after`, [text]).replace(/=+/, "")).toBe("before ([secret]) after");
        const half = echo.slice(0, Math.max(4, Math.floor(echo.length * part)));
        expect(redactSecrets(`before ${half}… after`, [text])).toMatch(/^before \[secret\]=*… after$/);
      },
    ),
    { numRuns: runs(5, 20) },
  );
});
