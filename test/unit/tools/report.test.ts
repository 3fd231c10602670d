import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { summary, summaryOf } from "../../../tools/report.mjs";
import { write } from "./folders";
import { ownFolder } from "../../support/folders";

const file = (status: string, ...tests: string[]) => ({
  status,
  assertionResults: tests.map((test) => ({ status: test })),
});

describe("the line about the tests", () => {
  it("counts what passed, failed and was skipped", () => {
    const testResults = [file("passed", "passed", "passed", "skipped", "todo"), file("failed", "failed", "passed")];
    expect(summary({ testResults })).toBe("3 passed, 1 failed, 2 skipped");
  });

  it("counts a file that could not be loaded as a failure", () => {
    expect(summary({ testResults: [file("failed"), file("passed", "passed")] })).toBe("1 passed, 1 failed, 0 skipped");
  });

  it("is missing where there is no report, or half of one", () => {
    const folder = ownFolder();
    expect(summaryOf(join(folder, "none.json"))).toBeUndefined();
    expect(summaryOf(write(join(folder, "half.json"), '{"testResults":['))).toBeUndefined();
  });
});
