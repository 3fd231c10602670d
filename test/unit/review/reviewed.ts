import { reviewOf } from "../../../dist/cli/review/build.js";
import type { Review } from "../../../dist/cli/review/review.js";
import { type StackPreview, stackPreviewOf } from "../../../dist/cli/preview/stackPreview.js";
import type { Risk } from "../../../dist/cli/consequences/risk.js";
import { worstFirst } from "../../../dist/cli/consequences/risk.js";
import { risksOfChange } from "../../../dist/cli/consequences/risks.js";
import { digest, type StepFacts, steps } from "../../support/digests.js";

/** The preview of a stack, by its steps and messages. */
export const previewOf = (
  all: Parameters<typeof digest>[0],
  diagnostics?: Parameters<typeof digest>[1],
  stack = "dev",
): StackPreview => stackPreviewOf(digest(all, diagnostics, stack), stack);

/** The preview of a stack with one resource, "x". */
export const preview = (kind: string, facts: StepFacts, diagnostics?: Parameters<typeof digest>[1]) =>
  previewOf([steps(kind, "x", facts)], diagnostics);

/** The review of previews, without standards. */
export const reviewed = (...previews: readonly StackPreview[]): Review =>
  reviewOf(previews.map((each) => ({ preview: each })));

/** The risks of all changes of a preview, worst first. */
export const risksOf = (preview: StackPreview, textLabels?: ReadonlySet<string>): readonly Risk[] =>
  preview.changes.flatMap((change) => risksOfChange(change, preview, textLabels)).sort(worstFirst);

/** `threshold alerts-less x: critical condition > 1 → > 2: fires later or not at all` */
export const texts = (risks: readonly Risk[]) =>
  risks.map(({ class: riskClass, direction, sentence }) => `${riskClass} ${direction} ${sentence}`);

/** What is said of one resource, "x". */
export const told = (...given: Parameters<typeof preview>) => texts(risksOf(preview(...given)));
