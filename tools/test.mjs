import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { runScript } from "./log.mjs";
import { root } from "./project.mjs";
import { testEnvironment } from "./pulumi.mjs";
import { reportFile, summary } from "./report.mjs";
import { runInPlace } from "./run.mjs";
import { setUpWithPulumi } from "./setup.mjs";

const vitest = join(root, "node_modules/vitest/vitest.mjs");

await runScript(async () => {
  const args = process.argv.slice(2);
  const size = args.find((arg) => /^--size=\d+$/.test(arg))?.slice("--size=".length);
  const report = reportFile();
  const figures = join(dirname(report), "test-figures.txt");
  for (const file of [report, figures]) rmSync(file, { force: true });
  const cli = await setUpWithPulumi();
  mkdirSync(dirname(report), { recursive: true });
  const ours = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const theirs = args.filter((arg) => arg !== "--deep" && !arg.startsWith("--size="));
  const env = {
    ...testEnvironment(cli),
    TEST_FIGURES: figures,
    ...(args.includes("--deep") ? { TEST_DEEP: "1" } : {}),
    ...(size === undefined ? {} : { TEST_SIZE: size }),
  };
  const status = await runInPlace(process.execPath, [vitest, ...ours, ...theirs], { cwd: root, env });
  if (existsSync(figures)) console.log(readFileSync(figures, "utf8"));
  const line = summary();
  console.log(line ?? "no test report");
  return line ? status : status || 1;
});
