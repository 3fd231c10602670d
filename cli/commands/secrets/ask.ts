import { on } from "node:events";
import { emitKeypressEvents, type Key } from "node:readline";
import { CommandError } from "../../output/output";

type Terminal = NodeJS.ReadableStream & Pick<typeof process.stdin, "setRawMode">;
type Typed = AsyncIterator<readonly [string | undefined, Key]>;

/**
 * Prompts for a line for each name on the terminal, which shows nothing that is typed from the first prompt to the last. A
 * line may be typed, or pasted, before its prompt.
 */
export async function* askHidden(
  names: readonly string[],
  terminal: Terminal = process.stdin,
): AsyncGenerator<readonly [string, string], void, undefined> {
  emitKeypressEvents(terminal);
  const typed = on(terminal, "keypress") as unknown as Typed; // as Node documents the event
  terminal.setRawMode(true);
  try {
    for (const name of names) {
      process.stderr.write(`${name}: `);
      const line = await lineIn(typed).finally(() => process.stderr.write("\n"));
      terminal.on("keypress", interruptAll);
      yield [name, line];
      terminal.off("keypress", interruptAll);
    }
  } finally {
    terminal.off("keypress", interruptAll);
    await typed.return?.();
    terminal.setRawMode(false);
    terminal.pause();
  }
}

async function lineIn(typed: Typed): Promise<string> {
  // In code points, which one key press removes.
  let line: string[] = [];
  for (;;) {
    const [text, { name, ctrl, meta }] = (await typed.next()).value;
    const isControl = ctrl === true;
    if (isControl && (name === "c" || name === "d"))
      throw new CommandError("interrupted; the secrets that you entered before are set");
    if (name === "return" || name === "enter") return line.join("");
    if (name === "backspace") line.pop();
    else if (isControl && name === "u") line = [];
    // Arrows and the like have no text.
    else if (text !== undefined && !isControl && meta !== true) line.push(text);
  }
}

/** Does what the terminal itself does in other modes, while a line is being used: Ctrl+C interrupts all that runs there. */
const interruptAll = (_text: unknown, { name, ctrl }: Key) =>
  ctrl === true && name === "c" && process.kill(0, "SIGINT");
