import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Does `work` while no other process holds the lock, a file with its owner's process id. A lock whose owner has ended does
 * not count.
 * @template T
 * @param {string} path
 * @param {(owner: string) => void} onWait gets who holds the lock and which file it is
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(path, onWait, work) {
  mkdirSync(dirname(path), { recursive: true });
  for (let waited = false; !take(path); waited = true) {
    if (!waited) onWait(`process ${ownerOf(path) ?? "?"} (${path})`);
    await sleep(200);
  }
  const release = () => rmSync(path, { force: true });
  process.on("exit", release);
  try {
    return await work();
  } finally {
    process.off("exit", release);
    release();
  }
}

/** @param {string} path @returns {boolean} */
function take(path) {
  try {
    writeFileSync(path, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
  const owner = ownerOf(path);
  if (owner === undefined || isRunning(owner)) return false;
  rmSync(path, { force: true });
  return take(path);
}

/** @param {string} path */
function ownerOf(path) {
  try {
    return Number(readFileSync(path, "utf8")) || undefined; // Not written yet.
  } catch {
    return undefined; // Just released.
  }
}

/** @param {number} pid */
export function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM"; // EPERM: the process exists, but is another user's.
  }
}

/** @param {unknown} error */
export const codeOf = (error) => /** @type {NodeJS.ErrnoException} */ (error).code;
