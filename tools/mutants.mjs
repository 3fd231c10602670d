import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { withLock } from "./lock.mjs";
import { createLog, runScript, SetUpError } from "./log.mjs";
import { root, stateFolder } from "./project.mjs";
import { testEnvironment } from "./pulumi.mjs";
import { run } from "./run.mjs";
import { lockFile, setUpWithPulumi } from "./setup.mjs";

// Shows which mistakes tests notice. Changes one place of the compiled product, runs the tests, restores the file, and
// goes on to the next place. A mutant that fails no test lives.
//
//   node tools/mutants.mjs dist/provider/wire --count 30 --tests test/unit/wire test/witness --out before.jsonl
//   node tools/mutants.mjs --compare before.jsonl after.jsonl
//
// All tests load the product from dist and service/dist, so vitest runs directly and nothing is compiled in between.
// Tests that call npm scripts can't take part: those scripts wait for the set-up lock.

/** @type {Record<string, string>} */
const operators = { "===": "!==", "<": "<=", ">": ">=", "&&": "||", "+": "-" };
/** @type {Record<string, string>} */
const flips = { ...operators, "??": "&&", laxer: "stricter", stricter: "laxer" };
for (const [one, other] of Object.entries(operators)) flips[other] = one;

/** @typedef {{ id: string, file: string, line: number, start: number, end: number, replacement: string }} Mutant */

await runScript(async () => {
  const cli = await setUpWithPulumi();
  const { program } = await import("commander");
  program
    .argument("[paths...]", "compiled files or folders to change")
    .option("--tests <paths...>", "tests to run, as for vitest")
    .option("--count <number>", "number of mutants", Number, 30)
    .option("--seed <seed>", "chooses the mutants", "1")
    .option("--out <file>", "file for a line of JSON per mutant; a mutant in it does not run again", "mutants.jsonl")
    .option("--compare <files...>", "instead, print the mutants that died in the first file and live in the second")
    .parse();
  const { tests, count, seed, out, compare } = program.opts();
  if (compare) return compared(compare[0], compare[1]);
  if (!tests || program.args.length === 0) throw new SetUpError("name compiled files or folders, and --tests");
  const { default: ts } = await import("typescript");
  const rank = (/** @type {Mutant} */ { id }) => createHash("sha256").update(`${seed} ${id}`).digest("hex");
  await withLock(lockFile, { log: createLog(), task: "sets this checkout up" }, async () => {
    const all = program.args.flatMap(filesIn).flatMap((file) => mutantsOf(ts, file));
    const chosen = all.sort((a, b) => (rank(a) < rank(b) ? -1 : 1)).slice(0, count);
    const results = existsSync(out) ? readFileSync(out, "utf8") : "";
    const left = chosen.filter(({ id }) => !results.includes(JSON.stringify(id)));
    const whole = await runTests(tests, cli, 600_000);
    if (whole.dead) throw new SetUpError(`the tests fail without a mutant: ${whole.by}`);
    console.log(`${left.length} of ${all.length} mutants; the tests take ${whole.seconds} s`);
    restoreAtEnd(left);
    for (const { id, file, line, start, end, replacement } of left) {
      const text = readFileSync(file, "utf8");
      const mutated = text.slice(0, start) + replacement + text.slice(end);
      // Of another length, because V8 accepts cached code for any source of the same length (test/support/compiled.cjs).
      writeFileSync(file, mutated.length === text.length ? `${mutated}\n` : mutated);
      const result = await runTests(tests, cli, whole.seconds * 3_000 + 20_000);
      writeFileSync(file, text);
      writeFileSync(out, `${JSON.stringify({ id, line, ...result })}\n`, { flag: "a" });
      console.log(result.dead ? `dead  ${id} (by ${result.by})` : `LIVES ${id} (line ${line})`);
    }
  });
});

/**
 * Runs the tests until one fails. Tests that hang count as failed.
 * @param {readonly string[]} tests
 * @param {import("./pulumi.mjs").Cli} cli
 * @param {number} limitMs
 */
async function runTests(tests, cli, limitMs) {
  const report = join(stateFolder(), "mutants-report.json");
  rmSync(report, { force: true });
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const args = [vitest, "run", "--bail=1", "--reporter=json", `--outputFile=${report}`, ...tests];
  const started = Date.now();
  const { ok, how } = await run(process.execPath, args, { cwd: root, env: testEnvironment(cli), limitMs });
  const isFailed = (/** @type {{ status: string }} */ { status }) => status === "failed";
  const file = existsSync(report) && JSON.parse(readFileSync(report, "utf8")).testResults.find(isFailed);
  const title = file && (file.assertionResults.find(isFailed)?.fullName ?? file.message);
  const by = file ? `${relative(root, file.name)}: ${title}` : ok ? "" : how;
  return { dead: !ok, by, seconds: Math.round((Date.now() - started) / 1000) };
}

