import { RE2JS } from "re2js";

// To compile an expression takes time in proportion to its size. These take a few milliseconds.
const longest = 10_000;
const largest = 25_000;

/** What is wrong with a regular expression. Its language is RE2, as in the query languages of metrics and logs. */
export function expressionProblem(pattern = ""): string | undefined {
  if (pattern.length > longest) return `expected an expression of at most ${longest} characters, got ${pattern.length}`;
  const size = sizeOf(pattern);
  if (size > largest) {
    return `is too large: with its repeats written out it has about ${size} characters, at most ${largest} are allowed`;
  }
  try {
    RE2JS.compile(pattern);
    return undefined;
  } catch (error) {
    return `is no regular expression: ${(error as Error).message.replace(/^error parsing regexp: /, "").slice(0, 200)}`;
  }
}

// A quotation, a Unicode class, an escaped character, a class, a count, or a character. What does not end goes up to the
// end: to try it again from each of its beginnings would take too long.
const parts =
  /\\Q[^]*?(?:\\E|$)|\\[pP](?:\{[^}]*\}|.)|\\[^]|\[\^?\]?(?:\[:[^\]]*:\]|\\[^]|[^\]\\])*(?:\]|$)|\{(\d+)(?:,(\d*))?\}|[^]/g;
// A Unicode class has hundreds of ranges.
const unicodeClass = /\\[pP]/g;
const unicodeSize = 20;

/** About how many characters an expression has with its counted repeats written out: 31 of `(abc){10}`. */
function sizeOf(pattern: string): number {
  const outside: number[] = [];
  let size = 0; // of the group so far
  let last = 0; // of what a count would repeat
  for (const [part, least, most] of pattern.matchAll(parts)) {
    if (part === "(") {
      outside.push(size);
      size = last = 0;
    } else if (part === ")") {
      last = size + 1;
      size = (outside.pop() ?? 0) + last;
    } else if (least !== undefined) {
      const more = last * (Math.max(Number(least), Number(most ?? 0), 1) - 1);
      size += more;
      last += more;
    } else {
      last = part.length + unicodeSize * (part.match(unicodeClass)?.length ?? 0);
      size += last;
    }
  }
  return outside.reduce((sum, each) => sum + each, size);
}
