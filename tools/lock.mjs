import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Does `work` while no other process holds the lock, a folder with one file, which is named after its owner. A lock whose
 * owner has ended does not count. Without a library, because the first set-up takes the lock before it installs any.
 * @template T
 * @param {string} path
 * @param {{ log: Pick<import("./log.mjs").Log, "say">, task: string }} options `task`: what the lock's owner does, such as "builds promtool"
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(path, { log, task }, work) {
  const own = `${process.pid}-${startOf(process.pid)}-${randomUUID()}`;
  mkdirSync(dirname(path), { recursive: true });
  for (let waited = false; !take(path, own); waited = true) {
    if (!waited) log.say(`waiting for process ${parseInt(ownerOf(path) ?? "")}, which ${task} (${path})`);
    await sleep(200);
  }
  const release = () => {
    rmSync(join(path, own), { force: true });
    removeEmpty(path);
  };
  process.on("exit", release);
  try {
    return await work();
  } finally {
    process.off("exit", release);
    release();
  }
}

/**
 * Each step names what it changes, so that of several processes only one succeeds: a folder with a file is never replaced,
 * and the file of an owner that has ended gets another name once.
 * @param {string} path @param {string} own @returns {boolean}
 */
function take(path, own) {
  const owner = ownerOf(path);
  if (owner !== undefined) {
    const [pid, start] = owner.split("-");
    const isHeld = isRunning(Number(pid)) && ["", start].includes(startOf(Number(pid)));
    return !isHeld && succeeds(() => renameSync(join(path, owner), join(path, own)));
  }
  // Left by an owner that was killed while it released the lock. Windows replaces no folder.
  removeEmpty(path);
  const prepared = `${path}.${own}`;
  mkdirSync(prepared);
  try {
    writeFileSync(join(prepared, own), "");
    return succeeds(() => renameSync(prepared, path));
  } finally {
    rmSync(prepared, { recursive: true, force: true });
  }
}

/** @param {string} path */
const removeEmpty = (path) => succeeds(() => rmdirSync(path));

/** Whether a change succeeds, which fails if another process was faster. @param {() => void} change */
function succeeds(change) {
  try {
    change();
    return true;
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "EEXIST", "ENOTEMPTY", "EPERM", "EACCES"].includes(codeOf(error) ?? "")) return false;
    throw error;
  }
}

/** The name of the owner's file. Undefined if the lock was just released. @param {string} path */
function ownerOf(path) {
  try {
    return readdirSync(path)[0];
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

/** When a process started: another one may get its id later. Empty if the platform does not tell. @param {number} pid */
function startOf(pid) {
  try {
    if (process.platform !== "linux") return execFileSync("ps", ["-o", "lstart=", "-p", `${pid}`], { encoding: "hex" });
    // The name of the program, which ends with the last parenthesis, may have spaces.
    const [state, ...fields] = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").at(-1)?.split(" ") ?? [];
    // Killed, but its parent has not noticed it yet.
    return state === "Z" ? "ended" : (fields[18] ?? "");
  } catch {
    return "";
  }
}

/** @param {unknown} error */
export const codeOf = (error) => /** @type {NodeJS.ErrnoException} */ (error).code;
