import { reviewMarkdown } from "../../../dist/cli/review/markdown.js";
import { describe, expect, test } from "vitest";
import { kinds } from "../../../dist/provider/kinds/index.gen.js";
import { steps, urnOf } from "../../support/digests.js";
import { during, every, fires, gt, lt, monitor, week } from "./declarations.js";
import { metric, reader, reviewOfStacks } from "./dependentRows.js";
import { previewOf, reviewed, texts } from "./reviewed.js";
import { rows } from "./rows.js";

type Args = Readonly<Record<string, unknown>>;
const renamed = (kind: string, before: Args, after: Args, more: readonly ReturnType<typeof steps>[] = []) =>
  reviewed(
    previewOf([
      steps(kind, "a", { before: { slug: "a", name: "a", ...before } }),
      steps(kind, "b", { after: { slug: "b", name: "b", ...after } }),
      ...more,
    ]),
  );
const remedy =
  /^replaced unclear b: renamed from "a": the .* is replaced, so .*\. To keep it, add aliases: \[\{ name: "a" \}\]$/;

// A service has one object of a singleton, so that its resource moves.
const named = kinds.filter(({ isSingleton, name }) => !isSingleton && rows.some(([, kind]) => kind === name));

test.each(named.map(({ name }) => name))("a rename is one risk, and the rest of the change is told: %s", (name) => {
  const [, , before = {}] = rows.find(([, kind]) => kind === name) ?? [];
  const { risks, stacks } = renamed(name, before, before);
  expect(texts(risks)).toEqual([expect.stringMatching(remedy)]);
  expect(stacks[0]?.changes.map(({ op }) => op).sort()).toEqual(["create", "delete"]);
});

describe("a rename", () => {
  const own = monitor({ labels: { team: "a" } });
  const hours = week(every(during("08:00-16:00")));

  test("with the same query and conditions names what else changes", () => {
    const { risks, stacks } = renamed("Monitor", own, { ...own, ...hours, labels: {}, annotations: { a: "b" } });
    expect(texts(risks)).toEqual([
      expect.stringMatching(/^schedule alerts-less b: now silent/),
      expect.stringMatching(/^routing unclear b: labels.team "a" → \(not set\)/),
      expect.stringMatching(remedy),
    ]);
    expect(stacks[0]?.changes[1]?.differences).toContain('annotations.a: (not set) → "b" (text only)');
  });

  test.each<[string, Args, Args]>([
    ["another condition", fires(gt(1)), fires(gt(2))],
    ["another query", own, { ...own, labelQuery: "down" }],
    [
      "a query that is hidden",
      { ...own, labelQuery: "[secret]" },
      { ...own, labelQuery: "[secret]", intervalSecs: 30 },
    ],
  ])("is not found with %s", (_, before, after) => {
    expect(texts(renamed("Monitor", before, after).risks)).toContainEqual(expect.stringMatching(/^removed .* a: /));
  });

  test("is none if the new resource adopts another object", () => {
    const message = 'adopts the existing monitor "b" without changes [adopts-identical]';
    const adopted = previewOf(
      [
        steps("Monitor", "a", { before: { ...own, slug: "a" } }),
        steps("Monitor", "b", { after: { ...own, slug: "b" } }),
      ],
      [{ urn: urnOf("Monitor", "b"), severity: "info", message }],
    );
    expect(texts(reviewed(adopted).risks)).toEqual([expect.stringMatching(/^removed .* a: /)]);
  });

  test("has one partner, whose declaration is the most similar one", () => {
    const more = [
      steps("Monitor", "c", { after: { slug: "c", ...own } }),
      steps("Monitor", "d", { before: { slug: "d", ...fires(lt(1)) } }),
    ];
    const said = texts(renamed("Monitor", own, { ...own, ...hours, labels: {} }, more).risks);
    expect(said.filter((text) => text.startsWith("replaced"))).toEqual([
      expect.stringContaining('c: renamed from "a"'),
    ]);
    expect(said.filter((text) => text.startsWith("removed"))).toEqual([expect.stringContaining("d: the monitor is")]);
  });

  test("of a slug that the program sets has to keep it", () => {
    const review = renamed("Monitor", { ...own, slug: "shop" }, { ...own, slug: "cart" });
    expect(texts(review.risks)).toEqual([
      expect.stringMatching(/ add aliases: \[\{ name: "a" \}\] and keep slug: "shop"$/),
    ]);
    expect(reviewMarkdown(review)).toContain(' add `aliases: [{ name: "a" }]` and keep `slug: "shop"`\n');
  });

  test("of a metric that others read changes nothing for them", () => {
    const of = (slug: string) => ({ ...metric("m", "up"), slug });
    const stacks = {
      dev: [
        ["DerivedMetric", "a", { before: of("a") }],
        ["DerivedMetric", "b", { after: of("b") }],
        ["Monitor", "x", { op: "same", before: reader("m"), after: reader("m") }],
      ],
    } as const;
    expect(texts(reviewOfStacks(stacks).risks)).toEqual([expect.stringMatching(remedy)]);
  });
});
