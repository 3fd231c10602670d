import { basis } from "../backtest/result";
import { code, commentOf, fenced, folded, marked, type Section, titled } from "../report/markdown";
import { count, cutLine, plainly } from "../report/words";
import { labelOf, type Risk } from "../stacks/risk";
import type { Review, StackReview, ReviewNote } from "./review";
import { changeCounts, changeLines, classCounts, originOf, titleOf } from "./summary";

/** A report as Markdown for a pull request. */
export function markdownOf(report: Review): string {
  const { command, stacks, risks, violations } = report;
  const failed = stacks.filter(({ failures }) => failures.length > 0);
  const isOne = stacks.length === 1;
  const at = (stack: string) => (isOne ? "" : `${code(stack)} `);
  const intro = risks.length === 0 ? [] : [classCounts(report)];
  const parts: readonly Section[] = [
    ...failed.map(({ stack, failures }): Section => ({
      ...fenced(`**Failed:** ${code(stack)}`, "text", failures.flatMap(failureLines)),
      rest: (left) => `${count(left, "more line")} of the failure: see the job's log`,
    })),
    titled(
      "**The change breaks standards:**",
      violations.map(
        ({ stack, kind, name, rule, message }) =>
          `- ${at(stack)}${kind} ${code(name)}: ${code(rule)}: ${marked(message)}`,
      ),
    ),
    titled(
      "**Risks, worst first:**",
      risks.map((risk) => `- ${labeled(risk)} ${at(risk.stack)}${risk.kind} ${sentence(risk)}`),
    ),
    titled(
      "**What changed monitors would have done:**",
      stacks.flatMap(({ stack, changes }) =>
        changes.flatMap(({ backtest }) => (backtest ? [`- ${at(stack)}${marked(backtest.sentence)}`] : [])),
      ),
      ["", `${basis} Time lines are below.`],
    ),
    {
      ...titled(
        "**Stacks:**",
        stacks.map((stack) => `- ${code(stack.stack)}: ${changeCounts(stack, command)}`),
      ),
      rest: (left) => `- and ${left} more`,
    },
    ...unmanagedParts(report),
    ...stacks.map(notesPart),
    ...stacks.map((stack) => differencesPart(stack, command)),
  ];
  return commentOf({ command, title: titleOf(report), intro, parts });
}

function failureLines({ kind, name, text }: ReviewNote): readonly string[] {
  const lines = text.split("\n").map((each) => cutLine(plainly(each)));
  return name === undefined ? lines : [`${kind ?? ""} ${plainly(name)}`, ...lines.map((each) => `    ${each}`)];
}

const unmanagedParts = ({ unmanaged: { objects, gaps } = { objects: [], gaps: [] } }: Review): readonly Section[] => [
  titled(
    "**Objects that no stack declares:**",
    objects.map(
      (object) => `- ${object.kind} ${object.slug === "" ? "" : `${code(object.slug)} `}${marked(originOf(object))}`,
    ),
  ),
  {
    ...titled(
      "**Not listed:**",
      gaps.map(({ text }) => `- ${marked(text)}`),
    ),
    rest: (left) => `- and ${left} more`,
  },
];

const notesPart = ({ stack, notes }: StackReview): Section => ({
  ...folded(`Notes on ${code(stack)}: ${notes.length}`, "text", notes.flatMap(failureLines)),
  rest: (left) => `and ${count(left, "more line")}`,
});

const differencesPart = (report: StackReview, command: Review["command"]): Section => ({
  ...folded(
    `Every difference in ${code(report.stack)}: ${report.changes.length}`,
    "diff",
    changeLines(report, command).map(({ text }) => text),
  ),
  rest: (left) => `and ${count(left, "more line")}: see the job's log`,
});

/** `**muted** (laxer)` */
const labeled = (risk: Risk) => labelOf(risk).replace(risk.class, `**${risk.class}**`);

function sentence({ name, sentence: text }: { readonly name: string; readonly sentence: string }): string {
  const prefix = `${plainly(name)}: `;
  return text.startsWith(prefix) ? `${code(name)}: ${marked(text.slice(prefix.length))}` : marked(text);
}
