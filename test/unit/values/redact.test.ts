import fc from "fast-check";
import { expect, test } from "vitest";
import { redactSecrets } from "../../../dist/provider/values/redact.js";
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
  expect(redactSecrets("an abc%64efghijklm.", ["abcdefgh", "fghijklm"])).toBe("an [secret].");
});

test("a secret that ends with a backslash is redacted, although decoding for another one removes it", () => {
  const text = String.raw`"it!#\\" and abc-k%65y`;
  expect(redactSecrets(text, ["it!#\\", "abc-key"])).toBe('"[secret]" and [secret]');
});

test("the half of a secret that a cut leaves is struck out, and nothing else that is cut", () => {
  expect(redactSecrets('text/html beginning "a page with abc-ke…"', ["abc-key"])).toBe(
    'text/html beginning "a page with [secret]…"',
  );
  expect(redactSecrets("with %22abc%2... and a word…", ['"abc"'])).toBe("with [secret]... and a word…");
});

const webhook = "https://hooks.example.com/services/T0/B0-canary";
const config = 'receiver: "pager"\nkey: it\'s a canary\n';

test.each([
  ["after a syntax error", [config], 'error at position 45, "a canary"', 'error at position 45, "[secret]"'],
  ["between cuts", [config], "near '…s a canar…'", "near '…[secret]…'"],
  ["between cuts of three dots", [config], "near `...s a canar...`", "near `...[secret]...`"],
  ["like the host of a URL", [webhook], "no such host “HOOKS.example.com”", "no such host “[secret]”"],
  ["with quotes of its own", [config], `near "iver: \\"pager\\"\\nkey"`, 'near "[secret]"'],
  [
    "with quotes of its own, in JSON",
    [config],
    String.raw`{"e":"near \"er: \\\"pager\\\"\\nke\""}`,
    String.raw`{"e":"near \"[secret]\""}`,
  ],
  ["after an apostrophe", [webhook], "can't resolve 'hooks.example.com'", "can't resolve '[secret]'"],
  ["beside other words", [webhook], '"webhook.url" has "canary" in it', '"webhook.url" has "[secret]" in it'],
])("a quoted part of a secret is struck out, %s", (_, secrets, text, struck) => {
  expect(redactSecrets(text, secrets)).toBe(struck);
});

test("a part of a secret is left if it is short, not quoted, or known", () => {
  const text = 'no "hooks" nor services in "B0-canary"';
  expect(redactSecrets(text, [webhook], ["B0-canary"])).toBe(text);
});

