import { parser } from "@prometheus-io/lezer-promql";
import { expect, test } from "vitest";
import { canonicalPromql } from "../../../dist/cli/promql/canonical.js";
import { readNodes, unreadNodes } from "../../../dist/cli/promql/grammar.js";
import { parse } from "../../../dist/cli/promql/tree.js";
import { verdicts } from "../judge/verdicts.js";

const ofGrammar = parser.nodeSet.types.map(({ name }) => name).filter((name) => name !== "");

test("each node of the grammar is read, with a reason, or unread, so that a newer grammar decides its new ones", () => {
  const decided = [...Object.values(readNodes).flat(), ...Object.keys(unreadNodes)];
  expect([...decided].sort()).toEqual([...ofGrammar].sort());
  expect(new Set(decided).size).toBe(decided.length);
});

/** The words, operators and numbers of an expression with their kind: what has another one in its place is another expression. */
const swaps: readonly (readonly string[])[] = [
  ["==", "!=", "<", "<=", ">", ">=", "</", ">/"],
  ["+", "-", "*", "/", "%", "^", "atan2"],
  ["and", "or", "unless"],
  ["sum", "min", "max", "avg", "count", "group", "stddev", "stdvar"],
  ["rate", "increase", "delta", "irate", "deriv", "resets", "changes", "sum_over_time", "absent_over_time"],
  ["abs", "ceil", "floor", "sort", "sort_desc", "histogram_count", "histogram_sum", "absent", "scalar"],
  ["on", "ignoring"],
  ["by", "without"],
  ["group_left", "group_right"],
  ["fill", "fill_left", "fill_right"],
  ["anchored", "smoothed"],
  ["start", "end"],
  ["=", "!=", "=~", "!~"],
];

function isRead(text: string): boolean {
  try {
    return parse(text).length > 0;
  } catch {
    return false;
  }
}

test("an expression with another operator, function or modifier is not the same", () => {
  let tried = 0;
  for (const text of verdicts.accepted) {
    const tokens = text.match(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`|\w+|[=!<>]=|=~|!~|<\/|>\/|\s+|[^]/g) ?? [];
    tokens.forEach((token, at) => {
      for (const swap of swaps.filter((each) => each.includes(token))) {
        const other = swap[(swap.indexOf(token) + 1) % swap.length] ?? "";
        const changed = [...tokens.slice(0, at), other, ...tokens.slice(at + 1)].join("");
        if (!isRead(changed)) continue;
        tried += 1;
        if (canonicalPromql(changed) === canonicalPromql(text)) expect(`${text} is ${changed}`).toBe(undefined);
      }
    });
  }
  expect(tried).toBeGreaterThan(500);
});
