import type { TeamFile } from "../definition/files";
import type { OwnedObjects } from "../engine/ownedObjects";
import type { EnginePreview } from "../engine/preview";
import type { Counts, StackOperation } from "../engine/message";

/** What a team's process is started for. Holds no secret: every user of the machine can read a command line. */
export interface Job {
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
  /** Take away the locks of runs that were killed. */
  readonly unlocks: boolean;
  /** Whether a first load of this stack may go without checkpoints. */
  readonly mayLoad: boolean;
  /** An update of a first load: what exists is taken over if it is identical. */
  readonly adopts: boolean;
  readonly skipsCheckpoints: boolean;
  /** Whether the end tells everything that the engine has said of a preview. */
  readonly tellsPreview: boolean;
}

/** How a team's process ended. */
export interface Ended {
  readonly type: "ended";
  readonly counts: Counts;
  readonly failure: string | undefined;
  readonly ownedObjects: OwnedObjects;
  readonly preview?: EnginePreview;
  /** Objects that exist without being in state, and are taken over. */
  readonly adopted: number;
  /** Whether an update would do anything. */
  readonly hasChanges: boolean;
  readonly isFirstLoad: boolean;
  /** Why a first load keeps its checkpoints. */
  readonly obstacle: string | undefined;
}
