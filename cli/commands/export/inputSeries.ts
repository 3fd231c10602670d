import type { SyntaxNode } from "@lezer/common";
import { seconds } from "../../promql/durations";
import { type Binary, nodeOf, type Operand, partsOf, type Tree, treeOf } from "../../promql/tree";
import { numberOf } from "../../promql/expression";
import { labelsFor, type Matcher, matches, matchersOf } from "./matchers";

type Labels = Readonly<Record<string, string>>;

/** A series that begins at 0 or at its value, and grows by `perSecond`. */
export interface InputSeries {
  readonly labels: Labels;
  readonly value: number;
  readonly perSecond: number;
}

export interface Input {
  readonly series: readonly InputSeries[];
  /** The longest and the shortest range over which the query looks back, in seconds. */
  readonly longest: number;
  readonly shortest: number;
}

/** The query has no series that this could find. */
class Unsolved extends Error {}

/**
 * Series for which a query returns `value`, in the simple cases: selectors, rates, sums and the like, arithmetic with
 * numbers, and a ratio. Undefined for any other query.
 */
export function seriesFor(query: string, value: number): Input | undefined {
  const solver = new Solver(query);
  try {
    return solver.solve(value);
  } catch (error) {
    if (error instanceof Unsolved) return undefined;
    throw error;
  }
}

const inverse: Readonly<Record<string, (value: number, right: number) => number>> = {
  Add: (value, right) => value - right,
  Sub: (value, right) => value + right,
  Mul: (value, right) => value / right,
  Div: (value, right) => value * right,
};
const same = ["sum", "avg", "min", "max"];
const overTime = ["avg_over_time", "min_over_time", "max_over_time", "last_over_time"];

class Solver {
  readonly #text: string;
  /** Values of the labels that the query groups by. */
  readonly #grouped: Record<string, string> = {};
  readonly #series: { labels: Labels; matchers: readonly Matcher[]; value: number; perSecond: number }[] = [];
  readonly #ranges: number[] = [];
  /** Whether every aggregation is a sum, so that a part can be taken off its whole. */
  #addsUp = true;

  constructor(text: string) {
    this.#text = text;
  }

