import { parseJson } from "../../../provider/wire/json";
import { conflictsOf, conflictText, type OwnedObjects } from "../../engine/ownedObjects";
import type { Counts, StackOperation } from "../operation/message";
import { formatShard, parseShard } from "./shard";

/** How a team's part of a run ended. */
export interface TeamResult {
  readonly name: string;
  readonly status: "done" | "failed" | "interrupted" | "not started";
  /** The last operation that began; the run's last if none did. */
  readonly operation: StackOperation;
  /** The error, in one line. */
  readonly failure?: string;
  /** The changes of the last operation, done or planned; absent if it never ran. */
  readonly counts?: Counts;
  /** The objects in the preview, to compare with other teams; absent if there was none. */
  readonly ownedObjects?: OwnedObjects;
  /** Each object that the team deletes and another one of the same report declares; absent if there is none. */
  readonly warnings?: readonly string[];
  /** Objects that existed without being in state, and were adopted because they are identical. */
  readonly adopted: number;
  /** Whether this was a first load that saved its state only at the end. */
  readonly skippedCheckpoints: boolean;
  readonly seconds: number;
}

/** The result of a run. Programs, `--json` and `merge` use the same form. */
export interface Report {
  readonly version: 1;
  readonly command: "teams";
  readonly operation: StackOperation;
  /** The Pulumi project of all stacks. */
  readonly project: string;
  /** The URL of the configuration service. */
  readonly baseUrl: string;
  /** The shards whose teams these are: `["3/8"]`; empty if all teams were run by one job. */
  readonly shards: readonly string[];
  readonly teams: readonly TeamResult[];
  readonly seconds: number;
}

/** The teams that a run has not finished. */
export const unfinished = ({ teams }: Pick<Report, "teams">): string[] =>
  teams.filter(({ status }) => status !== "done").map(({ name }) => name);

/** The teams that a run has finished. What an update or a destroy has deleted is not deleted again. */
export const finishedIn = ({ teams }: Pick<Report, "teams">): TeamResult[] =>
  teams
    .filter(({ status }) => status === "done")
    .map(({ ownedObjects, ...team }) => {
      if (ownedObjects === undefined) return team;
      return { ...team, ownedObjects: team.operation === "preview" ? ownedObjects : { ...ownedObjects, dropped: [] } };
    });

/** Parses a report. @throws if the text is not one. */
export function parseReport(text: string): Report {
  const report = parseJson(text) as Partial<Report> | null | undefined; // Only the lines below know better.
  const isReport = report?.command === "teams" && report.version === 1 && Array.isArray(report.teams);
  if (!isReport || report.baseUrl === undefined) {
    throw new Error('this is not a report of "pulumi-observability teams --json"');
  }
  return report as Report;
}

/**
 * The reports of all shards as one, its teams by name. The seconds are those of the longest shard, because shards run in
 * parallel.
 * @throws if the reports are not of one run, or not of all its shards.
 */
export function mergeReports(reports: readonly Report[]): Report {
  const [first] = reports;
  if (first === undefined) throw new Error("there is no report to merge");
  for (const fact of ["operation", "project", "baseUrl"] as const) {
    const other = reports.find((report) => report[fact] !== first[fact]);
    if (other !== undefined) throw new Error(`the reports differ in ${fact}: "${first[fact]}" and "${other[fact]}"`);
  }
  const shards = reports.flatMap((report) => report.shards);
  if (reports.length > 1 || shards.length > 0) {
    const missing = missingShards(shards);
    if (missing.length > 0)
      throw new Error(
        `the reports of these shards are missing: ${missing.join(", ")}. Check that their jobs have ended`,
      );
  }
  const teams = withWarnings(reports.flatMap((report) => report.teams)).sort((a, b) => (a.name < b.name ? -1 : 1));
  const twice = teams.find(({ name }, at) => teams[at + 1]?.name === name);
  if (twice !== undefined) throw new Error(`the team ${twice.name} is in two reports`);
  return { ...first, shards, teams, seconds: Math.max(...reports.map(({ seconds }) => seconds)) };
}

/** The teams, each with a warning for every object that it deletes and another one declares. */
export function withWarnings(teams: readonly TeamResult[]): TeamResult[] {
  const conflicts = conflictsOf(teams).filter(({ object }) => object.isRetained !== true);
  return teams.map((team) => {
    const { warnings: _, ...result } = team;
    const warnings = conflicts.flatMap((conflict) =>
      conflict.dropping === team ? [conflictText(conflict, `the team ${conflict.declaring.name}`)] : [],
    );
    return warnings.length === 0 ? result : { ...result, warnings };
  });
}

/** @throws if the shards belong to different runs, or one occurs twice. */
function missingShards(shards: readonly string[]): string[] {
  const [of, ...others] = new Set(shards.map((shard) => parseShard(shard).of));
  if (of === undefined || others.length > 0) throw new Error("the reports must be from the shards of one run");
  const twice = shards.find((shard, at) => shards.indexOf(shard) !== at);
  if (twice !== undefined) throw new Error(`the shard ${twice} has two reports`);
  return Array.from({ length: of }, (_, at) => formatShard({ index: at + 1, of })).filter(
    (shard) => !shards.includes(shard),
  );
}

/**
 * Makes sure that a run may skip what an earlier one has finished. A preview may do so after an update. One that expects no
 * changes may not after a preview, whose finished teams may have some.
 * @throws if it may not.
 */
export function assertContinues(
  earlier: Report,
  run: Pick<Report, "operation" | "project" | "baseUrl">,
  expectsNoChanges = false,
): void {
  for (const fact of ["project", "baseUrl"] as const) {
    if (earlier[fact] !== run[fact])
      throw new Error(`the earlier report is of the ${fact} "${earlier[fact]}", not of "${run[fact]}"`);
  }
  const isSame = run.operation === earlier.operation;
  const isPreview = run.operation === "preview";
  if (isPreview ? earlier.operation === "up" || (isSame && !expectsNoChanges) : isSame) return;
  const [command, required] =
    isPreview && expectsNoChanges ? ["preview --expect-no-changes", "up"] : [run.operation, run.operation];
  throw new Error(
    `the earlier report is of "teams ${earlier.operation}", but "teams ${command}" requires one of "teams ${required}"`,
  );
}
