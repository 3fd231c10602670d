// One operation on one team's stack, in its own process: the Pulumi SDK reports an exception to every stack of its
// process, so in a shared process one team's mistake would fail all teams.
import "../../../provider/lifecycle/closedPipes";
import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import type { EngineEvent, Stack } from "@pulumi/pulumi/automation";
import { qualifiedNameIn } from "../../../provider/protocol";
import { environmentVariable, namespace } from "../../../provider/schema/names";
import { readUtf8 } from "../../../provider/base/utf8";
import { loadTeam } from "../definition/load";
import { factsOf, type Team } from "../definition/team";
import { endWithParent } from "../operation/endWithParent";
import { adoptVariable, withoutCheckpoints } from "../operation/firstLoad";
import { ownedObjectsOf } from "../../engine/ownedObjects";
import { PreviewRecord } from "../../engine/preview";
import { nameToken, redacted, secretFrom, tellSecrets } from "../operation/secrets";
import type { EngineMessage } from "../operation/message";
import { Watch } from "../operation/watch";
import { errorLine, placeOf } from "../../engine/words";
import { awaitEarlierRuns, recordRun } from "./earlierRuns";
import { endOwnGroup, hasGroups, longestEndMs } from "./interrupt";
import type { TeamEnd, TeamJob, Secret } from "./messages";
import { ensureStack, stackOf } from "./stack";

let isInterrupted = false;
// The engine is in the same process group: it got the signal too, and shuts down gracefully. This process ends with it.
process.on("SIGINT", () => (isInterrupted = true));
// The parent has ended, or a signal ends this process alone.
for (const event of ["disconnect", "SIGTERM", "SIGHUP"]) process.on(event, () => endOwnGroup(isInterrupted));
endWithParent(hasGroups ? -process.pid : process.pid, longestEndMs);

/** Sends nothing once the parent has ended. */
const post = (message: EngineMessage | TeamEnd | Secret, done: () => void = () => undefined) =>
  process.send?.(message, done);
const send = (message: EngineMessage | TeamEnd) => post(redacted(message));

const tokenKey = `${namespace}:apiToken`;

/** The team's program. An exception in it is reported here, because the engine reports only that there was one. */
const programOf =
  ({ declare }: Team, apiToken: string, watch: Watch) =>
  async (): Promise<Record<string, unknown> | undefined> => {
    // Here and in the environment of the provider's process, not in the stack's config, the token is never stored.
    pulumi.runtime.setAllConfig({ ...pulumi.runtime.allConfig(), [tokenKey]: apiToken }, [tokenKey]);
    try {
      return (await declare()) ?? undefined;
    } catch (error) {
      watch.fail(errorLine(error), undefined, placeOf(error));
      // Swallowed, it would look like the end of the program, and "up" would delete what was not declared by then.
      // The SDK itself fails on what is not an error, such as undefined.
      throw error instanceof Error ? error : new Error(errorLine(error));
    }
  };

const unknownToState =
  "no update of this stack has succeeded since it was created or destroyed. To delete objects that a killed update created, run up before destroy";

async function operate(job: TeamJob): Promise<TeamEnd> {
  const watch = new Watch(send);
  const preview = new PreviewRecord();
  let isFirstLoad = job.adopts;
  let failure: string | undefined;
  let forget: (() => void) | undefined;
  try {
    const team = await loadTeam(job.file);
    const { slugPrefix, tokenVariable } = factsOf(job.file.name, team);
    const apiToken = secretFrom(tokenVariable);
    nameToken(tokenVariable);
    process.env[environmentVariable("apiToken")] = apiToken;
    const stack = await stackOf(job, programOf(team, apiToken, watch), slugPrefix);
    // An update follows its preview, which has created the stack.
    if (job.operation !== "up") {
      const isNew = await ensureStack(stack);
      isFirstLoad = isNew && job.mayLoad;
      if (isNew && job.operation === "destroy") send({ type: "warning", text: unknownToState });
      if (job.unlocks) {
        await awaitEarlierRuns(job.workDir);
        await stack.cancel();
      }
    }
    if (job.operation !== "preview") forget = recordRun(job.workDir);
    if (isFirstLoad) process.env[adoptVariable] ||= "identical";
    // A killed import has changed nothing in the service, so it can be run again.
    if (job.skipsCheckpoints || job.operation === "import") Object.assign(process.env, withoutCheckpoints);
    if (isInterrupted) throw new Error("interrupted");
    await run(job, stack, watch, (event) => {
      watch.see(event);
      preview.see(event);
    });
  } catch (error) {
    // What the engine named is clearer than how its command failed.
    if (watch.reason === undefined) watch.fail(errorLine(error), undefined, placeOf(error));
    failure = isInterrupted ? "interrupted" : watch.reason;
  } finally {
    forget?.();
  }
  const { counts, adopted, hasChanges, obstacle } = watch;
  const ownedObjects = ownedObjectsOf(preview.steps, process.env[environmentVariable("baseUrl")]);
  return {
    type: "ended",
    ...(job.reportsPreview && { preview }),
    counts,
    failure,
    isInterrupted,
    ownedObjects,
    adopted,
    hasChanges,
    isFirstLoad,
    obstacle,
  };
}

async function run(
  { operation, expectsNoChanges, root, file: { name } }: TeamJob,
  stack: Stack,
  watch: Watch,
  onEvent: (event: EngineEvent) => void,
): Promise<unknown> {
  // The end of an operation asks for it, but its result is not used.
  stack.history = async () => [];
  switch (operation) {
    case "import":
      return bringIn(stack, join(root, "imports", `${name}.json`));
    case "preview": {
      // The events lack most options of a resource.
      stack.workspace.serializeArgsForOp = async () => ["--json", "--show-sames"];
      const { stdout } = await stack.preview({ onEvent, ...(expectsNoChanges && { expectNoChanges: true }) });
      return watch.seeDigest(stdout);
    }
    case "up":
      return stack.up({ onEvent });
    case "destroy":
      return stack.destroy({ onEvent });
  }
}

/** Brings into state what an import file names and state lacks, so that it may be run again. */
async function bringIn(stack: Stack, path: string): Promise<void> {
  if (!existsSync(path))
    return void send({ type: "note", text: `nothing to import: ${relative(".", path)} does not exist` });
  const { resources } = JSON.parse(readUtf8(path)) as { readonly resources: readonly Imported[] };
  // As the engine documents what it exports.
  const { deployment } = (await stack.exportStack()) as { deployment: { resources?: readonly { urn: string }[] } };
  const known = new Set((deployment.resources ?? []).map(({ urn }) => qualifiedNameIn(urn)));
  const added = resources.filter(({ type, name }) => !known.has(`${type}::${name}`));
  if (added.length > 0) await stack.import({ resources: [...added], generateCode: false, protect: false });
  send({ type: "note", text: `imported ${added.length} of ${resources.length}; the others were in state already` });
}

interface Imported {
  readonly type: string;
  readonly name: string;
}

tellSecrets((value) => post({ type: "secret", value }));
// The parent passes a job.
void operate(JSON.parse(process.argv[2] ?? "") as TeamJob).then((ended) => {
  // The process ends even if the program has left something running.
  post(redacted(ended), () => process.exit(0));
});