/**
 * Restores the files when this process ends. Until then tsc's records are empty, so that the next set-up compiles
 * everything if this process was killed.
 * @param {readonly Mutant[]} mutants
 */
function restoreAtEnd(mutants) {
  const records = ["dist/.tsbuildinfo", "service/dist/.tsbuildinfo"].map((file) => join(root, file));
  const files = [...records, ...mutants.map(({ file }) => file)];
  const originals = new Map(files.map((file) => [file, readFileSync(file, "utf8")]));
  process.on("exit", () => originals.forEach((text, file) => write(file, text)));
  // Running tests are stopped first, which also ends this process.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => setImmediate(() => process.exit(1)));
  for (const file of records) write(file, "");
}

/** Keeps the file's time, which tests know their cached code by. @param {string} file @param {string} text */
function write(file, text) {
  const { atimeMs, mtimeMs } = statSync(file);
  writeFileSync(file, text);
  utimesSync(file, atimeMs / 1000, (Math.floor(mtimeMs) + 0.5) / 1000); // Rounded, it could be the next millisecond.
}

/** Returns compiled files, without generated ones, which follow from the schema. @param {string} path @returns {string[]} */
function filesIn(path) {
  if (!statSync(path).isDirectory()) return [resolve(path)];
  const names = readdirSync(path, { recursive: true, encoding: "utf8" });
  return names.filter((name) => /(?<!\.gen)\.js$/.test(name)).map((name) => resolve(path, name));
}

/**
 * @param {import("typescript")} ts
 * @param {string} file
 */
function mutantsOf(ts, file) {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  /** @type {Mutant[]} */
  const mutants = [];
  /** @typedef {import("typescript").Node} Node */
  /** @param {Node} node @param {string} change @param {string} replacement */
  const add = (node, change, replacement, start = node.getStart(), end = node.getEnd()) => {
    // Without the line, so that a mutant keeps its id when other parts of the file change.
    const name = [relative(root, file).split(sep).join("/"), change, node.getText().replace(/\s+/g, " ").slice(0, 100)];
    const same = mutants.filter(({ id }) => id.startsWith(name.join(" | "))).length;
    const line = source.getLineAndCharacterOfPosition(start).line + 1;
    const id = (same ? [...name, same + 1] : name).join(" | ");
    mutants.push({ id, file, line, start, end, replacement });
  };
  const visit = (/** @type {Node} */ node) => {
    if (ts.isBinaryExpression(node)) {
      const { left, operatorToken, right } = node;
      const flip = flips[operatorToken.getText()];
      if (flip) add(node, flip, `((${left.getText()}) ${flip} (${right.getText()}))`);
    }
    if (ts.isStringLiteral(node) && flips[node.text]) add(node, "the opposite", JSON.stringify(flips[node.text]));
    if (ts.isPrefixUnaryExpression(node) && node.getText().startsWith("!"))
      add(node, "without !", node.operand.getText());
    if (node.kind === ts.SyntaxKind.TrueKeyword) add(node, "false", "false");
    if (node.kind === ts.SyntaxKind.FalseKeyword) add(node, "true", "true");
    const condition = ts.isIfStatement(node) ? node.expression : ts.isConditionalExpression(node) && node.condition;
    if (condition) for (const always of ["true", "false"]) add(condition, always, always);
    if (ts.isArrayLiteralExpression(node)) {
      const [item, previous] = node.elements.toReversed();
      if (item) add(item, "dropped from its list", "", previous?.getEnd(), node.getEnd() - 1);
    }
    if (ts.isExpressionStatement(node)) {
      const call = ts.isAwaitExpression(node.expression) ? node.expression.expression : node.expression;
      if (ts.isCallExpression(call) && !/^super\b/.test(call.getText())) add(node, "not called", ";");
    }
    ts.forEachChild(node, visit);
  };
  const isFromTsc = /^(var __|__|Object\.defineProperty\(exports)/;
  source.statements.filter((each) => !isFromTsc.test(each.getText())).forEach(visit);
  return mutants;
}

/** @param {string} before @param {string} after */
function compared(before, after) {
  const [then = [], now = []] = [before, after].map((file) => {
    const lines = readFileSync(file, "utf8").trimEnd().split("\n");
    return lines.map((line) => JSON.parse(line));
  });
  const deadNow = new Map(now.map(({ id, dead }) => [id, dead]));
  const common = then.filter(({ id }) => deadNow.has(id));
  const lost = common.filter(({ id, dead }) => dead && !deadNow.get(id));
  for (const { id, line, by } of lost) console.log(`LIVES ${id} (line ${line}; before, it died by ${by})`);
  console.log(`${common.length} mutants are in both files, of which ${lost.length} died before and live now`);
  return lost.length === 0 && common.length > 0 ? 0 : 1;
}
