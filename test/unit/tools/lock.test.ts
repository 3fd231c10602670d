import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { withLock } from "../../../tools/lock.mjs";
import { write } from "./folders";
import { ownFolder } from "../../support/folders";

const ignore = () => undefined;

describe("the lock", () => {
  it("lets one work at a time, and says whom it waits for", async () => {
    const path = join(ownFolder(), "lock");
    const waited: string[] = [];
    let working = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, ++working);
      await new Promise((resolve) => setTimeout(resolve, 20));
      working--;
    };
    await Promise.all([1, 2, 3].map(() => withLock(path, (owner) => void waited.push(owner), work)));
    expect(most).toBe(1);
    expect(waited).toEqual(Array(2).fill(`process ${process.pid} (${path})`));
    expect(existsSync(path)).toBe(false);
  });

  it("is released when the work fails", async () => {
    const path = join(ownFolder(), "lock");
    await expect(withLock(path, ignore, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(existsSync(path)).toBe(false);
  });

  it("is taken over from a process that is no more", async () => {
    const path = write(join(ownFolder(), "lock"), "999999999");
    await expect(withLock(path, ignore, async () => "worked")).resolves.toBe("worked");
  });
});
