import { painter, piped, type Screen, type Style } from "../output/output";
import { hanging } from "../output/text";
import { plainly } from "../output/words";
import { type Direction, acceptanceText, riskLabel, type Risk } from "../consequences/risk";
import { noteText } from "./notes";
import type { Review, StackReview } from "./review";
import { allRisks, changeCounts, changeLines, incidentsIn, objectOrigin, reviewTitle } from "./summary";

const colors = { "alerts-less": "red", unclear: "yellow", "alerts-more": "green" } as const satisfies Record<
  Direction,
  Style
>;

/** A report for a terminal. */
export function reviewText(report: Review, { isColored, width }: Screen = piped): string {
  const { command, stacks, risks, violations, unmanaged, accepted } = report;
  const paint = painter(isColored);
  const widest = Math.max(0, ...allRisks(report).map((risk) => riskLabel(risk).length));
  const told = (label: string, style: Style, text: string) =>
    hanging(text, { start: `  ${paint(style, label)}  `, indent: 6, width });
  const riskText = (risk: Risk, end = "") =>
    told(
      riskLabel(risk).padEnd(widest),
      colors[risk.direction],
      `${risk.kind} ${plainly(risk.sentence)}${acceptanceText(risk)}${end}`,
    );
  const stackText = (stack: StackReview): readonly string[] => {
    const isOwn = (each: { readonly stack: string }) => each.stack === stack.stack;
    return [
      "",
      paint("bold", plainly(`${stack.stack}: ${changeCounts(stack, command)}`)),
      ...stack.failures.flatMap((failure) => told("error", "red", noteText(failure))),
      ...violations
        .filter(isOwn)
        .flatMap(({ rule, message, ...about }) =>
          told("standard", "red", noteText({ ...about, text: `${plainly(rule)}: ${plainly(message)}` })),
        ),
      ...risks.filter(isOwn).flatMap((risk) => riskText(risk)),
      ...stack.notes.flatMap((note) => told("note", "dim", noteText(note))),
      ...changeLines(stack, command).flatMap((line) =>
        hanging(`  ${line}`, { indent: 10, width }).map((each) => paint("dim", each)),
      ),
    ];
  };
  const acceptedText = accepted && [
    "",
    paint("bold", `Accepted risks: ${accepted.risks.length}`),
    ...accepted.risks.flatMap((risk) => riskText(risk, stacks.length === 1 ? "" : ` (${risk.stack})`)),
    ...accepted.problems.flatMap((problem) => told("warning", "yellow", problem)),
  ];
  const unmanagedText = unmanaged && [
    "",
    paint("bold", `Objects that no stack declares: ${unmanaged.objects.length}`),
    ...unmanaged.objects.flatMap((object) => {
      const slug = object.slug === "" ? "" : `${plainly(object.slug)} `;
      return hanging(`${object.kind} ${slug}(${objectOrigin(object)})`, { start: "  ? ", indent: 6, width });
    }),
    ...unmanaged.gaps.flatMap(({ text }) => told("note", "dim", text)),
  ];
  const incidents = incidentsIn(report);
  const incidentsText = incidents && [
    "",
    paint("bold", incidents.title),
    ...incidents.lines.flatMap((line) => hanging(line, { start: "  ", indent: 6, width })),
  ];
  const parts = [
    ...stacks.flatMap(stackText),
    ...(incidentsText ?? []),
    ...(acceptedText ?? []),
    ...(unmanagedText ?? []),
  ];
  return `${[paint("bold", reviewTitle(report)), ...parts].join("\n")}\n`;
}
