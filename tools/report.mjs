import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { stateFolder } from "./project.mjs";

/** The path of vitest's JSON report, which `npm test` writes. */
export const reportFile = () => process.env.TEST_REPORT ?? join(stateFolder(), "test-report.json");

/**
 * @typedef {{ status: string, assertionResults: readonly { status: string }[] }} TestFile
 */

/**
 * "N passed, N failed, N skipped" from vitest's JSON report. A file that failed outside its tests counts as one failure.
 * @param {{ testResults: readonly TestFile[] }} report
 */
export function summary({ testResults }) {
  const statuses = testResults.flatMap(({ status, assertionResults }) => {
    const own = assertionResults.map((test) => test.status);
    return status === "failed" && !own.includes("failed") ? [...own, "failed"] : own;
  });
  const passed = statuses.filter((status) => status === "passed").length;
  const failed = statuses.filter((status) => status === "failed").length;
  return `${passed} passed, ${failed} failed, ${statuses.length - passed - failed} skipped`;
}

/** The report's one line; undefined if there is no report. @param {string} [file] */
export function summaryOf(file = reportFile()) {
  try {
    return summary(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return undefined;
  }
}

// .ci/run runs this file to get only the line.
if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const line = summaryOf();
  console.log(line ?? "no test report");
  process.exitCode = line ? 0 : 1;
}
