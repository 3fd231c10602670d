import { type Expression, parsePromql } from "../../promql/expression";
import { PromqlError } from "../../promql/tree";
import { type SourceNode, Refusal } from "./sourceNode";

/**
 * The expression that a node holds.
 * @throws {Refusal} if it is none that Prometheus would take.
 */
export function expressionOf(node: SourceNode, written = node.text): Expression {
  if (written === undefined) throw new Refusal(node, "the expression is missing");
  try {
    const expression = parsePromql(written);
    if (expression.problem !== undefined) throw new Refusal(node, expression.problem);
    return expression;
  } catch (error) {
    if (!(error instanceof PromqlError)) throw error;
    throw new Refusal(node.atLine(error.lineOffset), error.message);
  }
}

/** Whether one of the texts holds a Go template. */
export const hasTemplate = (values: readonly unknown[]) =>
  values.some((value) => typeof value === "string" && value.includes("{{"));
