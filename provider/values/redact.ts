/** Shorter secrets would be redacted all over the text, and the gaps would reveal them. */
const shortestSecret = 4;
/** Shorter quotes are often ordinary words. */
const shortestQuote = 6;
/** No service encodes an echo more often than this. */
const mostReadings = 8;
/** Two encodings, one on top of the other, make at most so many characters of one. */
const longestEncoding = 24;
const placeholder = "[secret]";

/**
 * Redacts every secret in the text, in each form in which a service may echo it: JSON, URL, HTML, capitals, base64,
 * another spelling of a number, alone or inside a whole body, the part of it before a cut, and a part in quotation marks. A text with an encoded
 * secret is returned decoded.
 * @param allowed Texts that are no secrets, even if they are a part of one.
 */
export function redactSecrets(text: string, secrets: readonly string[], allowed: readonly string[] = []): string {
  const forms = formsOf(secrets);
  if (forms.length === 0) return text;
  const found = formsIn(text, forms);
  // One secret may be inside another one: the longer one goes first, in all readings.
  const withoutWhole = found.reduce(
    (last, form) =>
      inEachReading(last, (reading) => withoutSpans(reading, spansWith(searchable(reading), form, found))),
    text,
  );
  const withoutTokens = inEachReading(withoutWhole, (reading) => withoutNumbers(withoutBase64(reading, forms), forms));
  return inEachReading(withoutTokens, (reading) => withoutSpans(reading, quotedParts(reading, forms, allowed)));
}

/** Redacts the text as it is, and after each round of decoding. Returns the last reading that had a secret. */
function inEachReading(text: string, redact: (reading: string) => string): string {
  let [shown, reading] = [text, text];
  for (let round = 0; round < mostReadings; round += 1) {
    const redacted = redact(reading);
    if (redacted !== reading) shown = redacted;
    reading = decode(redacted);
    if (reading === redacted) break;
  }
  return shown;
}

/** The text as it is, and after each round of decoding. */
function readingsOf(text: string): string[] {
  const readings: string[] = [];
  inEachReading(text, (reading) => {
    readings.push(reading);
    return reading;
  });
  return readings;
}

/** What may be left of an escape before a cut. It is kept, so that the cut is recognized. */
const half = String.raw`(?:u?[0-9a-f]{0,3}|u\{[0-9a-f]{0,6}|x[0-9a-f]?|x[c-f][0-9a-f](?:\\+x[89ab][0-9a-f]){0,2}(?:\\+x?[89ab]?)?)`;
/** A character in UTF-8. */
const utf8 = (byte: string) =>
  `${byte}(?:[0-7][0-9a-f]|[cd][0-9a-f]B|e[0-9a-f]B{2}|f[0-7]B{3})`.replaceAll("B", `(?:${byte}[89ab][0-9a-f])`);
const backslashes = new RegExp(
  String.raw`${utf8(String.raw`\\x`)}|\\(?!${half}(?:…|\.{3}))(?:u[0-9a-f]{4}|u\{[0-9a-f]{1,6}\}|x[0-9a-f]{2}|[^])`,
  "gi",
);
const others = new RegExp(`${utf8("%")}|&(?:#0*[0-9]{1,7}|#x0*[0-9a-f]{1,6}|amp|lt|gt|quot|apos);`, "gi");
const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/**
 * One round of decoding. Control characters become spaces: the result goes to a terminal. Only one kind of escape at a
 * time: a secret may contain escapes of its own, and is then found as it is before they are decoded too.
 */
const decode = (text: string) => {
  const once = (escapes: RegExp) => text.replace(escapes, (escape) => decodeOne(escape).replace(/\p{Cc}/u, " "));
  const decoded = once(backslashes);
  return decoded === text ? once(others) : decoded;
};

