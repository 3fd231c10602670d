import { basename, dirname } from "node:path";
import type { Folder } from "./folder";
import type { Declared, Item } from "./item";
import { type Layout, programOf } from "./write";

/** What a command has written so far. */
export class Writing {
  readonly files: string[] = [];
  readonly missingLines: string[] = [];
  readonly declared: Record<string, Declared> = {};

  constructor(readonly folder: Folder) {}

  /** Writes a file, unless somebody else wrote or changed it. Returns whether it did. */
  write(name: string, text: string): boolean {
    const isWritten = this.folder.write(name, text);
    if (isWritten) this.files.push(name);
    return isWritten;
  }

  /** Writes files that are missing. */
  writeMissing(files: Readonly<Record<string, string>>): void {
    for (const [name, text] of Object.entries(files)) if (!this.folder.has(name)) this.write(name, text);
  }

  /**
   * Writes the TypeScript files of a program, and an index for each of its folders.
   * @param path The folder of the program, with `/` at its end; empty for the whole folder.
   */
  writeSources(path: string, items: readonly Item[], layout: Omit<Layout, "known" | "taken">): void {
    const within = (file: string) => (file.startsWith(path) ? [file.slice(path.length)] : []);
    const known = Object.fromEntries(
      Object.entries(this.folder.declared).flatMap(([id, each]) =>
        within(each.file).map((file) => [id, { ...each, file }]),
      ),
    );
    const { files, declared } = programOf(items, { ...layout, known, taken: this.folder.sources.flatMap(within) });
    for (const [name, text] of files) this.write(`${path}${name}.ts`, text);
    const indexes = indexesOf({ ...known, ...declared });
    for (const [name, added] of indexesOf(declared)) {
      const lines = [...(indexes.get(name) ?? added)].sort();
      if (this.write(`${path}${name}.ts`, `${lines.join("\n")}\n`)) continue;
      const isRoot = path === "" && name === "index";
      this.missingLines.push(...[...added].map((line) => (isRoot ? line : `${line} // in ${path}${name}.ts`)));
    }
    for (const [id, each] of Object.entries(declared)) this.declared[id] = { ...each, file: path + each.file };
  }
}

/** The lines of the index file of each folder: `index` imports `./checkout/index`, which imports `./payments`. */
function indexesOf(declared: Readonly<Record<string, Declared>>): ReadonlyMap<string, ReadonlySet<string>> {
  const indexes = new Map<string, Set<string>>();
  /** @param what The file or folder as the index of its folder imports it. */
  const enter = (path: string, what: string): void => {
    const folder = dirname(path);
    const index = folder === "." ? "index" : `${folder}/index`;
    indexes.set(index, (indexes.get(index) ?? new Set()).add(`import "./${what}";`));
    if (folder !== ".") enter(folder, `${basename(folder)}/index`);
  };
  for (const { file } of Object.values(declared)) enter(file, basename(file));
  return indexes;
}
