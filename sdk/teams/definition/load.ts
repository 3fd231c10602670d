import { basename, dirname, join } from "node:path";
import { meant } from "../../../provider/base/nearest";
import { isObject } from "../../../provider/wire/json";
import { defaultExportOf } from "./defaultExport";
import type { TeamFile } from "./files";
import type { Team } from "./team";

const keys = ["slugPrefix", "tokenVariable", "declare"];

/** @throws whatever the team's file throws, and if its default export is not a team. */
export async function loadTeam({ path }: TeamFile): Promise<Team> {
  const shown = join(basename(dirname(path)), basename(path));
  const team = await defaultExportOf(path);
  if (team === undefined) {
    throw new Error(`${shown} has no default export. Write "export default defineTeam({ declare() { … } })"`);
  }
  if (!isObject(team))
    throw new Error(`the default export of ${shown} must be a team: defineTeam({ declare() { … } })`);
  const unknown = Object.keys(team).find((key) => !keys.includes(key));
  if (unknown !== undefined) {
    const hint = meant(unknown, keys) ?? `Known keys: ${keys.join(", ")}`;
    throw new Error(`the team in ${shown} has an unknown key "${unknown}". ${hint}`);
  }
  const { slugPrefix, tokenVariable, declare } = team;
  if (typeof declare !== "function") throw new Error(`the team in ${shown} must have a function "declare"`);
  if (slugPrefix !== undefined && typeof slugPrefix !== "string") {
    throw new Error(`slugPrefix in ${shown} must be a string like "checkout-"`);
  }
  if (tokenVariable !== undefined && (typeof tokenVariable !== "string" || !/^[A-Za-z_]\w*$/.test(tokenVariable))) {
    throw new Error(`tokenVariable in ${shown} must be the name of an environment variable`);
  }
  return team as unknown as Team; // Checked property by property.
}
