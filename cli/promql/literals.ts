import { secondsIn } from "../../provider/base/durations";

// Numbers, durations, strings and names as an expression writes them.

// A text that does not end counts as one up to the end, and a comment ends at either break of lines.
const quotedOrComment = String.raw`"(?:\\[^]|[^"\\])*(?:"|\\?$)|'(?:\\[^]|[^'\\])*(?:'|\\?$)|${"`[^`]*(?:`|$)"}|#[^\n\r]*`;

/** What matches each text in quotes and each comment, and a pattern outside of them. */
export const outsideQuotes = (pattern: string) => new RegExp(`${quotedOrComment}|${pattern}`, "gi");

/**
 * Prometheus also reads `0X1f`, `5.` and `5.e3`, which the parser does not know: `0x1f`, `5` and `5e3`, with blanks so that
 * places stay right. A text without an end counts as one up to the end: to try again from each quote would take too long.
 */
export const withUsualNumbers = (text: string): string =>
  text.replace(unusualNumber, (found: string, whole: string | undefined, power = "") => {
    if (whole !== undefined) return `${whole}${power} `;
    return found === "0X" ? "0x" : found;
  });
const unusualNumber = outsideQuotes(String.raw`(?<![\w.:])(?:0X(?=[\da-f])|(\d+)\.(e[+-]?\d+|(?![\w.])))`);

/** The value of a number, without its sign, as Prometheus reads it: a duration is seconds, a leading zero octal. */
export function numberIn(written: string): number {
  const digits = written.replace(/^[+-]\s*/, "").replaceAll("_", "");
  if (/^inf$/i.test(digits)) return Number.POSITIVE_INFINITY;
  if (/^0[0-7]+$/.test(digits)) return Number.parseInt(digits, 8);
  return secondsIn(digits) ?? Number(digits);
}

/** The value of a text in quotes; undefined if it is invalid, or if its bytes are no text. */
export function valueOfString(written: string): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytesOfString(written) ?? notUtf8);
  } catch {
    return undefined;
  }
}

const notUtf8 = Buffer.of(0xff);

/** The bytes of a text in quotes, by Go's rules; undefined if Prometheus rejects it. */
export function bytesOfString(written: string): Buffer | undefined {
  const [quote, inner] = [written.charAt(0), written.slice(1, -1)];
  if (written.length < 2 || !written.endsWith(quote)) return undefined;
  if (quote === "`") return Buffer.from(inner);
  const parts = inner.match(/\\(?:[0-7]{3}|x[^]{2}|u[^]{4}|U[^]{8}|[^])?|[^\\]+/g) ?? [];
  const all = parts.map((part) => (part.startsWith("\\") ? bytesOfEscape(part.slice(1), quote) : Buffer.from(part)));
  return inner.includes("\n") || all.includes(undefined) ? undefined : Buffer.concat(all as Buffer[]);
}

function bytesOfEscape(code: string, quote: string): Buffer | undefined {
  if (code === quote) return Buffer.from(quote);
  if (Object.hasOwn(controls, code)) return Buffer.from(controls[code] ?? "");
  const digits = /^[0-7]{3}$/.test(code) ? `0o${code}` : /^[xuU][\da-fA-F]+$/.test(code) ? `0x${code.slice(1)}` : "";
  const value = digits === "" ? Number.NaN : Number(digits);
  if (code.length === 3) return value <= 0xff ? Buffer.of(value) : undefined;
  const isCharacter = value <= 0x10ffff && (value < 0xd800 || value > 0xdfff);
  return isCharacter ? Buffer.from(String.fromCodePoint(value)) : undefined;
}

const controls: Readonly<Record<string, string>> = {
  ...{ a: "\x07", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v", "\\": "\\" },
};

/** The name that a part of an expression writes, with or without quotes; undefined if it can't be read. */
export const nameWritten = (written: string): string | undefined =>
  /^["'`]/.test(written) ? valueOfString(written) : written;

/** The names in a grouping; undefined if one can't be read. */
export function namesIn({
  parts,
}: {
  readonly parts: readonly { readonly text: string }[];
}): readonly string[] | undefined {
  const names = parts.map(({ text }) => nameWritten(text));
  return names.includes(undefined) ? undefined : (names as string[]);
}
