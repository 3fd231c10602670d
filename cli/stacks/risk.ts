import type { OpType } from "./changes";

/** What a change may do to people who rely on being told, worst first. The names are part of `--json` and `--fail-on`. */
export const riskClasses = [
  "declared-elsewhere",
  "removed",
  "discarded",
  "muted",
  "burn-rate-off",
  "laxer",
  "objective-lowered",
  "override-widened",
  "target-changed",
  "query-changed",
  "budget-taken",
  "replaced",
  "adopts",
  "drift",
  "left-behind",
  "unvalidated",
  "stricter",
] as const;
export type RiskClass = (typeof riskClasses)[number];

/** Whether people are told less or later, more or earlier, or whether nobody can know. */
export type Direction = "laxer" | "stricter" | "unclear";

/** What a rule says of one resource. */
export interface Finding {
  readonly class: RiskClass;
  readonly direction: Direction;
  /** In the domain's words, without the resource's name. */
  readonly text: string;
}

/** One risk of a change. */
export interface Risk {
  /** `project/stack` */
  readonly stack: string;
  readonly kind: string;
  /** The Pulumi name of the resource. */
  readonly name: string;
  readonly class: RiskClass;
  readonly direction: Direction;
  /** Begins with the name. */
  readonly sentence: string;
}

/** How an operation is called in a review. */
export const verbs: Readonly<Record<Exclude<OpType, "same">, string>> = {
  create: "create",
  update: "change",
  replace: "replace",
  delete: "delete",
};

/** The direction of several changes together; undefined for none. */
export function together(directions: readonly Direction[]): Direction | undefined {
  const [first] = directions;
  return directions.every((each) => each === first) ? first : "unclear";
}

export const opposite = (direction: Direction): Direction =>
  direction === "laxer" ? "stricter" : direction === "stricter" ? "laxer" : "unclear";
