import { readdirSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";

/** A file that defines a team. */
export interface TeamFile {
  /** The team's name, which is also its stack's: the file's, without the ending. */
  readonly name: string;
  readonly path: string;
}

/** A team that was asked for and that the folder does not contain. */
export class UnknownTeamError extends Error {}

const endings = /(?<!\.d)\.[cm]?[jt]s$/;

/**
 * The teams of a folder, by name: one for each TypeScript or JavaScript file in it. Folders below it, and files whose names
 * begin with `_` or `.`, are the teams' own.
 * @throws if there is no such folder, if it contains no team, or if a team's name is not valid for a stack.
 */
export function findTeams(folder: string): TeamFile[] {
  const shown = relative(process.cwd(), resolve(folder)) || ".";
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new Error(
      `there is no folder "${shown}". Create it with a file for each team, or pass another one with --folder`,
    );
  }
  const files = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !entry.isDirectory() && endings.test(entry.name) && !/^[._]/.test(entry.name))
    .map(({ name }) => name)
    .sort();
  if (files.length === 0) {
    throw new Error(`"${shown}" contains no team. A team is a file like ${join(shown, "checkout.ts")}`);
  }
  const teams = new Map<string, string>();
  for (const file of files) {
    const name = file.replace(endings, "");
    if (!/^[A-Za-z0-9][\w-]*$/.test(name)) {
      throw new Error(
        `${join(shown, file)}: a team's name can contain letters, digits, "-" and "_". If this file is not a team, start its name with "_"`,
      );
    }
    const other = teams.get(name);
    if (other !== undefined) {
      throw new Error(
        `${join(shown, other)} and ${join(shown, file)} have the same team name. Remove or rename one of them`,
      );
    }
    teams.set(name, file);
  }
  return [...teams].map(([name, file]) => ({ name, path: resolve(folder, file) }));
}
