import { readdirSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { awaitEarlierRuns } from "../../../dist/sdk/teams/run/earlierRuns.js";
import { ownFolder } from "../../support/folders.js";
import { start } from "../../support/run.js";

const module = join(import.meta.dirname, "../../../dist/sdk/teams/run/earlierRuns.js");

/** A folder in which a process in its own group has recorded that it works there. */
async function newRun() {
  const folder = ownFolder();
  const script = `require(${JSON.stringify(module)}).recordRun(${JSON.stringify(folder)}); console.log(1); setInterval(() => 0, 1e6)`;
  const { child, ended, text } = start("setsid", [process.execPath, "-e", script], { cwd: folder });
  await expect.poll(text).toBe("1\n");
  return { folder, child, ended, files: () => readdirSync(folder) };
}

test("an earlier run that still works is named, and is waited for", async ({ skip }) => {
  skip(process.platform !== "linux", "other systems have no setsid");
  const { folder, child, ended, files } = await newRun();
  expect(files()).toEqual([`run-${hostname()}-${child.pid}`]);
  const words = `process ${child.pid} of an earlier run still works on this stack. Wait for its end, or end it with "kill -INT -- -${child.pid}"`;
  await expect(awaitEarlierRuns(folder, 0)).rejects.toThrow(words);
  const waiting = awaitEarlierRuns(folder);
  child.kill("SIGKILL");
  await Promise.all([waiting, ended]);
  expect(files()).toEqual([]);
});

test("a record does not count if its process has ended, or another one got its number later", async ({ skip }) => {
  skip(process.platform !== "linux", "other systems have no setsid");
  const { folder, child, files } = await newRun();
  writeFileSync(join(folder, `run-${hostname()}-${child.pid}`), "another start");
  writeFileSync(join(folder, `run-${hostname()}-99999999`), "");
  await awaitEarlierRuns(folder, 0);
  expect(files()).toEqual([]);
});
