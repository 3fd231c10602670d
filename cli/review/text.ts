import { createColors } from "picocolors";
import type { Report, StackReport, Told } from "./report";
import type { Direction, RiskClass } from "../stacks/risk";
import { changeCounts, changeLines, titleOf } from "./summary";
import { plainly } from "../report/words";

const width = 80;

/** A report for a terminal, no wider than 80 columns. */
export function textOf(report: Report, { color = false } = {}): string {
  const colors = createColors(color);
  const paint = { laxer: colors.red, unclear: colors.yellow, stricter: colors.green } satisfies Record<
    Direction,
    unknown
  >;
  const widest = Math.max(0, ...report.risks.map((risk) => risk.class.length));
  const stackText = (stack: StackReport): readonly string[] => {
    const own = <T extends { readonly stack: string }>(all: readonly T[]) =>
      all.filter((each) => each.stack === stack.stack);
    return [
      "",
      colors.bold(plainly(`${stack.stack}: ${changeCounts(stack, report.command)}`)),
      ...stack.failures.flatMap((failure) => toldLines(failure, colors.red("error"), 5)),
      ...own(report.violations).flatMap(({ kind, name, rule, message }) =>
        hanging(`  ${colors.red("standard")}  `, 12, `${kind} ${name}: ${rule}: ${message}`),
      ),
      ...own(report.risks).flatMap((risk) =>
        hanging(
          `  ${paint[risk.direction](classText(risk.class, widest))}  `,
          widest + 4,
          `${risk.kind} ${risk.sentence}`,
        ),
      ),
      ...stack.notes.flatMap((note) => toldLines(note, "note", 4)),
      ...changeLines(stack, report.command).flatMap(({ text, isPicture }) => {
        const indent = text.length - text.trimStart().length + 2;
        const lines = isPicture ? [text] : hanging(" ".repeat(indent), indent + 4, text.trimStart());
        return lines.map((each) => colors.dim(each));
      }),
    ];
  };
  return `${[colors.bold(titleOf(report)), ...report.stacks.flatMap(stackText)].join("\n")}\n`;
}

const classText = (riskClass: RiskClass, widest: number) => riskClass.padEnd(widest);

function toldLines({ kind, name, text }: Told, label: string, length: number): readonly string[] {
  const about = name === undefined ? "" : `${kind ?? ""} ${name}: `;
  const [first = "", ...rest] = text.split("\n");
  return [
    ...hanging(`  ${label}  `, length + 4, `${about}${first}`),
    ...rest.flatMap((line) => hanging(" ".repeat(length + 4), length + 4, line)),
  ];
}

/** A text that is broken at spaces, or if need be within a word; all lines but the first are indented. */
function hanging(start: string, indent: number, text: string): readonly string[] {
  const lines: string[] = [];
  let line = "";
  const room = width - indent;
  for (const word of plainly(text)
    .split(beforeWord)
    .flatMap((each) => piecesOf(each, room))) {
    if (line === "") line = word;
    else if (line.length + 1 + word.length <= room) line += ` ${word}`;
    else {
      lines.push(line);
      line = word;
    }
  }
  lines.push(line);
  return lines.map((each, i) => `${i === 0 ? start : " ".repeat(indent)}${each}`);
}

/** A space, but none between a number and its unit. */
const beforeWord = / (?![s%h](?:\W|$))/;

function piecesOf(word: string, room: number): readonly string[] {
  const letters = [...word];
  if (letters.length <= room) return [word];
  return Array.from({ length: Math.ceil(letters.length / room) }, (_, i) =>
    letters.slice(i * room, (i + 1) * room).join(""),
  );
}
