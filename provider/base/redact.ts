/** Shorter secrets would be redacted all over the text, and the gaps would reveal them. */
const shortestSecret = 4;
const placeholder = "[secret]";

/**
 * Redacts the secrets in the text that have four characters or more, in upper or lower case: as they are, in the forms in which a service echoes a body (JSON, URL,
 * HTML, base64), and the first part of one of these where the text is cut.
 */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  const folded = fold(text);
  const spans = secrets.flatMap(formsOf).flatMap((form) => spansOf(folded, form));
  return spans.length === 0 ? text : withoutSpans(text, spans);
}

const known = new Map<string, readonly string[]>();
/** Far more than one stack has. */
const mostKnown = 10_000;

/** The forms of a secret, computed once. */
function formsOf(secret: string): readonly string[] {
  if (secret.length < shortestSecret) return [];
  const forms = known.get(secret) ?? [...new Set(encodings.map((encode) => fold(encode(secret))))];
  if (known.size >= mostKnown) known.clear();
  known.set(secret, forms);
  return forms;
}

const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
const escaped = (text: string, characters: RegExp, escape: (code: number) => string) =>
  text.replace(characters, (character) => escape(character.charCodeAt(0)));
/** As some libraries write JSON: everything but plain ASCII, or what HTML treats specially. */
const inAscii = (text: string) =>
  escaped(inJson(text), /[<>&\u007f-\uffff]/g, (code) => `\\u${code.toString(16).padStart(4, "0")}`);
const named: Readonly<Record<string, string>> = { "&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "apos" };
const inHtml = (text: string) => text.replace(/[&<>"']/g, (character) => `&${named[character]};`);

const encodings: readonly ((secret: string) => string)[] = [
  (secret) => secret,
  (secret) => secret.replace(/\p{Cc}+/gu, " "),
  inJson,
  inAscii,
  (secret) => inJson(inJson(secret)),
  (secret) => inAscii(inJson(secret)),
  (secret) => encodeURIComponent(Buffer.from(secret).toString()),
  (secret) => new URLSearchParams({ "": secret }).toString().slice(1),
  inHtml,
  (secret) => inHtml(inJson(secret)),
  (secret) => escaped(secret, /[&<>"']/g, (code) => `&#${code};`),
  (secret) => escaped(secret, /[&<>"']/g, (code) => `&#x${code.toString(16)};`),
  (secret) => Buffer.from(secret).toString("base64").replace(/=+$/, ""),
  (secret) => Buffer.from(secret).toString("base64url"),
];

/** The text in capitals, in the same length. The capital of "ß" has two letters, which would move the positions. */
function fold(text: string): string {
  const capitals = text.toUpperCase();
  return capitals.length === text.length ? capitals : text.replace(/[^]/gu, capital);
}

const capital = (letter: string) => (letter.toUpperCase().length === letter.length ? letter.toUpperCase() : letter);

type Span = readonly [start: number, end: number];

/** Where a text has a form, or the first part of it before a cut. */
function spansOf(text: string, form: string): Span[] {
  const head = form.slice(0, shortestSecret);
  const spans: Span[] = [];
  for (let start = text.indexOf(head); start >= 0; start = text.indexOf(head, start + 1)) {
    let length = head.length;
    while (length < form.length && text[start + length] === form[length]) length += 1;
    // The form may go on with a period, as the cut begins.
    const cut = [length, length - 1, length - 2].find((each) => each >= head.length && isCut(text, start + each));
    if (length === form.length) spans.push([start, start + length]);
    else if (cut !== undefined) spans.push([start, start + cut]);
  }
  return spans;
}

const isCut = (text: string, place: number) => text.startsWith("…", place) || text.startsWith("...", place);

/** Spans that overlap become one. */
function withoutSpans(text: string, spans: readonly Span[]): string {
  const parts: string[] = [];
  let position = 0;
  for (const [start, end] of [...spans].sort(([a], [b]) => a - b)) {
    if (start >= position) parts.push(text.slice(position, start), placeholder);
    position = Math.max(position, end);
  }
  return [...parts, text.slice(position)].join("");
}