function decodeOne(escape: string): string {
  try {
    // A single byte of "\\xe9" is a code point.
    if (/^%|.x.*x/i.test(escape)) return decodeURIComponent(escape.replace(/\\x/gi, "%"));
    if (escape.startsWith("&")) {
      const name = escape.slice(1, -1).toLowerCase();
      return entities[name] ?? String.fromCodePoint(Number(name.replace("#", "").replace(/^x/, "0x")));
    }
  } catch {
    return escape; // No such character.
  }
  const letter = escape.slice(1);
  if (letter.length > 1) return String.fromCodePoint(parseInt(letter.replace(/\W|^./g, ""), 16));
  return /[bfnrtv]/i.test(letter) ? " " : letter;
}

/**
 * The text in capitals, with a space for any white space, in the same length. Forms encode a space as "+". The capital
 * of "ß" has two letters, which would move the positions.
 */
function fold(text: string): string {
  const spaced = text.replace(/[\s\p{Cc}+]/gu, " ");
  const capitals = spaced.toUpperCase();
  return capitals.length === text.length ? capitals : spaced.replace(/[^]/gu, capital);
}

const capital = (letter: string) => (letter.toUpperCase().length === letter.length ? letter.toUpperCase() : letter);

/** The folded text with one space for several. */
const formOf = (text: string) => fold(text).replace(/ +/g, " ").trim();

/**
 * Each secret as it is and fully decoded, longer ones first: the echo decodes to one of these. Backslashes at its end are
 * left out: those in the text may escape the quotation mark that follows.
 */
function formsOf(secrets: readonly string[]): string[] {
  const forms = secrets
    .filter((secret) => secret.length >= shortestSecret)
    .flatMap((secret) => [secret, secret.replace(/\\+$/, "")])
    .flatMap((text) => [text, ...readingsOf(text).slice(-1)].map(formOf));
  return [...new Set(forms)].filter((form) => form.length >= shortestSecret).sort((a, b) => b.length - a.length);
}

/** The forms that a text has in any reading: most texts have none of many. */
function formsIn(text: string, forms: readonly string[]): string[] {
  const readings = readingsOf(text).map(searchable);
  return forms.filter((form) => readings.some((reading) => spansOf(reading, form).length > 0));
}

type Span = readonly [start: number, end: number];

interface Searchable {
  readonly folded: string;
  readonly cuts: Cuts;
}

const searchable = (text: string): Searchable => ({ folded: fold(text), cuts: cutsOf(text) });

/** Where a text has a secret, or the first part of it before a cut. */
function spansOf({ folded, cuts }: Searchable, form: string): Span[] {
  // Without a cut only the whole form counts, and its first word is found faster.
  const head = firstWord(cuts.size > 0 ? form.slice(0, shortestSecret) : form);
  const spans: Span[] = [];
  for (let start = folded.indexOf(head); start >= 0; start = folded.indexOf(head, start + 1)) {
    const end = endOf(folded, start, form, cuts);
    if (end !== undefined) spans.push([start, end]);
  }
  return spans;
}

/** The places of a secret, extended by other secrets that overlap it, which are not found once it is redacted. */
function spansWith(text: Searchable, form: string, forms: readonly string[]): Span[] {
  const own = new Set(spansOf(text, form).map(([start]) => start));
  if (own.size === 0) return [];
  const groups: Span[][] = [];
  let position = 0;
  for (const span of forms.flatMap((each) => spansOf(text, each)).sort(([a], [b]) => a - b)) {
    if (span[0] < position) groups.at(-1)?.push(span);
    else groups.push([span]);
    position = Math.max(position, span[1]);
  }
  return groups.filter((group) => group.some(([start]) => own.has(start))).flat();
}

const firstWord = (form: string) => form.split(" ", 1).join("");

/** The end of the secret that starts there, or of its first part before a cut. One space in the form stands for several. */
function endOf(folded: string, start: number, form: string, cuts: Cuts): number | undefined {
  let end = start;
  let endOfCut: number | undefined;
  for (let length = 0; length < form.length; length += 1) {
    if (length >= shortestSecret) endOfCut = cuts.get(end) ?? endOfCut;
    if (folded[end] !== form[length]) return endOfCut;
    end += 1;
    if (form[length] === " ") while (folded[end] === " ") end += 1;
  }
  return end;
}

