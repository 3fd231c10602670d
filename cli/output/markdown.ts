import { count, plainly } from "./words";

/** A comment may have 65,536 characters; the rest is for what a pipeline adds. */
const longest = 65_000;

interface Comment {
  readonly command: string;
  readonly title: string;
  /** The lines under the title. */
  readonly intro?: readonly string[];
  readonly parts: readonly Section[];
  readonly foot?: readonly string[];
}

/** A part of the comment that is shortened by whole lines. */
export interface Section {
  readonly head: readonly string[];
  readonly lines: readonly string[];
  readonly foot: readonly string[];
  /** The start of each line. */
  readonly bullet: "- " | "";
}

/**
 * A comment for a pull request, always below the limit: each part has as many lines as fit, a part without room for one line
 * is omitted, and omitted lines and parts are counted.
 */
export function pullRequestComment({ command, title, intro = [], parts, foot = [] }: Comment): string {
  // A pipeline finds its own comment by the first line, and updates it in place.
  const head = [`<!-- pulumi-observability ${command} -->`, `### ${title}`, ...intro];
  const texts = [...head];
  const reserve = 200; // for the line that counts parts without room
  let room = longest - reserve - sizeOf([...head, ...foot]);
  let leftOut = 0;
  for (const part of parts) {
    if (part.lines.length === 0) continue;
    const lines = part.lines.map((line) => part.bullet + line);
    const rest = (left: number) => `${part.bullet}and ${left} more: see the job's log`;
    let used = sizeOf(["", ...part.head, ...part.foot, rest(lines.length)]);
    let taken = 0;
    for (const line of lines) {
      if (used + sizeOf([line]) > room) break;
      used += sizeOf([line]);
      taken += 1;
    }
    if (taken === 0) {
      leftOut += 1;
      continue;
    }
    room -= used;
    const left = lines.length - taken;
    texts.push("", ...part.head, ...lines.slice(0, taken), ...(left === 0 ? [] : [rest(left)]), ...part.foot);
  }
  if (leftOut > 0) texts.push("", `${count(leftOut, "part")} omitted for length: see the job's log.`);
  return `${[...texts, ...foot].join("\n")}\n`;
}

const sizeOf = (lines: readonly string[]) => lines.reduce((sum, line) => sum + line.length + 1, 0);

/** A list under a title. */
export const titled = (title: string, lines: readonly string[], foot: readonly string[] = []): Section => ({
  head: [title, ""],
  lines,
  foot,
  bullet: "- ",
});

/** Fenced lines under a title: nothing in them is Markdown or a mention. */
export function fenced(title: string, language: string, lines: readonly string[]): Section {
  const fence = "`".repeat(Math.max(3, longestRun(lines.join("\n")) + 1));
  return { head: [title, "", `${fence}${language}`], lines, foot: [fence], bullet: "" };
}

/** The same, collapsed until a reader opens it, under a title with a name and a number. */
export function folded(title: string, name: string, size: number, language: string, lines: readonly string[]): Section {
  const { head, foot, ...rest } = fenced("", language, lines);
  // A summary is HTML, in which Markdown code spans have no effect.
  const code = plainly(name).replace(/[&<>@]/g, (each) => `&#${each.charCodeAt(0)};`);
  const summary = `<summary>${title} <code>${code}</code>: ${size}</summary>`;
  return { ...rest, head: ["<details>", summary, ...head.slice(1)], foot: [...foot, "", "</details>"] };
}

/**
 * A sentence with user strings in quotes: they become code spans, in which nothing is Markdown, HTML or a mention. All text
 * outside of quotes is escaped. What a sentence tells to add or to write is one code span, with its quotes, to be copied.
 */
export function sentenceMarkdown(text: string): string {
  return plainly(text)
    .split(codeParts)
    .map((part, i) => {
      if (i % 2 === 0) return escaped(part);
      return codeSpan(part.startsWith('"') ? part.slice(1, -1).replace(/\\(["\\])/g, "$1") : part);
    })
    .join("");
}

const quoted = /"(?:[^"\\]|\\.)*"/.source;
const codeParts = new RegExp(
  `((?<=\\b(?:add|keep|write|or) )\\w+: (?:${quoted}|\\[\\{ \\w+: ${quoted} \\}\\])|${quoted})`,
);

/** A text in a code span. */
export function codeSpan(text: string): string {
  const inner = plainly(text);
  if (inner.trim() === "") return '""';
  const fence = "`".repeat(longestRun(inner) + 1);
  const space = inner.startsWith("`") || inner.endsWith("`") ? " " : "";
  return `${fence}${space}${inner}${space}${fence}`;
}

const longestRun = (text: string) => Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));

/**
 * A zero-width space keeps a name or a number from becoming a mention or a link to an issue. A `>` is text, because no line
 * begins with it, and no `<` is before it.
 */
const escaped = (text: string) =>
  text.replace(/[\\`*_{}[\]<#|~!$&]/g, (each) => (each === "#" ? "\\#\u200b" : `\\${each}`)).replaceAll("@", "@\u200b");
