import { chmodSync, mkdirSync, readdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { readUtf8Bytes, utf8Text, Utf8Error } from "../../provider/base/utf8";
import { tried } from "../../provider/wire/json";
import { CommandError } from "./output";

/** A file in a message; `-` is standard input. */
export const fileLabel = (file: string) => (file === "-" ? "standard input" : `"${file}"`);

/**
 * The text of a file, or of standard input, without a byte order mark.
 * @throws {CommandError} if it cannot be read, or is not UTF-8
 */
export const readText = (file: string): string => utf8Text(readBytes(file));

/** The bytes of such a file. @throws as `readText` */
export function readBytes(file: string): Buffer {
  try {
    return readUtf8Bytes(file === "-" ? process.stdin.fd : file);
  } catch (error) {
    if (error instanceof Utf8Error) throw new CommandError(`can't read ${fileLabel(file)}: ${error.message}`);
    throw new CommandError(`can't read ${fileLabel(file)} (${codeOf(error)})`);
  }
}

/**
 * A file itself, or the YAML and JSON files in a folder, by name.
 * @throws {CommandError} if there is neither
 */
export function filesIn(path: string): readonly string[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) throw new CommandError(`"${path}" does not exist`);
  if (!stats.isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => !entry.isDirectory() && /\.(ya?ml|json)$/.test(entry.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(({ name }) => filesIn(join(path, name)));
}

/**
 * Writes a file and creates its folder. If this fails or is interrupted, the file is as it was before.
 * @param remedy What to do if it cannot be written.
 * @throws {CommandError} if it cannot be written
 */
export function writeText(path: string, text: string, remedy?: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    const target = tried(() => realpathSync(path)) ?? path;
    const before = statSync(target, { throwIfNoEntry: false });
    // A device or a pipe has no content to keep.
    if (before !== undefined && !before.isFile()) return writeFileSync(target, text);
    // Only a killed process with the same id can have left it.
    const draft = join(dirname(target), `.pulumi-observability-${process.pid}.draft`);
    try {
      rmSync(draft, { force: true });
      writeFileSync(draft, text, { flag: "wx" });
      if (before !== undefined) chmodSync(draft, before.mode);
      renameSync(draft, target);
    } catch (error) {
      rmSync(draft, { force: true });
      // A file that is mounted, or whose folder only others may change, is written in place.
      if (before === undefined || !["EACCES", "EPERM", "EROFS", "EBUSY"].includes(codeOf(error))) throw error;
      writeFileSync(target, text);
    }
  } catch (error) {
    const hint = remedy === undefined ? "" : `: ${remedy}`;
    throw new CommandError(`can't write "${path}" (${codeOf(error)})${hint}`);
  }
}

/** A path without links. A pipe, and what does not exist yet, have one only for their folder. */
export const realOf = (path: string): string =>
  tried(() => realpathSync(path)) ?? join(realOf(dirname(resolve(path))), basename(path));

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? ""; // File system errors carry a code.
