import { basename } from "node:path";
import { basis } from "../backtest/result";
import { code, commentOf, fenced, folded, marked, titled } from "../report/markdown";
import { cutLine, plainly } from "../report/words";
import { type Risk, riskLabel, textOfRisk } from "../sentences/risk";
import type { Review, ReviewNote } from "./review";
import { changeCounts, changeLines, classCounts, originOf, titleOf } from "./summary";

/** A report as Markdown for a pull request. */
export function markdownOf(report: Review, page?: string): string {
  const { command, stacks, risks, violations } = report;
  const { objects, gaps } = report.unmanaged ?? { objects: [], gaps: [] };
  const at = (stack: string) => (stacks.length === 1 ? "" : `${code(stack)} `);
  const intro = risks.length === 0 ? [] : [classCounts(report)];
  const parts = [
    ...stacks.map(({ stack, failures }) => fenced(`**Errors in** ${code(stack)}`, "text", failures.flatMap(noteLines))),
    titled(
      "**The change breaks standards:**",
      violations.map(
        ({ stack, kind, name, rule, message }) =>
          `${at(stack)}${kind} ${code(name)}: ${code(rule)}: ${marked(message)}`,
      ),
    ),
    titled(
      "**Risks, worst first:**",
      risks.map(
        (risk) => `${labeled(risk)} ${at(risk.stack)}${risk.kind} ${code(risk.name)}: ${marked(textOfRisk(risk))}`,
      ),
    ),
    titled(
      "**Backtest of changed monitors:**",
      stacks.flatMap(({ stack, changes }) =>
        changes.flatMap(({ backtest }) => (backtest ? [`${at(stack)}${marked(backtest.sentence)}`] : [])),
      ),
      ["", `${basis} Timelines are below.`],
    ),
    titled(
      "**Stacks:**",
      stacks.map((stack) => `${code(stack.stack)}: ${changeCounts(stack, command)}`),
    ),
    titled(
      "**Objects that no stack declares:**",
      objects.map(
        (object) => `${object.kind} ${object.slug === "" ? "" : `${code(object.slug)} `}${marked(originOf(object))}`,
      ),
    ),
    titled(
      "**Not listed:**",
      gaps.map(({ text }) => marked(text)),
    ),
    ...stacks.map(({ stack, notes }) =>
      folded(`Notes on ${code(stack)}: ${notes.length}`, "text", notes.flatMap(noteLines)),
    ),
    ...stacks.map((stack) => {
      const title = `Every difference in ${code(stack.stack)}: ${stack.changes.length}`;
      return folded(title, "diff", changeLines(stack, command));
    }),
  ];
  const foot = page === undefined ? [] : ["", `All monitors and SLOs before and after: ${code(basename(page))}`];
  return commentOf({ command, title: titleOf(report), intro, parts, foot });
}

function noteLines({ kind = "", name, text }: ReviewNote): readonly string[] {
  const lines = text.split("\n").map((each) => cutLine(plainly(each)));
  return name === undefined ? lines : [`${kind} ${plainly(name)}`, ...lines.map((each) => `    ${each}`)];
}

/** `**schedule** (alerts less)` */
const labeled = (risk: Risk) => riskLabel(risk).replace(risk.class, `**${risk.class}**`);
