import type { IncidentOutcome } from "../backtest/incidents";
import type { FiringState } from "../backtest/result";
import type { OwnedObjects } from "../../sdk/engine/ownedObjects";
import type { ServiceObject } from "../../sdk/engine/objects";
import type { OpType } from "../preview/stackPreview";
import type { MetricUser } from "./metricUsers";
import type { Risk } from "../consequences/risk";
import type { AskedNotifier, RouteUser } from "./routes";

/** The JSON output of `review` and `drift`, from which all other forms are made. It contains no secrets. */
export interface Review {
  readonly command: "review" | "drift";
  readonly stacks: readonly StackReview[];
  /** The risks of all stacks, worst first. */
  readonly risks: readonly Risk[];
  /** The rules that the change breaks, in all stacks. */
  readonly violations: readonly Broken[];
  /** Only of `review`, with entries of a file of accepted risks. */
  readonly accepted?: {
    /** The risks that the file accepts, worst first. They are not in `risks`. */
    readonly risks: readonly Risk[];
    /** Entries that accept nothing, each with its place and the reason. */
    readonly problems: readonly string[];
  };
  /** Only with `drift --unmanaged`. */
  readonly unmanaged?: Unmanaged;
}

/** The objects in the services that no stack of the report declares. */
export interface Unmanaged {
  readonly objects: readonly UnmanagedObject[];
  /** Kinds or services that could not be listed, and why. */
  readonly gaps: readonly ListingGap[];
}

export interface ListingGap {
  /** The stack or the URL of the service. */
  readonly where: string;
  /** The kind's name; absent if it concerns all kinds. */
  readonly kind?: string;
  /** The reason, as a sentence. */
  readonly text: string;
}

export interface UnmanagedObject extends ServiceObject {
  readonly name?: string;
  /** Why it may be an object that a stack declares. */
  readonly doubt?: string;
}

export interface StackReview {
  /** `project/stack` */
  readonly stack: string;
  /** Whether the preview failed, so that the changes are incomplete. */
  readonly isFailed: boolean;
  /** Why the preview failed, or what could not be checked, such as a rule that throws. */
  readonly failures: readonly ReviewNote[];
  /** Other messages. */
  readonly notes: readonly ReviewNote[];
  readonly changes: readonly ChangeReview[];
  /** Changes of other packages' resources, one line for each. */
  readonly others: readonly string[];
  /** How many violations existed before the change and still do. */
  readonly oldViolations: number;
  /** The objects that the stack declares and removes, to compare with other stacks; for `drift` only with `--unmanaged`. */
  readonly ownedObjects?: OwnedObjects;
  /** The metrics that the stack's resources query and publish, to find those that depend on a change; only for `review`. */
  readonly metrics?: readonly MetricUser[];
  /** Whom the stack's monitors and SLOs notify, and its notifiers, to find lost routes; only for `review`. */
  readonly routes?: readonly RouteUser[];
  /** What the service answered about notifiers that no stack declares. */
  readonly askedNotifiers?: readonly AskedNotifier[];
  /** With `--incidents`: what its changed monitors did in each incident. */
  readonly incidents?: readonly IncidentOutcome[];
  /** Whether the preview leaves out unchanged resources. */
  readonly isPartial?: true;
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
  /** What a new monitor or SLO alerts on, and whom it notifies. */
  readonly summary?: string;
  /** With `--routes`, of what changes: `critical: payments-pd → search-pd`. */
  readonly notified?: readonly string[];
  /** Each difference: `labels.team: "a" → "b"`. */
  readonly differences: readonly string[];
  /** With `--backtest`: the backtest of a changed monitor. */
  readonly backtest?: BacktestReview;
}

export interface BacktestReview {
  /** `checkout-errors: 3 → 14 pages in 30 days`, or why it was not simulated. */
  readonly sentence: string;
  /** Absent in reports of earlier versions, which do not tell. */
  readonly isSimulated?: boolean;
  /** What it did after the change; absent if it was not simulated, and in reports of earlier versions. */
  readonly state?: FiringState;
  /** `▁▁▃█▁ → ▁▁▁▂▁`: its pages of each day; empty or absent without pages. */
  readonly sparkline?: string;
  /** What its incidents and its data say, as sentences. */
  readonly notes?: readonly string[];
  /** Its timeline in lines of block characters; empty if it never fires. */
  readonly picture: readonly string[];
}

/** A rule of the standards that a resource breaks now and did not break before. */
export interface Broken extends RuleOf {
  readonly stack: string;
  readonly message: string;
}

/** A rule that is applied to a resource. */
export interface RuleOf {
  readonly rule: string;
  readonly kind: string;
  readonly name: string;
}
