import { basename, dirname, resolve } from "node:path";
import { slugFrom } from "../../provider/values/slug";
import type { Folder } from "./folder";
import type { Item } from "./item";
import { projectFiles } from "./project";
import { type Layout, programOf } from "./write";

export interface Written {
  /** The names of the files that were written. */
  readonly files: readonly string[];
  /** The lines that index files lack, because somebody else wrote or changed these. */
  readonly missingLines: readonly string[];
}

/** Writes a program that declares the items, into a new or an existing project. */
export function writeProject(
  folder: Folder,
  items: readonly Item[],
  { secrets, ...layout }: Pick<Layout, "groupBy" | "source"> & { readonly secrets: readonly string[] },
): Written {
  const { files, declared } = programOf(items, { ...layout, known: folder.declared, taken: folder.sources });
  const written: string[] = [];
  const write = (name: string, text: string) => {
    const isWritten = folder.write(name, text);
    if (isWritten) written.push(name);
    return isWritten;
  };
  for (const [name, text] of files) write(`${name}.ts`, text);
  const sources = [...Object.values(folder.declared), ...Object.values(declared)].map(({ file }) => file);
  const missingLines: string[] = [];
  const indexes = indexesOf(sources);
  for (const [path, added] of indexesOf(Object.values(declared).map(({ file }) => file))) {
    const lines = [...(indexes.get(path) ?? added)].sort();
    if (write(`${path}.ts`, `${lines.join("\n")}\n`)) continue;
    missingLines.push(...[...added].map((line) => (path === "index" ? line : `${line} // in ${path}.ts`)));
  }
  const project = projectFiles(slugFrom("", basename(resolve(folder.path))) || "observability");
  for (const [name, text] of Object.entries(project)) if (!folder.has(name)) write(name, text);
  folder.close(declared, secrets);
  return { files: written, missingLines };
}

/** The lines of the index file of each folder: `index` imports `./checkout/index`, which imports `./payments`. */
function indexesOf(files: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const indexes = new Map<string, Set<string>>();
  /** @param what The file or folder as the index of its folder imports it. */
  const enter = (path: string, what: string): void => {
    const folder = dirname(path);
    const index = folder === "." ? "index" : `${folder}/index`;
    indexes.set(index, (indexes.get(index) ?? new Set()).add(`import "./${what}";`));
    if (folder !== ".") enter(folder, `${basename(folder)}/index`);
  };
  for (const file of files) enter(file, basename(file));
  return indexes;
}
