import fc from "fast-check";
import { expect, test } from "vitest";
import { merged } from "../../../dist/cli/review/merged.js";
import { reviewMarkdown } from "../../../dist/cli/review/markdown.js";
import type { Review } from "../../../dist/cli/review/review.js";
import { reviewText } from "../../../dist/cli/review/text.js";
import { stackPreviewOf } from "../../../dist/cli/preview/stackPreview.js";
import { isWanted } from "../../../dist/cli/consequences/risk.js";
import { digest, providerStep, type StepFacts, steps } from "../../support/digests.js";
import { runs } from "../../support/figures.js";
import { deleted, dependentRows, metric, reader, reviewOfStacks, same, type Step } from "./dependentRows.js";
import { previewOf, reviewed } from "./reviewed.js";

const pathsIn = ({ risks }: Review) => risks.flatMap(({ path = [] }) => (path.length > 0 ? [path.join(" → ")] : []));
const [before, x] = [reader("a"), "Monitor x → DerivedMetric a"];

test("metrics of two services with known URLs have nothing in common", () => {
  const found = ["https://a.example.com", "https://b.example.com"].map((url) => {
    const all = [
      providerStep("one", "https://a.example.com"),
      providerStep("two", url),
      steps("DerivedMetric", "a", { ...deleted("a")[2], provider: "one" }),
      steps("Monitor", "x", { ...same(before), provider: "two" }),
    ];
    return pathsIn(reviewed(previewOf(all)));
  });
  expect(found).toEqual([[x], []]);
});

test("a finding is in each form of the review, and --fail-on counts it", () => {
  const review = reviewOfStacks({ platform: [deleted("a")], shop: [["Monitor", "x", same(before)]] });
  const risk = review.risks.find(({ path }) => path !== undefined);
  expect(risk).toEqual({
    stack: "project/shop",
    kind: "Monitor",
    name: "x",
    class: "query",
    direction: "unclear",
    sentence: 'x: depends on "a", which is removed: may find no data (Monitor x → DerivedMetric a (project/platform))',
    path: ["Monitor x", "DerivedMetric a (project/platform)"],
  });
  expect(risk && isWanted(risk, ["query:unclear"])).toBe(true);
  expect(reviewText(review).replace(/\s+/g, " ")).toContain(`Monitor ${risk?.sentence}`);
  expect(reviewMarkdown(review)).toContain("`x`: depends on");
});

test.each(dependentRows)("reports that are merged find the same as one review of all stacks: %s", (_, stacks) => {
  const all = reviewOfStacks(stacks);
  expect(merged([all])).toEqual(all);
  expect(merged(Object.entries(stacks).map(([name, each]) => reviewOfStacks({ [name]: each })))).toEqual(all);
});

test("a preview without unchanged resources says once that dependents are not seen, if a metric changes", () => {
  const told = (all: Parameters<typeof digest>[0], unchanged: number) => {
    const { stacks } = reviewed(stackPreviewOf({ ...digest(all), changeSummary: { same: unchanged } }, "dev"));
    return stacks[0]?.notes.map(({ text }) => text);
  };
  const both = ["a", "b"].map((name) => steps("DerivedMetric", name, deleted(name)[2]));
  expect(told(both, 2)).toEqual([expect.stringMatching(/^could not check what depends on .* --show-sames\.$/)]);
  // The stack itself.
  expect(told(both, 1)).toEqual([]);
  expect(told([steps("Monitor", "x", { before, after: { ...before, intervalSecs: 1 } })], 2)).toEqual([]);
});

test("a secret name, or one that becomes a secret, is in no output", () => {
  const after = metric("m", "up", "[secret]");
  const review = reviewOfStacks({
    dev: [
      ["DerivedMetric", "m", { before: metric("m", "up", "hush"), after }],
      ["Monitor", "x", same(reader("up"))],
    ],
  });
  expect(JSON.stringify(review)).not.toContain("hush");
});

