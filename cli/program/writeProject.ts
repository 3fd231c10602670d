import { basename, dirname, resolve } from "node:path";
import { slugFrom } from "../../provider/values/slug";
import type { Folder } from "./folder";
import type { Item } from "./item";
import { projectFiles, teamsFiles } from "./project";
import { type Declared, type Layout, programOf } from "./write";

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

/** The items of one team. */
export interface TeamItems {
  /** The name of its file and stack. */
  readonly team: string;
  readonly items: readonly Item[];
}

/** Writes a repository of teams: a file for each, and a folder beside it with what it declares. */
export function writeTeams(
  folder: Folder,
  teams: readonly TeamItems[],
  { source, secrets }: Pick<Layout, "source"> & { readonly secrets: readonly string[] },
): Written {
  const written: string[] = [];
  const missingLines: string[] = [];
  const all: Record<string, Declared> = {};
  const write = (name: string, text: string) => {
    const isWritten = folder.write(name, text);
    if (isWritten) written.push(name);
    return isWritten;
  };
  for (const { team, items } of teams) {
    const path = `teams/${team}/`;
    const within = (file: string) => (file.startsWith(path) ? [file.slice(path.length)] : []);
    const known = Object.fromEntries(
      Object.entries(folder.declared).flatMap(([id, each]) => within(each.file).map((file) => [id, { ...each, file }])),
    );
    const program = programOf(items, { source, isTeam: true, known, taken: folder.sources.flatMap(within) });
    for (const [name, text] of program.files) write(`${path}${name}.ts`, text);
    const indexes = indexesOf(Object.values({ ...known, ...program.declared }).map(({ file }) => file));
    for (const [name, lines] of indexes) {
      const isWritten = write(`${path}${name}.ts`, `${[...lines].sort().join("\n")}\n`);
      if (!isWritten) missingLines.push(...[...lines].map((line) => `${line} // in ${path}${name}.ts`));
    }
    if (!folder.has(`teams/${team}.ts`)) write(`teams/${team}.ts`, teamText(team));
    for (const [id, each] of Object.entries(program.declared)) all[id] = { ...each, file: path + each.file };
  }
  const project = teamsFiles(slugFrom("", basename(resolve(folder.path))) || "observability");
  for (const [name, text] of Object.entries(project)) if (!folder.has(name)) write(name, text);
  folder.close(all, secrets);
  return { files: written, missingLines };
}

/** A team's resources are declared when its program runs, not when its file is looked at. */
const teamText = (team: string) => `import { defineTeam } from "pulumi-observability/teams";

export default defineTeam({
  async declare() {
    await import("./${team}/index.js");
  },
});
`;
