import fc, { type Arbitrary } from "fast-check";

// A part of PromQL at one instant: its syntax, its meaning and expressions to try. Nothing here is shared with what is
// tested: the parser is another one.

export type Expression =
  | { readonly is: "number"; readonly text: string }
  | {
      readonly is: "selector";
      readonly metric: string;
      readonly isQuoted?: boolean;
      readonly x?: Matcher;
      readonly offset: boolean;
    }
  | { readonly is: "aggregate"; readonly op: string; readonly by: readonly string[]; readonly of: Expression }
  | { readonly is: "call"; readonly name: string; readonly of?: Expression }
  | { readonly is: "minus"; readonly of: Expression }
  | { readonly is: "plus"; readonly of: Expression }
  | { readonly is: "group"; readonly of: Expression }
  | {
      readonly is: "binary";
      readonly op: string;
      readonly bool: boolean;
      readonly on?: readonly string[];
      /** What stands between the operator and the right side. */
      readonly gap: string;
      readonly left: Expression;
      readonly right: Expression;
    };

/** What the label `x` is compared with. */
interface Matcher {
  readonly op: "=" | "!=" | "=~" | "!~";
  readonly value: string;
}

const matchesX = ({ op, value }: Matcher, x = "") =>
  (op.endsWith("~") ? new RegExp(`^(?:${value})$`, "s").test(x) : x === value) !== op.startsWith("!");

type Labels = Readonly<Record<string, string>>;
interface Sample {
  readonly labels: Labels;
  readonly value: number;
}
/** The samples of each metric, now and before. */
export type World = Readonly<Record<string, readonly Sample[]>>;

/** Prometheus fails here too: several series where one is needed. */
class Ambiguous extends Error {}

// ---- Syntax ---------------------------------------------------------------------------------------------------------

const literals: Readonly<Record<string, number>> = {
  "0": 0,
  "1": 1,
  "2": 2,
  "3": 3,
  "0.5": 0.5,
  "1e0": 1,
  "20e-1": 2,
  "0x02": 2,
  "02": 2,
  "0_3": 3,
  "3s": 3,
  "1m": 60,
  "60": 60,
  Inf: Number.POSITIVE_INFINITY,
  nan: Number.NaN,
  NaN: Number.NaN,
};

const levels: readonly (readonly string[])[] = [
  ["or"],
  ["and", "unless"],
  ["==", "!=", "<=", "<", ">=", ">"],
  ["+", "-"],
  ["*", "/", "%"],
];
const levelOf = (op: string) => levels.findIndex((each) => each.includes(op));
export const comparisons = levels[2] ?? [];

export function print(node: Expression): string {
  switch (node.is) {
    case "number":
      return node.text;
    case "selector": {
      const x = node.x === undefined ? [] : [`x${node.x.op}"${node.x.value}"`];
      const braces = node.isQuoted ? [`"${node.metric}"`, ...x] : x;
      const matched = braces.length === 0 ? "" : `{${braces.join(", ")}}`;
      return `${node.isQuoted ? "" : node.metric}${matched}${node.offset ? " offset 5m" : ""}`;
    }
    case "aggregate":
      return `${node.op}${node.by.length > 0 ? ` by (${node.by.join(", ")}) ` : ""}(${print(node.of)})`;
    case "call":
      if (node.name in overTime) return `${node.name}((${print(node.of as Expression)})[5m:1m])`;
      return `${node.name}(${node.of === undefined ? "" : print(node.of)})`;
    case "minus":
    case "plus":
    case "group":
      return `${{ minus: "-", plus: "+", group: "" }[node.is]}(${print(node.of)})`;
    case "binary": {
      const level = levelOf(node.op);
      const side = (of: Expression, least: number) =>
        of.is === "binary" && levelOf(of.op) < least ? `(${print(of)})` : print(of);
      const on = node.on === undefined ? "" : ` on (${node.on.join(", ")})`;
      const operator = `${node.op}${node.bool ? " bool" : ""}${on}`;
      return `${side(node.left, level)} ${operator}${node.gap}${side(node.right, level + 1)}`;
    }
  }
}