/** A derived metric `m<i>` or a monitor, with the metrics that it reads, and what happens to it. */
interface Node {
  readonly reads: readonly number[];
  readonly op: "same" | "text" | "data" | "renamed" | "deleted";
  readonly stack: "dev" | "prod";
  readonly isMetric: boolean;
}

const most = 7;
const node = fc.record<Node>({
  reads: fc.uniqueArray(fc.nat(most - 1), { maxLength: 2 }),
  op: fc.constantFrom("same", "same", "same", "text", "data", "renamed", "deleted"),
  stack: fc.constantFrom("dev", "prod"),
  isMetric: fc.boolean(),
});

function stepOf({ reads, op, isMetric }: Node, i: number): Step {
  const spellings = (name: string) => [name, `{__name__="${name}"}`, `rate({__name__=~"x|${name}"}[5m])`];
  const query = (more: readonly string[]) =>
    [...reads.map((each) => spellings(`m${each}`)[(i + each) % 3] ?? ""), "up", ...more].join(" + ");
  const args = (more: readonly string[] = [], name = `m${i}`) =>
    isMetric ? metric(`m${i}`, query(more), name) : { ...reader(query(more)), slug: `m${i}` };
  const facts: Readonly<Record<Node["op"], StepFacts>> = {
    same: same(args()),
    text: { before: args(), after: { ...args(), name: "new" } },
    data: { before: args(), after: args(["down"]) },
    renamed: { before: args(), after: args([], `n${i}`) },
    deleted: { before: args() },
  };
  return [isMetric ? "DerivedMetric" : "Monitor", `m${i}`, facts[op]];
}

/** The dependents of a metric, with the number of steps to each, in rounds over all nodes. */
function oracle(nodes: readonly Node[], root: number): ReadonlyMap<number, number> {
  const lost = nodes[root]?.op !== "data";
  const found = new Map<number, number>([[root, 0]]);
  for (let round = 1; round <= nodes.length; round += 1) {
    const last = [...found].filter(([, steps]) => steps === round - 1).map(([i]) => i);
    nodes.forEach(({ reads, op }, i) => {
      const passes = (each: number) =>
        each === root || (nodes[each]?.isMetric === true && ["same", "text"].includes(nodes[each].op));
      const isTold = op === "data" ? lost && round === 1 : op !== "deleted";
      if (!found.has(i) && isTold && last.some((each) => reads.includes(each) && passes(each))) found.set(i, round);
    });
  }
  found.delete(root);
  return found;
}

test("in any graph, also with cycles, the dependents are those of the closure, by shortest paths", () => {
  const graph = fc.array(node, { minLength: 1, maxLength: most + 4 }).map((nodes) =>
    // A monitor has no name to change.
    nodes.map((each) => (each.op === "renamed" && !each.isMetric ? { ...each, op: "text" as const } : each)),
  );
  const property = fc.property(graph, (nodes) => {
    const all = nodes.map((each, i) => [each.stack, stepOf(each, i)] as const);
    const inStack = (stack: string) => all.flatMap(([each, step]) => (each === stack ? [step] : []));
    const found = reviewOfStacks({ dev: inStack("dev"), prod: inStack("prod") }).risks.flatMap(({ path = [] }) =>
      path.length === 0 ? [] : [path.map((each) => Number(/ m(\d+)/.exec(each)?.[1]))],
    );
    const roots = nodes.flatMap(({ op, isMetric }, i) =>
      isMetric && ["data", "renamed", "deleted"].includes(op) ? [i] : [],
    );
    const expected = roots.flatMap((root) =>
      [...oracle(nodes, root)].map(([each, steps]) => `${each} → ${root} in ${steps}`),
    );
    expect(found.map((path) => `${path[0]} → ${path.at(-1)} in ${path.length - 1}`).sort()).toEqual(expected.sort());
    for (const path of found) {
      for (const [i, each] of path.slice(1).entries()) expect(nodes[path[i] ?? 0]?.reads).toContain(each);
    }
  });
  fc.assert(property, { numRuns: runs(2) });
});
