import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { acceptedRisks } from "../../../dist/cli/commands/review/accepted.js";
import { directions, isWanted, riskClasses, type Risk } from "../../../dist/cli/consequences/risk.js";
import { withAccepted } from "../../../dist/cli/review/accepted.js";
import { reviewMarkdown } from "../../../dist/cli/review/markdown.js";
import { merged } from "../../../dist/cli/review/merged.js";
import type { Review } from "../../../dist/cli/review/review.js";
import { reviewText } from "../../../dist/cli/review/text.js";
import { withFailure } from "../../../dist/cli/preview/stackPreview.js";
import { steps } from "../../support/digests.js";
import { ownFolder } from "../../support/folders.js";
import { previewOf, reviewed } from "./reviewed.js";

const folder = ownFolder();
const file = join(folder, "review.accepted.yaml");
const today = new Date("2026-11-28T23:59:00Z");

/** The entries of a file with this text. */
function entriesOf(text: string) {
  writeFileSync(file, text);
  return acceptedRisks(file);
}
const entry = (more: object = {}) =>
  `- ${JSON.stringify({ class: "removed", object: "Monitor gone", text: removed, reason: "moved", until: "2026-11-28", ...more })}\n`;
const accept = (report: Review, ...texts: readonly string[]) => withAccepted(report, entriesOf(texts.join("")), today);

const removed = "the monitor is removed: it no longer fires";
const stackOf = (stack = "dev") =>
  previewOf([steps("Monitor", "gone", { before: { slug: "gone" } }, stack)], [], stack);
const one = reviewed(stackOf());
const problemsOf = ({ accepted }: Review) => accepted?.problems.map((each) => each.replace(`${file}:`, "line "));

describe.each(riskClasses)("a risk of the class %s", (riskClass) => {
  const other = riskClasses.find((each) => each !== riskClass);
  test.each(directions)("and %s fails no job once it is accepted, and any other one still does", (direction) => {
    const risk: Risk = { ...(one.risks[0] as Risk), class: riskClass, direction, sentence: "gone: it's odd" };
    const others = [{ sentence: "gone: it's odder" }, { class: other }, { name: "x", sentence: "x: it's odd" }];
    const all = [risk, ...others.map((each) => ({ ...risk, ...each }) as Risk)];
    const report = accept({ ...one, risks: all }, entry({ class: riskClass, text: "it's\n  odd" }));
    expect(report.risks).toEqual(all.slice(1));
    expect(report.accepted?.risks).toMatchObject([{ ...risk, acceptance: { reason: "moved", until: "2026-11-28" } }]);
    for (const filter of [riskClass, direction, `${riskClass}:${direction}`]) {
      expect(all.filter((each) => isWanted(each, [filter]))).toContain(risk);
      expect(report.risks.some((each) => isWanted(each, [filter, "budget"]))).toBe(true);
    }
    expect(accept({ ...one, risks: [risk] }, entry({ class: riskClass, text: "it's odd" })).risks).toEqual([]);
  });
});

test("an accepted risk is counted and listed with its reason and date, and an expired one says so and fails", () => {
  const [open, expired] = [accept(one, entry()), accept(one, entry({ until: "2026-11-27" }))];
  expect(reviewText(open)).toBe(`Observability review: 1 accepted risk in 1 stack

project/dev: 1 to delete
  - delete Monitor gone

Accepted risks: 1
  removed (alerts less)  Monitor gone: the monitor is removed: it no longer
      fires; accepted until 2026-11-28: moved
`);
  expect(reviewMarkdown(open)).toContain(
    `**Accepted risks:**\n\n- **removed** (alerts less) Monitor \`gone\`: ${removed}; accepted until 2026-11-28: moved\n`,
  );
  expect([expired.risks.length, expired.accepted]).toEqual([1, undefined]);
  for (const form of [reviewText(expired), reviewMarkdown(expired)]) {
    expect(form).toContain("review: 1 risk in 1 stack");
    expect(form.replace(/\s+/g, " ")).toContain("no longer fires; its acceptance expired on 2026-11-27: moved");
    expect(form).not.toContain("Accepted risks");
  }
});

