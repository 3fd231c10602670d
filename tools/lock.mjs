import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const beatMs = 5_000;
const silenceMs = 60_000;

/**
 * Does `work` under the lock folder `path`, so that no other set-up works meanwhile. Takes over a lock if its owner is
 * dead, or has given no sign of life for a minute. If that makes two owners, it only costs time: every work ends in a
 * rename.
 * @template T
 * @param {string} path
 * @param {{ onWait?: (owner: string) => void, pollMs?: number }} options
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(path, { onWait, pollMs = 300 }, work) {
  mkdirSync(dirname(path), { recursive: true });
  for (let waited = false; !take(path);) {
    if (isStale(path)) {
      discard(path);
      continue;
    }
    if (!waited) onWait?.(ownerOf(path)?.pid ?? "unknown");
    waited = true;
    await sleep(pollMs);
  }
  const release = () => {
    if (ownerOf(path)?.pid === String(process.pid)) rmSync(path, { recursive: true, force: true });
  };
  const beat = setInterval(() => touch(path), beatMs).unref();
  process.on("exit", release);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    process.off("exit", release);
    release();
  }
}

/** @param {string} path */
function take(path) {
  try {
    mkdirSync(path); // Atomic: only one of many callers succeeds.
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
  writeFileSync(join(path, "owner"), `${process.pid} ${hostname()}`);
  return true;
}

/** @param {string} path */
function ownerOf(path) {
  try {
    const [pid = "", host = ""] = readFileSync(join(path, "owner"), "utf8").split(" ");
    return { pid, host };
  } catch {
    return undefined; // Not written yet, or just released.
  }
}

/** @param {string} path */
function isStale(path) {
  const owner = ownerOf(path);
  if (owner && owner.host === hostname() && !isRunning(Number(owner.pid))) return true;
  try {
    return Date.now() - statSync(path).mtimeMs > silenceMs;
  } catch {
    return false; // Just released.
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

/** Removes a lock by a rename, which only one of many succeeds in. @param {string} path */
function discard(path) {
  const away = `${path}.${process.pid}`;
  try {
    renameSync(path, away);
    rmSync(away, { recursive: true, force: true });
  } catch {
    // Another set-up was faster.
  }
}

/** @param {string} path */
function touch(path) {
  try {
    utimesSync(path, new Date(), new Date());
  } catch {
    // Another set-up took the lock over while this machine slept; the rename at the end of the work decides.
  }
}

/** @param {unknown} error */
export const codeOf = (error) => /** @type {NodeJS.ErrnoException} */ (error).code;
