import { parsePromql, vectorText } from "../../promql/expression";
import { comparisons } from "./alert";
import type { Diagnostics } from "./conversionBuilder";
import { mathOf } from "./grafanaMath";
import { expressionOf } from "./scalars";
import { Rejection, type SourceNode } from "./sourceNode";

/** When a monitor fires. */
export interface QueryCondition {
  readonly query: string;
  readonly op: string;
  readonly value?: number;
}

/** The value of each series at the time of the evaluation, or what is true of it. */
type Node = { readonly is: "value"; readonly query: string } | ({ readonly is: "firing" } & QueryCondition);

/**
 * The query and condition of a rule, from its queries and expressions.
 * @throws {Rejection} for each that has no exact counterpart
 */
export function firingOf(
  data: readonly SourceNode[],
  condition: string,
  at: SourceNode,
  diagnostics: Diagnostics,
): QueryCondition {
  const found = nodeOf(condition, at);
  // A number other than 0 fires.
  return found.is === "firing" ? found : { query: found.query, op: "NEQ", value: 0 };

  function nodeOf(name: string, from: SourceNode, seen: readonly string[] = []): Node {
    const node = data.find((each) => each.at("refId").text === name);
    if (node === undefined) throw new Rejection(from, `there is no query or expression ${JSON.stringify(name)}`);
    if (seen.includes(name)) throw new Rejection(from, `the expression ${JSON.stringify(name)} refers to itself`);
    const [model, source] = [node.at("model"), node.at("datasourceUid").text];
    const isExpression = source === "__expr__" || source === "-100";
    if (!isExpression) return { is: "value", query: queryOf(node, model, diagnostics) };
    const type = model.at("type").text ?? "";
    const valueOf = (word: string | undefined, at: SourceNode): string => {
      const inner = nodeOf((word ?? "").replace(/^\$\{?|\}$/g, ""), at, [...seen, name]);
      if (inner.is === "firing")
        throw new Rejection(at, "an expression over the result of a condition has no counterpart");
      return inner.query;
    };
    const expression = model.at("expression");
    if (type === "reduce") {
      checkReduce(model, diagnostics);
      return { is: "value", query: valueOf(expression.text, expression) };
    }
    if (type === "threshold") return thresholdOf(model, valueOf(expression.text, expression));
    if (type === "math") {
      const math = mathOf(expression, (variable) => valueOf(variable, expression));
      if (!math.isCondition) return { is: "value", query: math.query };
      // Its number is cut off if that is the outermost part.
      return { is: "firing", ...(parsePromql(math.query).threshold ?? { query: math.query, op: "EXISTS" }) };
    }
    const what = type === "" ? "an expression without a type" : `an expression of the type ${type}`;
    throw new Rejection(model.at("type"), `${what} has no exact counterpart, only reduce, threshold and math`);
  }
}

const prometheusTypes = ["prometheus", "grafana-amazonprometheus-datasource", "grafana-azureprometheus-datasource"];

/** The PromQL of an instant query. */
function queryOf(node: SourceNode, model: SourceNode, diagnostics: Diagnostics): string {
  const type = model.at("datasource", "type").text;
  const name = JSON.stringify(node.at("refId").text ?? "");
  if (type !== undefined && !prometheusTypes.includes(type)) {
    throw new Rejection(
      model.at("datasource", "type"),
      `the query ${name} uses the data source type ${type}, not prometheus`,
    );
  }
  const written = model.at("expr");
  if (written.text === undefined) throw new Rejection(model, `the query ${name} has no PromQL under \`expr\``);
  if (type === undefined) diagnostics.lose(model, "its data source has no known type; its query is read as PromQL");
  if (model.at("instant").text !== "true" || model.at("range").text === "true") {
    throw new Rejection(
      model,
      `the query ${name} is a range query, whose values depend on Grafana's step. Make it an instant query`,
    );
  }
  const variable = /\$(?:\{\w+\}|\w+)/.exec(written.text)?.[0];
  if (variable !== undefined) throw new Rejection(written, `the query ${name} uses the Grafana variable ${variable}`);
  const until = node.at("relativeTimeRange", "to");
  if (until.exists && until.text !== "0") throw new Rejection(until, `the query ${name} ends before the evaluation`);
  return vectorText(expressionOf(written));
}

/** One sample is its own last, least, greatest, mean and sum. */
const reducers = ["last", "min", "max", "mean", "sum", "median"];

function checkReduce(model: SourceNode, diagnostics: Diagnostics): void {
  const reducer = model.at("reducer");
  if (!reducers.includes(reducer.text ?? "")) {
    throw new Rejection(reducer, `the reduction by ${reducer.text ?? "nothing"} has no exact counterpart`);
  }
  const mode = model.at("settings", "mode");
  if (mode.text === "dropNN") {
    diagnostics.lose(
      mode,
      "its reduction drops values that are not finite; a monitor compares infinite values like any other",
    );
  } else if ((mode.text ?? "") !== "") {
    throw new Rejection(mode, `the reduction's mode ${mode.text ?? ""} has no exact counterpart`);
  }
}

const ranges: Readonly<Record<string, (query: string, from: number, to: number) => string>> = {
  within_range: (query, from, to) => `(${query}) > ${from} < ${to}`,
  within_range_included: (query, from, to) => `(${query}) >= ${from} <= ${to}`,
  outside_range: (query, from, to) => `(${query}) < ${from} or (${query}) > ${to}`,
  outside_range_included: (query, from, to) => `(${query}) <= ${from} or (${query}) >= ${to}`,
};

function thresholdOf(model: SourceNode, query: string): Node {
  const [condition, ...others] = model.at("conditions").items;
  if (condition === undefined || others.length > 0) {
    throw new Rejection(model.at("conditions"), "the threshold needs exactly one condition");
  }
  if (condition.at("unloadEvaluator").exists) {
    throw new Rejection(
      condition.at("unloadEvaluator"),
      "a threshold that recovers at another value has no counterpart",
    );
  }
  const evaluator = condition.at("evaluator");
  const type = evaluator.at("type").text ?? "";
  const [from = Number.NaN, to = Number.NaN] = evaluator.at("params").items.map(({ text = "" }) => Number(text || "x"));
  const op = (comparisons as Readonly<Record<string, string>>)[type];
  const range = ranges[type];
  if (op === undefined && range === undefined) {
    throw new Rejection(evaluator, `the threshold ${JSON.stringify(type)} has no exact counterpart`);
  }
  if (!Number.isFinite(from) || (range !== undefined && !Number.isFinite(to))) {
    throw new Rejection(evaluator, "the threshold has no number to compare with");
  }
  if (op !== undefined) return { is: "firing", query, op, value: from };
  return { is: "firing", query: range?.(query, from, to) ?? "", op: "EXISTS" };
}
