import { painter, piped, type Screen, type Style } from "../report/output";
import { hanging } from "../report/text";
import { plainly } from "../report/words";
import { type Direction, labelOf } from "../stacks/risk";
import type { Review, StackReview, ReviewNote } from "./review";
import { changeCounts, changeLines, originOf, titleOf } from "./summary";

const colors = { laxer: "red", unclear: "yellow", stricter: "green" } as const satisfies Record<Direction, Style>;

/** A report for a terminal. */
export function textOf(report: Review, { isColored, width }: Screen = piped): string {
  const paint = painter(isColored);
  const widest = Math.max(0, ...report.risks.map((risk) => labelOf(risk).length));
  const stackText = (stack: StackReview): readonly string[] => {
    const own = <T extends { readonly stack: string }>(all: readonly T[]) =>
      all.filter((each) => each.stack === stack.stack);
    return [
      "",
      paint("bold", plainly(`${stack.stack}: ${changeCounts(stack, report.command)}`)),
      ...stack.failures.flatMap((failure) =>
        toldLines(failure, { start: `  ${paint("red", "error")}  `, indent: 9, width }),
      ),
      ...own(report.violations).flatMap(({ kind, name, rule, message }) =>
        hanging(`${kind} ${name}: ${rule}: ${message}`, {
          start: `  ${paint("red", "standard")}  `,
          indent: 12,
          width,
        }),
      ),
      ...own(report.risks).flatMap((risk) =>
        hanging(`${risk.kind} ${risk.sentence}`, {
          start: `  ${paint(colors[risk.direction], labelOf(risk).padEnd(widest))}  `,
          columns: widest + 4,
          indent: 6,
          width,
        }),
      ),
      ...stack.notes.flatMap((note) => toldLines(note, { start: "  note  ", indent: 8, width })),
      ...changeLines(stack, report.command).flatMap(({ text, isPicture }) => {
        const indent = text.length - text.trimStart().length + 2;
        const lines = isPicture
          ? [text]
          : hanging(text.trimStart(), { start: " ".repeat(indent), indent: indent + 4, width });
        return lines.map((each) => paint("dim", each));
      }),
    ];
  };
  return `${[paint("bold", titleOf(report)), ...report.stacks.flatMap(stackText), ...unmanagedText(report, { isColored, width })].join("\n")}\n`;
}

function unmanagedText({ unmanaged }: Review, { isColored, width }: Screen): readonly string[] {
  if (unmanaged === undefined) return [];
  const { objects, gaps } = unmanaged;
  return [
    "",
    painter(isColored)("bold", `Objects that no stack declares: ${objects.length}`),
    ...objects.flatMap((object) =>
      hanging(`${object.kind} ${object.slug === "" ? "" : `${object.slug} `}(${originOf(object)})`, {
        start: "  ? ",
        columns: 4,
        indent: 6,
        width,
      }),
    ),
    ...gaps.flatMap(({ text }) => hanging(text, { start: "  note  ", indent: 8, width })),
  ];
}

function toldLines({ kind, name, text }: ReviewNote, hang: Parameters<typeof hanging>[1]): readonly string[] {
  const about = name === undefined ? "" : `${kind ?? ""} ${name}: `;
  const [first = "", ...rest] = text.split("\n");
  return [
    ...hanging(`${about}${first}`, hang),
    ...rest.flatMap((line) => hanging(line, { ...hang, start: " ".repeat(hang.indent) })),
  ];
}