/** Reads what `print` writes, and parts of it. */
export function parse(text: string): Expression {
  const tokens =
    text
      .replace(/#.*$/gm, "")
      .match(/[a-z_][\w:]*|[\d.]+(?:e-?\d+)?\w*|"[^"]*"|==|!=|<=|>=|=~|!~|[-+*/%<>(){}[\],=:]|Inf|NaN/g) ?? [];
  let at = 0;
  const peek = () => tokens[at] ?? "";
  const next = () => tokens[at++] ?? "";
  const take = (token: string) => {
    if (next() !== token) throw new Error(`expected ${token} at token ${at} of ${text}`);
  };
  const accept = (token: string) => peek() === token && next() === token;

  const list = (): readonly string[] => {
    take("(");
    const names: string[] = [];
    while (!accept(")")) {
      names.push(next());
      accept(",");
    }
    return names;
  };
  const binary = (level: number): Expression => {
    const operators = levels[level];
    if (operators === undefined) return unary();
    let left = binary(level + 1);
    while (operators.includes(peek())) {
      const op = next();
      const bool = accept("bool");
      const on = accept("on") ? { on: list() } : {};
      left = { is: "binary", op, bool, ...on, gap: " ", left, right: binary(level + 1) };
    }
    return left;
  };
  const unary = (): Expression => {
    if (accept("-")) return { is: "minus", of: unary() };
    if (accept("+")) return { is: "plus", of: unary() };
    if (accept("(")) {
      const of = binary(0);
      take(")");
      return { is: "group", of };
    }
    const name = next();
    if (name in literals) return { is: "number", text: name };
    if (name in aggregates) {
      const by = accept("by") ? list() : [];
      take("(");
      const of = binary(0);
      take(")");
      return { is: "aggregate", op: name, by, of };
    }
    if (peek() === "(") {
      next();
      if (accept(")")) return { is: "call", name };
      const of = binary(0);
      if (accept("[")) while (!accept("]")) next();
      take(")");
      return { is: "call", name, of };
    }
    const metric = name === "{" ? next().slice(1, -1) : name;
    if (!/^[abc]$/.test(metric)) throw new Error(`${metric} is no metric in ${text}`);
    let x = {};
    if (accept(name === "{" ? "," : "{")) {
      next();
      x = { x: { op: next(), value: next().slice(1, -1) } };
    }
    if (name === "{" || "x" in x) take("}");
    const offset = accept("offset") && next() !== "";
    return { is: "selector", metric, ...x, offset };
  };

  const found = binary(0);
  if (at !== tokens.length) throw new Error(`${tokens.slice(at).join(" ")} is left over of ${text}`);
  return found;
}

// ---- Meaning --------------------------------------------------------------------------------------------------------

export const keyOf = (labels: Labels, names = Object.keys(labels)) =>
  JSON.stringify([...names].sort().flatMap((name) => (labels[name] === undefined ? [] : [[name, labels[name]]])));

const only = (labels: Labels, names: readonly string[]) =>
  Object.fromEntries(Object.entries(labels).filter(([name]) => names.includes(name)));

export const compare = (op: string, left: number, right: number): boolean =>
  ({
    "==": left === right,
    "!=": left !== right,
    "<": left < right,
    "<=": left <= right,
    ">": left > right,
    ">=": left >= right,
  })[op] ?? false;

const calculate = (op: string, left: number, right: number): number =>
  ({ "+": left + right, "-": left - right, "*": left * right, "/": left / right, "%": left % right })[op] ?? Number.NaN;

/** What Prometheus answers; undefined if the query fails. */
export function answerTo(node: Expression, world: World): number | readonly Sample[] | undefined {
  try {
    return evaluate(node, world);
  } catch (error) {
    if (error instanceof Ambiguous) return undefined;
    throw error;
  }
}

/** What Prometheus computes: a number, or samples of different labels. */
function evaluate(node: Expression, world: World): number | readonly Sample[] {
  const vector = (of: Expression): readonly Sample[] => {
    const found = evaluate(of, world);
    if (typeof found === "number") throw new Error(`${print(of)} is a number`);
    return found;
  };
  switch (node.is) {
    case "number":
      return literals[node.text] ?? Number.NaN;
    case "group":
    case "plus":
      return evaluate(node.of, world);
    case "minus": {
      const of = evaluate(node.of, world);
      return typeof of === "number" ? -of : of.map(({ labels, value }) => ({ labels, value: -value }));
    }
    case "selector": {
      const samples = world[`${node.metric}${node.offset ? " before" : ""}`] ?? [];
      return samples.filter(({ labels }) => node.x === undefined || matchesX(node.x, labels.x));
    }
    case "aggregate": {
      const samples = vector(node.of).map(({ labels, value }) => ({ labels: only(labels, node.by), value }));
      return aggregated(samples, (all) => aggregates[node.op]?.(all) ?? Number.NaN);
    }
    case "call":
      return call(node.name, node.of, world);
    case "binary": {
      const [left, right] = [evaluate(node.left, world), evaluate(node.right, world)];
      return binary(node, left, right);
    }
  }
}

/** One sample of those with the same labels. */
function aggregated(samples: readonly Sample[], valueOf: (all: readonly number[]) => number): readonly Sample[] {
  const groups = new Map<string, Sample[]>();
  for (const sample of samples) groups.set(keyOf(sample.labels), [...(groups.get(keyOf(sample.labels)) ?? []), sample]);
  return [...groups.values()].map((all) => ({
    labels: all[0]?.labels ?? {},
    value: valueOf(all.map(({ value }) => value)),
  }));
}

const sum = (all: readonly number[]) => all.reduce((total, value) => total + value, 0);
/** Of samples that are no number, Prometheus takes the least and the greatest only if there are no others. */
const numbers = (all: readonly number[]) => {
  const some = all.filter((value) => !Number.isNaN(value));
  return some.length > 0 ? some : all;
};
const aggregates: Readonly<Record<string, (all: readonly number[]) => number>> = {
  sum,
  count: ({ length }) => length,
  avg: (all) => sum(all) / all.length,
  min: (all) => Math.min(...numbers(all)),
  max: (all) => Math.max(...numbers(all)),
};

/** The samples of a subquery, earliest first. */
const overTime: typeof aggregates = {
  last_over_time: (all) => all.at(-1) ?? Number.NaN,
  ...Object.fromEntries(Object.entries(aggregates).map(([name, valueOf]) => [`${name}_over_time`, valueOf])),
};

function call(name: string, of: Expression | undefined, world: World): number | readonly Sample[] {
  const found = of === undefined ? 0 : evaluate(of, world);
  if (name === "time") return 1;
  if (of !== undefined && name in overTime) {
    const earlier = Object.entries(world).map(([metric]) => [metric, world[`${metric.slice(0, 1)} before`] ?? []]);
    const all = [evaluate(of, Object.fromEntries(earlier) as World), found] as readonly (readonly Sample[])[];
    return aggregated(all.flat(), (all) => overTime[name]?.(all) ?? Number.NaN);
  }
  if (name === "vector") return [{ labels: {}, value: found as number }];
  const samples = found as readonly Sample[];
  if (name === "info") return samples; // No world has series of information.
  // Of what is absent, only a matcher with `=` tells a label.
  let selector = of;
  while (selector?.is === "group") selector = selector.of;
  const labels = selector?.is === "selector" && selector.x?.op === "=" ? only({ x: selector.x.value }, ["x"]) : {};
  if (name === "absent") return samples.length > 0 ? [] : [{ labels, value: 1 }];
  if (name === "scalar") return samples.length === 1 ? (samples[0]?.value ?? Number.NaN) : Number.NaN;
  throw new Error(`${name} is no function`);
}

function binary(
  { op, bool, on }: Expression & { is: "binary" },
  left: number | readonly Sample[],
  right: number | readonly Sample[],
): number | readonly Sample[] {
  const isComparison = comparisons.includes(op);
  const result = (labels: Labels, kept: number, l: number, r: number): readonly Sample[] => {
    if (!isComparison) return [{ labels, value: calculate(op, l, r) }];
    if (bool) return [{ labels, value: compare(op, l, r) ? 1 : 0 }];
    return compare(op, l, r) ? [{ labels, value: kept }] : [];
  };
  if (typeof left === "number" && typeof right === "number") {
    return isComparison ? Number(compare(op, left, right)) : calculate(op, left, right);
  }
  if (typeof right === "number") {
    return (left as readonly Sample[]).flatMap(({ labels, value }) => result(labels, value, value, right));
  }
  if (typeof left === "number") return right.flatMap(({ labels, value }) => result(labels, value, left, value));

  const key = ({ labels }: Sample) => keyOf(on === undefined ? labels : only(labels, on));
  if (levelOf(op) < 2) {
    const [inLeft, inRight] = [new Set(left.map(key)), new Set(right.map(key))];
    if (op === "or") return [...left, ...right.filter((sample) => !inLeft.has(key(sample)))];
    return left.filter((sample) => inRight.has(key(sample)) === (op === "and"));
  }
  for (const side of [left, right]) {
    if (new Set(side.map(key)).size < side.length) throw new Ambiguous();
  }
  return left.flatMap((sample) => {
    const other = right.find((each) => key(each) === key(sample));
    if (other === undefined) return [];
    return result(on === undefined ? sample.labels : only(sample.labels, on), sample.value, sample.value, other.value);
  });
}

// ---- Expressions and series -----------------------------------------------------------------------------------------

const gap = fc.constantFrom(" ", " ", " ", "\n  ", " # > 1 and\n ");
const namesOf = (all: object) => fc.constantFrom(...Object.keys(all));
const opsOf = (...some: readonly number[]) => fc.constantFrom(...some.flatMap((level) => levels[level] ?? []));
const [setOps, comparing, arithmetic] = [opsOf(0, 1), opsOf(2), opsOf(3, 4)];
const on = fc.constantFrom<{ on?: readonly string[] }[]>({}, {}, {}, { on: ["x"] }, { on: [] });

const selectors = fc.record({
  is: fc.constant("selector" as const),
  metric: fc.constantFrom("a", "b", "c"),
  isQuoted: fc.constantFrom(false, false, false, true),
  offset: fc.constantFrom(false, false, false, true),
});
const matchers = fc.record<Matcher>({
  op: fc.constantFrom("=", "=", "!=", "=~", "!~"),
  value: fc.constantFrom("", ..."1 2 .* .+ 1|2 [12] [1-3] 1|3 1| 1? . [^1] ^(1|2)$ (1|2){2}".split(" ")),
});

const [names, subqueries] = [namesOf(aggregates), namesOf(overTime)];

const { scalar, vector, threshold } = fc.letrec<Record<"scalar" | "vector" | "threshold", Expression>>((tie) => {
  const number = fc.constantFrom(...Object.keys(literals)).map((text) => ({ is: "number", text }) as const);
  const narrowed = fc.oneof(
    selectors,
    fc.tuple(selectors, matchers).map(([of, x]) => ({ ...of, x })),
  );
  const operation = (
    op: Arbitrary<string>,
    left: Arbitrary<Expression>,
    right: Arbitrary<Expression>,
    { bool = fc.constant(false) as Arbitrary<boolean>, matching = fc.constant({}) as Arbitrary<object> } = {},
  ) =>
    fc
      .tuple(fc.record({ op, bool, gap, left, right }), matching)
      .map(([parts, labels]) => ({ is: "binary", ...parts, ...labels }) as Expression);
  const isBool = fc.constantFrom(false, false, true);
  const group = (of: Arbitrary<Expression>) => of.map((each) => ({ is: "group", of: each }) as const);
  const minus = (of: Arbitrary<Expression>) => of.map((each) => ({ is: "minus", of: each }) as const);
  const plus = (of: Arbitrary<Expression>) => of.map((each) => ({ is: "plus", of: each }) as const);

  const folded = fc.oneof(number, operation(arithmetic, number, number), minus(number));
  return {
    threshold: fc.oneof(
      { arbitrary: operation(comparing, tie("vector"), folded), weight: 3 },
      { arbitrary: operation(comparing, folded, tie("vector")), weight: 1 },
    ),
    scalar: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      { arbitrary: number, weight: 6 },
      { arbitrary: operation(arithmetic, tie("scalar"), tie("scalar")), weight: 2 },
      { arbitrary: group(tie("scalar")), weight: 1 },
      { arbitrary: minus(tie("scalar")), weight: 1 },
      { arbitrary: tie("vector").map((of) => ({ is: "call", name: "scalar", of }) as const), weight: 1 },
      { arbitrary: fc.constant({ is: "call", name: "time" } as const), weight: 1 },
      { arbitrary: operation(comparing, tie("scalar"), tie("scalar"), { bool: fc.constant(true) }), weight: 1 },
    ),
    vector: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      { arbitrary: narrowed, weight: 4 },
      { arbitrary: operation(comparing, tie("vector"), tie("scalar"), { bool: isBool }), weight: 6 },
      { arbitrary: operation(comparing, tie("scalar"), tie("vector"), { bool: isBool }), weight: 2 },
      { arbitrary: operation(comparing, tie("vector"), tie("vector"), { bool: isBool, matching: on }), weight: 2 },
      { arbitrary: operation(setOps, tie("vector"), tie("vector"), { matching: on }), weight: 5 },
      { arbitrary: operation(arithmetic, tie("vector"), tie("scalar")), weight: 2 },
      { arbitrary: operation(arithmetic, tie("scalar"), tie("vector")), weight: 1 },
      { arbitrary: operation(arithmetic, tie("vector"), tie("vector"), { matching: on }), weight: 1 },
      { arbitrary: group(tie("vector")), weight: 2 },
      { arbitrary: minus(tie("vector")), weight: 1 },
      { arbitrary: plus(tie("vector")), weight: 1 },
      { arbitrary: tie("vector").map((of) => ({ is: "call", name: "info", of }) as const), weight: 1 },
      {
        arbitrary: fc.oneof(narrowed, tie("vector")).map((of) => ({ is: "call", name: "absent", of }) as const),
        weight: 1,
      },
      {
        arbitrary: fc
          .record({ op: names, by: fc.subarray(["x", "y"]), of: tie("vector") })
          .map((parts) => ({ is: "aggregate", ...parts }) as const),
        weight: 2,
      },
      {
        arbitrary: fc.tuple(subqueries, tie("vector")).map(([name, of]) => ({ is: "call", name, of }) as const),
        weight: 1,
      },
      { arbitrary: tie("scalar").map((of) => ({ is: "call", name: "vector", of }) as const), weight: 1 },
    ),
  };
});

