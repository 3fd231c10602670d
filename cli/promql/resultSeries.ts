import type { LabelMatcher } from "../../sdk/types.gen";
import { isPerSeries } from "./expression";
import { matchersIn } from "./labels";
import { namesIn } from "./literals";
import { type Binary, isBinary, modified, nodeOf, readOr, type SyntaxNode, valueType, withoutParens } from "./tree";

/** What is known of the series of a query's result. */
export interface ResultSeries {
  /** The labels that they can have; undefined if they can't be determined. */
  readonly labels?: readonly string[] | undefined;
  /** What all of them meet. */
  readonly matchers: readonly LabelMatcher[];
}

const anySeries: ResultSeries = { matchers: [] };

export const resultSeries = (query: string): ResultSeries => readOr(anySeries, () => seriesOf(nodeOf(query)));

function seriesOf(part: SyntaxNode): ResultSeries {
  const node = withoutParens(modified(part).of);
  const { name, parts } = node;
  if (node !== part) return seriesOf(node);
  if (isBinary(node)) return seriesOfBinary(node);
  if (name === "UnaryExpr" && parts[1]) return seriesOf(parts[1]);
  if (name === "VectorSelector") return { matchers: matchersIn(node)?.filter(({ isNot }) => !isNot) ?? [] };
  if (name === "MatrixSelector") return parts[0] ? seriesOf(parts[0]) : anySeries;
  const op = parts[0]?.text.toLowerCase() ?? "";
  const argument = argumentOf(node);
  const { labels, matchers } = argument ? seriesOf(argument) : anySeries;
  const having = (isKept: (label: string) => boolean) => ({
    labels: labels?.filter(isKept),
    matchers: matchers.filter(({ name = "" }) => isKept(name)),
  });
  if (op === "vector") return { labels: [], matchers: [] };
  if (name === "FunctionCall" && isPerSeries(op)) return { labels, matchers };
  if (op === "histogram_quantile") return having((label) => label !== "le");
  if (name !== "AggregateExpr" || op === "count_values") return anySeries;
  if (/^(?:topk|bottomk|limitk|limit_ratio)$/.test(op)) return { labels, matchers };
  const modifier = parts.find((part) => part.name === "AggregateModifier");
  const list = modifier?.parts.find((part) => part.name === "GroupingLabels");
  const names = list === undefined ? [] : namesIn(list);
  if (names === undefined) return anySeries;
  if (modifier && /^without/i.test(modifier.text)) return having((label) => !names.includes(label));
  return { ...having((label) => names.includes(label)), labels: names };
}

/** The argument of a function or an aggregation that is no number. */
export const argumentOf = ({ parts }: SyntaxNode): SyntaxNode | undefined =>
  parts
    .find((part) => part.name === "FunctionCallBody")
    ?.parts.find((part) => !["scalar", "string"].includes(valueType(part)));

/** Series that are matched one to one have the labels of either side. */
function seriesOfBinary({ op, left, right, modifiers }: Binary): ResultSeries {
  if (valueType(right) === "scalar") return seriesOf(left);
  if (valueType(left) === "scalar") return seriesOf(right);
  const [some, others] = [seriesOf(left), seriesOf(right)];
  if (op === "Or") {
    const labels = some.labels && others.labels && [...new Set([...some.labels, ...others.labels])];
    return { labels, matchers: [] };
  }
  if (op === "And" || op === "Unless") return some;
  if (!modifiers.every(({ name }) => name === "BoolModifier")) return anySeries;
  return { labels: some.labels ?? others.labels, matchers: [...some.matchers, ...others.matchers] };
}
