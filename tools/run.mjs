import { spawn } from "node:child_process";
import { constants } from "node:os";

/** @typedef {"SIGINT" | "SIGTERM" | "SIGHUP"} StopSignal */
/** @type {readonly StopSignal[]} */
const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"];
const windows = process.platform === "win32";

/**
 * @typedef {object} Outcome
 * @property {boolean} ok
 * @property {string} stdout
 * @property {readonly string[]} lines both streams' lines in order, the last 400
 * @property {string} how "exit status 2", "not there", "no answer within 20 s", …
 */

/**
 * Runs a command without stdin and returns its output. Never rejects. A signal that stops us also stops the command and
 * everything that it started.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, limitMs?: number, shell?: boolean, onLine?: (line: string) => void, onStart?: (pid: number) => void }} [options]
 *   `onStart`: gets the process id, which is also the id of its group and session, except on Windows
 * @returns {Promise<Outcome>}
 */
export function run(command, args, { limitMs, onLine, onStart, ...options } = {}) {
  return new Promise((resolve) => {
    // In its own process group, so that an installer's shell and downloads can be stopped with it.
    const child = spawn(command, args, {
      ...options,
      stdio: ["ignore", "pipe", "pipe"],
      detached: !windows,
      windowsHide: true,
    });
    if (child.pid !== undefined) onStart?.(child.pid);
    let stdout = "";
    let how = "";
    /** @type {string[]} */
    const lines = [];
    /** @param {NodeJS.Signals} signal */
    const stop = (signal) => {
      try {
        if (windows || child.pid === undefined) child.kill(signal);
        else process.kill(-child.pid, signal);
      } catch {
        // Already ended; that is what stop wants.
      }
    };
    /** @param {StopSignal} signal */
    const stopWithUs = (signal) => {
      stop(signal);
      process.exit(128 + constants.signals[signal]);
    };
    for (const signal of stopSignals) process.on(signal, stopWithUs);
    const limit = limitMs
      ? setTimeout(() => {
          how = `no answer within ${Math.round(limitMs / 1000)} s`;
          stop("SIGKILL");
        }, limitMs)
      : undefined;

    child.stdout.setEncoding("utf8").on("data", (text) => {
      stdout += text;
    });
    for (const stream of [child.stdout, child.stderr]) {
      let rest = "";
      /** @param {string} line */
      const keep = (line) => {
        if (line.trim() === "") return;
        lines.push(line);
        if (lines.length > 400) lines.shift();
        onLine?.(line);
      };
      stream.setEncoding("utf8").on("data", (text) => {
        const parts = (rest + text).split(/\r?\n/);
        rest = parts.pop() ?? "";
        parts.forEach(keep);
      });
      stream.on("end", () => keep(rest));
    }

    /** @param {boolean} ok @param {string} otherwise */
    const finish = (ok, otherwise) => {
      clearTimeout(limit);
      for (const signal of stopSignals) process.off(signal, stopWithUs);
      resolve({ ok, stdout, lines, how: how || otherwise });
    };
    child.on("error", (/** @type {NodeJS.ErrnoException} */ error) =>
      finish(false, error.code === "ENOENT" ? "not there" : error.message),
    );
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
    /** @param {StopSignal} signal */
    const pass = (signal) => {
      // A terminal sends Ctrl-C to the child too. A second one often means "stop at once", so we do not repeat it.
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
    };
    for (const signal of stopSignals) process.on(signal, pass);
    child.on("error", reject);
    child.on("close", (code, signal) => {
      for (const name of stopSignals) process.off(name, pass);
      resolve(code ?? 128 + constants.signals[signal ?? "SIGTERM"]);
    });
  });
}
