import type { Path } from "../../provider/schema/walk";
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
  "routing-changed",
  "credentials-changed",
  "delivery-changed",
  "query-changed",
  "grouping-changed",
  "collection-narrowed",
  "budget-taken",
  "precedence-changed",
  "replaced",
  "adopts",
  "drift",
  "left-behind",
  "unvalidated",
  "stricter",
] as const;
export type RiskClass = (typeof riskClasses)[number];

/** Whether people are told less or later, more or earlier, or whether nobody can know; worst first. */
export const directions = ["laxer", "unclear", "stricter"] as const;
export type Direction = (typeof directions)[number];

/** What a rule says of one resource. */
export interface Finding {
  readonly class: RiskClass;
  readonly direction: Direction;
  /** In the domain's words, without the resource's name. */
  readonly text: string;
}

/** What a rule says of a difference between two declarations. */
export interface LocatedFinding extends Finding {
  /** The paths of which the sentence speaks: what differs there needs no other one. Indexes are as in `Part`. */
  readonly at: readonly Path[];
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

/** Whether a name is one that `--fail-on` takes: `muted`, `laxer`, `muted:laxer`. */
export const isRiskFilter = (name: string) =>
  riskClasses.some((each) => namesOf(each).includes(name)) || directions.some((each) => each === name);

const namesOf = (riskClass: RiskClass): readonly string[] => [
  riskClass,
  ...directions.map((direction) => `${riskClass}:${direction}`),
];

/** Whether a risk is one of those that are named; a name may be of a class and a direction. */
export const isWanted = ({ class: riskClass, direction }: Risk, filters: readonly string[]) =>
  [riskClass, direction, `${riskClass}:${direction}`].some((name) => filters.includes(name));

/** `muted (laxer)`; the direction is left out if the class has its name. */
export const labelOf = ({ class: riskClass, direction }: Risk) =>
  riskClass === direction ? riskClass : `${riskClass} (${direction})`;

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
