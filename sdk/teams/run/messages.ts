import type { TeamFile } from "../definition/files";
import type { OwnedObjects } from "../../engine/ownedObjects";
import type { EnginePreview } from "../../engine/preview";
import type { StackOperation } from "../operation/message";
import type { Watch } from "../operation/watch";

/** The job of a team's process. Contains no secret: every user of the machine can read a command line. */
export interface TeamJob {
  readonly operation: StackOperation;
  readonly file: TeamFile;
  readonly project: string;
  /** Where the stack's project files are written. */
  readonly workDir: string;
  /** Where the provider's process finds its packages. */
  readonly root: string;
  readonly secretsProvider: string | undefined;
  readonly cliVersion: string;
  readonly expectsNoChanges: boolean;
  /** Removes stale locks of killed runs. */
  readonly unlocks: boolean;
  /** Whether a first load of this stack may run without checkpoints. */
  readonly mayLoad: boolean;
  /** An update of a first load, which adopts identical objects. */
  readonly adopts: boolean;
  readonly skipsCheckpoints: boolean;
  /** Whether the end contains everything that the engine reported in a preview. */
  readonly reportsPreview: boolean;
}

/** A secret that the program has read, to redact in its output. */
export interface Secret {
  readonly type: "secret";
  readonly value: string;
}

/** How a team's process ended. */
export interface TeamEnd extends Pick<Watch, "counts" | "adopted" | "hasChanges" | "obstacle"> {
  readonly type: "ended";
  readonly failure: string | undefined;
  readonly isInterrupted: boolean;
  readonly ownedObjects: OwnedObjects;
  readonly preview?: EnginePreview;
  readonly isFirstLoad: boolean;
}