/** The start and the end of what is before an ellipsis: nothing, or an incomplete encoding of one character. */
type Cuts = ReadonlyMap<number, number>;

/** The longest incomplete encoding is `%25F0%2590%2580%25`. */
const cutsOf = (text: string): Cuts =>
  new Map(
    [...text.matchAll(/(?=((?:[%&\\][\w%#&{\\]{0,23})?)(?:…|\.{3}))/g)].map(({ index, 1: half = "" }) => [
      index,
      index + half.length,
    ]),
  );

/** Replaces whole tokens: bytes before the secret may shift its characters by up to three. */
function withoutBase64(text: string, forms: readonly string[]): string {
  const pattern = /[\w+/-]{6,}={0,2}/g;
  const decoded = (token: string) =>
    [0, 1, 2, 3].map((shift) => `${Buffer.from(token.slice(shift), "base64").toString()}…`).join("");
  const found = formsIn((text.match(pattern) ?? []).map(decoded).join(""), forms);
  if (found.length === 0) return text;
  return text.replace(pattern, (token) => (formsIn(decoded(token), found).length > 0 ? placeholder : token));
}

/** Replaces a number that equals a secret, such as 1e4 for 10000. Of its digits a secret needs as many as letters. */
function withoutNumbers(text: string, forms: readonly string[]): string {
  const secrets = new Set(forms.map((form) => String(Math.abs(Number(form)))));
  return text.replace(/(?<![\w.])\d+(?:\.\d+)?(?:e[+-]?\d+)?(?!\w)/gi, (number) => {
    const value = String(Number(number));
    return value.length >= shortestSecret && secrets.has(value) ? placeholder : number;
  });
}

/**
 * The parts of secrets between each two neighboring quotation marks of one kind, without cuts at the ends. With a
 * backslash more it is another kind: a mark in a quote is escaped once more than the quote's own.
 */
function quotedParts(text: string, forms: readonly string[], allowed: readonly string[]): Span[] {
  const spans: Span[] = [];
  const tested = new Map<string, boolean>();
  const lasts = new Map<string, number>();
  for (const { 0: marks, index } of text.matchAll(/(?<!\\)(?:\\|\\{3}|\\{7})?["'`“”]/g)) {
    const kind = marks.replace("”", "“");
    let start = lasts.get(kind) ?? index;
    let end = index;
    while (start < end && isCut(text[start])) start += 1;
    while (start < end && isCut(text[end - 1])) end -= 1;
    const quote = text.slice(start, end);
    const isSecret = tested.get(quote) ?? (!allowed.includes(quote) && isPart(quote, forms));
    tested.set(quote, isSecret);
    if (isSecret) spans.push([start, end]);
    lasts.set(kind, index + marks.length);
  }
  return spans;
}

const isCut = (character = "") => /[\s.…]/.test(character);

/** Whether a quote is a part of a secret. A shorter secret in it may be redacted already. */
function isPart(quote: string, forms: readonly string[]): boolean {
  const longest = (forms[0] ?? "").length * longestEncoding;
  if (quote.length < shortestQuote || quote.length > longest) return false;
  return readingsOf(quote).some((reading) => {
    const pieces = formOf(reading).split(fold(placeholder));
    return pieces.join("").length >= shortestQuote && forms.some((form) => hasInOrder(form, pieces));
  });
}

function hasInOrder(text: string, pieces: readonly string[]): boolean {
  let position = 0;
  return pieces.every((piece) => {
    const index = text.indexOf(piece, position);
    position = index + piece.length;
    return index >= 0;
  });
}

function withoutSpans(text: string, spans: readonly Span[]): string {
  const parts: string[] = [];
  let position = 0;
  for (const [start, end] of [...spans].sort(([a], [b]) => a - b)) {
    if (start >= position) parts.push(text.slice(position, start), placeholder);
    position = Math.max(position, end);
  }
  return [...parts, text.slice(position)].join("");
}
