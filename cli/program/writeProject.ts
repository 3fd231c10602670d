import { basename, resolve } from "node:path";
import { slugFrom } from "../../provider/values/slug";
import type { Folder } from "./folder";
import type { Item } from "./item";
import { projectFiles } from "./project";
import { programOf } from "./write";

export interface Written {
  /** The names of the files that were written. */
  readonly files: readonly string[];
  /** The lines that `index.ts` lacks, because somebody else wrote or changed it. */
  readonly missingLines: readonly string[];
}

/** Writes a program that declares the items, into a new or an existing project. */
export function writeProject(
  folder: Folder,
  items: readonly Item[],
  { groupBy, secrets }: { readonly groupBy?: string | undefined; readonly secrets: readonly string[] },
): Written {
  const { files, declared } = programOf(items, { groupBy, known: folder.declared, taken: folder.sources });
  const written: string[] = [];
  const write = (name: string, text: string) => {
    const isWritten = folder.write(name, text);
    if (isWritten) written.push(name);
    return isWritten;
  };
  for (const [name, text] of files) write(`${name}.ts`, text);
  const sources = [...Object.values(folder.declared), ...Object.values(declared)].map(({ file }) => file);
  const lines = [...new Set(sources)].sort().map((file) => `import "./${file}";`);
  const isIndexOurs = write("index.ts", `${lines.join("\n")}\n`);
  const project = projectFiles(slugFrom("", basename(resolve(folder.path))) || "observability");
  for (const [name, text] of Object.entries(project)) if (!folder.has(name)) write(name, text);
  folder.close(declared, secrets);
  const added = new Set(Object.values(declared).map(({ file }) => `import "./${file}";`));
  return { files: written, missingLines: isIndexOurs ? [] : lines.filter((line) => added.has(line)) };
}
