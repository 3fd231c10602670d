import { inParens, valueType, withUsualNumbers } from "./expression";
import { labelName } from "./labels";
import { type Binary, nodeOf, readOr, type SyntaxNode, type Tree, treeOf } from "./tree";

/** The labels that the series of a query can have; undefined if they can't be determined. */
export const resultLabels = (query: string): readonly string[] | undefined =>
  readOr(undefined, () => labelsOf(treeOf(nodeOf(withUsualNumbers(query)))));

function labelsOf(tree: Tree): readonly string[] | undefined {
  if (tree.is === "unary") return labelsOf(tree.of);
  if (tree.is === "binary") return labelsOfBinary(tree);
  const inner = inParens(tree.node);
  if (inner !== undefined) return labelsOf(treeOf(inner));
  const { name, parts } = tree.node;
  const op = parts[0]?.text.toLowerCase() ?? "";
  const argument = parts.find((part) => part.name === "FunctionCallBody")?.parts.at(-1);
  const ofArgument = argument && labelsOf(treeOf(argument));
  if (op === "vector") return [];
  if (op.endsWith("_over_time") && !op.startsWith("absent")) return ofArgument;
  if (op === "histogram_quantile") return ofArgument?.filter((label) => label !== "le");
  if (name !== "AggregateExpr" || op === "count_values") return undefined;
  if (/^(?:topk|bottomk|limitk|limit_ratio)$/.test(op)) return ofArgument;
  const modifier = parts.find((part) => part.name === "AggregateModifier");
  const names = modifier?.parts.flatMap(labelsIn) ?? [];
  return modifier && /^without/i.test(modifier.text) ? ofArgument?.filter((label) => !names.includes(label)) : names;
}

const labelsIn = ({ name, parts }: SyntaxNode) =>
  name === "GroupingLabels" ? parts.map(({ text }) => labelName(text)) : [];

/** Series that are matched one to one have the labels of either side. */
function labelsOfBinary({ op, left, right, modifiers }: Binary): readonly string[] | undefined {
  if (valueType(right) === "scalar") return labelsOf(left);
  if (valueType(left) === "scalar") return labelsOf(right);
  const [some, others] = [labelsOf(left), labelsOf(right)];
  if (op === "Or") return some && others && [...new Set([...some, ...others])];
  if (op === "And" || op === "Unless") return some;
  return modifiers.every(({ name }) => name === "BoolModifier") ? (some ?? others) : undefined;
}
