/** A failure of set-up. Its message is all that the reader needs; no stack is shown. */
export class SetUpError extends Error {}

/** @typedef {ReturnType<typeof createLog>} Log */

/**
 * Writes lines about set-up to stderr, so that a command's own output stays clean.
 * @param {{ stream?: { isTTY?: boolean, columns?: number, write(text: string): unknown }, env?: NodeJS.ProcessEnv }} [options]
 */
export function createLog({ stream = process.stderr, env = process.env } = {}) {
  const rewrites = stream.isTTY === true && !env.CI;
  const eraseLine = rewrites ? "\r\x1b[K" : "";

  return {
    /** @param {string} line */
    say: (line) => void stream.write(`${eraseLine}${line}\n`),

    /**
     * Shows that `what` is running: one rewritten line on a terminal, a line every 10 s elsewhere, every 30 s in CI.
     * @param {string} what
     */
    start(what) {
      const started = Date.now();
      let detail = "";
      const show = () => {
        const text = `${what} (${elapsed(Date.now() - started)})${detail && `: ${detail}`}`;
        stream.write(rewrites ? eraseLine + text.slice(0, (stream.columns ?? 80) - 1) : `${text}\n`);
      };
      stream.write(rewrites ? what : `${what}\n`);
      const timer = setInterval(show, rewrites ? 1_000 : env.CI ? 30_000 : 10_000);
      return {
        /** @param {string} text the current step */
        detail: (text) => {
          detail = text;
        },
        /** @param {string} [result] */
        end(result) {
          clearInterval(timer);
          stream.write(eraseLine);
          if (result) stream.write(`${what}: ${result} in ${elapsed(Date.now() - started)}\n`);
        },
      };
    },
  };
}

/** 75,000 → "1 min 15 s". @param {number} ms */
export function elapsed(ms) {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/**
 * Runs a script's work. A SetUpError shows its message and gives exit status 1; any other error shows its stack.
 * @param {() => Promise<number | void>} work may return the exit status
 */
export async function runScript(work) {
  try {
    process.exitCode = (await work()) ?? 0;
  } catch (error) {
    if (!(error instanceof SetUpError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
