import { existsSync, utimesSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { withLock } from "../../../tools/lock.mjs";
import { temporaryFolder, write } from "./folders";

describe("the lock", () => {
  it("lets one work at a time, and says whom it waits for", async () => {
    const path = join(temporaryFolder(), "lock");
    const waited: string[] = [];
    let working = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, ++working);
      await new Promise((resolve) => setTimeout(resolve, 20));
      working--;
    };
    const options = { pollMs: 1, onWait: (owner: string) => void waited.push(owner) };
    await Promise.all([1, 2, 3].map(() => withLock(path, options, work)));
    expect(most).toBe(1);
    expect(waited).toEqual([String(process.pid), String(process.pid)]);
    expect(existsSync(path)).toBe(false);
  });

  it("is released when the work fails", async () => {
    const path = join(temporaryFolder(), "lock");
    await expect(withLock(path, {}, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(existsSync(path)).toBe(false);
  });

  it("is taken over from a process that is no more", async () => {
    const path = join(temporaryFolder(), "lock");
    write(join(path, "owner"), `999999999 ${hostname()}`);
    await expect(withLock(path, {}, async () => "worked")).resolves.toBe("worked");
  });

  it("is taken over from a machine that fell silent", async () => {
    const path = join(temporaryFolder(), "lock");
    write(join(path, "owner"), "1 elsewhere");
    utimesSync(path, 0, 0);
    await expect(withLock(path, {}, async () => "worked")).resolves.toBe("worked");
  });
});
