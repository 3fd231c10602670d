import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { CommandError } from "../../report/output";
import type { Refused } from "./conversion";

export interface Input {
  /** As the user wrote it, or below the folder that the user wrote. */
  readonly path: string;
  readonly text: string;
}

const isInput = /\.(ya?ml|json|rules)$/i;

/**
 * The files, and those in the folders, each once, also if several links lead to it. Nothing that cannot be read stops the
 * others.
 * @param out The folder of the program, whose own files are no input.
 * @throws {CommandError} if there is nothing at a path
 */
export function inputsAt(paths: readonly string[], out: string) {
  const files: Input[] = [];
  const refused: Refused[] = [];
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
          if (resolve(inner) !== resolve(out)) enter(inner, false);
        }
      } else if (isNamed || (stats.isFile() && isInput.test(path))) files.push({ path, text: textOf(path) });
    } catch (error) {
      const [{ code }, reason] = [error as NodeJS.ErrnoException, reasonOf(error, path)];
      if (isNamed || isInput.test(path) || code === "EACCES") refused.push({ file: path, line: 1, reason });
    }
  };
  for (const path of paths) {
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) {
      throw new CommandError(`"${path}": there is no such file or folder`);
    }
    enter(path, true);
  }
  return { files, refused };
}

/** A pipe has no path of its own, and a link may lead nowhere. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** A mounted ConfigMap keeps its versions in folders that begin with two dots, and links to the present one. */
const isLeftOut = (name: string) => name === "node_modules" || name.startsWith("..");

function textOf(path: string): string {
  // A byte order mark is no part of the text.
  return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path));
}

function reasonOf(error: unknown, path: string): string {
  const { code } = error as NodeJS.ErrnoException; // File system errors and those of the decoder carry a code.
  if (code === "ERR_ENCODING_INVALID_ENCODED_DATA") return "it is no text in UTF-8";
  if (code === "ENOENT" && lstatSync(path, { throwIfNoEntry: false }) !== undefined) return "the link leads nowhere";
  return `it cannot be read (${code ?? String(error)})`;
}
