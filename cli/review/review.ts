import type { OwnedObjects } from "../../sdk/teams/engine/ownedObjects";
import type { ServiceObject } from "../../sdk/teams/engine/objects";
import type { OpType } from "../stacks/changes";
import type { Risk } from "../stacks/risk";

/** What `review --json` and `drift --json` print, and what all other forms are made of. It holds no secret. */
export interface Review {
  readonly command: "review" | "drift";
  readonly stacks: readonly StackReview[];
  /** Of all stacks, worst first. */
  readonly risks: readonly Risk[];
  /** Of all stacks: the rules that the change breaks. */
  readonly violations: readonly Broken[];
  /** Of a drift that was asked for it. */
  readonly unmanaged?: Unmanaged;
}

/** What the services have and no stack of the report declares. */
export interface Unmanaged {
  readonly objects: readonly UnmanagedObject[];
  /** What could not be listed. */
  readonly gaps: readonly Gap[];
}

export interface Gap {
  /** The stack or the address that it is about. */
  readonly where: string;
  /** The kind's name; absent if it is about all. */
  readonly kind?: string;
  /** Why, as a sentence. */
  readonly text: string;
}

export interface UnmanagedObject extends ServiceObject {
  readonly name?: string;
  /** Why it may be the object that a stack declares. */
  readonly doubt?: string;
}

export interface StackReview {
  /** `project/stack` */
  readonly stack: string;
  readonly isFailed: boolean;
  /** Why the preview failed, or a rule could not be applied. */
  readonly failures: readonly ReviewNote[];
  /** What else was said. */
  readonly notes: readonly ReviewNote[];
  readonly changes: readonly ChangeReview[];
  /** Changes of other packages' resources, one line for each. */
  readonly others: readonly string[];
  /** How often rules were broken before and still are. */
  readonly oldViolations: number;
  /** What the stack declares and deletes, to compare with other stacks; of a drift, if it was asked what is unmanaged. */
  readonly ownedObjects?: OwnedObjects;
}

export interface ReviewNote {
  readonly kind?: string;
  readonly name?: string;
  readonly text: string;
}

export interface ChangeReview {
  readonly kind: string;
  readonly name: string;
  readonly op: Exclude<OpType, "same">;
  /** Whether the object was deleted outside Pulumi. */
  readonly isDeleted?: true;
  /** Each difference: `labels.team: "a" → "b"`. */
  readonly differences: readonly string[];
  /** With `--backtest`: what a changed monitor would have done over recorded series. */
  readonly backtest?: BacktestReview;
}

export interface BacktestReview {
  /** `checkout-errors: 3 → 14 pages in 30 days`, or why it was not simulated. */
  readonly sentence: string;
  /** Its time line in lines of block characters; empty if it never fires. */
  readonly picture: readonly string[];
}

/** A rule of the standards that a resource breaks now and did not break before. */
export interface Broken {
  readonly stack: string;
  readonly kind: string;
  readonly name: string;
  readonly rule: string;
  readonly message: string;
}