/** Expressions of alerts that Prometheus takes. */
export const expressions: Arbitrary<Expression> = fc.oneof(
  { arbitrary: vector, weight: 10 },
  { arbitrary: threshold, weight: 6 },
  { arbitrary: scalar, weight: 1 },
);

const values = fc.constantFrom(0, 1, 2, 3, -1, 0.5, 60, Number.NaN, Number.POSITIVE_INFINITY);
const label = fc.constantFrom("1", "2");
const series = fc
  .array(fc.record({ labels: fc.record({ x: label, y: label }, { requiredKeys: ["y"] }), value: values }), {
    maxLength: 4,
  })
  .map((samples) => [...new Map(samples.map((sample) => [keyOf(sample.labels), sample])).values()]);

export const worlds: Arbitrary<World> = fc.record(
  Object.fromEntries(["a", "b", "c"].flatMap((name) => [name, `${name} before`]).map((name) => [name, series])),
);

type Pair<T = Expression> = readonly [before: T, after: T];

/** An expression and another one that differs in a few of its parts. */
export const { pair: edits } = fc.letrec<{ pair: Pair }>((tie) => {
  const pair = tie("pair");
  const same = <T>(of: Arbitrary<T>) => of.map((each): Pair<T> => [each, each]);
  const changed = <T>(of: Arbitrary<T>): Arbitrary<Pair<T>> => fc.oneof(fc.tuple(of, of), same(of));
  const both = <T extends readonly unknown[]>(
    make: (...parts: T) => Expression,
    ...parts: { [I in keyof T]: Arbitrary<Pair<T[I]>> }
  ) =>
    fc.tuple(...parts).map((all) => [0, 1].map((side) => make(...(all.map((each) => each[side]) as never))) as never);
  const binary = (op: string, left: Expression, right: Expression, more: object = {}): Expression => ({
    ...{ is: "binary", op, bool: false, gap: " ", left, right },
    ...more,
  });
  const limit = fc.constantFrom("0", "1", "2", "0.5").map((text): Expression => ({ is: "number", text }));
  const limits = fc.oneof({ arbitrary: same(limit), weight: 3 }, { arbitrary: changed(limit), weight: 1 });
  const matcher = fc.option(matchers, { nil: undefined });
  const beside = fc.tuple(pair, setOps, comparing, limit, fc.option(vector), fc.nat(3));
  return {
    pair: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      both((of, x) => ({ ...of, ...(x && { x }) }), same(selectors), changed(matcher)),
      same(vector),
      both((op, by, of) => ({ is: "aggregate", op, by, of }), changed(names), same(fc.subarray(["x", "y"])), pair),
      both(binary, same(comparing), pair, limits),
      both(binary, same(arithmetic), pair, limits),
      both(binary, same(arithmetic), limits, pair),
      both(binary, same(fc.oneof(setOps, arithmetic)), pair, pair, same(on)),
      both((of) => ({ is: "minus", of }), pair),
      both((name, of) => ({ is: "call", name, of }), changed(subqueries), pair),
      both(
        (name: string, of: Expression) => ({ is: "call", name, of }),
        same(subqueries),
        both(binary, same(comparing), pair, limits),
      ),
      // What one side has in addition: something else, or a comparison of the same.
      beside.map(([[a, b], op, than, to, other, form]): Pair => {
        const more = other ?? binary(than, a, to);
        const longer = form % 2 === 0 ? binary(op, a, more) : binary(op, more, a);
        return form < 2 ? [longer, b] : [b, longer];
      }),
    ),
  };
});
