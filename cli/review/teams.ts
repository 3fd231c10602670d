import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { environmentVariable, namespace } from "../../provider/schema/names";
import type { EnginePreview } from "../../sdk/engine/preview";
import type { TeamResult } from "../../sdk/teams/report/report";
import type { Shard } from "../../sdk/teams/report/shard";
import type { Output } from "../output/output";
import { failedPreview, type StackPreview, stackPreviewOf, withFailure } from "../preview/stackPreview";
import { projectFileNames } from "../pulumi/pulumi";
import { type Sources, sourcesOf, type StackFlags } from "./sources";

/** The options that select the teams. */
export interface TeamFlags {
  /** The folder with a file for each team; true is the default. */
  readonly teams?: string | true;
  readonly team?: readonly string[];
  readonly shard?: Shard;
  readonly project: string;
  readonly secretsProvider?: string;
}

const usual = "teams";

/** Previews the stacks of the teams, or those that the arguments name, with unchanged resources. */
export function changedSources(
  folders: readonly string[],
  flags: TeamFlags & StackFlags & { readonly refresh?: boolean },
  output: Output,
): Promise<Sources> {
  const teams = teamsFolder(folders, flags);
  if (teams !== undefined) return teamSources(teams, flags, output);
  return sourcesOf(folders, flags, { refresh: flags.refresh ?? false, sames: true }, output);
}

/** The folder of the teams: with `--teams`, or if nothing else is selected and the current folder has teams and no program. */
function teamsFolder(
  folders: readonly string[],
  { teams, stack, allStacks, from }: TeamFlags & StackFlags,
): string | undefined {
  if (teams !== undefined) return teams === true ? usual : teams;
  const isAsked = folders.length > 0 || stack !== undefined || allStacks === true || from !== undefined;
  const isProgram = projectFileNames.some((name) => existsSync(name));
  return !isAsked && !isProgram && existsSync(usual) ? usual : undefined;
}

/** Previews each team's stack, with the team's own settings. A failed preview does not stop the others. */
async function teamSources(
  folder: string,
  { team, teams: _, ...flags }: TeamFlags & StackFlags,
  output: Output,
): Promise<Sources> {
  // Loaded late: loading the Automation API takes long.
  const { runTeams } = await import("../../sdk/teams/run/run.js");
  const previews = new Map<string, EnginePreview>();
  let done = 0;
  const { teams } = await runTeams({
    ...flags,
    folder,
    operation: "preview",
    ...(team && { teams: team }),
    onPreview: (name, preview) => previews.set(name, preview),
    onEvent: (event) => {
      if (event.type === "ended") output.progress(`previewed ${(done += 1)} teams: ${event.team}`);
    },
  });
  // As each team's stack has it.
  const config = { [`${namespace}:baseUrl`]: process.env[environmentVariable("baseUrl")] ?? "" };
  const previewOf = ({ name, failure }: TeamResult): StackPreview => {
    const [stack, told] = [`${flags.project}/${name}`, previews.get(name)];
    if (told === undefined || told.steps.length === 0)
      return failedPreview(stack, failure ?? "its preview printed nothing");
    const preview = stackPreviewOf({ config, ...told }, stack);
    return failure === undefined || preview.isFailed ? preview : withFailure(preview, failure);
  };
  return { sources: teams.map((each) => ({ preview: previewOf(each), folder: dirname(folder) })), reports: [] };
}
