import { labelList } from "../../promql/labels";
import { resultSeries } from "../../promql/resultSeries";
import { Rejection, type SourceNode } from "../../source/sourceNode";

/** A math expression as PromQL. */
export interface MathQuery {
  readonly query: string;
  /** Whether it keeps the series for which it is true; otherwise it gives each series a value. */
  readonly isCondition: boolean;
}

const functions: Readonly<Record<string, string>> = { abs: "abs", ceil: "ceil", floor: "floor", log: "ln" };

/** Tests of a value, as conditions that keep the series for which they are true. */
const valueTests: Readonly<Record<string, (query: string) => string>> = {
  is_number: (query) => `${query} * 0 == 0`,
  is_nan: (query) => `${query} != ${query}`,
  is_inf: (query) => `abs(${query}) == Inf`,
};

/** Every value is a number, not a number, or infinite: the import of Prometheus rules tests that a series is there. */
const anyValue = /^\s*(is_\w+)\((\$\w+|\$\{\w+\})\)\s*\|\|\s*(is_\w+)\(\2\)\s*\|\|\s*(is_\w+)\(\2\)\s*$/;

/** Grafana's operators as PromQL's, weakest first. All group from the left. */
const levels: readonly Readonly<Record<string, string>>[] = [
  { "||": "or" },
  { "&&": "and" },
  { "==": "==", "!=": "!=", ">=": ">=", "<=": "<=", ">": ">", "<": "<" },
  { "+": "+", "-": "-" },
  { "*": "*", "/": "/", "%": "%" },
  { "**": "^" },
];
const comparisonLevel = 2;

interface Term extends MathQuery {
  readonly isNumber?: true;
  /** The variables in it. */
  readonly variables: string;
  /** The labels of its series, if they are known. */
  readonly labels?: readonly string[] | undefined;
}

/**
 * A math expression over queries.
 * @param queryOf The PromQL of a variable.
 * @param lose Says how the monitor joins two queries otherwise than Grafana.
 */
export function mathOf(
  node: SourceNode,
  queryOf: (variable: string) => string,
  lose: (at: SourceNode, text: string) => void,
): MathQuery {
  const [, one = "", variable = "", two = "", three = ""] = anyValue.exec(node.text ?? "") ?? [];
  const isAny = new Set([one, two, three].filter((name) => Object.hasOwn(valueTests, name))).size === 3;
  return isAny ? { query: queryOf(variable), isCondition: true } : new MathParser(node, queryOf, lose).parse();
}

