import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isRunning } from "../../../dist/provider/lifecycle/objects/processId.js";
import { withLock } from "../../../tools/lock.mjs";
import { until } from "../../support/faults";
import { ownFolder } from "../../support/folders";
import { start } from "../../support/run";
import { node } from "../guards/repository";

it("of four processes that find the lock of one that was killed, one at a time has it", async () => {
  const names = Array.from({ length: 40 }, (_, i) => `${i}.lock`);
  const folder = ownFolder(Object.fromEntries(names.map((name) => [`${name}/999999999-killed`, ""])));
  // Each round begins for all at one time, which another owner's file shows most likely.
  const program = `
    const { withLock } = await import(${JSON.stringify(join(import.meta.dirname, "../../../tools/lock.mjs"))});
    const { rmSync, writeFileSync } = await import("node:fs");
    const { setTimeout: sleep } = await import("node:timers/promises");
    for (const [i, name] of ${JSON.stringify(names)}.entries()) {
      const start = ${Date.now() + 1_000} + i * 50;
      // To wait until then takes no processor time, except for the last moment.
      await sleep(start - Date.now() - 3);
      while (Date.now() < start);
      await withLock(name, { log: { say: () => undefined }, task: "tests" }, async () => {
        writeFileSync(i + ".held", "", { flag: "wx" });
        await sleep(2);
        rmSync(i + ".held");
      });
    }`;
  const all = await Promise.all([1, 2, 3, 4].map(() => node(folder, "--input-type=module", "-e", program)));
  expect(all.map(({ code, stderr }) => [code, stderr])).toEqual(all.map(() => [0, ""]));
});

it.skipIf(process.platform === "win32")("a process that got the id of a killed owner is not the owner", async () => {
  const folder = ownFolder({ [`a.lock/${process.pid}-1-killed`]: "" });
  const log = { say: () => undefined };
  expect(await withLock(join(folder, "a.lock"), { log, task: "tests" }, () => Promise.resolve("held"))).toBe("held");
});

it.skipIf(process.platform !== "linux")(
  "an owner that was killed has no lock, also while its parent does not notice",
  async () => {
    // The second program that a process becomes does not wait for what the first one has started.
    const parent = start("sh", ["-c", "sleep 60 & echo $!; exec sleep 61"], { cwd: ownFolder() });
    const stat = (pid: unknown) => readFileSync(`/proc/${String(pid)}/stat`, "utf8").split(" ");
    const isPrinted = () => parent.text().includes("\n");
    await until(() => isPrinted() && stat(parent.child.pid)[1] === "(sleep)", "the second program");
    const pid = Number(parent.text());
    process.kill(pid, "SIGKILL");
    await until(() => stat(pid)[2] === "Z", "its end");
    const started = stat(pid)[21];
    const folder = ownFolder({ [`a.lock/${pid}-${started}-killed`]: "" });
    const log = { say: () => undefined };
    expect(await withLock(join(folder, "a.lock"), { log, task: "tests" }, () => Promise.resolve("held"))).toBe("held");
    expect(isRunning(`${pid}.${started}`)).toBe(false);
  },
);
