import type { Review } from "../../../dist/cli/review/review.js";
import { unknown } from "../../../dist/provider/values/unknown.js";
import { type StepFacts, steps } from "../../support/digests.js";
import { derived, fires, gt, monitor, slo, spans, timeslices } from "./declarations.js";
import { previewOf, reviewed } from "./reviewed.js";

type Args = Readonly<Record<string, unknown>>;
/** The step of one resource. */
export type Step = readonly [kind: string, name: string, facts: StepFacts];

export const same = (args: Args): StepFacts => ({ op: "same", before: args, after: args });
/** A derived metric, which publishes its own name by default. */
export const metric = (name: string, labelExpr: string, metricName = name): Args => ({
  ...derived(labelExpr),
  slug: name,
  metricName,
});
export const reader = (labelQuery: string): Args => monitor({ slug: "x", labelQuery });
const reading = (...queries: readonly string[]): readonly Step[] =>
  queries.map((query, i) => ["Monitor", `m${i + 1}`, same({ ...reader(query), slug: `m${i + 1}` })]);
const events = (customIndicator: Args) => slo({}, { sli: { customIndicator } });

export const changed = (name: string): Step => [
  "DerivedMetric",
  name,
  { before: metric(name, "up"), after: metric(name, "down") },
];
export const deleted = (name: string): Step => ["DerivedMetric", name, { before: metric(name, "up") }];
const before = reader("a");
const x = (facts: StepFacts): Step => ["Monitor", "x", facts];
/** A metric's steps, beside a monitor that reads "a". */
const read = (metrics: Readonly<Record<string, StepFacts>>) => ({
  dev: [...Object.entries(metrics).map(([name, facts]): Step => ["DerivedMetric", name, facts]), x(same(before))],
});
const [up, down] = [metric("a", "up"), metric("a", "down")];
const renamed: Step = ["DerivedMetric", "a", { before: metric("a", "up"), after: metric("a", "up", "b") }];
const rule = spans({}, { slug: "r", metricName: "latency" });

/** The steps of each stack. */
export type Stacks = Readonly<Record<string, readonly Step[]>>;

export const reviewOfStacks = (stacks: Stacks): Review =>
  reviewed(
    ...Object.entries(stacks).map(([stack, all]) =>
      previewOf(
        all.map(([kind, name, facts]) => steps(kind, name, facts, stack)),
        [],
        stack,
      ),
    ),
  );

/** What a review says of the resources that depend on a change, and of those that could not be checked. */
export const dependentTexts = ({ risks, stacks }: Review): readonly string[] => [
  ...risks.flatMap((risk) =>
    risk.path === undefined ? [] : [`${risk.class} ${risk.direction} ${risk.kind} ${risk.sentence}`],
  ),
  ...stacks.flatMap(({ notes }) => notes.map(({ kind = "", name = "", text }) => `note ${kind} ${name}: ${text}`)),
];

