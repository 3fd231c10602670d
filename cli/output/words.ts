import { durationText } from "../../sdk/behavior/durations";

/** `1,000` */
export const numberText = (number: number) => number.toLocaleString("en-US");

/** `1 page`, `3 pages`, `1,000 pages`. */
export const count = (number: number, one: string, many = `${one}s`) =>
  `${numberText(number)} ${number === 1 ? one : many}`;

/** `a, b and c` */
export const listed = (texts: readonly string[]) =>
  texts.length < 2 ? (texts[0] ?? "") : `${texts.slice(0, -1).join(", ")} and ${texts.at(-1) ?? ""}`;

/** The first texts, and the number of the others. */
export const firstOf = (texts: readonly string[], moreText = moreOf, most = 3): readonly string[] =>
  texts.length > most ? [...texts.slice(0, most), moreText(texts.length - most)] : texts;

const moreOf = (left: number) => `${left} more`;

/** The most characters of a quote. */
export const longestQuote = 60;

/** A string in double quotes, as JSON, cut to 60 characters. Control and direction characters are escaped. */
export function quote(text: string): string {
  const letters = [...text];
  const cut = letters.length > longestQuote ? `${letters.slice(0, longestQuote - 1).join("")}…` : text;
  return plainly(JSON.stringify(cut));
}

const longestLine = 400;

/** A line of text, cut if it is too long to read. */
export const cutLine = (text: string) =>
  text.length > longestLine ? `${[...text].slice(0, longestLine - 1).join("")}…` : text;

/** A name without quotes, on one line. */
export const plainly = (text: string) => text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, escaped);

const escaped = (letter: string) =>
  [...letter].map((each) => `\\u{${each.codePointAt(0)?.toString(16) ?? ""}}`).join("");

/** A span for people: `30 days`, `6 h`. */
export function spanText(secs: number): string {
  const days = secs / 86_400;
  return Number.isInteger(days) ? count(days, "day") : durationText(secs);
}

/** `2026-11-22 07:30` in UTC. */
export const timeText = (time: number) => new Date(time * 1_000).toISOString().slice(0, 16).replace("T", " ");
