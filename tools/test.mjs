import { randomInt } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ensureLanguages } from "./languages.mjs";
import { createLog, runScript } from "./log.mjs";
import { root, stateFolder } from "./project.mjs";
import { testEnvironment } from "./pulumi.mjs";
import { runInPlace } from "./run.mjs";
import { setUpWithPulumi } from "./setup.mjs";

const vitest = join(root, "node_modules/vitest/vitest.mjs");

await runScript(async () => {
  const args = process.argv.slice(2);
  const isDeep = args.includes("--deep");
  const numberOf = (/** @type {string} */ name) =>
    args.find((arg) => new RegExp(`^--${name}=\\d+$`).test(arg))?.slice(name.length + 3);
  const size = numberOf("size");
  const seed = numberOf("seed") ?? (isDeep ? String(randomInt(2 ** 31)) : undefined);
  const [report, figures] = [join(stateFolder, "test-report.json"), join(stateFolder, "test-figures.txt")];
  for (const file of [report, figures]) rmSync(file, { force: true });
  const cli = await setUpWithPulumi();
  const wanted = ["python", "yaml", "newest", ...(isDeep ? ["go"] : [])];
  const languages = await ensureLanguages(wanted, { bin: cli.bin, env: process.env, log: createLog() });
  mkdirSync(stateFolder, { recursive: true });
  const ours = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const theirs = args.filter((arg) => !/^--(?:deep$|size=|seed=)/.test(arg));
  const env = {
    ...testEnvironment(cli),
    ...languages,
    TEST_FIGURES: figures,
    ...(isDeep ? { TEST_DEEP: "1" } : {}),
    ...(size === undefined ? {} : { TEST_SIZE: size }),
    ...(seed === undefined ? {} : { TEST_SEED: seed }),
  };
  const status = await runInPlace(process.execPath, [vitest, ...ours, ...theirs], { cwd: root, env });
  if (existsSync(figures)) console.log(readFileSync(figures, "utf8"));
  if (seed !== undefined) console.log(`drawn with --seed=${seed}`);
  const summary = existsSync(report) ? summaryOf(JSON.parse(readFileSync(report, "utf8"))) : "no test report";
  console.log(summary);
  return existsSync(report) ? status : status || 1;
});

/** @typedef {{ status: string, assertionResults: readonly { status: string }[] }} TestFile */

/**
 * "N passed, N failed, N skipped" of vitest's JSON report. A file that fails outside its tests is a failure.
 * @param {Readonly<Record<"numTotalTests" | "numPassedTests" | "numFailedTests", number>> & { testResults: readonly TestFile[] }} report
 */
function summaryOf({ testResults, numTotalTests: total, numPassedTests: passed, numFailedTests }) {
  const isFailed = (/** @type {{ status: string }} */ { status }) => status === "failed";
  const broken = testResults.filter((file) => isFailed(file) && !file.assertionResults.some(isFailed)).length;
  return `${passed} passed, ${numFailedTests + broken} failed, ${total - passed - numFailedTests} skipped`;
}
