import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ownFolder, writeFiles } from "../../support/folders.js";
import { digest, steps } from "../../support/digests.js";
import { runCommand, startCommand } from "../../support/command.js";

const preview = JSON.stringify(digest(["a", "b"].map((name) => steps("Monitor", name, { after: { name } }))));

/** Reviews a change of two monitors with a file of standards. @param run In a process of its own beside other tests. */
async function reviewed(text: string, folder = ownFolder(), run = runCommand) {
  writeFiles(folder, { "rules.mjs": text, "preview.json": preview });
  return run(folder, ["review", "--from", "preview.json", "--standards", "rules.mjs", "--json"]);
}

test.each([
  [
    "a rule",
    "export default { Monitor: { ends: () => process.exit(0) } };",
    /process ended with 0, while the rule "ends" was applied to Monitor "a"$/,
  ],
  ["the file", "process.exit(0);", /process ended with 0, while it loaded the file$/],
  [
    "a rule that kills it",
    'export default { Monitor: { ends: () => process.kill(process.pid, "SIGKILL") } };',
    /process ended with SIGKILL, while the rule "ends" was applied/,
  ],
  [
    "an error that nobody awaits",
    'export default { Monitor: { late: () => void setTimeout(() => { throw new Error("late"); }, 0) } };',
    /process ended with 1, (after the rules|while the rule "late" was applied to Monitor "b")$/,
  ],
])("a review fails if %s ends the process", async (_, text, reason) => {
  const { code, stdout } = await reviewed(text);
  expect(code).toBe(1);
  const [stack] = JSON.parse(stdout).stacks;
  expect(stack.failures.map(({ text }: { text: string }) => text)).toEqual([expect.stringMatching(reason)]);
  expect(stack.changes, "the changes are reviewed all the same").toHaveLength(2);
});

test("a file of standards can neither change the exit status nor break the JSON", async () => {
  const { code, stdout, stderr } = await reviewed(
    'process.on("exit", () => (process.exitCode = 0)); console.log("from the file");\n' +
      'export default { Monitor: { fails: () => { console.log("::error::from the rule"); return "wrong"; } } };',
    ownFolder(),
    startCommand,
  );
  expect(code).toBe(3);
  expect(JSON.parse(stdout).violations).toHaveLength(2);
  expect(stderr).toContain("from the file");
  expect(stderr).not.toMatch(/^\s*::/m);
});

/** Starts a process that outlives the rule, and writes its id to a file. */
const starts =
  'const { pid } = child.spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "inherit" }); ' +
  'fs.appendFileSync("started", pid + "\\n");';

test.each([
  ["a message to the review", 'process.send({ failures: [] }); return "wrong";', 1],
  ["a process that outlives the rule", `${starts} return "wrong";`, 3],
])(
  "a rule with %s hides no violation",
  async (_, body, status) => {
    const folder = ownFolder();
    onTestFinished(() => {
      const file = join(folder, "started");
      if (existsSync(file)) for (const pid of readFileSync(file, "utf8").trim().split("\n")) process.kill(Number(pid));
    });
    const { code, stdout } = await reviewed(
      `import child from "node:child_process"; import fs from "node:fs"; export default { Monitor: { odd: () => { ${body} }, named: () => "wrong" } };`,
      folder,
    );
    expect(code).toBe(status);
    expect(JSON.parse(stdout).violations).toContainEqual(expect.objectContaining({ rule: "named", name: "b" }));
  },
  30_000,
);

test("a file without rules is an error", async () => {
  const { code, stdout } = await reviewed("");
  expect(code).toBe(1);
  expect(JSON.parse(stdout).stacks[0].failures[0].text).toMatch(/rules\.mjs" were not checked: .* exports no rules/);
});

test.concurrent(
  "a rule that never answers is applied once, and its error names it",
  async () => {
    const { code, stdout } = await reviewed(
      "export default { Monitor: { waits: () => new Promise(() => undefined), named: () => 'wrong' } };",
      ownFolder(),
      startCommand,
    );
    expect(code).toBe(1);
    const { stacks, violations } = JSON.parse(stdout);
    expect(stacks[0].failures).toEqual([
      expect.objectContaining({
        name: "a",
        text: expect.stringMatching(/"waits".* no answer within 10 s; .*other resources/),
      }),
    ]);
    expect(violations).toHaveLength(2);
  },
  30_000,
);

test.concurrent(
  "a rule that blocks its process is ended",
  async () => {
    const blocking =
      "export default { Monitor: { blocks: () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0) } };";
    const { code, stdout } = await reviewed(blocking, ownFolder(), startCommand);
    expect(code).toBe(1);
    expect(JSON.parse(stdout).stacks[0].failures[0].text).toMatch(
      /gave no answer within 12 s, while the rule "blocks" was applied/,
    );
  },
  30_000,
);
