/** A stack and a token for each team: what `pulumi-observability teams` does, for programs. */
export { defineTeam, type Outputs, type Team } from "./definition/team";
export { secretFrom } from "./operation/secrets";
export type { EnginePreview } from "../engine/preview";
export { runTeams, type TeamsOptions } from "./run/run";
export type { TeamEvent } from "./run/teamRun";
export type { Dropped, OwnedObjects } from "../engine/ownedObjects";
export { mergeReports, type Report, type TeamResult, unfinished } from "./report/report";
export { parseShard, type Shard, shardOf } from "./report/shard";
export { summary } from "./report/summary";
export type { Counts, StackOperation, EngineMessage } from "./operation/message";
