const words = (list: string): readonly string[] => list.split(/\s+/);

/**
 * The nodes of the grammar that are read, by what reads them. An expression with any other node is incomparable. A test fails until
 * each node of a newer grammar is here or in `unreadNodes`.
 */
export const readNodes: Readonly<Record<string, readonly string[]>> = {
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
export const unreadNodes: Readonly<Record<string, string>> = {
  "⚠": "the parser is strict",
  LineComment: "comments are left out before",
  MetricName: "it is the top of another parser",
};

const known = new Set(Object.values(readNodes).flat());
export const isRead = (node: string) => known.has(node);

export const unknownText = "unknown to the PromQL that this version reads";

/** Functions under the names that newer versions of Prometheus have for them. */
const renamed: Readonly<Record<string, string>> = {
  holt_winters: "double_exponential_smoothing since Prometheus 3.0",
};

// After these, no function follows.
const takesLabels = words("by without on ignoring group_left group_right");
const keywords = [
  ...takesLabels,
  ...words("bool offset atan2 and or unless smoothed anchored fill fill_left fill_right inf nan"),
];

// A comma is missing between labels or matchers.
const inLabels = /["'`]\s*$|\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^()]*$/i;

/**
 * What another version of PromQL may have where the parser stops: a function, a word, an operator. Undefined if none has it.
 * @param isFunction Whether the parser knows a function.
 */
export function newerAt(text: string, position: number, isFunction: (name: string) => boolean): string | undefined {
  const [start = ""] = /[\w:]*$/.exec(text.slice(0, position)) ?? [];
  const at = position - start.length;
  const [, word = "", bracket = ""] = /^([a-z_]\w*)\s*(\(?)/i.exec(text.slice(at)) ?? [];
  const [last = ""] = /[\w)\]}"'`]+(?=\s*$)/.exec(text.slice(0, at)) ?? [];
  const isKnown = word === "" || keywords.includes(word.toLowerCase()) || isFunction(word);
  const isBehind = (all: readonly string[]) => all.includes(last.toLowerCase());
  if (!isKnown && bracket !== "" && !isBehind(takesLabels)) {
    const now = Object.hasOwn(renamed, word) ? `: it is ${renamed[word]}` : "";
    return `the function ${word} is ${unknownText}${now}`;
  }
  if (!isKnown && last !== "" && !isBehind(keywords) && !inLabels.test(text.slice(0, at)))
    return `${JSON.stringify(word)} is ${unknownText}`;
  // Prometheus has these names where the parser has none.
  const [name = ""] = /^(?:offset\b|[a-z_]\w*:[\w:]+)/i.exec(text.slice(at)) ?? [];
  if (name !== "" && last === "") return `the name ${name} is ${unknownText}`;
  const [left = ""] = /[<>=!~+\-*/%^&|?]*$/.exec(text.slice(0, position)) ?? [];
  const [right = ""] = /^[<>=!~+\-*/%^&|?]*/.exec(text.slice(position)) ?? [];
  // A sign belongs to what follows.
  const operator = `${left}${right}`.replace(/[+-]+$/, "");
  const isOne = operator.length < 2 || ["==", "!=", "<=", ">=", "</", ">/", "=~", "!~"].includes(operator);
  return isOne ? undefined : `the operator ${operator} is ${unknownText}`;
}
