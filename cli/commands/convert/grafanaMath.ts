import { Rejection, type SourceNode } from "./sourceNode";

/** A math expression as PromQL. */
export interface Math {
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

interface Term extends Math {
  readonly isNumber: boolean;
}

/**
 * A math expression over one variable. Grafana joins two by other rules than PromQL, so they are rejected.
 * @param queryOf The PromQL of a variable.
 */
export function mathOf(node: SourceNode, queryOf: (variable: string) => string): Math {
  const [, one = "", variable = "", two = "", three = ""] = anyValue.exec(node.text ?? "") ?? [];
  const isAny = new Set([one, two, three].filter((name) => Object.hasOwn(valueTests, name))).size === 3;
  return isAny ? { query: queryOf(variable), isCondition: true } : new MathParser(node, queryOf).parse();
}

/** A parser by descent through the levels of precedence. */
class MathParser {
  readonly #tokens: readonly string[];
  #at = 0;
  readonly #variables = new Set<string>();

  constructor(
    private readonly node: SourceNode,
    private readonly queryOf: (variable: string) => string,
  ) {
    this.#tokens =
      node.text?.match(/\$\{[^}]+\}|\$\w+|\d+(?:\.\d+)?(?:e[+-]?\d+)?|\w+|\*\*|&&|\|\||[=!<>]=|[^\s]/gi) ?? [];
  }

  parse(): Math {
    const whole = this.#operation();
    if (this.#at < this.#tokens.length) this.#reject(`it has ${JSON.stringify(this.#tokens[this.#at])}`);
    if (this.#variables.size === 0) this.#reject("it has no variable");
    return whole;
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
    if (level < comparisonLevel) {
      if (!left.isCondition || !right.isCondition) return this.#reject(`one side of ${sign} is not a comparison`);
      return { query: `(${left.query}) ${operator} (${right.query})`, isCondition: true, isNumber: false };
    }
    const [a, b] = [this.#value(left), this.#value(right)];
    const isNumber = a.isNumber && b.isNumber;
    const query = `${a.query} ${operator} ${b.query}`;
    if (level > comparisonLevel) return { query: `(${query})`, isCondition: false, isNumber };
    // A comparison of two series lets the left one through: which series fire is the same.
    return isNumber ? this.#reject("it compares two numbers") : { query, isCondition: true, isNumber };
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
      this.#variables.add(token.replace(/[${}]/g, ""));
      if (this.#variables.size > 1)
        return this.#reject("Grafana joins the labels of two queries differently from PromQL");
      return { query: `(${this.queryOf(token)})`, isCondition: false, isNumber: false };
    }
    if (/^\d/.test(token)) return { query: token, isCondition: false, isNumber: true };
    const called = Object.hasOwn(functions, token) ? functions[token] : undefined;
    const test = Object.hasOwn(valueTests, token) ? valueTests[token] : undefined;
    if ((called ?? test) === undefined || !this.#skips("(")) return this.#reject(`it has ${JSON.stringify(token)}`);
    const inner = this.#closed(this.#value(this.#operation()));
    if (inner.isNumber) return this.#reject(`it has ${token} of a number`);
    const query = test?.(inner.query) ?? `${called}(${inner.query})`;
    return { query, isCondition: test !== undefined, isNumber: false };
  }

  #closed(inner: Term): Term {
    return this.#skips(")") ? inner : this.#reject("a parenthesis is missing");
  }
}
