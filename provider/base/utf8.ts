import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";

/** A file has bytes that are not UTF-8, in which each of them would silently become U+FFFD. */
export class Utf8Error extends Error {
  /** @param line The first line with such a byte; lines count from 1. */
  constructor(readonly line: number) {
    super(`line ${line} isn't valid UTF-8. Save the file as UTF-8.`);
  }
}

/**
 * Reads the text of a file that a person may have written, without a byte order mark.
 * @throws {Utf8Error} if it is not UTF-8, and an error of the file system if it can't be read
 */
export const readUtf8 = (file: string | number): string => utf8Text(readUtf8Bytes(file));

/** The text of bytes, without a byte order mark. */
export const utf8Text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Reads the bytes of such a file. @throws as `readUtf8` */
export function readUtf8Bytes(file: string | number): Buffer {
  const bytes = readFileSync(file);
  if (isUtf8(bytes)) return bytes;
  // In this encoding each byte is a character, and a line break is one in both.
  const lines = bytes.toString("latin1").split("\n");
  throw new Utf8Error(lines.findIndex((line) => !isUtf8(Buffer.from(line, "latin1"))) + 1);
}
