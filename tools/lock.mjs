import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Does `work` while no other process holds the lock, a file with its owner's process id. A lock whose owner has ended does
 * not count. Without a library: the first set-up of a checkout takes the lock before it installs any.
 * @template T
 * @param {string} path
 * @param {{ log: Pick<import("./log.mjs").Log, "say">, task: string }} options `task`: what the lock's owner does, such as "builds promtool"
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(path, { log, task }, work) {
  mkdirSync(dirname(path), { recursive: true });
  for (let waited = false; !take(path); waited = true) {
    if (!waited) log.say(`waiting for process ${ownerOf(path)}, which ${task} (${path})`);
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

/** The owner's process id. Undefined if it is not written yet, or the lock was just released. @param {string} path */
function ownerOf(path) {
  try {
    return Number(readFileSync(path, "utf8")) || undefined;
  } catch {
    return undefined;
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM"; // EPERM: the process exists, but is another user's.
  }
}

/** @param {unknown} error */
export const codeOf = (error) => /** @type {NodeJS.ErrnoException} */ (error).code;
