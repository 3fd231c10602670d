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
 * alone or inside a whole body, the part of it before a cut, and a part in quotation marks. A text with an encoded
 * secret is returned decoded.
 * @param allowed Texts that are no secrets, even if they are a part of one.
 */
export function redactSecrets(text: string, secrets: readonly string[], allowed: readonly string[] = []): string {
  const forms = formsOf(secrets);
  if (forms.length === 0) return text;
  // One secret may be inside another one: the longer one goes first, in all readings.
  const withoutWhole = forms.reduce(
    (last, form) => inEachReading(last, (reading) => withoutSpans(reading, spansWith(fold(reading), form, forms))),
    text,
  );
  const withoutTokens = inEachReading(withoutWhole, (reading) => withoutBase64(reading, forms));
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

// A backslash before a cut is kept, so that the cut is recognized.
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

/** One round of decoding. Control characters become spaces: the result goes to a terminal. */
const decode = (text: string) => text.replace(escapes, (escape) => decodeOne(escape).replace(/\p{Cc}/u, " "));

function decodeOne(escape: string): string {
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

/** The text in capitals, with a space for any white space, in the same length. Forms encode a space as "+". */
const fold = (text: string) => text.replace(/[\s\p{Cc}+]/gu, " ").replace(/[^]/gu, capital);

/** The capital if it has the same length: that of "ß" has two letters, which would move the positions. */
function capital(letter: string): string {
  const upper = letter.toUpperCase();
  return upper.length === letter.length ? upper : letter;
}

/** The folded text with one space for several. */
const formOf = (text: string) => fold(text).replace(/ +/g, " ").trim();

/** Each secret as it is and fully decoded, longer ones first: the echo decodes to one of these. */
function formsOf(secrets: readonly string[]): string[] {
  const forms = secrets
    .filter((secret) => secret.length >= shortestSecret)
    .flatMap((secret) => [secret, ...readingsOf(secret).slice(-1)].map(formOf));
  return [...new Set(forms)].filter((form) => form.length >= shortestSecret).sort((a, b) => b.length - a.length);
}

type Span = readonly [start: number, end: number];

/** Where a folded text has a secret, or the first part of it before a cut. */
function spansOf(folded: string, form: string): Span[] {
  const first = form.slice(0, shortestSecret);
  const cuts = folded.includes(firstWord(first)) ? cutsOf(folded) : [];
  // Without a cut only the whole form counts, and its first word is found faster.
  const head = firstWord(cuts.length > 0 ? first : form);
  const spans: Span[] = [];
  for (let start = folded.indexOf(head); start >= 0; start = folded.indexOf(head, start + 1)) {
    const end = endOf(folded, start, form, cuts);
    if (end !== undefined) spans.push([start, end]);
  }
  return spans;
}

/** The place of a secret, extended by other secrets that overlap it, which are not found once it is redacted. */
function spansWith(folded: string, form: string, forms: readonly string[]): Span[] {
  const spans = spansOf(folded, form);
  const overlaps = ([start, end]: Span) => spans.some(([from, to]) => start < to && from < end);
  return spans.length === 0 ? [] : forms.flatMap((each) => spansOf(folded, each)).filter(overlaps);
}

const firstWord = (form: string) => form.split(" ", 1).join("");

/** The end of the secret that starts there, or of its first part before a cut. One space in the form stands for several. */
function endOf(folded: string, start: number, form: string, cuts: readonly Cut[]): number | undefined {
  let end = start;
  let least = Infinity;
  for (let length = 0; length < form.length; length += 1) {
    if (length === shortestSecret) least = end;
    if (folded[end] !== form[length]) {
      return least === Infinity ? undefined : cuts.filter((cut) => cut.start >= least && cut.start <= end).at(-1)?.end;
    }
    end += 1;
    if (form[length] === " ") while (folded[end] === " ") end += 1;
  }
  return end;
}

/** An ellipsis and where it starts, maybe with an incomplete encoding of one character before it. */
interface Cut {
  readonly start: number;
  readonly end: number;
}

/** The longest incomplete encoding is `%25F0%2590%2580%25`. */
const cutsOf = (text: string): Cut[] =>
  [...text.matchAll(/(?=((?:[%&\\][\w%#&\\]{0,23})?)(?:…|\.{3}))/g)].map(({ index, 1: half = "" }) => ({
    start: index,
    end: index + half.length,
  }));

/** Replaces whole tokens: bytes before the secret may shift its characters by up to three. */
function withoutBase64(text: string, forms: readonly string[]): string {
  const hasSecret = (bytes: Buffer) =>
    readingsOf(`${bytes.toString()}…`)
      .map(fold)
      .some((folded) => forms.some((form) => spansOf(folded, form).length > 0));
  return text.replace(/[\w+/-]{6,}={0,2}/g, (token) =>
    [0, 1, 2, 3].some((shift) => hasSecret(Buffer.from(token.slice(shift), "base64"))) ? placeholder : token,
  );
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
