import { fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findTeams } from "../../../dist/sdk/teams/definition/files.js";
import { loadTeam } from "../../../dist/sdk/teams/definition/load.js";
import { lookAt } from "../../../dist/sdk/teams/definition/look.js";
import { environmentOf, factsOf } from "../../../dist/sdk/teams/definition/team.js";
import { atEnd } from "../../support/ends.js";
import { until } from "../../support/faults.js";
import { ownFolder, writeFiles } from "../../support/folders.js";
import { isRunning } from "../../support/project.js";

/** A folder of teams with these files. */
function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = join(ownFolder(), "teams");
  writeFiles(folder, files);
  return folder;
}

describe("a folder of teams", () => {
  test("has a team for each TypeScript and JavaScript file, by name", () => {
    const names = ["b.mjs", "a.ts", "c.cjs", "d.d.ts", "_all.ts", ".x.js", "e.md"];
    const folder = folderOf(Object.fromEntries(names.map((name) => [name, ""])));
    mkdirSync(join(folder, "parts.ts"));
    expect(findTeams(folder).map(({ name }) => name)).toEqual(["a", "b", "c"]);
  });

  test.each([
    [{}, /contains no team\. A team is a file like .*checkout\.ts/],
    [{ "my team.ts": "" }, /my team\.ts: a team's name can contain letters, digits, "-" and "_"/],
    [{ "a.ts": "", "a.js": "" }, /a\.js and .*a\.ts have the same team name\. Remove or rename one of them/],
  ])("with %j is refused, and why", (files, reason) => {
    expect(() => findTeams(folderOf(files))).toThrow(reason);
  });

  test("that is missing is an error that names the folder and the option for another one", () => {
    expect(() => findTeams("nowhere")).toThrow(/there is no folder "nowhere".*--folder/s);
  });
});

const declare = "declare() {}";

describe("a team's file", () => {
  test.each([
    ["a.ts", `export default { ${declare}, slugPrefix: "x-" as string };`],
    ["a.mts", `export default { ${declare}, slugPrefix: "x-" as const };`],
    ["a.mjs", `export default { ${declare}, slugPrefix: "x-" };`],
    ["a.js", `module.exports = { ${declare}, slugPrefix: "x-" };`],
    ["a.cjs", `exports.default = { ${declare}, slugPrefix: "x-" };`],
  ])("%s may contain %s", async (file, text) => {
    const [found] = findTeams(folderOf({ [file]: text }));
    expect(found && factsOf("a", await loadTeam(found)).slugPrefix).toBe("x-");
  });

  test.each([
    ["export const team = { declare() {} };", 'teams/a.ts has no default export. Write "export default defineTeam({'],
    ["export default 3;", "the default export of teams/a.ts must be a team: defineTeam({"],
    ["export default {};", 'the team in teams/a.ts must have a function "declare"'],
    [
      `export default { ${declare}, slugprefix: "" };`,
      'the team in teams/a.ts has an unknown key "slugprefix". Did you mean "slugPrefix"?',
    ],
    [`export default { ${declare}, owner: "" };`, "Known keys: slugPrefix, tokenVariable, declare"],
    [`export default { ${declare}, slugPrefix: 3 };`, 'slugPrefix in teams/a.ts must be a string like "checkout-"'],
    [
      `export default { ${declare}, tokenVariable: "A B" };`,
      "tokenVariable in teams/a.ts must be the name of an environment variable",
    ],
    [`throw new Error("not today");`, "not today"],
    ["export default {", "a.ts"],
  ])("%s is rejected with a reason", async (text, reason) => {
    const [found] = findTeams(folderOf({ "a.ts": text }));
    await expect(found && loadTeam(found)).rejects.toThrow(reason);
  });
});

test("reading all files returns each team's facts or failure, even if a file ends its process", async () => {
  const folder = folderOf({
    "double-a.ts": `export default { ${declare}, slugPrefix: "x-" };`,
    "double-b.ts": `export default { ${declare}, slugPrefix: "x-" };`,
    "ends.ts": "process.exit(3);",
    "good.ts": `export default { ${declare} };`,
    "throws.ts": 'throw new Error("not today");',
    "token.ts": `export default { ${declare}, tokenVariable: "TOKEN_OF_OURS", slugPrefix: "" };`,
  });
  expect(Object.fromEntries(await lookAt(findTeams(folder)))).toEqual({
    "double-a": { failure: 'the slug prefix "x-" is also used by double-b. Give each team its own' },
    "double-b": { failure: 'the slug prefix "x-" is also used by double-a. Give each team its own' },
    ends: { failure: "the team's file ended the process with 3" },
    good: { facts: { slugPrefix: "good-", tokenVariable: "OBSERVABILITY_API_TOKEN_GOOD" } },
    throws: { failure: expect.stringMatching(/^not today at .*throws\.ts:1$/) },
    token: { facts: { slugPrefix: "", tokenVariable: "TOKEN_OF_OURS" } },
  });
});

test("the process that reads the files ends with its parent, even in a file that never ends", async () => {
  const folder = folderOf({
    "waits.ts": `process.send?.("waits"); await new Promise(() => setInterval(() => 0, 1e6));`,
  });
  const child = fork(join(import.meta.dirname, "../../../dist/sdk/teams/definition/lookProcess.js"));
  atEnd(() => child.kill("SIGKILL"));
  child.send(findTeams(folder));
  await once(child, "message");
  child.disconnect();
  expect((await once(child, "exit"))[0]).toBe(0);
});

test("the process that reads the files ends with a killed parent, even in a file that never yields", async () => {
  const [file] = findTeams(folderOf({ "loops.ts": `process.send?.("loops"); while (true);` }));
  const reader = join(import.meta.dirname, "../../../dist/sdk/teams/definition/lookProcess.js");
  const script = `const child = require("child_process").fork(${JSON.stringify(reader)}, { stdio: ["ignore", "ignore", "ignore", "ipc"] });
    child.send(${JSON.stringify([file])});
    child.on("message", () => { console.log(child.pid); process.kill(process.pid, "SIGKILL"); });`;
  const { stdout } = spawnSync(process.execPath, ["-e", script], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const pid = Number(stdout);
  atEnd(() => void (isRunning(pid) && process.kill(pid, "SIGKILL")));
  await until(() => !isRunning(pid), "the end of the process");
});

test("reading the files ends when it is stopped, even in a file that never yields", async () => {
  const stopping = new AbortController();
  const looking = lookAt(findTeams(folderOf({ "loops.ts": "while (true);" })), stopping.signal);
  stopping.abort();
  expect([...(await looking).values()]).toEqual([{ failure: "interrupted" }]);
});

test("a team's process gets its own token and no other's", () => {
  const environment = { PATH: "/bin", OBSERVABILITY_API_TOKEN: "any", OBSERVABILITY_API_TOKEN_A: "a", TOKEN_OF_C: "c" };
  const all = new Set(["TOKEN_OF_C"]);
  expect(environmentOf("OBSERVABILITY_API_TOKEN_A", all, environment)).toEqual({
    PATH: "/bin",
    OBSERVABILITY_API_TOKEN_A: "a",
  });
  expect(environmentOf("TOKEN_OF_C", all, environment)).toEqual({ PATH: "/bin", TOKEN_OF_C: "c" });
});
