/** A failure of set-up. Its message is all that the reader needs; no stack is shown. */
export class SetUpError extends Error {}

/** @typedef {ReturnType<typeof createLog>} Log */
/** @typedef {ReturnType<Log["start"]>} Progress */

/**
 * Writes lines about set-up to stderr, so that a command's own output stays clean.
 * @param {{ isTTY?: boolean, columns?: number, write(text: string): unknown }} [stream]
 */
export function createLog(stream = process.stderr) {
  const rewrites = stream.isTTY === true && !process.env.CI;
  const eraseLine = rewrites ? "\r\x1b[K" : "";

  return {
    /** @param {string} line */
    say: (line) => void stream.write(`${eraseLine}${line}\n`),

    /**
     * Shows that `what` is running, if it takes longer than a moment: one rewritten line on a terminal, a line every 10 s
     * elsewhere.
     * @param {string} what
     */
    start(what) {
      const started = performance.now();
      let detail = "";
      const show = () => {
        const text = `${what} (${Math.round((performance.now() - started) / 1000)} s)${detail && `: ${detail}`}`;
        stream.write(rewrites ? eraseLine + text.slice(0, (stream.columns ?? 80) - 1) : `${text}\n`);
      };
      const timers = [setTimeout(show, 1_500), setInterval(show, rewrites ? 1_000 : 10_000)];
      return {
        /** @param {string} text the current step */
        detail: (text) => void (detail = text),
        end() {
          timers.forEach(clearTimeout); // It clears intervals too.
          stream.write(eraseLine);
        },
      };
    },
  };
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
