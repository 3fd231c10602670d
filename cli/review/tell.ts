import { writeText } from "../output/files";
import { exitStatus, type Output } from "../output/output";
import { reviewMarkdown } from "./markdown";
import type { Review } from "./review";
import type { StackFlags } from "./sources";
import { reviewText } from "./text";

/** Prints a report in the requested forms. */
export function printReview(
  report: Review,
  { markdown, report: file }: StackFlags & { readonly report?: string },
  output: Output,
): void {
  // Write the file first: a closed pipe ends the output.
  if (markdown !== undefined) writeText(markdown, reviewMarkdown(report, file));
  output.line(reviewText(report, output.screen).trimEnd());
  output.result(report);
}

/** Exits with 1 if something could not be checked, even if there are findings. */
export function setExitStatus({ stacks }: Review, isFound: boolean): void {
  if (stacks.some(({ isFailed, failures }) => isFailed || failures.length > 0)) process.exitCode = exitStatus.failed;
  else if (isFound) process.exitCode = exitStatus.rejected;
}
