import { styleText } from "node:util";
import { jsonText } from "./runnerCommands";
import { usualWidth } from "./text";

/** The exit statuses of every command. */
export const exitStatus = {
  done: 0,
  /** Nothing or only a part was done; the message says why. */
  failed: 1,
  /** The command line is wrong; nothing was done. */
  usage: 2,
  /** The rest was done, but something was refused; the output names it. */
  refused: 3,
} as const;

/** A failure in words for the user: no stack is shown. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

/** Why something failed, in words. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What lines for people may be. */
export interface Screen {
  readonly isColored: boolean;
  readonly width: number;
}

/** A file or a pipe. */
export const piped: Screen = { isColored: false, width: usualWidth };

/** A shorter line has no room. */
const narrowest = 40;

/** As wide as the terminal; whoever sets COLUMNS knows better, also for a file or a pipe. */
export function screenOf(
  stream: Pick<NodeJS.WriteStream, "isTTY" | "columns" | "hasColors">,
  { COLUMNS = "" }: NodeJS.ProcessEnv = process.env,
): Screen {
  const isTerminal = stream.isTTY === true;
  const columns = /^[1-9]\d*$/.test(COLUMNS) ? Number(COLUMNS) : (isTerminal && stream.columns) || usualWidth;
  return { isColored: isTerminal && stream.hasColors(), width: Math.max(narrowest, columns) };
}

/**
 * Whoever reads the output may stop before its end, as `head` does. The work goes on in silence: it may be an update that
 * must not be cut off.
 */
export function allowClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
  }
}

export type Style = "red" | "yellow" | "green" | "dim" | "bold";

/** Colors texts. The caller asks the terminal and NO_COLOR, because `styleText` of Node.js 20 asks neither. */
export const painter = (isColored: boolean) => (style: Style, text: string) =>
  isColored ? styleText(style, text, { validateStream: false }) : text;

export const paintError = (style: Style, text: string) => painter(screenOf(process.stderr).isColored)(style, text);

/** What a command tells: people read lines, machines one JSON object on standard output. */
export class Output {
  readonly #isJson: boolean;
  readonly #isLive: boolean;
  #told = 0;

  constructor({ json }: { readonly json: boolean }) {
    this.#isJson = json;
    this.#isLive = process.stderr.isTTY === true;
  }

  /** What the lines for people are shown on. */
  get screen(): Screen {
    return screenOf(this.#isJson ? process.stderr : process.stdout);
  }

  /** A line for people. With `--json` nothing else than the object is on standard output. */
  line(text = ""): void {
    this.#clear();
    (this.#isJson ? process.stderr : process.stdout).write(`${text}\n`);
  }

  warn(text: string): void {
    this.#clear();
    process.stderr.write(`${paintError("yellow", "warning:")} ${text}\n`);
  }

  /** Something that was not done. */
  refuse(text: string): void {
    this.#clear();
    process.stderr.write(`${paintError("red", "refused:")} ${text}\n`);
  }

  /** How far a long work has come: one live line on a terminal, else a line every ten seconds. */
  progress(text: string): void {
    if (this.#isLive) {
      process.stderr.write(
        `\r\u001b[2K${paintError("dim", text.slice(0, (process.stderr.columns || usualWidth) - 1))}`,
      );
    } else if (performance.now() - this.#told > quietMs) {
      this.#told = performance.now();
      process.stderr.write(`${text}\n`);
    }
  }

  /** The result for machines; printed with `--json` only. */
  result(value: object): void {
    this.#clear();
    if (this.#isJson) process.stdout.write(`${jsonText({ version: 1, ...value }, 2)}\n`);
  }

  #clear(): void {
    if (this.#isLive) process.stderr.write("\r\u001b[2K");
  }
}

const quietMs = 10_000;
