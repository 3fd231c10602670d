import { unknown } from "../../provider/values/unknown";
import { type Expression, parsePromql } from "../promql/expression";
import { PromqlError } from "../promql/tree";
import type { MonitorArguments } from "./monitors";

/** The monitor's query, or why Prometheus cannot evaluate it. */
export function expressionIn({ labelQuery, dottedQuery, loggingQuery }: MonitorArguments): Expression | string {
  if (!labelQuery) {
    if (dottedQuery) return "its dottedQuery is no PromQL";
    return loggingQuery ? "its loggingQuery is no PromQL" : "it has no labelQuery";
  }
  if (labelQuery === unknown) return "its labelQuery is known only after the update";
  try {
    const expression = parsePromql(labelQuery);
    return expression.problem ?? expression;
  } catch (error) {
    if (error instanceof PromqlError) return error.message;
    throw error;
  }
}
