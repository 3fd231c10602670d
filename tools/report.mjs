import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { stateFolder } from "./project.mjs";

/** The path of vitest's JSON report, which `npm test` writes. */
export const reportFile = () => process.env.TEST_REPORT ?? join(stateFolder(), "test-report.json");

/** @typedef {{ status: string, assertionResults: readonly { status: string }[] }} TestFile */

/** "N passed, N failed, N skipped" from the report; undefined without one. A file that fails outside its tests is a failure. */
export function testSummary() {
  /** @type {Readonly<Record<"numTotalTests" | "numPassedTests" | "numFailedTests", number>> & { testResults: readonly TestFile[] }} */
  let report;
  try {
    report = JSON.parse(readFileSync(reportFile(), "utf8"));
  } catch {
    return undefined;
  }
  const { testResults, numTotalTests: total, numPassedTests: passed, numFailedTests } = report;
  const isFailed = (/** @type {{ status: string }} */ { status }) => status === "failed";
  const broken = testResults.filter((file) => isFailed(file) && !file.assertionResults.some(isFailed)).length;
  return `${passed} passed, ${numFailedTests + broken} failed, ${total - passed - numFailedTests} skipped`;
}

// .ci/run runs this file to get only the line.
if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const line = testSummary();
  console.log(line ?? "no test report");
  process.exitCode = line ? 0 : 1;
}
