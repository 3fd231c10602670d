/** Shorter secrets would be redacted all over the text, and the gaps would reveal them. */
const shortestRedacted = 4;

/**
 * Redacts every secret in the text, in each form in which a service may echo it: JSON, URL, HTML, capitals, base64,
 * alone or inside a whole body, the part of it before a cut, and a part in quotation marks. The time is linear in the
 * text's length.
 * @param known Texts that are no secrets, even if they are a part of one.
 */
export function redactSecrets(text: string, secrets: readonly string[], known: readonly string[] = []): string {
  const long = secrets.filter((secret) => secret.length >= shortestRedacted);
  if (long.length === 0) return text;
  const read = long.map(asRead);
  // Each secret as it is and fully decoded: the echo decodes to one of these.
  const folded = patternsOf([...read, ...read.flatMap((secret) => decodings(secret).slice(-1))].map(fold));
  const exact = patternsOf([...read, ...long.flatMap(inBase64).map(asRead)].map(likeBase64));
  const isPart = partTest(folded, known);
  const spans = decodings(asRead(text)).flatMap((reading) => [
    ...occurrences(fold(reading), folded),
    ...occurrences(likeBase64(reading), exact),
    ...quoted(reading).filter(([start, end]) => isPart(text.slice(start, end))),
  ]);
  return withoutSpans(text, spans);
}

/** A partly decoded text. Its UTF-16 unit `i` comes from `starts[i]` to `ends[i]` of the original text. */
interface Reading {
  readonly text: string;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

type Span = readonly [start: number, end: number];

function asRead(text: string): Reading {
  const starts = Array.from({ length: text.length }, (_, i) => i);
  return { text, starts, ends: starts.map((start) => start + 1) };
}

/** Replaces each match. All units of the replacement point to the place of the match. */
function rewrite({ text, starts, ends }: Reading, pattern: RegExp, by: (match: string) => string): Reading {
  const parts: string[] = [];
  const [newStarts, newEnds]: [number[], number[]] = [[], []];
  const keep = (from: number, to: number) => {
    parts.push(text.slice(from, to));
    for (let i = from; i < to; i += 1) {
      newStarts.push(starts[i] ?? 0);
      newEnds.push(ends[i] ?? 0);
    }
  };
  let position = 0;
  for (const { 0: match, index } of text.matchAll(pattern)) {
    keep(position, index);
    position = index + match.length;
    const replacement = by(match);
    parts.push(replacement);
    for (let i = 0; i < replacement.length; i += 1) {
      newStarts.push(starts[index] ?? 0);
      newEnds.push(ends[position - 1] ?? 0);
    }
  }
  keep(position, text.length);
  return { text: parts.join(""), starts: newStarts, ends: newEnds };
}

/** No service encodes an echo more often than this. */
const mostDecodings = 8;

/** The text, and the text after each round of decoding, until nothing is left to decode. */
function decodings(reading: Reading): Reading[] {
  const found = [reading];
  for (let last = reading; found.length < mostDecodings; found.push(last)) {
    const next = rewrite(last, escapes, decode);
    if (next.text === last.text) break;
    last = next;
  }
  return found;
}

// A backslash before a cut is kept, so that the cut is recognised.
const escapes = new RegExp(
  [
    // Starts only at the first backslash of a run: otherwise a long run would take quadratic time.
    String.raw`(?<!\\)\\+(?:u[0-9a-f]{4}|x[0-9a-f]{2}|(?!u?[0-9a-f]{0,3}(?:…|\.{3}))[^\\])`,
    "%(?:[0-7][0-9a-f]|[cd][0-9a-f]%[89ab][0-9a-f]|e[0-9a-f](?:%[89ab][0-9a-f]){2}|f[0-7](?:%[89ab][0-9a-f]){3})",
    "&(?:#[0-9]{1,7}|#x[0-9a-f]{1,8}|amp|lt|gt|quot|apos);",
  ].join("|"),
  "gi",
);
const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function decode(escape: string): string {
  try {
    if (escape.startsWith("%")) return decodeURIComponent(escape);
    if (escape.startsWith("&")) {
      const name = escape.slice(1, -1).toLowerCase();
      return entities[name] ?? String.fromCodePoint(Number(name.replace("#", "").replace(/^x/, "0x")));
    }
  } catch {
    return escape; // No such character.
  }
  const letter = escape.replace(/^\\+/, "");
  if (letter.length > 1) return String.fromCharCode(parseInt(letter.slice(1), 16));
  return /[bfnrtv]/i.test(letter) ? " " : letter;
}

/** The text in capitals, with one space for any white space. "+" is one too: forms encode a space like that. */
function fold(reading: Reading): Reading {
  const spaced = rewrite(reading, /[\s\p{Cc}+]+/gu, () => " ");
  return { ...spaced, text: spaced.text.replace(/[^]/gu, capital) };
}

/** The capital if it has the same length: that of "ß" has two letters, which would move the places. */
function capital(letter: string): string {
  const upper = letter.toUpperCase();
  return upper.length === letter.length ? upper : letter;
}

/** The text with base64url's characters "-" and "_" as base64's "+" and "/". */
const likeBase64 = (reading: Reading): Reading => ({
  ...reading,
  text: reading.text.replaceAll("-", "+").replaceAll("_", "/"),
});

/** A secret in base64 at each of 3 byte offsets, plain and as in JSON: only the characters that it alone determines. */
function inBase64(secret: string): string[] {
  return [secret, JSON.stringify(secret).slice(1, -1)].flatMap((each) =>
    [0, 1, 2].map((offset) => {
      const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(each)]);
      return bytes.toString("base64").slice(Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6));
    }),
  );
}

