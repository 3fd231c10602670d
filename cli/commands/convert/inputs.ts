import { lstatSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { readUtf8, Utf8Error } from "../../../provider/base/utf8";
import { realOf } from "../../output/files";
import { CommandError } from "../../output/output";
import type { Rejected } from "./conversion";

export interface Input {
  /** The path as given, or below a given folder. */
  readonly path: string;
  readonly text: string;
}

/** Whether a file of this name in a folder is read. */
export const isInput = /\.(ya?ml|json|rules)$/i;

/**
 * The files, and those in the folders, each once, even if several links lead to it. An unreadable file does not stop the
 * others.
 * @param out The folder of the program, whose own files are not read.
 * @throws {CommandError} if there is nothing at a path
 */
export function inputsAt(paths: readonly string[], out: string) {
  const files: Input[] = [];
  const rejected: Rejected[] = [];
  const seen = new Set<string>();

  const enter = (path: string, isNamed: boolean): void => {
    try {
      const real = realOf(path);
      if (seen.has(real)) return;
      seen.add(real);
      const stats = statSync(path);
      if (stats.isDirectory()) {
        const names = readdirSync(path).filter((name) => !isLeftOut(name));
        for (const name of names.sort()) {
          const inner = join(path, name);
          if (realOf(inner) !== realOf(out)) enter(inner, false);
        }
      } else if (isNamed || (stats.isFile() && isInput.test(path))) {
        files.push({ path, text: readUtf8(path) });
      }
    } catch (error) {
      const [{ code }, reason] = [error as NodeJS.ErrnoException, reasonOf(error, path)];
      if (isNamed || isInput.test(path) || code === "EACCES") {
        rejected.push({ file: path, line: error instanceof Utf8Error ? error.line : 1, reason });
      }
    }
  };
  for (const path of paths) {
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) {
      throw new CommandError(`"${path}" does not exist`);
    }
    enter(path, true);
  }
  // The order in which paths are typed decides nothing.
  return { files: files.sort((one, other) => (one.path < other.path ? -1 : 1)), rejected };
}

/** A mounted ConfigMap keeps its versions in folders that begin with two dots, and links to the current one. */
const isLeftOut = (name: string) => name === "node_modules" || name.startsWith("..");

function reasonOf(error: unknown, path: string): string {
  if (error instanceof Utf8Error) return "it is not UTF-8 text";
  const { code } = error as NodeJS.ErrnoException; // File system errors carry a code.
  if (code === "ENOENT" && lstatSync(path, { throwIfNoEntry: false }) !== undefined)
    return "the target of the link does not exist";
  return `it can't be read (${code ?? String(error)})`;
}