test("a text of nothing but quotes is told in a moment, whatever the secret is", () => {
  const pieces = ['"baaaaaa', '"aaaaaab', '\\"', '\\\\\\"`', "'%25"].map((piece) => piece.repeat(20_000));
  const text = `${pieces.join("")}${`“b${"a".repeat(4_000)}`.repeat(20)}`;
  expect(redactedWithin(20, text, [`${"a".repeat(5_000)}c`])).toBe(text);
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

test("a short secret with backslashes and escapes of its own is redacted in JSON, and in JSON in JSON", () => {
  const unit = fc.constantFrom(...'\\\\"nNu!+%4a é\n\u0001', "%41", "&lt;", "\\x41");
  const counted = (text: string) =>
    text
      .replaceAll("\\", "")
      .replace(/[\s\p{Cc}+]+/gu, " ")
      .trim();
  const short = fc.string({ unit, minLength: 4, maxLength: 9 }).filter((text) => counted(text).length >= 4);
  fc.assert(
    fc.property(short, fc.nat(2), (secret, count) => {
      const echo = encoded(
        secret,
        Array.from({ length: count }, () => 1),
      );
      expect(redactSecrets(`{"e":"it is ${echo} so"}`, [secret])).not.toContain(echo);
    }),
    { numRuns: runs(5, 20), examples: [[String.raw`! !\N`, 1]] },
  );
});

test("a secret in capitals, or in the base64 of a whole body, is struck out", () => {
  expect(redactSecrets("BAD KEY 'ABC-KÉY'", ["abc-kéy"])).toBe("BAD KEY '[secret]'");
  const secret = 'a "quoted" key';
  const body = Buffer.from(JSON.stringify({ notifier: { routing_key: secret } })).toString("base64");
  expect(redactSecrets(`unreadable: ${body}`, [secret])).toBe("unreadable: [secret]");
});

test.each([
  ["in another spelling", JSON.stringify({ e: config }), '{"e":"[secret] "}'],
  ["in a quoted part", "near `key: it's a canary`", "near `[secret]`"],
])("a secret inside of another one hides nothing of it, %s", (_, text, struck) => {
  expect(redactSecrets(text, ["canary", config])).toBe(struck);
});

test("a secret with an ellipsis of its own is struck out before a cut", () => {
  expect(redactSecrets("near abcd...ef…", ["abcd...efgh"])).toBe("near [secret]…");
});

test.each(["/a/", "/ab/", "/abc/", "/abcd/"])("a secret in base64 behind %s is struck out", (path) => {
  expect(redactSecrets(`GET ${path}${Buffer.from("abc-key").toString("base64")}?`, ["abc-key"])).toBe("GET [secret]?");
});

test("what is returned decoded has no control characters", () => {
  expect(redactSecrets("\\u001b[31m%22abc-key%22\n", ['"abc-key"'])).toBe(" [31m[secret]\n");
});

const encodings: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => JSON.stringify(text).slice(1, -1),
  (text) => encodeURIComponent(text),
  (text) => new URLSearchParams({ k: text }).toString().slice(2),
  (text) => text.replace(/[&<>"']/g, (each) => `&#${each.charCodeAt(0)};`),
  (text) => text.replace(/[^]/gu, (each) => `&#x${(each.codePointAt(0) ?? 0).toString(16)};`),
  (text) => text.replace(/[^\w]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`),
  // Not of "ß", whose capital has two letters: what a service makes of it is not found.
  (text) => text.replace(/[^]/gu, (each) => (each.toUpperCase().length > each.length ? each : each.toUpperCase())),
  (text) => text.replace(/\p{Cc}+/gu, " "),
];
const encoded = (text: string, layers: readonly number[]) =>
  layers.reduce((last, i) => encodings[i]?.(last) ?? last, text);

test.each(["1e4", "1E+04", "1.0e4", "0.1e5", "10000.0"])("a number is redacted as %s too", (text) => {
  expect(redactSecrets(`below ${text}.`, ["10000"])).toMatch(/^below \[secret\](?:\.0)?\.$/);
});

test("a number of fewer than four digits is left, and so are other numbers beside a secret one", () => {
  const text = "0 of 1e2, 1.5 and 1.50e5 in 10.0.1e4 and a1e4";
  expect(redactSecrets(text, ["10000", "100", "0000", "1.50"])).toBe(text.replace("1.50e5", "[secret]e5"));
});

test.each([
  [String.raw`\xc3\xa9`, "UTF-8 in bytes"],
  [String.raw`\\xC3\\xA9`, "UTF-8 in bytes, twice"],
  [String.raw`\u{e9}`, "braces"],
  ["&#0000000233;", "zeros"],
])("a letter that is encoded as %s is decoded (%s)", (letter) => {
  expect(redactSecrets(`near abc-k${letter}y`, ["abc-kéy"])).toBe("near [secret]");
});

test("a secret whose letters are encoded each in another way is redacted", () => {
  const hex = (letter: string) => (letter.codePointAt(0) ?? 0).toString(16);
  const ways: typeof encodings = [
    (letter) => encodings[6]?.(letter) ?? letter,
    (letter) => encodeURIComponent(letter),
    (letter) => `\\u{${hex(letter)}}`,
    (letter) => Buffer.from(letter).toString("hex").replace(/../g, "\\x$&"),
    (letter) => Buffer.from(letter).toString("hex").replace(/../g, "%$&"),
    (letter) => `&#${letter.codePointAt(0)};`,
    (letter) => `&#x${hex(letter)};`,
  ];
  const mixes = fc.array(fc.nat(ways.length - 1), { minLength: 1, maxLength: 9 });
  const secrets = fc.string({ unit: "grapheme", minLength: 1, maxLength: 9 }).map((text) => `Q7zX${text}W9kV`);
  fc.assert(
    fc.property(secrets, mixes, fc.array(fc.nat(3), { maxLength: 1 }), (text, mix, layers) => {
      const echo = [...text].map((letter, i) => ways[mix[i % mix.length] ?? 0]?.(letter) ?? letter).join("");
      expect(redactSecrets(`before (${encoded(echo, layers)}) after`, [text])).toBe("before ([secret]) after");
    }),
    { numRuns: runs(5, 20) },
  );
});

test("a text of any letters is read in a moment for a hundred secrets", () => {
  const secrets = Array.from({ length: 100 }, (_, i) => `${"a".repeat(20)}${i}`);
  for (const piece of ["word 1.5 ", "aaaa…", "%25", '"aaaaaaa'])
    redactedWithin(2, piece.repeat(16_000 / piece.length), secrets);
});

test("a secret of any letters is struck out in any two spellings on top of each other, also where a cut leaves a half", () => {
  // A mark of letters, so that what is left of it can be told.
  const secret = fc
    .tuple(fc.string({ unit: "binary", maxLength: 12 }), fc.string({ unit: "grapheme-ascii", maxLength: 12 }))
    .map(([a, b]) => `Q7zX${Buffer.from(a).toString()}mark${b}W9kV`);
  const layers = fc.array(fc.nat(encodings.length - 1), { maxLength: 2 });
  fc.assert(
    fc.property(secret, layers, fc.double({ min: 0.5, max: 1, noNaN: true }), (text, by, part) => {
      const echo = encoded(text, by);
      expect(redactSecrets(`before (${echo}) after`, [text])).toBe("before ([secret]) after");
      const half = echo.slice(0, Math.max(24, Math.floor(echo.length * part)));
      if (!half.endsWith(".")) expect(redactSecrets(`before ${half}… after`, [text])).not.toMatch(/Q7zX/i);
    }),
    { numRuns: runs(5, 20) },
  );
});

test("a quoted part of any secret without quotes is struck out in any two spellings on top of each other", () => {
  const around = fc.string({ unit: "grapheme", maxLength: 12 }).map((text) => text.replace(/["'`“”\\ß]/g, "+"));
  const layers = fc.array(fc.nat(encodings.length - 1), { maxLength: 2 });
  fc.assert(
    fc.property(around, around, fc.nat(12), fc.nat(12), fc.constantFrom(..."\"'`"), layers, (a, b, i, j, quote, by) => {
      const [before, after] = [[...a], [...b]];
      const part = `${before.slice(i).join("")}Q7zXmark${after.slice(0, j).join("")}`;
      const echo = encoded(`near ${quote}${part}${quote}`, by);
      expect(redactSecrets(echo, [`key ${a}Q7zXmark${b}`])).not.toMatch(/Q7zX/i);
    }),
    { numRuns: runs(5, 20) },
  );
});
