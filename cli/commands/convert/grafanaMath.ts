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
export const mathOf = (node: SourceNode, queryOf: (variable: string) => string): Math =>
  new MathParser(node, queryOf).parse();

/** A parser by descent: a method for each level of precedence. */
class MathParser {
  readonly #node: SourceNode;
  readonly #queryOf: (variable: string) => string;
  readonly #tokens: readonly string[];
  #at = 0;
  readonly #variables = new Set<string>();

  constructor(node: SourceNode, queryOf: (variable: string) => string) {
    this.#node = node;
    this.#queryOf = queryOf;
    this.#tokens =
      node.text?.match(/\$\{[^}]+\}|\$\w+|\d+(?:\.\d+)?(?:e[+-]?\d+)?|\w+|\*\*|&&|\|\||[=!<>]=|[^\s]/gi) ?? [];
  }

  parse(): Math {
    const whole = this.#either();
    if (this.#at < this.#tokens.length) this.#refuse(`it has ${JSON.stringify(this.#tokens[this.#at])}`);
    if (this.#variables.size === 0) this.#refuse("it has no variable");
    return whole;
  }

  #refuse(reason: string): never {
    const written = JSON.stringify(this.#node.text ?? "");
    throw new Refusal(this.#node, `the math expression ${written} has no exact counterpart: ${reason}`);
  }

  /** The next token, if it is one of these. */
  #next(...expected: readonly string[]): string | undefined {
    return expected.includes(this.#tokens[this.#at] ?? "") ? this.#tokens[this.#at++] : undefined;
  }

  #value(term: Term): Term {
    return term.isCondition ? this.#refuse("it calculates with whether something holds") : term;
  }

  #either = (): Term => this.#chain(this.#both, "||", "or");
  #both = (): Term => this.#chain(this.#comparison, "&&", "and");

  #chain(inner: () => Term, sign: string, word: string): Term {
    let left = inner();
    while (this.#next(sign) !== undefined) {
      const right = inner();
      if (!left.isCondition || !right.isCondition) return this.#refuse(`one side of ${sign} is no comparison`);
      left = { query: `(${left.query}) ${word} (${right.query})`, isCondition: true, isNumber: false };
    }
    return left;
  }

  #comparison = (): Term => {
    const left = this.#sum();
    const sign = this.#next(...comparisons);
    if (sign === undefined) return left;
    const [a, b] = [this.#value(left), this.#value(this.#sum())];
    // A comparison of two series lets the left one through: which series fire is the same.
    if (a.isNumber && b.isNumber) return this.#refuse("it compares two numbers");
    return { query: `${a.query} ${sign} ${b.query}`, isCondition: true, isNumber: false };
  };

  #sum = (): Term => this.#operation(this.#product, sums);
  #product = (): Term => this.#operation(this.#power, products);
  #power = (): Term => this.#operation(this.#unary, ["**"]);

  #operation(inner: () => Term, signs: readonly string[]): Term {
    let left = inner();
    for (let sign = this.#next(...signs); sign !== undefined; sign = this.#next(...signs)) {
      const [a, b] = [this.#value(left), this.#value(inner())];
      const query = `(${a.query} ${operators[sign] ?? sign} ${b.query})`;
      left = { query, isCondition: false, isNumber: a.isNumber && b.isNumber };
    }
    return left;
  }

  #unary = (): Term => {
    if (this.#next("!") !== undefined) return this.#refuse("it negates");
    if (this.#next("-") === undefined) return this.#operand();
    const inner = this.#value(this.#unary());
    return { ...inner, query: `(-${inner.query})` };
  };

  #operand(): Term {
    const token = this.#tokens[this.#at++] ?? this.#refuse("it ends too early");
    if (token === "(") return this.#closed(this.#either());
    if (token.startsWith("$")) {
      this.#variables.add(token.replace(/[${}]/g, ""));
      if (this.#variables.size > 1)
        return this.#refuse("Grafana joins the labels of two queries otherwise than PromQL");
      return { query: `(${this.#queryOf(token)})`, isCondition: false, isNumber: false };
    }
    if (/^\d/.test(token)) return { query: token, isCondition: false, isNumber: true };
    const called = Object.hasOwn(functions, token) ? functions[token] : undefined;
    if (called === undefined || this.#next("(") === undefined) return this.#refuse(`it has ${JSON.stringify(token)}`);
    const inner = this.#closed(this.#value(this.#either()));
    if (inner.isNumber) return this.#refuse(`it has ${token} of a number`);
    return { query: `${called}(${inner.query})`, isCondition: false, isNumber: false };
  }

  #closed(inner: Term): Term {
    return this.#next(")") === undefined ? this.#refuse("a parenthesis is missing") : inner;
  }
}