/** A parser by descent through the levels of precedence. */
class MathParser {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(
    private readonly node: SourceNode,
    private readonly queryOf: (variable: string) => string,
    private readonly lose: (at: SourceNode, text: string) => void,
  ) {
    this.#tokens =
      node.text?.match(/\$\{[^}]+\}|\$\w+|\d+(?:\.\d+)?(?:e[+-]?\d+)?|\w+|\*\*|&&|\|\||[=!<>]=|[^\s]/gi) ?? [];
  }

  parse(): MathQuery {
    const whole = this.#operation();
    if (this.#at < this.#tokens.length) this.#reject(`it has ${JSON.stringify(this.#tokens[this.#at])}`);
    return whole.variables === "" ? this.#reject("it has no variable") : whole;
  }

  #reject(reason: string): never {
    const written = JSON.stringify(this.node.text ?? "");
    throw new Rejection(this.node, `the math expression ${written} has no exact counterpart: ${reason}`);
  }

  /** The next token, if it is one of these. */
  #next(expected: Readonly<Record<string, string>>): string | undefined {
    return Object.hasOwn(expected, this.#tokens[this.#at] ?? "") ? this.#tokens[this.#at++] : undefined;
  }

  #skips(token: string): boolean {
    return this.#next({ [token]: "" }) !== undefined;
  }

  #value(term: Term): Term {
    return term.isCondition ? this.#reject("it calculates with the result of a comparison") : term;
  }

  #operation(level = 0): Term {
    const operators = levels[level];
    if (operators === undefined) return this.#unary();
    let left = this.#operation(level + 1);
    for (let sign = this.#next(operators); sign !== undefined; sign = this.#next(operators)) {
      left = this.#joined(level, left, sign, this.#operation(level + 1));
    }
    return left;
  }

  #joined(level: number, left: Term, sign: string, right: Term): Term {
    const operator = levels[level]?.[sign] ?? sign;
    const isLogical = level < comparisonLevel;
    if (isLogical && !(left.isCondition && right.isCondition))
      return this.#reject(`one side of ${sign} is not a comparison`);
    const [a, b] = isLogical ? [left, right] : [this.#value(left), this.#value(right)];
    const isNumber = a.isNumber && b.isNumber;
    // A comparison of two series lets the left one through: which series fire is the same.
    const isCondition = level <= comparisonLevel;
    if (isCondition && isNumber) return this.#reject("it compares two numbers");
    const { first, matching, second, ...joined } = this.#match(a, b, sign);
    const query = isLogical
      ? `(${first.query}) ${operator}${matching} (${second.query})`
      : `${first.query} ${operator}${matching} ${second.query}`;
    return { ...joined, query: isCondition ? query : `(${query})`, isCondition, ...(isNumber && { isNumber }) };
  }

  /** Two sides in the order and with the words that join the same series as Grafana: those of which one has all labels of the other. */
  #match(left: Term, right: Term, sign: string) {
    const [variables, isLogical] = [left.variables || right.variables, sign === "&&" || sign === "||"];
    const of = (larger: Term, matching = "", first = left, second = right) =>
      ({ first, second, matching, variables, labels: larger.labels }) as const;
    if (left.isNumber || right.isNumber || left.variables === right.variables) return of(left.isNumber ? right : left);
    if (left.labels === undefined || right.labels === undefined)
      return this.#reject(
        `the labels of a side of ${sign} are not known from its query, and Grafana also joins series of which one has more labels. Write it as one query`,
      );
    const [less, more] = left.labels.length < right.labels.length ? [left, right] : [right, left];
    const [shared = [], all = []] = [less.labels, more.labels];
    if (!shared.every((label) => all.includes(label)))
      return this.#reject(`no series of both sides of ${sign} have the same labels`);
    const both = { ...of(more), variables: `${left.variables} ${right.variables}` };
    const isEqual = shared.length === all.length;
    if (shared.length > 0)
      this.lose(
        this.node,
        `its math joins series with equal ${shared.join(", ")}; Grafana also joins those that lack such a label, and single ones with other labels`,
      );
    if (sign === "||") {
      if (!isEqual) return this.#reject("the sides of || have different labels");
      this.lose(this.node, "its math also fires for series that only one side of || has");
    }
    if (isEqual) return both;
    const on = ` on ${labelList(shared)}`;
    if (isLogical) return { ...both, first: more, second: less, matching: on };
    return { ...both, matching: `${on} group_${more === left ? "left" : "right"} ()` };
  }

  #unary(): Term {
    if (this.#skips("!")) return this.#reject("it negates");
    if (!this.#skips("-")) return this.#operand();
    const inner = this.#value(this.#unary());
    return { ...inner, query: `(-${inner.query})` };
  }

  #operand(): Term {
    const token = this.#tokens[this.#at++] ?? this.#reject("it ends too early");
    if (token === "(") return this.#closed(this.#operation());
    if (token.startsWith("$")) {
      const query = this.queryOf(token);
      const variables = token.replace(/[${}]/g, "");
      return { query: `(${query})`, isCondition: false, variables, labels: resultSeries(query).labels };
    }
    if (/^\d/.test(token)) return { query: token, isCondition: false, isNumber: true, variables: "" };
    const called = Object.hasOwn(functions, token) ? functions[token] : undefined;
    const test = Object.hasOwn(valueTests, token) ? valueTests[token] : undefined;
    if ((called ?? test) === undefined || !this.#skips("(")) return this.#reject(`it has ${JSON.stringify(token)}`);
    const inner = this.#closed(this.#value(this.#operation()));
    if (inner.isNumber) return this.#reject(`it has ${token} of a number`);
    const query = test?.(inner.query) ?? `${called}(${inner.query})`;
    return { ...inner, query, isCondition: test !== undefined };
  }

  #closed(inner: Term): Term {
    return this.#skips(")") ? inner : this.#reject("a parenthesis is missing");
  }
}
