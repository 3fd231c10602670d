import { painter, piped, type Screen, type Style } from "../output/output";
import { hanging } from "../output/text";
import { plainly } from "../output/words";
import { type Direction, acceptanceText, riskLabel, type Risk } from "../consequences/risk";
import { noteText } from "./notes";
import type { Review, StackReview, Unmanaged } from "./review";
import { allRisks, changeCounts, changeLines, incidentsIn, objectOrigin, reviewTitle } from "./summary";

const colors: Readonly<Record<Direction, Style>> = { "alerts-less": "red", unclear: "yellow", "alerts-more": "green" };

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
    return titled(plainly(`${stack.stack}: ${changeCounts(stack, command)}`), [
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
    ]);
  };
  const titled = (title: string, lines: readonly string[]) => ["", paint("bold", title), ...lines];
  const acceptedText = (all: NonNullable<Review["accepted"]>) => [
    ...all.risks.flatMap((risk) => riskText(risk, stacks.length === 1 ? "" : ` (${risk.stack})`)),
    ...all.problems.flatMap((problem) => told("warning", "yellow", problem)),
  ];
  const unmanagedText = ({ objects, gaps }: Unmanaged) => [
    ...objects.flatMap((object) => {
      const slug = object.slug === "" ? "" : `${plainly(object.slug)} `;
      return hanging(`${object.kind} ${slug}(${objectOrigin(object)})`, { start: "  ? ", indent: 6, width });
    }),
    ...gaps.flatMap(({ text }) => told("note", "dim", text)),
  ];
  const incidents = incidentsIn(report);
  const incidentText = (line: string) => hanging(line, { start: "  ", indent: 6, width });
  const parts = [
    ...stacks.flatMap(stackText),
    ...(incidents ? titled(incidents.title, incidents.lines.flatMap(incidentText)) : []),
    ...(accepted ? titled(`Accepted risks: ${accepted.risks.length}`, acceptedText(accepted)) : []),
    ...(unmanaged
      ? titled(`Objects that no stack declares: ${unmanaged.objects.length}`, unmanagedText(unmanaged))
      : []),
  ];
  return `${[paint("bold", reviewTitle(report)), ...parts].join("\n")}\n`;
}
