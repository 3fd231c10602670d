import type * as state from "@codemirror/state";
import type * as checking from "@prometheus-io/codemirror-promql/dist/cjs/parser/parser";
import { withUsualNumbers } from "./expression";
import { parse, PromqlError } from "./tree";

/**
 * Checks the types in an expression that parses, as Prometheus's own checker does: `rate(x)`, which needs a range.
 * @throws {PromqlError}
 */
export function checkTypes(written: string): void {
  // Loaded only here: a review does not check.
  const { EditorState } = require("@codemirror/state") as typeof state;
  const { Parser } = require("@prometheus-io/codemirror-promql/dist/cjs/parser/parser") as typeof checking;
  const text = withUsualNumbers(written);
  const checker = new Parser(EditorState.create({ doc: text }));
  const type = checker.checkAST(parse(text).topNode.firstChild);
  const problem = checker.getDiagnostics().find(({ severity }) => severity === "error");
  if (problem !== undefined)
    throw new PromqlError(
      `this is no valid PromQL: ${problem.message} at ${JSON.stringify(text.slice(problem.from, problem.to))}`,
      text.slice(0, problem.from).split("\n").length - 1,
    );
  if (type === "matrix" || type === "string") throw new PromqlError("a rule needs an instant vector or a number");
}
