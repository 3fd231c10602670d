import { cutLine, plainly } from "../output/words";
import type { Path } from "../../provider/schema/walk";
import type { OpType } from "../preview/stackPreview";

/** The classes of risks, worst first. The names are part of `--json` and `--fail-on`. */
export const riskClasses = [
  "declared-elsewhere",
  "removed",
  "unrouted",
  "discard",
  "schedule",
  "burn-rate",
  "threshold",
  "objective",
  "override",
  "receiver",
  "routing",
  "credentials",
  "delivery",
  "query",
  "grouping",
  "collection",
  "budget",
  "precedence",
  "replaced",
  "adopts",
  "drift",
  "retained",
  "unvalidated",
] as const;
export type RiskClass = (typeof riskClasses)[number];

/** Whether people are notified less or later, or more or earlier, or whether that can't be determined; worst first. */
export const directions = ["alerts-less", "unclear", "alerts-more"] as const;
export type Direction = (typeof directions)[number];

/** A rule's finding in a change of one resource. */
export interface Finding {
  readonly class: RiskClass;
  readonly direction: Direction;
  /** A sentence in the terms of the kind, without the resource's name. */
  readonly text: string;
}

/** A rule's finding in a difference between two declarations. */
export interface LocatedFinding extends Finding {
  /** The paths that the sentence covers: differences there need no other sentence. Indexes are as in `Part`. */
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
  /** If the resource only depends on a change: the resources from it to the changed one. */
  readonly path?: readonly string[];
  /** Whether `--fail-on` names it, so that the command exits with status 3. */
  readonly fails?: true | undefined;
  /** Why and until which day it is accepted, or was. */
  readonly acceptance?: { readonly reason: string; readonly until: string; readonly isExpired?: true } | undefined;
}

/** The values of `--fail-on`: `schedule`, `alerts-less`, `schedule:alerts-less`. */
export const riskFilters: readonly string[] = [
  ...riskClasses,
  ...directions,
  ...riskClasses.flatMap((riskClass) => directions.map((direction) => `${riskClass}:${direction}`)),
];

/** Whether one of the filters names the class of a risk, its direction, or both. */
export const isWanted = ({ class: riskClass, direction }: Risk, filters: readonly string[]) =>
  [riskClass, direction, `${riskClass}:${direction}`].some((name) => filters.includes(name));

export const directionWords: Readonly<Record<Direction, string>> = {
  "alerts-less": "alerts less",
  unclear: "effect unclear",
  "alerts-more": "alerts more",
};

/** `schedule (alerts less)`, or `schedule (alerts less, fails the job)` */
export const riskLabel = ({ class: riskClass, direction, fails }: Risk) =>
  `${riskClass} (${directionWords[direction]}${fails ? ", fails the job" : ""})`;

/** `checkout-errors: the monitor is removed` */
export const riskSentence = (name: string, text: string) => cutLine(`${plainly(name)}: ${text}`);

/** The risk of a resource from what was found. */
export const riskOf = (
  { stack, kind, name }: Pick<Risk, "stack" | "kind" | "name">,
  { class: riskClass, direction, text }: Finding,
): Risk => ({ stack, kind, name, class: riskClass, direction, sentence: riskSentence(name, text) });

const rank = ({ class: riskClass, direction }: Risk) =>
  directions.indexOf(direction) * riskClasses.length + riskClasses.indexOf(riskClass);

export const worstFirst = (a: Risk, b: Risk) =>
  rank(a) - rank(b) || (a.sentence < b.sentence ? -1 : a.sentence > b.sentence ? 1 : 0);

/** The sentence of a risk without the name, and how long it is or was accepted. */
export const textOfRisk = ({ name, sentence, acceptance }: Pick<Risk, "name" | "sentence" | "acceptance">) =>
  `${sentence.slice(riskSentence(name, "").length)}${acceptanceText({ acceptance })}`;

export const isAccepted = ({ acceptance }: Pick<Risk, "acceptance">) =>
  acceptance !== undefined && !acceptance.isExpired;

export const acceptanceText = ({ acceptance }: Pick<Risk, "acceptance">) => {
  if (acceptance === undefined) return "";
  const { reason, until, isExpired } = acceptance;
  return cutLine(plainly(`; ${isExpired ? "its acceptance expired on" : "accepted until"} ${until}: ${reason}`));
};

/** The verb of an operation in a review. */
export const verbs: Readonly<Record<Exclude<OpType, "same">, string>> = {
  create: "create",
  update: "change",
  replace: "replace",
  delete: "delete",
};

/** The direction of several changes together; undefined for none. */
export function commonDirection(directions: readonly Direction[]): Direction | undefined {
  const [first] = directions;
  return directions.every((each) => each === first) ? first : "unclear";
}

export const oppositeDirection = (direction: Direction): Direction =>
  direction === "alerts-less" ? "alerts-more" : direction === "alerts-more" ? "alerts-less" : "unclear";
