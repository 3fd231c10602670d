import { EditorState } from "@codemirror/state";
import { Parser } from "@prometheus-io/codemirror-promql/dist/cjs/parser/parser";
import { RE2JS } from "re2js";
import { numberIn, withUsualNumbers } from "./expression";
import { valueOfString } from "./labels";
import { nodeOf, parse, PromqlError, type SyntaxNode, treeOf } from "./tree";

/**
 * Checks the types in an expression that parses, as Prometheus's own checker does: `rate(x)`, which needs a range. Then
 * what that checker leaves to the server: ranges, `offset`, `@` and patterns.
 * @throws {PromqlError}
 */
export function checkTypes(written: string): void {
  const text = withUsualNumbers(written);
  const reject = (message: string, { from, to }: Pick<SyntaxNode, "from" | "to">) => {
    const problem = `this is no valid PromQL: ${message} at ${JSON.stringify(text.slice(from, to))}`;
    throw new PromqlError(problem, text.slice(0, from).split("\n").length - 1);
  };
  const checker = new Parser(EditorState.create({ doc: text }));
  const type = checker.checkAST(parse(text).topNode.firstChild);
  const problem = checker.getDiagnostics().find(({ severity }) => severity === "error");
  if (problem !== undefined) reject(problem.message, problem);
  const enter = (node: SyntaxNode): void => {
    const message = problemOf(node);
    if (message !== undefined) reject(message, node);
    node.parts.forEach(enter);
  };
  enter(nodeOf(text));
  if (type === "matrix" || type === "string") throw new PromqlError("a rule needs an instant vector or a number");
}

function problemOf(node: SyntaxNode): string | undefined {
  const { name, parts } = node;
  const [first, op, quoted] = parts;
  if (name === "OffsetExpr" || name === "StepInvariantExpr") return shiftProblem(node);
  if (name === "MatrixSelector" && first?.name !== "VectorSelector") return "a range must follow a selector";
  const isRange = name === "MatrixSelector" || name === "SubqueryExpr";
  if (isRange && parts.some(isNoDuration)) return "a duration must be greater than 0";
  const isMatcher = name.endsWith("LabelMatcher") && op?.text.endsWith("~");
  // The last of the five arguments of `label_replace`.
  const pattern = isMatcher ? quoted : first?.text === "label_replace" ? op?.parts[4] : undefined;
  return pattern?.name === "StringLiteral" ? patternProblem(pattern) : undefined;
}

function patternProblem({ text }: SyntaxNode): string | undefined {
  try {
    RE2JS.compile(valueOfString(text) ?? "");
    return undefined;
  } catch (error) {
    return `RE2 can't read the pattern (${(error as Error).message.replace(/^error parsing regexp: /, "")})`;
  }
}

const isNoDuration = ({ name, text }: SyntaxNode) =>
  name === "DurationExpr" && (/^-\s*\w+$/.test(text) || numberIn(text) === 0);

function shiftProblem(node: SyntaxNode): string | undefined {
  const word = node.name === "OffsetExpr" ? "offset" : "@";
  let tree = treeOf(node);
  while (tree.is !== "operand") tree = tree.is === "binary" ? tree.right : tree.of;
  const last = tree.suffixes.map(({ name }) => name).lastIndexOf("SubqueryExpr");
  if (tree.suffixes.slice(last + 1).filter(({ name }) => name === node.name).length > 1) return `it has ${word} twice`;
  const { name } = tree.suffixes[last] ?? tree.node;
  const isShifted = ["VectorSelector", "MatrixSelector", "SubqueryExpr"].includes(name);
  return isShifted ? undefined : `${word} must follow a selector or a subquery`;
}