test("an entry without text, or with that of another change, accepts nothing, and names the line to write", () => {
  for (const text of [undefined, "critical condition > 1 → > 2"]) {
    const report = accept(one, entry({ text }));
    expect(report.risks).toEqual(one.risks);
    const [, line = ""] = /write (text: .*)$/.exec(problemsOf(report)?.[0] ?? "") ?? [];
    const { text: found } = entriesOf(entry().replace(/"text":"[^"]*"/, line.replace("text:", '"text":')))[0] ?? {};
    expect(found).toBe(removed);
    for (const form of [reviewText(report), reviewMarkdown(report)]) expect(form).toContain("accepts nothing");
    expect(reviewMarkdown(report)).toContain(`write \`text: ${JSON.stringify(removed)}\`\n`);
  }
});

test("an entry for several stacks accepts nothing until it names one", () => {
  const two = reviewed(stackOf("a"), stackOf("b"));
  const both = accept(two, entry());
  expect([both.risks.length, problemsOf(both)]).toEqual([
    2,
    [
      'line 1: accepts nothing: "project/a" and "project/b" have this risk. Write an entry with "stack" for each that you accept',
    ],
  ]);
  const named = accept(two, entry({ stack: "project/b" }));
  expect(named.risks.map(({ stack }) => stack)).toEqual(["project/a"]);
  expect(reviewText(named)).toContain("1 risk and 1 accepted risk in 2 stacks");
  expect(reviewText(named).replace(/\s+/g, " ")).toContain("until 2026-11-28: moved (project/b)");
});

test("an entry without a risk is reported, but not if its stack was not checked", () => {
  const other = entry({ object: "Monitor other" });
  expect(problemsOf(accept(one, entry(), other))).toEqual([
    "line 2: accepts nothing: Monitor other has no risk of the class removed. Remove the entry if the change is applied",
  ]);
  expect(problemsOf(accept(one, entry({ stack: "project/x", object: "SLO y" })))).toEqual([
    'line 1: accepts nothing: the stack "project/x" is not reviewed',
  ]);
  const failed = accept(reviewed(withFailure(stackOf(), "the service is unreachable")), other);
  expect([problemsOf(failed), failed.stacks[0]?.isFailed]).toEqual([undefined, true]);
});

test("a merge accepts by its own file, also what it finds again over all stacks", () => {
  const labels = { notifier: "pager" };
  const user = steps(
    "Monitor",
    "user",
    { op: "same", before: { slug: "u", labels }, after: { slug: "u", labels } },
    "a",
  );
  const pager = steps("Notifier", "pager", { before: { slug: "pager" } }, "b");
  const shards = [reviewed(previewOf([user], [], "a")), accept(reviewed(stackOf("c")), entry())];
  const all = merged([...shards, reviewed(previewOf([pager], [], "b"))]);
  expect(all.risks.map(({ name }) => name)).toEqual(["gone", "pager", "user"]);
  expect(all.risks.filter(({ acceptance }) => acceptance)).toEqual([]);
  const found = all.risks.find((risk) => risk.class === "unrouted");
  const text = found?.sentence.replace("user: ", "");
  const again = merged([accept(all, entry({ class: "unrouted", object: "Monitor user", text }))]);
  expect(again.risks).toEqual(all.risks);
  expect(accept(again, entry(), entry({ class: "unrouted", object: "Monitor user", text })).risks).toHaveLength(1);
});

test.each([
  ["no text at all", "# none\n", "1: the file is empty. An entry has class, object, reason and until. Without"],
  ["a map", "class: removed\n", "1: the file is not a list"],
  ["text that isn't YAML", "- class: removed\n  class: x\n", "2: not valid YAML: Map keys must be unique"],
  [
    "a text without quotes",
    `- text: ${removed}\n`,
    "1: not valid YAML: Nested mappings are not allowed in compact mappings. Put",
  ],
  ["two documents", "- {}\n---\n- {}\n", "2: not valid YAML: Source contains multiple documents"],
  ["an item that is no entry", `${entry()}- gone\n`, "2: class, object, reason and until missing. An entry has"],
  ["an entry without reason", entry({ reason: undefined }), "1: reason missing. An entry has"],
  ["a reason without letters", entry({ reason: " " }), "1: reason must be a string. Put it in quotes"],
  ["a number", entry({ text: 5 }), "1: text must be a string. Put it in quotes"],
  ["an unknown key", "- class: removed\n  untill: 2026-12-31\n", '2: unknown key "untill". Did you mean "until"?'],
  ["an unknown class", entry({ class: "treshold" }), '1: unknown class "treshold". Did you mean "threshold"?'],
  ["a direction", entry({ class: "alerts-less" }), '1: unknown class "alerts-less". Classes are declared-elsewhere,'],
  ["an unknown kind", entry({ object: "monitor x" }), '1: unknown kind "monitor". Did you mean "Monitor"?'],
  ["an object without kind", entry({ object: "gone" }), "1: object must be a kind and a name, such as"],
  ["a date without a day", entry({ until: "2026-12" }), "1: until must be a day, such as 2026-12-31"],
  ["an impossible date", entry({ until: "2026-02-30" }), "1: until must be a day, such as 2026-12-31"],
  ["a time", entry({ until: "2026-12-31T10:00:00Z" }), "1: until must be a day, such as 2026-12-31"],
  ["the same risk twice", entry() + entry({ stack: "a/b" }), `2: accepts the same risk as ${file}:1. Remove one`],
])("a file with %s is rejected with the line", (_, text, message) => {
  expect(() => entriesOf(text)).toThrow(`${file}:${message}`);
});

test("all mistakes of a file are reported at once", () => {
  expect(() => entriesOf(entry({ class: "x" }) + entry({ until: "x" }))).toThrow(/:1: unknown class[^]*\n.*:2: until/);
});
