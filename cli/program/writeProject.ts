import { basename, resolve } from "node:path";
import { slugFrom } from "../../provider/values/slug";
import type { Folder } from "./folder";
import type { Declared, Item } from "./item";
import { projectFiles, teamsFiles } from "./project";
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
  const writing = new Writing(folder);
  writing.writeSources("", items, layout);
  writing.writeMissing(projectFiles(nameOf(folder)));
  folder.close(writing.declared, secrets);
  return writing;
}

/** Writes a repository of teams: a file for each, and a folder beside it with what it declares. */
export function writeTeams(
  folder: Folder,
  teams: ReadonlyMap<string, readonly Item[]>,
  { secrets, source }: Pick<Layout, "source"> & { readonly secrets: readonly string[] },
): Written {
  const writing = new Writing(folder);
  for (const [team, items] of teams) {
    writing.writeSources(`teams/${team}/`, items, { source, isTeam: true });
    writing.writeMissing({ [`teams/${team}.ts`]: teamText(team) });
  }
  writing.writeMissing(teamsFiles(nameOf(folder)));
  folder.close(writing.declared, secrets);
  return writing;
}

const nameOf = ({ path }: Folder) => slugFrom("", basename(resolve(path))) || "observability";

/** A team's resources are declared when its program runs, not when its file is looked at. */
const teamText = (team: string) => `import { defineTeam } from "pulumi-observability/teams";

export default defineTeam({
  async declare() {
    await import("./${team}/index.js");
  },
});
`;

/** The files and resources that a command has written so far. */
class Writing {
  readonly files: string[] = [];
  readonly missingLines: string[] = [];
  readonly declared: Record<string, Declared> = {};

  constructor(readonly folder: Folder) {}

  /** Writes a file, unless it was written or changed outside this command. Returns whether it did. */
  write(name: string, text: string): boolean {
    const isWritten = this.folder.write(name, text);
    if (isWritten) this.files.push(name);
    return isWritten;
  }

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
    // A file of constants is imported where they are used.
    const imported = new Set(Object.values(declared).map(({ file }) => `import "./${file}";`));
    this.#addImports(`${path}index.ts`, [...imported]);
    for (const [id, each] of Object.entries(declared)) this.declared[id] = { ...each, file: path + each.file };
  }
  /** Adds lines to an index file, unless it was written or changed outside this command. */
  #addImports(index: string, lines: readonly string[]): void {
    const all = [...this.folder.linesOf(index), ...lines].sort();
    if (this.write(index, `${all.join("\n")}\n`)) return;
    this.missingLines.push(...lines.map((line) => (index === "index.ts" ? line : `${line} // in ${index}`)));
  }
}
