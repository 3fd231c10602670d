import { Refusal, type SourceNode } from "./sourceNode";

/** A math expression as PromQL. */
export interface Math {
  readonly query: string;
  /** Whether it lets through the series of which it is true; else it gives each a value. */
  readonly isCondition: boolean;
}

const operators: Readonly<Record<string, string>> = { "**": "^" };
const functions: Readonly<Record<string, string>> = { abs: "abs", ceil: "ceil", floor: "floor", log: "ln" };
const comparisons = ["==", "!=", ">=", "<=", ">", "<"];
const sums = ["+", "-"];
const products = ["*", "/", "%"];

interface Term extends Math {
  readonly isNumber: boolean;
}

/**
 * A math expression over one variable. Grafana joins two by other rules than PromQL, so these are refused.
 * @param queryOf The PromQL of a variable.
 */
export function mathOf(node: SourceNode, queryOf: (variable: string) => string): Math {
  const written = node.text ?? "";
  const refuse = (reason: string): never => {
    throw new Refusal(node, `the math expression ${JSON.stringify(written)} has no exact counterpart: ${reason}`);
  };
  const tokens = written.match(/\$\{[^}]+\}|\$\w+|\d+(?:\.\d+)?(?:e[+-]?\d+)?|\w+|\*\*|&&|\|\||[=!<>]=|[^\s]/gi) ?? [];
  let at = 0;
  const next = (...wanted: readonly string[]): string | undefined =>
    wanted.includes(tokens[at] ?? "") ? tokens[at++] : undefined;
  const value = (term: Term): Term => (term.isCondition ? refuse("it calculates with whether something holds") : term);

  const either = (): Term => chain(both, "||", "or");
  const both = (): Term => chain(comparison, "&&", "and");
  const chain = (inner: () => Term, sign: string, word: string): Term => {
    let left = inner();
    while (next(sign) !== undefined) {
      const right = inner();
      if (!left.isCondition || !right.isCondition) return refuse(`one side of ${sign} is no comparison`);
      left = { query: `(${left.query}) ${word} (${right.query})`, isCondition: true, isNumber: false };
    }
    return left;
  };
  const comparison = (): Term => {
    const left = sum();
    const sign = next(...comparisons);
    if (sign === undefined) return left;
    const [a, b] = [value(left), value(sum())];
    // A comparison of two series lets the left one through: which series fire is the same.
    if (a.isNumber && b.isNumber) return refuse("it compares two numbers");
    return { query: `${a.query} ${sign} ${b.query}`, isCondition: true, isNumber: false };
  };
  const operation = (inner: () => Term, signs: readonly string[]): Term => {
    let left = inner();
    for (let sign = next(...signs); sign !== undefined; sign = next(...signs)) left = joined(left, sign, inner());
    return left;
  };
  const joined = (left: Term, sign: string, right: Term): Term => {
    const [a, b] = [value(left), value(right)];
    const query = `${a.query} ${operators[sign] ?? sign} ${b.query}`;
    return { query: `(${query})`, isCondition: false, isNumber: a.isNumber && b.isNumber };
  };
  const sum = (): Term => operation(product, sums);
  const product = (): Term => operation(power, products);
  const power = (): Term => operation(unary, ["**"]);
  const unary = (): Term => {
    if (next("!") !== undefined) return refuse("it negates");
    if (next("-") === undefined) return operand();
    const inner = value(unary());
    return { ...inner, query: `(-${inner.query})` };
  };
  const operand = (): Term => {
    const token = tokens[at++] ?? refuse("it ends too early");
    if (token === "(") {
      const inner = either();
      if (next(")") === undefined) return refuse("a parenthesis is missing");
      return inner;
    }
    if (token.startsWith("$")) {
      variables.add(token.replace(/[${}]/g, ""));
      if (variables.size > 1) return refuse("Grafana joins the labels of two queries otherwise than PromQL");
      return { query: `(${queryOf(token)})`, isCondition: false, isNumber: false };
    }
    if (/^\d/.test(token)) return { query: token, isCondition: false, isNumber: true };
    const called = Object.hasOwn(functions, token) ? functions[token] : undefined;
    if (called === undefined || next("(") === undefined) return refuse(`it has ${JSON.stringify(token)}`);
    const inner = value(either());
    if (next(")") === undefined) return refuse("a parenthesis is missing");
    if (inner.isNumber) return refuse(`it has ${token} of a number`);
    return { query: `${called}(${inner.query})`, isCondition: false, isNumber: false };
  };
  const variables = new Set<string>();
  const whole = either();
  if (at < tokens.length) refuse(`it has ${JSON.stringify(tokens[at])}`);
  if (variables.size === 0) refuse("it has no variable");
  return whole;
}
