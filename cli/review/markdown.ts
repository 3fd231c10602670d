import { basis } from "../commands/backtest/text";
import type { Report, StackReport, Told } from "./report";
import { changeCounts, changeLines, classCounts, titleOf } from "./summary";
import { count, cutLine, plainly } from "../report/words";

/** A comment may have 65,536 characters; the rest is for what a pipeline adds. */
const longest = 65_000;

/** The first line of a comment: a pipeline finds its own comment by it, and updates it in place. */
export const marker = (command: Report["command"]) => `<!-- pulumi-observability ${command} -->`;

/** A report as Markdown for a pull request. However large it is, it is below the limit: what has no room is counted. */
export function markdownOf(report: Report): string {
  const { command, stacks, risks, violations } = report;
  const failed = stacks.filter(({ failures }) => failures.length > 0);
  const isOne = stacks.length === 1;
  const at = (stack: string) => (isOne ? "" : `${code(stack)} `);
  const head = [marker(command), `### ${titleOf(report)}`, ...(risks.length === 0 ? [] : [`${classCounts(report)}`])];
  const parts: readonly Part[] = [
    ...failed.map(({ stack, failures }): Part => ({
      ...fenced(`**Failed:** ${code(stack)}`, "text", failures.flatMap(failureLines)),
      rest: (left) => `${count(left, "more line")} of the failure: see the job's log`,
    })),
    {
      head: ["**The change breaks standards:**", ""],
      lines: violations.map(
        ({ stack, kind, name, rule, message }) =>
          `- ${at(stack)}${kind} ${code(name)}: ${code(rule)}: ${marked(message)}`,
      ),
      foot: [],
      rest: (left) => `- and ${left} more: see the job's log`,
    },
    {
      head: ["**Risks, worst first:**", ""],
      lines: risks.map((risk) => `- **${risk.class}** ${at(risk.stack)}${risk.kind} ${sentence(risk)}`),
      foot: [],
      rest: (left) => `- and ${left} more: see the job's log`,
    },
    {
      head: ["**What changed monitors would have done:**", ""],
      lines: stacks.flatMap(({ stack, changes }) =>
        changes.flatMap(({ backtest }) =>
          backtest === undefined ? [] : [`- ${at(stack)}${marked(backtest.sentence)}`],
        ),
      ),
      foot: ["", `${basis} Time lines are below.`],
      rest: (left) => `- and ${left} more: see the job's log`,
    },
    {
      head: ["**Stacks:**", ""],
      lines: stacks.map((stack) => `- ${code(stack.stack)}: ${changeCounts(stack, command)}`),
      foot: [],
      rest: (left) => `- and ${left} more`,
    },
    ...stacks.map(notesPart),
    ...stacks.map((stack) => differencesPart(stack, command)),
  ];
  return fit(
    head,
    parts.filter(({ lines }) => lines.length > 0),
  );
}

/** A part of the comment that is shortened by whole lines. */
interface Part {
  readonly head: readonly string[];
  readonly lines: readonly string[];
  readonly foot: readonly string[];
  /** Says how many lines are left out. */
  readonly rest: (left: number) => string;
}

/** Takes as many lines as there is room for, part after part. A part without room for one line is left out whole. */
function fit(head: readonly string[], parts: readonly Part[]): string {
  const texts = [...head];
  const reserve = 200; // for the line that counts parts without room
  let room = longest - reserve - sizeOf(head);
  let leftOut = 0;
  for (const part of parts) {
    const { lines, rest } = part;
    const frame = sizeOf(["", ...part.head, ...part.foot, rest(lines.length)]);
    let used = frame;
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
  if (leftOut > 0) texts.push("", `${count(leftOut, "part")} more without room here: see the job's log.`);
  return `${texts.join("\n")}\n`;
}

const sizeOf = (lines: readonly string[]) => lines.reduce((sum, line) => sum + line.length + 1, 0);

function failureLines({ kind, name, text }: Told): readonly string[] {
  const lines = text.split("\n").map((each) => cutLine(plainly(each)));
  return name === undefined ? lines : [`${kind ?? ""} ${plainly(name)}`, ...lines.map((each) => `    ${each}`)];
}

const notesPart = ({ stack, notes }: StackReport): Part => ({
  ...folded(`Notes on ${code(stack)}: ${notes.length}`, "text", notes.flatMap(failureLines)),
  rest: (left) => `and ${count(left, "more line")}`,
});

const differencesPart = (report: StackReport, command: Report["command"]): Part => ({
  ...folded(
    `Every difference in ${code(report.stack)}: ${report.changes.length}`,
    "diff",
    changeLines(report, command).map(({ text }) => text),
  ),
  rest: (left) => `and ${count(left, "more line")}: see the job's log`,
});

/** Inside of a fence nothing is Markdown, and no name is a mention. */
function fenced(title: string, language: string, lines: readonly string[]) {
  const fence = "`".repeat(Math.max(3, longestRun(lines.join("\n")) + 1));
  return { head: [title, "", `${fence}${language}`], lines, foot: [fence] };
}

function folded(title: string, language: string, lines: readonly string[]) {
  const { head, foot } = fenced("", language, lines);
  // A summary is HTML, in which code spans of Markdown mean nothing.
  return {
    head: ["<details>", `<summary>${htmlCode(title)}</summary>`, ...head.slice(1)],
    lines,
    foot: [...foot, "", "</details>"],
  };
}

const htmlCode = (text: string) =>
  text.replace(
    /(`+) ?([^]*?) ?\1/g,
    (_, _fence: string, inner: string) =>
      `<code>${inner.replace(/[&<>@]/g, (each) => `&#${each.charCodeAt(0)};`)}</code>`,
  );

function sentence({ name, sentence: text }: { readonly name: string; readonly sentence: string }): string {
  const prefix = `${plainly(name)}: `;
  return text.startsWith(prefix) ? `${code(name)}: ${marked(text.slice(prefix.length))}` : marked(text);
}

/**
 * Our words with texts of users in quotes: these become code, in which nothing is Markdown, HTML or a mention. Whatever
 * stands outside of quotes is escaped.
 */
function marked(text: string): string {
  return plainly(text)
    .split(/("(?:[^"\\]|\\.)*")/)
    .map((part, i) => (i % 2 === 1 ? code(part.slice(1, -1)) : escaped(part)))
    .join("");
}

function code(text: string): string {
  const inner = plainly(text);
  if (inner.trim() === "") return '""';
  const fence = "`".repeat(longestRun(inner) + 1);
  const space = inner.startsWith("`") || inner.endsWith("`") ? " " : "";
  return `${fence}${space}${inner}${space}${fence}`;
}

const longestRun = (text: string) => Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));

/** A zero-width space keeps a name or a number from becoming a mention or a link to an issue. */
const escaped = (text: string) =>
  text
    .replace(/[\\`*_{}[\]<>#|~!$&]/g, (each) => (each === "#" ? "\\#\u200b" : `\\${each}`))
    .replaceAll("@", "@\u200b");
