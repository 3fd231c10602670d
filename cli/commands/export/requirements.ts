import { grouped } from "../../../provider/base/grouped";
import { listed } from "../../output/words";
import { nodeOf, type SyntaxNode } from "../../promql/tree";

/** What only some versions and settings of Prometheus read, and the flag; without one, Prometheus 3 reads it. */
type Need = readonly [what: string, flag?: string];

// https://prometheus.io/docs/prometheus/latest/feature_flags
const experimental =
  /^(?:info|limitk|limit_ratio|sort_by_label(?:_desc)?|mad_over_time|double_exponential_smoothing|ts_of_(?:first|last|max|min)_over_time|histogram_quantiles|start_timestamp|start|end|range|step|(?:min|max)_of)$/i;

const words: Readonly<Record<string, Need>> = {
  SmoothedExpr: ["smoothed", "promql-extended-range-selectors"],
  AnchoredExpr: ["anchored", "promql-extended-range-selectors"],
  FillModifier: ["fill", "promql-binop-fill-modifiers"],
  TrimUpper: ["</"],
  TrimLower: [">/"],
};

/** The losses of an expression that not every Prometheus reads. */
export function requirementsOf(expr: string): readonly string[] {
  const enter = (node: SyntaxNode): readonly Need[] => [...needsOf(node), ...node.parts.flatMap(enter)];
  return [...grouped(enter(nodeOf(expr)), ([, flag]) => flag ?? "")].map(([flag, needs]) => {
    const what = listed([...new Set(needs.map(([each]) => each))]);
    return flag === ""
      ? `only Prometheus 3 reads ${what}: Prometheus 2 rejects the file`
      : `Prometheus reads ${what} only with --enable-feature=${flag}, and else rejects the file`;
  });
}

function needsOf({ name, text, parts }: SyntaxNode): readonly Need[] {
  const isDuration = /^[+-]?\s*(?:\d+(?:ms|[smhdwy]))+$/.test(text);
  const called = /^(?:FunctionCall|AggregateExpr)$/.test(name) ? (parts[0]?.text ?? "") : "";
  const durations = name === "OffsetExpr" ? parts.slice(2) : /^(?:Matrix|Subquery)/.test(name) ? parts.slice(1) : [];
  const computed = durations.filter((each) => !/^[+\s-]*[\w.]+$|^[+-]\s*\(\s*[\w.]+\s*\)$/.test(each.text));
  return [
    ...(Object.hasOwn(words, name) ? [words[name] as Need] : []), // It has the name.
    ...(experimental.test(called) ? [[`${called}()`, "promql-experimental-functions"] as const] : []),
    ...computed.map((each): Need => [`the duration ${each.text}`, "promql-duration-expr"]),
    ...(name === "QuotedLabelName" ? [[`the name ${text}`] as const] : []),
    ...(name === "NumberDurationLiteralInDurationContext" && !isDuration ? [[`the duration ${text}`] as const] : []),
    ...(name === "NumberDurationLiteral" && isDuration ? [[`the number ${text}`] as const] : []),
  ];
}
