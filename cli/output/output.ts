import { fstatSync, writeFileSync } from "node:fs";
import { styleText } from "node:util";
import { jsonText } from "./runnerCommands";
import { usualWidth } from "./text";

/** The exit statuses of every command. */
export const exitStatus = {
  done: 0,
  /** The command failed or did only a part; the message has the reason. */
  failed: 1,
  /** The arguments are invalid; nothing was done. */
  usage: 2,
  /** The command finished with findings; the output lists them. */
  rejected: 3,
  /** The command finished, and what it read differs from the program; the output lists the differences. */
  differs: 4,
} as const;

/** A failure with a message for the user; no stack trace is shown. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

/** The message of an error. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isCwd = "syscall" in error && error.syscall === "uv_cwd";
  return isCwd ? "the current folder no longer exists. Change to another folder" : error.message;
}

/** The capabilities of the terminal. */
export interface Screen {
  readonly isColored: boolean;
  readonly width: number;
}

/** A file or a pipe. */
export const piped: Screen = { isColored: false, width: usualWidth };

/** The narrowest usable line. */
const narrowest = 40;

/** The width of the terminal. COLUMNS overrides it, even for a file or a pipe. */
export function screenOf(
  stream: Pick<NodeJS.WriteStream, "isTTY" | "columns" | "hasColors">,
  { COLUMNS = "" }: NodeJS.ProcessEnv = process.env,
): Screen {
  const isTerminal = stream.isTTY === true;
  const columns = /^[1-9]\d*$/.test(COLUMNS) ? Number(COLUMNS) : (isTerminal && stream.columns) || usualWidth;
  return { isColored: isTerminal && stream.hasColors(), width: Math.max(narrowest, columns) };
}

/**
 * Continues the command if its output can't be written: it may be an update that must not be interrupted. It then fails at its
 * end, unless a reader stopped early, as `head` does.
 */
export function continueWithoutOutput(): void {
  let hasFailed = false;
  const outputs = { output: process.stdout, error: process.stderr };
  for (const [name, stream] of Object.entries(outputs)) {
    if (fstatSync(stream.fd).isFile()) stream._write = writesAll(stream.fd);
    stream.on("error", ({ code }: NodeJS.ErrnoException) => {
      if (code === "EPIPE" || hasFailed) return;
      hasFailed = true;
      process.stderr.write(`${paintError("red", "error:")} can't write to standard ${name} (${code})\n`);
    });
  }
  process.on("exit", () => {
    if (hasFailed) process.exitCode ||= exitStatus.failed;
  });
}

/** Writes to a file as a stream does. Node.js itself drops the rest of a text of which a full disk takes only a part. */
const writesAll =
  (descriptor: number): NodeJS.WriteStream["_write"] =>
  (chunk: Buffer, _encoding, done) => {
    try {
      writeFileSync(descriptor, chunk);
    } catch (error) {
      return done(error as Error); // The file system throws nothing else.
    }
    done();
  };

export type Style = "red" | "yellow" | "green" | "dim" | "bold";

/** Colors text. The caller checks the terminal and NO_COLOR, because `styleText` of Node.js 20 checks neither. */
export const painter = (isColored: boolean) => (style: Style, text: string) =>
  isColored ? styleText(style, text, { validateStream: false }) : text;

export const paintError = (style: Style, text: string) => painter(screenOf(process.stderr).isColored)(style, text);

/** The output of a command: lines for people, or one JSON object on standard output for machines. */
export class Output {
  readonly #isJson: boolean;
  readonly #isLive: boolean;
  #told = performance.now();

  constructor({ json }: { readonly json: boolean }) {
    this.#isJson = json;
    this.#isLive = process.stderr.isTTY === true;
  }

  /** Where the lines for people are shown. */
  get screen(): Screen {
    return screenOf(this.#isJson ? process.stderr : process.stdout);
  }

  /** Prints a line for people. With `--json`, only the object is on standard output. */
  line(text = ""): void {
    this.#clear();
    (this.#isJson ? process.stderr : process.stdout).write(`${text}\n`);
  }

  warn(text: string): void {
    this.#clear();
    process.stderr.write(`${paintError("yellow", "warning:")} ${text}\n`);
  }

  /** Prints an error that does not end the command. */
  reject(text: string): void {
    this.#clear();
    process.stderr.write(`${paintError("red", "error:")} ${text}\n`);
  }

  /** Prints the progress of long work: one live line on a terminal, else a line every ten seconds. */
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

  /** Prints the result for machines, with `--json` only. */
  result(value: object): void {
    this.#clear();
    if (this.#isJson) process.stdout.write(`${jsonText({ version: 1, ...value }, 2)}\n`);
  }

  #clear(): void {
    if (this.#isLive) process.stderr.write("\r\u001b[2K");
  }
}

const quietMs = 10_000;
