import { expect, test } from "vitest";
import { ObservabilityError } from "../../../dist/provider/client/errors.js";
import { DryRuns } from "../../../dist/provider/lifecycle/objects/dryRuns.js";

test("once a dry run has written, no provider of the operation sends another one, and the next operation tries again", () => {
  const first = DryRuns.of("http://a", "operation");
  first.ignored = new ObservabilityError("dry_run_ignored", "it wrote");
  expect(DryRuns.of("http://a", "operation")).toBe(first);
  expect(DryRuns.of("http://a", "next").ignored).toBeUndefined();
});