/** A text to find. `borders[i]` is the length of the longest proper prefix that also ends at `i`. */
interface Pattern {
  readonly text: string;
  readonly borders: readonly number[];
}

const patternsOf = (readings: readonly Reading[]): Pattern[] =>
  [...new Set(readings.map(({ text }) => text))]
    .filter((text) => text.length >= shortestRedacted)
    .map((text) => ({ text, borders: bordersOf(text) }));

function bordersOf(text: string): number[] {
  const borders = [0];
  for (let i = 1, length = 0; i < text.length; i += 1) {
    while (length > 0 && text[i] !== text[length]) length = borders[length - 1] ?? 0;
    if (text[i] === text[length]) length += 1;
    borders.push(length);
  }
  return borders;
}

/** The places of the patterns in the original, and of prefixes before a cut (Knuth-Morris-Pratt). */
function occurrences({ text, starts, ends }: Reading, patterns: readonly Pattern[]): Span[] {
  const cuts = cutsOf(text);
  return patterns
    .filter((pattern) => text.includes(pattern.text.slice(0, shortestRedacted)))
    .flatMap((pattern) => {
      const found: Span[] = [];
      const add = (start: number, end: number) => found.push([starts[start] ?? 0, ends[end - 1] ?? 0]);
      let length = 0;
      for (let i = 0; i < text.length; i += 1) {
        const end = length >= shortestRedacted ? cuts.get(i) : undefined;
        if (end !== undefined) add(i - length, end);
        while (length > 0 && pattern.text[length] !== text[i]) length = pattern.borders[length - 1] ?? 0;
        if (pattern.text[length] === text[i]) length += 1;
        if (length === pattern.text.length) add(i + 1 - length, i + 1);
      }
      return found;
    });
}

/** Shorter quotes are often ordinary words. */
const shortestPart = 6;

/** Two encodings, one on top of the other, make at most so many characters of one. */
const longestEncoding = 24;

/** A test of whether a quote is a part of a secret, and says what nobody knows. */
function partTest(secrets: readonly Pattern[], known: readonly string[]): (quote: string) => boolean {
  const longest = Math.max(0, ...secrets.map(({ text }) => text.length));
  const tested = new Map<string, boolean>();
  const test = (quote: string) =>
    !known.includes(quote) &&
    decodings(asRead(quote))
      .map((reading) => fold(reading).text)
      .some((part) => part.length >= shortestPart && secrets.some(({ text }) => text.includes(part)));
  return (quote) => {
    if (quote.length < shortestPart || quote.length > longest * longestEncoding) return false;
    const isPart = tested.get(quote) ?? test(quote);
    tested.set(quote, isPart);
    return isPart;
  };
}

/**
 * The places between each two neighbouring quotation marks of one kind, without cuts at the ends. With a backslash more
 * it is another kind: a mark in a quote is escaped once more than the quote's own.
 */
function quoted({ text, starts, ends }: Reading): Span[] {
  const found: Span[] = [];
  const lasts = new Map<string, number>();
  for (const { 0: marks, index } of text.matchAll(/(?<!\\)(?:\\|\\{3}|\\{7})?["'`“”]/g)) {
    const kind = marks.replace("”", "“");
    let start = lasts.get(kind) ?? index;
    let end = index;
    while (start < end && isCut(text[start])) start += 1;
    while (start < end && isCut(text[end - 1])) end -= 1;
    if (end - start >= shortestPart) found.push([starts[start] ?? 0, ends[end - 1] ?? 0]);
    lasts.set(kind, index + marks.length);
  }
  return found;
}

const isCut = (character = "") => /[\s.…]/.test(character);

/** The longest incomplete encoding of one character before a cut: `%25F0%2590%2580%25`. */
const longestHalf = 24;

/** The places of ellipses, and of incomplete encodings before them, each with the place of its ellipsis. */
function cutsOf(text: string): ReadonlyMap<number, number> {
  const cuts = new Map<number, number>();
  for (const { index } of text.matchAll(/\u2026|\.{3}/g)) {
    cuts.set(index, index);
    for (let i = index - 1; i >= index - longestHalf && /[\w%#&\\]/.test(text[i] ?? ""); i -= 1) {
      if (/[%&\\]/.test(text[i] ?? "")) cuts.set(i, index);
    }
  }
  return cuts;
}

function withoutSpans(text: string, spans: readonly Span[]): string {
  const parts: string[] = [];
  let position = 0;
  let redactedTo = -1;
  for (const [start, end] of [...spans].sort(([a], [b]) => a - b)) {
    if (start > redactedTo) parts.push(text.slice(position, start), "[secret]");
    position = redactedTo = Math.max(redactedTo, end);
  }
  return [...parts, text.slice(position)].join("");
}
