import { basename, join, resolve } from "node:path";
import { slugFrom } from "../../provider/schema/names";
import { readText } from "../output/files";
import type { Folder } from "./folder";
import type { Item } from "./item";
import { newProjectFiles, teamsFiles } from "./project";
import { type Layout, programOf } from "./write";

/** Writes a program that declares the items, into a new or an existing project. @returns where it declares them */
export function writeProject(
  folder: Folder,
  items: readonly Item[],
  layout: Pick<Layout, "groupBy" | "source">,
): Folder["declared"] {
  const declared = writeSources(folder, "", items, layout);
  writeMissing(folder, newProjectFiles(nameOf(folder), folder.path));
  return declared;
}

/** Writes a repository of teams: a file for each, and a folder beside it with what it declares. @returns where it does */
export function writeTeams(
  folder: Folder,
  teams: ReadonlyMap<string, readonly Item[]>,
  { source }: Pick<Layout, "source">,
): Folder["declared"] {
  const all = [...teams].map(([team, items]) => {
    const declared = writeSources(folder, `teams/${team}/`, items, { source, isTeam: true });
    writeMissing(folder, { [`teams/${team}.ts`]: teamText(team) });
    return declared;
  });
  writeMissing(folder, teamsFiles(nameOf(folder), folder.path));
  return Object.assign({}, ...all) as Folder["declared"];
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

function writeMissing(folder: Folder, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) if (!folder.has(name)) folder.write(name, text);
}

/**
 * Writes the TypeScript files of a program, and its index unless that was changed outside this command.
 * @param path The folder of the program, with `/` at its end; empty for the whole folder.
 */
function writeSources(folder: Folder, path: string, items: readonly Item[], layout: Omit<Layout, "known" | "taken">) {
  const within = (file: string) => (file.startsWith(path) ? [file.slice(path.length)] : []);
  const known = Object.fromEntries(
    Object.entries(folder.declared).flatMap(([id, each]) => within(each.file).map((file) => [id, { ...each, file }])),
  );
  const { files, declared } = programOf(items, { ...layout, known, taken: folder.sources.flatMap(within) });
  for (const [name, text] of files) folder.write(`${path}${name}.ts`, text);
  // A file of constants is imported where they are used.
  const imports = [...new Set(Object.values(declared).map(({ file }) => `import "./${file}";`))];
  const index = `${path}index.ts`;
  const lines = folder.has(index) ? readText(join(folder.path, index)).split(/\r?\n/).filter(Boolean) : [];
  const all = [...lines, ...imports].sort();
  folder.write(index, `${all.join("\n")}\n`);
  return Object.fromEntries(Object.entries(declared).map(([id, each]) => [id, { ...each, file: path + each.file }]));
}
