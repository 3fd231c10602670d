import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setImmediate as turn } from "node:timers/promises";
import { redactSecrets } from "../../../provider/base/redact";
import type { TeamFile } from "../definition/files";
import type { Look } from "../definition/look";
import { environmentOf } from "../definition/team";
import type { EnginePreview } from "../../engine/preview";
import type { OwnedObjects } from "../../engine/ownedObjects";
import type { StackOperation, EngineMessage } from "../operation/message";
import type { TeamResult } from "../report/report";
import { endNow, interrupt, ownGroup } from "./interrupt";
import type { TeamEnd, TeamJob, Secret } from "./messages";

/** The settings and resources that all teams of a run share. */
export interface Common {
  readonly job: Omit<TeamJob, "operation" | "file" | "workDir" | "adopts" | "skipsCheckpoints">;
  /** Receives each team's whole preview, even of a failed one. */
  readonly onPreview: ((team: string, preview: EnginePreview) => void) | undefined;
  readonly stacksFolder: string;
  readonly tokenVariables: ReadonlySet<string>;
  /** Starts nothing new, and interrupts running processes. */
  readonly stopping: AbortSignal;
  /** Interrupts the running processes once more, and kills them 5 s later. */
  readonly endingNow: AbortSignal;
}

/** A run's report on one team. */
type OfTeam =
  | { readonly type: "started" }
  | EngineMessage
  | ({ readonly type: "ended" } & Omit<TeamResult, "name" | "operation" | "ownedObjects">);

/** An event of a run, to show its progress. */
export type TeamEvent =
  /** These teams are skipped, because the earlier run has finished them. */
  | { readonly type: "skipped"; readonly teams: readonly string[] }
  /** An operation begins, for all these teams. */
  | { readonly type: "begin"; readonly operation: StackOperation; readonly teams: readonly string[] }
  | ({ readonly team: string; readonly operation: StackOperation } & OfTeam);

/** One team in a run. A failure is kept in the result and never thrown, so that the other teams continue. */
export class TeamRun {
  #operation: StackOperation | undefined;
  #status: TeamResult["status"] = "not started";
  #failure: string | undefined;
  #isInterrupted = false;
  #ended: TeamEnd | undefined;
  #ownedObjects: OwnedObjects | undefined;
  #elapsedMs = 0;
  #adopted = 0;
  #skippedCheckpoints = false;
  /** What the team's program has read with `secretFrom`. */
  readonly #secrets = new Set<string>();

  constructor(
    private readonly file: TeamFile,
    private readonly look: Look,
    private readonly common: Common,
    private readonly tell: (event: TeamEvent) => void,
  ) {}

  get name(): string {
    return this.file.name;
  }

