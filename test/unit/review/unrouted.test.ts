import { expect, test } from "vitest";
import { stackPreviewOf } from "../../../dist/cli/preview/stackPreview.js";
import { reportContent } from "../../../dist/cli/report/build.js";
import { reviewMarkdown } from "../../../dist/cli/review/markdown.js";
import { merged } from "../../../dist/cli/review/merged.js";
import { reviewText } from "../../../dist/cli/review/text.js";
import type { AskedNotifier } from "../../../dist/cli/review/routes.js";
import { digest, providerStep, steps } from "../../support/digests.js";
import { monitor } from "./declarations.js";
import { reviewOfStacks, same } from "./dependentRows.js";
import { previewOf, reviewed } from "./reviewed.js";
import { routeRows } from "./routeRows.js";

const to = (notifier: string) => monitor({ slug: "x", labels: { notifier } });
const typed = { before: to("pd"), after: to("pdd") };
const pd = { slug: "pd" };
const unrouted = (review: ReturnType<typeof reviewed>) => review.risks.filter((risk) => risk.class === "unrouted");

test.each(routeRows)("reports that are merged find the same routes as one review of all stacks: %s", (_, stacks) => {
  const all = reviewOfStacks(stacks);
  expect(merged([all])).toEqual(all);
  expect(merged(Object.entries(stacks).map(([name, each]) => reviewOfStacks({ [name]: each })))).toEqual(all);
});

test("a new monitor is described in each form of the review", () => {
  const preview = previewOf([steps("Monitor", "x", { after: to("pd") })]);
  const review = reviewed(preview);
  const line = 'up; critical: > 1; every 1 min; notifies "pd"';
  expect(review.stacks[0]?.changes[0]?.summary).toBe(line);
  expect(reviewText(review)).toContain(`  + create Monitor x\n      ${line}`);
  expect(reviewMarkdown(review)).toContain("**New:**");
  expect(reportContent([preview], review).changes?.[0]?.summary).toBe(line);
});

test("notifiers of two services have nothing in common", () => {
  const found = ["https://a.example.com", "https://b.example.com"].map((url) => {
    const of = (provider: string, args: Readonly<Record<string, unknown>>) => ({ ...same(args), provider });
    return unrouted(
      reviewed(
        previewOf([
          providerStep("one", "https://a.example.com"),
          providerStep("two", url),
          steps("Notifier", "pd", { before: pd, provider: "one" }),
          steps("Monitor", "x", of("two", to("pd"))),
        ]),
      ),
    ).length;
  });
  expect(found).toEqual([1, 0]);
});

test("what unchanged resources would have to show is a note, and no risk", () => {
  const review = (all: Parameters<typeof digest>[0]) =>
    reviewed(stackPreviewOf({ ...digest(all), changeSummary: { same: 2 } }, "dev"));
  const note = expect.stringMatching(/^could not check whom monitors and SLOs notify: .* --show-sames\.$/);
  for (const all of [[steps("Monitor", "x", typed)], [steps("Notifier", "pd", { before: pd })]]) {
    const { risks, stacks } = review(all);
    expect([risks.filter((risk) => risk.class === "unrouted"), stacks[0]?.notes]).toEqual([[], [{ text: note }]]);
  }
  expect(
    review([steps("Monitor", "x", { before: to("pd"), after: { ...to("pd"), intervalSecs: 1 } })]).stacks[0]?.notes,
  ).toEqual([]);
});

test.each<[Partial<AskedNotifier>, readonly string[]]>([
  [{ isThere: false }, ["alerts-less"]],
  [{ isThere: true }, []],
  [{ problem: "answered 403" }, ["unclear"]],
])("the service answers %o about a notifier that no stack declares", (answer, expected) => {
  const review = reviewed(previewOf([steps("Monitor", "x", typed)]));
  const askedNotifiers = [{ service: "", slug: "pdd", ...answer }];
  const found = merged([{ ...review, stacks: review.stacks.map((stack) => ({ ...stack, askedNotifiers })) }]);
  expect(unrouted(found).map(({ direction }) => direction)).toEqual(expected);
  for (const risk of unrouted(found)) expect(risk.sentence).toContain(answer.problem ?? "the service does not have");
});
