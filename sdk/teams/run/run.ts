import { dirname, join, resolve } from "node:path";
import { PulumiCommand } from "@pulumi/pulumi/automation";
import { Limiter } from "../../../provider/client/limiter";
import { addressIn } from "../../../provider/client/settingTexts";
import { environmentVariable } from "../../../provider/schema/names";
import { findTeams, type TeamFile, UnknownTeamError } from "../definition/files";
import { lookAt, type Look } from "../definition/look";
import { backendUrl } from "../operation/backend";
import { mayLoadFast } from "../operation/firstLoad";
import type { EnginePreview } from "../../engine/preview";
import type { StackOperation } from "../operation/message";
import { assertContinues, finishedIn, type Report, unfinished, withWarnings } from "../report/report";
import { formatShard, type Shard, shardOf } from "../report/shard";
import { type Common, type TeamEvent, TeamRun } from "./teamRun";

export interface TeamsOptions {
  /** The folder with a file for each team. The packages that they import are found from its parent. */
  readonly folder: string;
  /** `up` previews all teams, then updates those whose preview passed and found something to do. Default: `up`. */
  readonly operation?: StackOperation;
  /** Only these teams. */
  readonly teams?: readonly string[];
  /** Only this part of the chosen teams. Other jobs run the other parts, so all jobs must choose the same teams. */
  readonly shard?: Shard;
  /** The report of an earlier run. Teams that it finished are skipped, and their results are in the new report too. */
  readonly earlier?: Report;
  /** How many teams at a time. Default: 4. */
  readonly parallel?: number;
  /** Writes checkpoints in a first load, too. Then it adopts no existing objects. */
  readonly checkpoints?: boolean;
  /** Fails a preview with changes. An update that only records options or secret outputs is none. */
  readonly expectNoChanges?: boolean;
  /** Removes the stale locks of killed runs on the teams' stacks. */
  readonly unlock?: boolean;
  /** The Pulumi project of all stacks. Default: `team-stacks`. */
  readonly project?: string;
  /** The secrets provider of new stacks, as for `pulumi stack init`. */
  readonly secretsProvider?: string;
  /** Receives everything as it happens. */
  readonly onEvent?: (event: TeamEvent) => void;
  /** Receives everything that the engine reports in a team's preview, even in one that fails. */
  readonly onPreview?: (team: string, preview: EnginePreview) => void;
  /** Ends the run gracefully: nothing new is started, engines finish their requests and save the state. */
  readonly signal?: AbortSignal;
  /** After `signal`: engines end at once, and their unfinished work is not in state. */
  readonly endNow?: AbortSignal;
}

const never = new AbortController().signal;

/**
 * Runs an operation for each team in its own process and on its own stack. A failed team does not stop the others.
 * @throws if the run can't start: no team, an unknown one, a report that can't be continued, no URL, no Pulumi CLI or one that is too old, no backend.
 */
export async function runTeams(options: TeamsOptions): Promise<Report> {
  const { operation = "up", shard, earlier, parallel = 4, onEvent = () => undefined } = options;
  const start = performance.now();
  const folder = resolve(options.folder);
  const all = findTeams(folder);
  const chosen = choose(all, options.teams);
  const { project = "team-stacks", expectNoChanges: expectsNoChanges = false } = options;
  const text = process.env[environmentVariable("baseUrl")];
  if (!text) throw new Error(`set ${environmentVariable("baseUrl")} to the URL of the configuration service`);
  const facts = { operation, project, baseUrl: addressIn(text) };
  if (earlier !== undefined) {
    assertContinues(earlier, facts, expectsNoChanges);
    // Without its file, a team would be left out in silence.
    if (options.teams === undefined) choose(all, unfinished(earlier), ", which the earlier run has not finished");
  }
  // Of all teams, even those of other shards, to find a slug prefix that occurs twice.
  const [backend, looks] = await Promise.all([backendUrl(), lookAt(all, options.signal)]);
  const tokenVariables = [...looks.values()].flatMap((look) => ("facts" in look ? [look.facts.tokenVariable] : []));
  const { version } = await PulumiCommand.get();
  const common: Common = {
    job: {
      project,
      root: dirname(folder),
      secretsProvider: options.secretsProvider,
      cliVersion: String(version),
      expectsNoChanges,
      unlocks: options.unlock ?? false,
      mayLoad: options.checkpoints !== true && mayLoadFast(backend),
      reportsPreview: options.onPreview !== undefined,
    },
    stacksFolder: join(dirname(folder), ".stacks"),
    tokenVariables: new Set(tokenVariables),
    onPreview: options.onPreview,
    stopping: options.signal ?? never,
    endingNow: options.endNow ?? never,
  };
  const own = shard === undefined ? chosen : shardOf(chosen, shard);
  const finished = earlier === undefined ? [] : finishedIn(earlier);
  const done = own.flatMap(({ name }) => finished.find((team) => team.name === name) ?? []);
  if (done.length > 0) onEvent({ type: "skipped", teams: done.map(({ name }) => name) });
  const runs = own
    .filter(({ name }) => !done.some((team) => team.name === name))
    .map((file) => new TeamRun(file, looks.get(file.name) as Look, common, onEvent)); // lookAt reads all
  const results = (last: StackOperation) => withWarnings([...done, ...runs.map((run) => run.result(last))]);
  // One operation after the other, so that all previews are known before anything is changed. The Automation API's "up"
  // does not preview, so without one the service would validate nothing before the first write.
  const operations: readonly StackOperation[] = operation === "up" ? ["preview", "up"] : [operation];
  for (const each of operations) {
    onEvent({ type: "begin", operation: each, teams: runs.map(({ name }) => name) });
    const limiter = new Limiter(parallel);
    await Promise.all(runs.map((run) => limiter.during(() => run.run(each))));
    if (each !== "preview") continue;
    const previewed = new Map(results(each).map(({ name, warnings }) => [name, warnings]));
    for (const run of runs) previewed.get(run.name)?.forEach((text) => run.warn(text));
  }
  return {
    version: 1,
    command: "teams",
    ...facts,
    shards: shard === undefined ? [] : [formatShard(shard)],
    teams: results(operation),
    seconds: Math.round((performance.now() - start) / 100) / 10,
  };
}

/** In the order that is asked for. */
function choose(all: readonly TeamFile[], names: readonly string[] | undefined, why = ""): readonly TeamFile[] {
  if (names === undefined) return all;
  const byName = new Map(all.map((file) => [file.name, file]));
  const unknown = names.filter((name) => !byName.has(name));
  if (unknown.length > 0) {
    throw new UnknownTeamError(
      `no team "${unknown.join('", "')}"${why}. Known teams: ${[...byName.keys()].join(", ")}. To destroy a team's stack, keep its file until then`,
    );
  }
  return [...new Set(names)].flatMap((name) => byName.get(name) ?? []);
}
