import { parser } from "@prometheus-io/lezer-promql";
import { expect, test } from "vitest";
import { canonicalPromql } from "../../../dist/cli/promql/canonical.js";
import { parse } from "../../../dist/cli/promql/tree.js";
import { verdicts } from "../judge/verdicts.js";

const ofGrammar = parser.nodeSet.types.map(({ name }) => name).filter((name) => name !== "");

const words = (list: string): readonly string[] => list.split(/\s+/);

/** The nodes of the grammar that are read, by what reads them. */
const readNodes: Readonly<Record<string, readonly string[]>> = {
  "grouped by precedence": words(
    `Or And Unless Eql Neq Lte Lss Gte Gtr TrimUpper TrimLower Add Sub Mul Div Mod Atan2 Pow BinaryExpr UnaryExpr UnaryOp
    ParenExpr OffsetExpr StepInvariantExpr SubqueryExpr SmoothedExpr AnchoredExpr`,
  ),
  "written in one form": words(
    `VectorSelector Identifier LabelMatchers UnquotedLabelMatcher QuotedLabelMatcher MatchOp EqlSingle EqlRegex NeqRegex
    LabelName QuotedLabelName StringLiteral MatrixSelector NumberDurationLiteral BoolModifier Bool MatchingModifierClause
    On Ignoring GroupLeft GroupRight GroupingLabels FillModifier FillClause FillLeftClause FillRightClause Fill FillLeft
    FillRight AggregateExpr AggregateOp AggregateModifier By Without FunctionCall FunctionIdentifier FunctionCallBody
    Offset OffsetDurationExpr At AtModifierPreprocessors AtStart AtEnd Smoothed Anchored PromQL`,
  ),
  "a duration, which stays as it is written if it is computed": words(
    "DurationExpr NumberDurationLiteralInDurationContext DurationStep DurationRange DurationMinOf DurationMaxOf",
  ),
  "an aggregation, called by its name": words(
    "Avg Bottomk Count CountValues Group Max Min Quantile LimitK LimitRatio Stddev Stdvar Sum Topk",
  ),
  "a function whose result depends on the values of its arguments": words(
    `Abs Acos Acosh Asin Asinh Atan Atanh AvgOverTime Ceil Changes Clamp ClampMax ClampMin Cos Cosh CountOverTime
    DaysInMonth DayOfMonth DayOfWeek DayOfYear Deg Delta Deriv DoubleExponentialSmoothing EndFn Exp FirstOverTime Floor
    HistogramAvg HistogramCount HistogramFraction HistogramQuantile HistogramQuantiles HistogramStdDev HistogramStdVar
    HistogramSum Hour Idelta Increase Irate LabelJoin LabelReplace LastOverTime Ln Log10 Log2 MadOverTime MaxOverTime
    MinOverTime Minute Month Pi PredictLinear PresentOverTime QuantileOverTime Rad Range Rate Resets Round Scalar Sgn Sin
    Sinh Sort SortByLabel SortByLabelDesc SortDesc Sqrt StartFn StartTimestamp StddevOverTime StdvarOverTime Step
    SumOverTime Tan Tanh Time Timestamp TsOfFirstOverTime TsOfLastOverTime TsOfMaxOverTime TsOfMinOverTime Vector Year`,
  ),
  "a function whose result depends on how its matchers are written": words("Absent AbsentOverTime Info"),
};

/** The nodes that no expression has after it was parsed, and why. */
const unreadNodes: Readonly<Record<string, string>> = {
  "⚠": "the parser is strict",
  LineComment: "comments are left out before",
  MetricName: "it is the top of another parser",
};

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
