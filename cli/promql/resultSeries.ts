import type { LabelMatcher } from "../../sdk/types.gen";
import { isPerSeries } from "./expression";
import { matchersIn } from "./labels";
import { namesIn, withUsualNumbers } from "./literals";
import { type Binary, inParens, nodeOf, readOr, type SyntaxNode, type Tree, treeOf, valueType } from "./tree";

/** What is known of the series of a query's result. */
export interface ResultSeries {
  /** The labels that they can have; undefined if they can't be determined. */
  readonly labels?: readonly string[] | undefined;
  /** What all of them meet. */
  readonly matchers: readonly LabelMatcher[];
}

const anySeries: ResultSeries = { matchers: [] };

export const resultSeries = (query: string): ResultSeries =>
  readOr(anySeries, () => seriesOf(treeOf(nodeOf(withUsualNumbers(query)))));

function seriesOf(tree: Tree): ResultSeries {
  if (tree.is === "unary") return seriesOf(tree.of);
  if (tree.is === "binary") return seriesOfBinary(tree);
  const inner = inParens(tree.node);
  if (inner !== undefined) return seriesOf(treeOf(inner));
  const { name, parts } = tree.node;
  if (name === "VectorSelector") return { matchers: matchersIn(tree.node)?.filter(({ isNot }) => !isNot) ?? [] };
  if (name === "MatrixSelector") return parts[0] ? seriesOf(treeOf(parts[0])) : anySeries;
  const op = parts[0]?.text.toLowerCase() ?? "";
  const argument = argumentOf(tree.node);
  const { labels, matchers } = argument ? seriesOf(treeOf(argument)) : anySeries;
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
    ?.parts.find((part) => !["scalar", "string"].includes(valueType(treeOf(part))));

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
