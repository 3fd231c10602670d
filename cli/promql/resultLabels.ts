import { inParens, valueType, withUsualNumbers } from "./expression";
import { labelName } from "./labels";
import { type Binary, nodeOf, PromqlError, type SyntaxNode, type Tree, treeOf } from "./tree";

/** The labels that the series of a query can have; undefined if they can't be determined. */
export function resultLabels(query: string): readonly string[] | undefined {
  try {
    return labelsOf(treeOf(nodeOf(withUsualNumbers(query))));
  } catch (error) {
    if (error instanceof PromqlError) return undefined;
    throw error;
  }
}

function labelsOf(tree: Tree): readonly string[] | undefined {
  if (tree.is === "unary") return labelsOf(tree.of);
  if (tree.is === "binary") return labelsOfBinary(tree);
  const { node } = tree;
  const inner = inParens(node);
  if (inner !== undefined) return labelsOf(treeOf(inner));
  const [first, ...others] = node.parts;
  const given = others.find(({ name }) => name === "FunctionCallBody")?.parts ?? [];
  const argument = given.at(-1);
  const ofArgument = () => (argument === undefined ? undefined : labelsOf(treeOf(argument)));
  if (node.name === "AggregateExpr") return labelsOfAggregate(first?.text.toLowerCase() ?? "", others, ofArgument);
  if (first?.text === "histogram_quantile") return given.length === 2 ? without(ofArgument(), ["le"]) : undefined;
  return first?.text === "vector" ? [] : undefined;
}

function labelsOfAggregate(op: string, parts: readonly SyntaxNode[], ofArgument: () => readonly string[] | undefined) {
  if (op === "count_values") return undefined;
  if (/^(?:topk|bottomk|limitk|limit_ratio)$/.test(op)) return ofArgument();
  const modifier = parts.find(({ name }) => name === "AggregateModifier");
  if (modifier === undefined) return [];
  const names = namesIn(modifier);
  return /^by/i.test(modifier.text) ? names : without(ofArgument(), names);
}

/** Series that are matched one to one have the labels of either side, or those that they are matched by. */
function labelsOfBinary({ op, left, right, modifiers }: Binary): readonly string[] | undefined {
  if (valueType(right) === "scalar") return labelsOf(left);
  if (valueType(left) === "scalar") return labelsOf(right);
  const [some, others] = [labelsOf(left), labelsOf(right)];
  if (op === "Or") return some && others && [...new Set([...some, ...others])];
  if (op === "And" || op === "Unless") return some;
  const text = modifiers.map((each) => each.text).join(" ");
  if (/group_(?:left|right)/i.test(text)) return undefined;
  const on = modifiers.find((each) => /^on/i.test(each.text));
  return on === undefined ? (some ?? others) : namesIn(on);
}

const without = (all: readonly string[] | undefined, names: readonly string[]) =>
  all?.filter((name) => !names.includes(name));

const namesIn = ({ parts }: SyntaxNode): readonly string[] =>
  parts.flatMap((part) => (part.name === "GroupingLabels" ? part.parts.map(({ text }) => labelName(text)) : []));
