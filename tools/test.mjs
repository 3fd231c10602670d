import { randomInt } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { ensureLanguages } from "./languages.mjs";
import { createLog, runScript } from "./log.mjs";
import { root } from "./project.mjs";
import { testEnvironment } from "./pulumi.mjs";
import { reportFile, testSummary } from "./report.mjs";
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
  const report = reportFile();
  const figures = join(dirname(report), "test-figures.txt");
  for (const file of [report, figures]) rmSync(file, { force: true });
  const cli = await setUpWithPulumi();
  const wanted = ["python", "yaml", "newest", ...(isDeep ? ["go"] : [])];
  const languages = await ensureLanguages(wanted, { bin: cli.bin, env: process.env, log: createLog() });
  mkdirSync(dirname(report), { recursive: true });
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
  const line = testSummary();
  console.log(line ?? "no test report");
  return line ? status : status || 1;
});
