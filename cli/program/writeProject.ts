import { basename, resolve } from "node:path";
import { slugFrom } from "../../provider/values/slug";
import type { Folder } from "./folder";
import type { Item } from "./item";
import { projectFiles, teamsFiles } from "./project";
import type { Layout } from "./write";
import { Writing } from "./writeSources";

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
