import { spawn } from "node:child_process";
import { constants } from "node:os";
import { createInterface } from "node:readline";

/** @typedef {"SIGINT" | "SIGTERM" | "SIGHUP"} StopSignal */
/** @type {readonly StopSignal[]} */
const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"];
const windows = process.platform === "win32";

/** Calls `stop` for each signal that asks us to end. Returns how to undo this. @param {(signal: StopSignal) => void} stop */
function onStop(stop) {
  for (const signal of stopSignals) process.on(signal, stop);
  return () => stopSignals.forEach((signal) => process.off(signal, stop));
}

/**
 * @typedef {object} Outcome
 * @property {boolean} ok
 * @property {string} stdout
 * @property {readonly string[]} lines both streams' lines in order, without empty ones
 * @property {string} how "exit status 2", "spawn go ENOENT", "no answer within 20 s", …
 */

/**
 * Runs a command without stdin and returns its output. Never rejects. A signal that stops us also stops the command and
 * everything that it started.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, shell?: boolean, limitMs?: number, progress?: import("./log.mjs").Progress, onStart?: (pid: number) => void }} [options]
 *   `progress`: gets each line as the current step, and ends with the command; `onStart`: gets the process id, which is also the id of its group and session, except on Windows
 * @returns {Promise<Outcome>}
 */
export function run(command, args, { limitMs, progress, onStart, ...options } = {}) {
  return new Promise((resolve) => {
    // In its own process group, so that an installer's shell and downloads can be stopped with it.
    const child = spawn(command, args, {
      ...options,
      stdio: ["ignore", "pipe", "pipe"],
      detached: !windows,
      windowsHide: true,
    });
    if (child.pid !== undefined) onStart?.(child.pid);
    let [stdout, timedOut] = ["", ""];
    /** @type {string[]} */
    const lines = [];
    /** @param {NodeJS.Signals} signal */
    const stop = (signal) => {
      try {
        if (child.pid !== undefined) process.kill(windows ? child.pid : -child.pid, signal);
      } catch {
        // Already ended; that is what stop wants.
      }
    };
    const undo = onStop((signal) => {
      stop(signal);
      process.exit(128 + constants.signals[signal]);
    });
    const onLimit = () => {
      timedOut = `no answer within ${Math.round(Number(limitMs) / 1000)} s`;
      stop("SIGKILL");
    };
    const limit = limitMs ? setTimeout(onLimit, limitMs) : undefined;
    child.stdout.setEncoding("utf8").on("data", (text) => (stdout += text));
    for (const input of [child.stdout, child.stderr])
      createInterface({ input }).on("line", (line) => {
        if (line.trim() === "") return;
        lines.push(line);
        progress?.detail(line);
      });

    /** @param {boolean} ok @param {string} how */
    const finish = (ok, how) => {
      clearTimeout(limit);
      progress?.end();
      undo();
      resolve({ ok, stdout, lines, how: timedOut || how });
    };
    child.on("error", ({ message }) => finish(false, message));
    child.on("close", (code, signal) => finish(code === 0, signal ? `stopped by ${signal}` : `exit status ${code}`));
  });
}

/**
 * Runs a command in our place: it gets our terminal, unless `stdio` says otherwise, and our signals, and we return its
 * exit status.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {Pick<import("node:child_process").SpawnOptions, "cwd" | "env" | "shell" | "stdio">} [options]
 * @returns {Promise<number>}
 */
export function runInPlace(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: "inherit", ...options });
    const undo = onStop((signal) => {
      // A terminal sends Ctrl+C to the child too. A second one often means "stop at once", so we do not repeat it.
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
    });
    child.on("error", reject);
    child.on("close", (code, signal) => {
      undo();
      resolve(code ?? 128 + constants.signals[signal ?? "SIGTERM"]);
    });
  });
}
