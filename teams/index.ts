/** A stack and a token for each team: what `pulumi-observability teams` does, for programs. */
export { defineTeam, type Outputs, type Team } from "./team";
export { secretFrom } from "./secrets";
export { runTeams, type TeamsOptions } from "./run";
export type { TeamEvent } from "./teamRun";
export type { Operation, Told } from "./messages";
export type { Counts } from "./watch";
export type { Dropped, Holdings } from "./holdings";
export { mergeReports, type Report, type TeamResult, unfinished } from "./report";
export { parseShard, type Shard, shardOf } from "./shard";
export { summary } from "./summary";
