import { join } from "node:path";
import { expect, it } from "vitest";
import { withLock } from "../../../tools/lock.mjs";
import { ownFolder } from "../../support/folders";
import { node } from "../guards/repository";

it("of four processes that find the lock of one that was killed, one at a time has it", async () => {
  const names = Array.from({ length: 40 }, (_, i) => `${i}.lock`);
  const folder = ownFolder(Object.fromEntries(names.map((name) => [`${name}/999999999-killed`, ""])));
  // Each round begins for all at one time, which another owner's file shows most likely.
  const program = `
    const { withLock } = await import(${JSON.stringify(join(import.meta.dirname, "../../../tools/lock.mjs"))});
    const { rmSync, writeFileSync } = await import("node:fs");
    for (const [i, name] of ${JSON.stringify(names)}.entries()) {
      while (Date.now() < ${Date.now() + 1_000} + i * 50);
      await withLock(name, { log: { say: () => undefined }, task: "tests" }, async () => {
        writeFileSync(i + ".held", "", { flag: "wx" });
        await new Promise((resolve) => setTimeout(resolve, 2));
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
