import { comparisonOps } from "../../provider/kinds/shapes/comparisonOps";
import type { SeriesConditions, SeverityConditions } from "../types.gen";
import { severities, type Severity } from "./signals";
import { missing, present } from "./ticks";

/** A condition with all defaults filled in. */
export interface Condition {
  readonly severity: Severity;
  readonly op: string;
  readonly value: number;
  readonly sustainSecs: number;
  readonly resolveSustainSecs: number;
}

/** Whether the comparison is true at an evaluation (rules 2 and 5). */
export function holds(
  { op, value: threshold }: Pick<Condition, "op" | "value">,
  value: number,
  presence: number,
): boolean {
  switch (op) {
    case "GT":
      return value > threshold;
    case "GEQ":
      return value >= threshold;
    case "LT":
      return value < threshold;
    case "LEQ":
      return value <= threshold;
    case "EQ":
      return value === threshold;
    case "NEQ":
      return value !== threshold && presence === present;
    case "EXISTS":
      return presence === present;
    default:
      return presence === missing; // NOT_EXISTS; `conditionsIn` lets nothing else through.
  }
}

/** The conditions of one severity. Adds what is wrong with them to `problems`. */
export function conditionsIn(
  { conditions = [] }: SeverityConditions = {},
  severity: Severity,
  path: string,
  problems: string[],
): readonly Condition[] {
  return conditions.map(({ op = "", value = 0, sustainSecs = 0, resolveSustainSecs = 0 }, i) => {
    const at = `${path}.conditions[${i}]`;
    const known = comparisonOps.find((each) => each === op);
    if (op === "") problems.push(`${at}.op: is required`);
    else if (known === undefined) {
      problems.push(`${at}.op: the simulation doesn't support "${op}". Supported: ${comparisonOps.join(", ")}`);
    }
    for (const [field, seconds] of Object.entries({ sustainSecs, resolveSustainSecs })) {
      if (seconds < 0) problems.push(`${at}.${field}: expected 0 or more seconds, got ${seconds}`);
    }
    // The known text itself, not its copy: equal objects compare fastest.
    return { severity, op: known ?? op, value, sustainSecs, resolveSustainSecs };
  });
}

/** The conditions of every series without an override. */
export const defaultConditions = ({ defaults = {} }: SeriesConditions, problems: string[]): readonly Condition[] =>
  severities.flatMap((severity) =>
    conditionsIn(defaults[severity], severity, `seriesConditions.defaults.${severity}`, problems),
  );