  /** Runs the operation if all before were done, and if a preview has not shown that it would do nothing. */
  async run(operation: StackOperation): Promise<void> {
    if (this.#failure !== undefined) return;
    if (operation === "up" && this.#ended?.hasChanges === false) return;
    const preview = this.#ended;
    this.#operation = operation;
    this.#ended = undefined;
    if (this.common.stopping.aborted) {
      this.#status = "not started";
      this.#failure = "interrupted";
      return;
    }
    const start = performance.now();
    this.#say({ type: "started" });
    this.#failure = "failure" in this.look ? this.look.failure : await this.#operate(this.#jobOf(operation, preview));
    if ("failure" in this.look) this.#say({ type: "error", text: this.look.failure });
    this.#status = this.#failure === undefined ? "done" : this.#isInterrupted ? "interrupted" : "failed";
    this.#elapsedMs += performance.now() - start;
    const { name: _, operation: _operation, ownedObjects: _ownedObjects, ...result } = this.result(operation);
    this.#say({ type: "ended", ...result });
  }

  /** @param operation The run's last, for a team that never started one. */
  result(operation: StackOperation): TeamResult {
    return {
      name: this.name,
      status: this.#status,
      operation: this.#operation ?? operation,
      ...(this.#failure === undefined ? {} : { failure: this.#failure }),
      ...(this.#ended === undefined ? {} : { counts: this.#ended.counts }),
      ...(this.#ownedObjects === undefined ? {} : { ownedObjects: this.#ownedObjects }),
      adopted: this.#adopted,
      skippedCheckpoints: this.#skippedCheckpoints,
      seconds: Math.round(this.#elapsedMs / 100) / 10,
    };
  }

  #jobOf(operation: StackOperation, preview: TeamEnd | undefined): TeamJob {
    const adopts = operation === "up" && preview?.isFirstLoad === true;
    this.#skippedCheckpoints = adopts && preview.obstacle === undefined;
    if (adopts) {
      const text = this.#skippedCheckpoints
        ? "first load: runs without checkpoints (see --checkpoints)"
        : `first load: runs with checkpoints, because ${preview.obstacle}`;
      this.#say({ type: "note", text });
      if (this.#adopted > 0)
        this.#say({ type: "note", text: `adopts ${this.#adopted} existing objects that are identical` });
    }
    const { job, stacksFolder } = this.common;
    const workDir = join(stacksFolder, this.name);
    return { ...job, operation, file: this.file, workDir, adopts, skipsCheckpoints: this.#skippedCheckpoints };
  }

  /** @returns what went wrong. */
  async #operate(job: TeamJob): Promise<string | undefined> {
    const { tokenVariables, stopping, endingNow } = this.common;
    const own = "facts" in this.look ? this.look.facts.tokenVariable : "";
    const child = fork(join(__dirname, "teamProcess.js"), [JSON.stringify(job)], {
      env: { ...environmentOf(own, tokenVariables, process.env), no_grpc_proxy: withoutProxy(process.env) },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      ...ownGroup,
    });
    const stop = () => child.pid !== undefined && interrupt(child.pid);
    stopping.addEventListener("abort", stop);
    const kill = () => child.pid !== undefined && endNow(child.pid);
    endingNow.addEventListener("abort", kill);
    try {
      const [status, signal] = await this.#follow(child);
      // Half a preview is useless, but half an update has changed objects.
      const ended = this.#ended;
      this.#isInterrupted = ended?.isInterrupted ?? stopping.aborted;
      if (ended?.failure !== undefined && job.operation === "preview") this.#ended = undefined;
      if (ended !== undefined) return ended.failure;
      if (stopping.aborted) return "interrupted";
      const failure = `the team's process ended with ${String(signal ?? status)}`;
      this.#say({ type: "error", text: failure });
      return failure;
    } catch (error) {
      return String(error); // No process could be started.
    } finally {
      stopping.removeEventListener("abort", stop);
      endingNow.removeEventListener("abort", kill);
    }
  }

  /** Passes on the messages and output of the process. @returns its exit status and signal */
  async #follow(child: ChildProcess): Promise<readonly unknown[]> {
    for (const input of [child.stdout, child.stderr]) {
      // The program's children write here too, so this is the place to redact.
      if (input === null) continue;
      createInterface({ input }).on("line", (line) => {
        void allRead().then(() => this.#say({ type: "output", text: redactSecrets(line, [...this.#secrets]) }));
      });
    }
    child.on("message", (message: EngineMessage | TeamEnd | Secret) => {
      // Each line of it, because lines are redacted one by one.
      if (message.type === "secret") return message.value.split(/\s*\n\s*/).forEach((line) => this.#secrets.add(line));
      if (message.type !== "ended") return this.#say(message);
      this.#ended = message;
      if (message.preview !== undefined) this.common.onPreview?.(this.name, message.preview);
      // An update keeps what its preview reported.
      if (this.#operation === "preview") this.#ownedObjects = message.ownedObjects;
      // An update that did not even begin has loaded nothing.
      if (this.#operation === "up") this.#skippedCheckpoints &&= message.hasChanges;
      this.#adopted = Math.max(this.#adopted, message.adopted);
    });
    const ended = await once(child, "close");
    await allRead();
    return ended;
  }

  /** Adds a warning that only a comparison with other teams shows. */
  warn(text: string): void {
    this.#say({ type: "warning", text });
  }

  #say(event: OfTeam): void {
    // Set before anything is reported.
    if (this.#operation !== undefined) this.tell({ team: this.name, operation: this.#operation, ...event });
  }
}

/** Waits until everything is read that was written before what has just been read: another pipe may have told a secret. */
async function allRead(): Promise<void> {
  // This turn of the event loop may have asked the system before.
  await turn();
  await turn();
}

/** The hosts that gRPC reaches without a proxy: the engine of this machine too, which the SDK would not reach otherwise. */
const withoutProxy = ({ no_grpc_proxy: own, no_proxy: others }: NodeJS.ProcessEnv): string =>
  [own || others, "127.0.0.1"].filter(Boolean).join(",");
