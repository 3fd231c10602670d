import type { Writable } from "node:stream";

/** Gives a program its standard input, which it may end without reading. */
export const feed = (stdin: Writable, input: string): void => void stdin.on("error", () => undefined).end(input);