  solve(value: number): Input {
    const node = nodeOf(this.#text);
    this.#collectGroups(node);
    this.#tree(treeOf(node, this.#text), value);
    const series = this.#series.map(({ labels, value, perSecond }) => ({ labels, value, perSecond }));
    return { series, longest: Math.max(0, ...this.#ranges), shortest: Math.min(Infinity, ...this.#ranges) };
  }

  #words = ({ from, to }: { readonly from: number; readonly to: number }) => this.#text.slice(from, to);

  /** A label that is grouped by has one value in all series, the selectors' own if one names it. */
  #collectGroups(node: SyntaxNode): void {
    if (node.name === "Without" || node.name === "Ignoring") throw new Unsolved();
    if (node.name === "GroupingLabels") {
      for (const label of partsOf(node)) this.#grouped[this.#words(label)] ??= "x";
    }
    if (node.name === "VectorSelector") {
      for (const { name, op, value } of matchersOf(node, this.#text) ?? []) {
        if (op === "=" && name in this.#grouped) this.#grouped[name] = value;
      }
    }
    partsOf(node).forEach((part) => this.#collectGroups(part));
  }

  /** Adds series for which the tree has the value. Returns the labels of its result. */
  #tree(tree: Tree, value: number): Labels {
    if (!Number.isFinite(value)) throw new Unsolved();
    if (tree.is === "binary") return this.#binary(tree, value);
    if (tree.is === "operand" && tree.suffixes.length === 0) return this.#operand(tree, value);
    throw new Unsolved();
  }

  #binary({ op, modifiers, left, right }: Binary, value: number): Labels {
    if (modifiers.length > 0) throw new Unsolved();
    const number = numberOf(right, this.#text);
    const before = inverse[op];
    if (number !== undefined && before !== undefined) return this.#tree(left, before(value, number));
    const factor = op === "Mul" ? numberOf(left, this.#text) : undefined;
    if (factor !== undefined) return this.#tree(right, value / factor);
    if (op === "Div") return this.#ratio(left, right, value);
    throw new Unsolved();
  }

  /** A ratio: the whole is 1, and the part may be one of its series. */
  #ratio(left: Tree, right: Tree, value: number): Labels {
    const labels = this.#tree(left, value);
    const parts = [...this.#series];
    // Others find no partner.
    if (!isEqual(labels, this.#tree(right, 1))) throw new Unsolved();
    const whole = this.#series.slice(parts.length);
    for (const each of whole) {
      if (parts.some((part) => matches(each.labels, part.matchers) !== false)) throw new Unsolved();
      for (const part of parts) {
        const isInside = matches(part.labels, each.matchers);
        if (isInside === undefined) throw new Unsolved();
        if (!isInside) continue;
        if (!this.#addsUp) throw new Unsolved();
        each.value -= part.value;
        each.perSecond -= part.perSecond;
      }
      if (each.value < 0 || each.perSecond < 0) throw new Unsolved();
    }
    return labels;
  }

  #operand({ node }: Operand, value: number): Labels {
    const [first, second] = partsOf(node);
    if (first === undefined) throw new Unsolved();
    if (node.name === "ParenExpr") return this.#node(first, value);
    if (node.name === "VectorSelector") return this.#select(node, { value, perSecond: 0 });
    if (node.name === "AggregateExpr") return this.#aggregate(node, this.#words(first).toLowerCase(), value);
    if (node.name === "FunctionCall") return this.#function(this.#words(first), this.#only(second), value);
    throw new Unsolved();
  }

  /** An aggregation of one series has its value. */
  #aggregate(node: SyntaxNode, name: string, value: number): Labels {
    if (!same.includes(name)) throw new Unsolved();
    this.#addsUp &&= name === "sum";
    const labels = this.#node(this.#only(partsOf(node).find((part) => part.name === "FunctionCallBody")), value);
    const modifier = partsOf(node).find((part) => part.name === "AggregateModifier");
    const kept = modifier === undefined ? [] : partsOf(modifier).flatMap(partsOf).map(this.#words);
    return Object.fromEntries(Object.entries(labels).filter(([label]) => kept.includes(label)));
  }

  #node(node: SyntaxNode, value: number): Labels {
    return this.#tree(treeOf(node, this.#text), value);
  }

  #only(body: SyntaxNode | undefined): SyntaxNode {
    const [only, ...others] = body === undefined ? [] : partsOf(body);
    if (only === undefined || others.length > 0) throw new Unsolved();
    return only;
  }

  #function(name: string, argument: SyntaxNode, value: number): Labels {
    if (argument.name !== "MatrixSelector") throw new Unsolved();
    const [selector, range] = partsOf(argument);
    const secs = range === undefined ? undefined : seconds(this.#words(range));
    if (selector?.name !== "VectorSelector" || secs === undefined) throw new Unsolved();
    this.#ranges.push(secs);
    if (name === "rate" || name === "irate") return this.#select(selector, { value: 0, perSecond: value });
    if (name === "increase") return this.#select(selector, { value: 0, perSecond: value / secs });
    if (overTime.includes(name)) return this.#select(selector, { value, perSecond: 0 });
    throw new Unsolved();
  }

  #select(selector: SyntaxNode, { value, perSecond }: { readonly value: number; readonly perSecond: number }): Labels {
    const matchers = matchersOf(selector, this.#text);
    const labels = matchers === undefined ? undefined : labelsFor(matchers, this.#grouped);
    // A counter only grows.
    if (matchers === undefined || labels === undefined || perSecond < 0) throw new Unsolved();
    // One series cannot have two values.
    if (this.#series.some((each) => isEqual(each.labels, labels))) throw new Unsolved();
    this.#series.push({ labels, matchers, value, perSecond });
    const { __name__, ...others } = labels;
    return others;
  }
}

const isEqual = (a: Labels, b: Labels) => Object.keys({ ...a, ...b }).every((name) => a[name] === b[name]);
