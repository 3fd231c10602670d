import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ownFolder } from "../../support/folders.js";
import { digest, steps } from "../../support/digests.js";
import { runCommand } from "../../support/command.js";

const preview = JSON.stringify(digest(["a", "b"].map((name) => steps("Monitor", name, { after: { name } }))));

/** Reviews a change of two monitors with a file of standards. */
async function reviewed(text: string) {
  const folder = ownFolder();
  writeFileSync(join(folder, "rules.mjs"), text);
  return runCommand(folder, ["review", "--from", "-", "--standards", "rules.mjs", "--json"], {}, preview);
}

test.each([
  [
    "a rule",
    "export default { Monitor: { ends: () => process.exit(0) } };",
    /the rule "ends", applied to Monitor "a", ended the process with 0/,
  ],
  ["the file", "process.exit(0);", /the file ended the process with 0/],
  [
    "a rule that ends it a moment later",
    "export default { Monitor: { ends: () => new Promise(() => setTimeout(() => process.exit(0), 1)) } };",
    /the rule "ends", applied to Monitor "a", ended the process with 0/,
  ],
  [
    "a rule that kills it",
    'export default { Monitor: { ends: () => process.kill(process.pid, "SIGKILL") } };',
    /the rule "ends", .* ended the process with SIGKILL/,
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
  );
  expect(code).toBe(3);
  expect(JSON.parse(stdout).violations).toHaveLength(2);
  expect(stderr).toContain("from the file");
  expect(stderr).not.toMatch(/^\s*::/m);
});

test("a rule that never answers is applied once, and its error names it", async () => {
  const { code, stdout } = await reviewed(
    "export default { Monitor: { waits: () => new Promise(() => undefined), named: () => 'wrong' } };",
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
}, 30_000);

test("a rule that blocks its process is ended", async () => {
  const { code, stdout } = await reviewed("export default { Monitor: { blocks: () => { for (;;); } } };");
  expect(code).toBe(1);
  expect(JSON.parse(stdout).stacks[0].failures[0].text).toMatch(/the rule "blocks", .*didn't answer within 12 s/);
}, 30_000);
