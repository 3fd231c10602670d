import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readUtf8, Utf8Error } from "../../provider/values/utf8";
import { CommandError } from "./output";

/** A file in a message; `-` is standard input. */
export const fileLabel = (file: string) => (file === "-" ? "standard input" : `"${file}"`);

/**
 * The text of a file, or of standard input, without a byte order mark.
 * @throws {CommandError} if it cannot be read, or is not UTF-8
 */
export function readText(file: string): string {
  try {
    return readUtf8(file === "-" ? process.stdin.fd : file);
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
 * Writes a file and creates its folder.
 * @param remedy What to do if it cannot be written.
 * @throws {CommandError} if it cannot be written
 */
export function writeText(path: string, text: string, remedy?: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  } catch (error) {
    const hint = remedy === undefined ? "" : `: ${remedy}`;
    throw new CommandError(`can't write "${path}" (${codeOf(error)})${hint}`);
  }
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code; // File system errors carry a code.
