import { basename } from "node:path";
import { noDataLines, shortPart } from "../backtest/markdown";
import { basis } from "../backtest/result";
import { codeSpan, pullRequestComment, fenced, folded, sentenceMarkdown, titled } from "../output/markdown";
import { cutLine, plainly } from "../output/words";
import { type Risk, riskLabel, textOfRisk } from "../consequences/risk";
import type { Review, ReviewNote } from "./review";
import { changeCounts, changeLines, classCounts, incidentsIn, objectOrigin, reviewTitle } from "./summary";

/** A report as Markdown for a pull request. */
export function reviewMarkdown(report: Review, file?: string): string {
  const { command, stacks, risks, violations } = report;
  const { objects, gaps } = report.unmanaged ?? { objects: [], gaps: [] };
  const { accepted = { risks: [], problems: [] } } = report;
  const at = (stack: string) => (stacks.length === 1 ? "" : `${codeSpan(stack)} `);
  const riskLine = (risk: Risk) =>
    `${labeled(risk)} ${at(risk.stack)}${risk.kind} ${codeSpan(risk.name)}: ${sentenceMarkdown(textOfRisk(risk))}`;
  const incidents = incidentsIn(report);
  const dead = stacks.flatMap(({ changes }) =>
    changes.flatMap(({ name, backtest }) => (backtest?.state === "noData" ? [name] : [])),
  );
  const counts = risks.length === 0 ? [] : [classCounts(report)];
  const intro = [...counts, ...noDataLines([...new Set(dead)])];
  const parts = [
    ...stacks.map(({ stack, failures }) =>
      fenced(`**Errors in** ${codeSpan(stack)}`, "text", failures.flatMap(noteLines)),
    ),
    titled(
      "**The change breaks standards:**",
      violations.map(
        ({ stack, kind, name, rule, message }) =>
          `${at(stack)}${kind} ${codeSpan(name)}: ${codeSpan(rule)}: ${sentenceMarkdown(message)}`,
      ),
    ),
    titled("**Risks, worst first:**", risks.map(riskLine)),
    titled("**Accepted risks:**", accepted.risks.map(riskLine)),
    titled("**Entries that accept nothing:**", accepted.problems.map(sentenceMarkdown)),
    titled(
      "**New:**",
      stacks.flatMap(({ stack, changes }) =>
        changes.flatMap(({ kind, name, summary }) =>
          summary === undefined ? [] : `${at(stack)}${kind} ${codeSpan(name)}: ${codeSpan(summary)}`,
        ),
      ),
    ),
    ...(incidents ? [shortPart(incidents.title, incidents.lines)] : []),
    titled(
      "**Backtest of changed monitors:**",
      stacks.flatMap(({ stack, changes }) =>
        changes.flatMap(({ backtest }) => {
          if (backtest === undefined) return [];
          const { sentence, notes = [], sparkline = "" } = backtest;
          return `${at(stack)}${sentenceMarkdown([sentence, ...notes].join("; "))}${sparkline === "" ? "" : ` ${codeSpan(sparkline)}`}`;
        }),
      ),
      ["", `${basis} Timelines are below.`],
    ),
    titled(
      "**Stacks:**",
      stacks.map((stack) => `${codeSpan(stack.stack)}: ${changeCounts(stack, command)}`),
    ),
    titled(
      "**Objects that no stack declares:**",
      objects.map(
        (object) =>
          `${object.kind} ${object.slug === "" ? "" : `${codeSpan(object.slug)} `}${sentenceMarkdown(objectOrigin(object))}`,
      ),
    ),
    titled(
      "**Not listed:**",
      gaps.map(({ text }) => sentenceMarkdown(text)),
    ),
    ...stacks.map(({ stack, notes }) => folded("Notes on", stack, notes.length, "text", notes.flatMap(noteLines))),
    ...stacks.map((each) =>
      folded("Every difference in", each.stack, each.changes.length, "diff", changeLines(each, command)),
    ),
  ];
  const foot = file === undefined ? [] : ["", `All monitors and SLOs before and after: ${codeSpan(basename(file))}`];
  return pullRequestComment({ command, title: reviewTitle(report), intro, parts, foot });
}

function noteLines({ kind = "", name, text }: ReviewNote): readonly string[] {
  const lines = text.split("\n").map((each) => cutLine(plainly(each)));
  return name === undefined ? lines : [`${kind} ${plainly(name)}`, ...lines.map((each) => `    ${each}`)];
}

/** `**schedule** (alerts less)` */
const labeled = (risk: Risk) => riskLabel(risk).replace(risk.class, `**${risk.class}**`);