/** Changes of metrics, with what depends on them. */
export const dependentRows = Object.entries<Stacks>({
  "the queries of a derived metric": {
    dev: [changed("a"), ...reading("a > 1", "sum(rate(a{x='1'}[5m])) / b > 5.", "b")],
  },
  "a derived metric for want of which a monitor fires": {
    dev: [
      deleted("a"),
      ["DerivedMetric", "b", same(metric("b", "sum(a)"))],
      ...reading("absent(a > 1)", "absent(b)", "absent(c) + a"),
      ...["a", "b", "sum(a) or vector(0)"].map(
        (labelQuery, i): Step =>
          [...["Monitor", `n${i}`], same({ ...fires({ op: "NOT_EXISTS" }), slug: `n${i}`, labelQuery })] as never,
      ),
    ],
  },
  "a derived metric that is deleted": { dev: [deleted("a"), ...reading("a", '{__name__="a"}', '{"a"}')] },
  "a metric that another stack publishes too": {
    dev: [["DerivedMetric", "a", { after: metric("a", "up") }]],
    prod: [["DerivedMetric", "z", same(metric("z", "down", "a"))]],
  },
  "a derived metric with another name": { dev: [renamed, ...reading("a", "b", '{__name__=~"[ab]"}')] },
  "a long way": {
    dev: [
      changed("a"),
      ...["b", "c", "d", "e", "f"].map((name, i): Step => [
        "DerivedMetric",
        name,
        same(metric(name, ["a", "b", "c", "d", "e"][i] ?? "")),
      ]),
      ...reading("f"),
    ],
  },
  "in other stacks": {
    platform: [deleted("a")],
    shared: [["DerivedMetric", "b", same(metric("b", "a"))]],
    shop: [...reading("b")],
  },
  "each query of an SLO": {
    dev: [
      changed("a"),
      ["SLO", "total", same({ slug: "t", ...events({ totalQueryTemplate: "a", goodQueryTemplate: "up" }) })],
      ["SLO", "good", same({ slug: "g", ...events({ totalQueryTemplate: "up", goodQueryTemplate: "a" }) })],
      ["SLO", "bad", same({ slug: "b", ...events({ totalQueryTemplate: "up", badQueryTemplate: "a" }) })],
      ["SLO", "slices", same({ slug: "s", ...timeslices("a") })],
    ],
  },
  "regular expressions": {
    dev: [
      changed("a:b"),
      ...reading('{__name__=~"a:.*"}', '{__name__=~"a"}', '{__name__=~"a:.*", __name__!="a:b"}', '{__name__!~"a.*"}'),
    ],
  },
  "a trace metrics rule": {
    dev: [
      ["TraceMetricsRule", "r", { before: rule, after: { ...rule, histogramBucketsSecs: [1] } }],
      ...reading("latency", "rate(latency_bucket[5m])", "latency_bucket_total"),
    ],
  },
  "a new metric that is already queried": {
    dev: [["DerivedMetric", "a", { after: metric("a", "up") }], ...reading("a")],
  },
  "what can't be read": {
    dev: [
      deleted("a"),
      ["Monitor", "unknown", { before: reader("up"), after: reader(unknown) }],
      ["SLO", "template", same({ slug: "t", ...timeslices("sum(rate(x[{{.window}}]))") })],
      ["Monitor", "secret", same(reader("[secret]"))],
      ["DerivedMetric", "masked", same({ ...metric("m", "up"), queries: "[secret]" })],
      ["DerivedMetric", "chosen", same(metric("chosen", "sum({$scope})"))],
      ["Monitor", "variable", same(reader("$metric > 1"))],
      ["Monitor", "pattern", same(reader('{__name__=~"(?P<x>a)"}'))],
    ],
  },
  "a name that is not known yet or a secret": {
    dev: [
      ["DerivedMetric", "a", { before: metric("a", "up"), after: metric("a", "up", unknown) }],
      ["DerivedMetric", "b", { before: metric("b", "up"), after: metric("b", "up", "[secret]") }],
      ...reading("a", "b"),
    ],
  },
  "what can't be read, while no metric changes": { dev: [x(same(reader("(")))] },
  "a dependent that no longer queries it": { dev: [deleted("a"), x({ before, after: reader("b") })] },
  "a dependent that is new": { dev: [changed("a"), x({ after: before })] },
  "a dependent that is new, and queries what is deleted": { dev: [deleted("a"), x({ after: before })] },
  "a dependent that has another threshold": {
    dev: [changed("a"), x({ before, after: { ...before, ...fires(gt(2)), labelQuery: "a" } })],
  },
  "a dependent that stays without a resource": { dev: [changed("a"), x({ before, retained: true })] },
  "a dependent that moves to another resource": {
    dev: [changed("a"), ["Monitor", "y", { before }], x({ after: before })],
  },
  "a metric that is spelled differently": read({ a: { before: up, after: metric("a", "(up)") } }),
  "a metric that stays beside its replacement": read({
    a: { op: "replace", before: up, after: metric("b", "up"), retained: true },
  }),
  "a metric that stays without a resource": read({ a: { before: up, retained: true } }),
  "a metric that moves to another resource": read({ b: { before: up }, a: { after: up } }),
  "a metric that moves and changes": read({ b: { before: up }, a: { after: down } }),
  "a metric that another resource still publishes": read({ a: { before: up }, b: same(metric("b", "up", "a")) }),
  "a metric that another resource publishes now": read({ b: { before: metric("b", "up", "a") }, a: { after: down } }),
});
