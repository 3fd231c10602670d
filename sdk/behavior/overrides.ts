import { tried } from "../../provider/wire/json";
import type { LabelMatcher, SeriesConditions } from "../types.gen";
import { type Condition, conditionsIn } from "./conditions";
import type { Labels, Severity } from "./signals";

type Matches = (labels: Labels) => boolean;

export interface Override {
  readonly matches: Matches;
  readonly conditions: readonly Condition[];
}

/** The overrides in their order: the first one that matches a series replaces all defaults (rule 7). */
export function overridesIn(
  { overrides = [] }: SeriesConditions,
  severity: Severity,
  problems: string[],
): readonly Override[] {
  return overrides.map(({ labelMatchers = [], severityConditions }, i) => {
    const path = `seriesConditions.overrides[${i}]`;
    const matchers = labelMatchers.map((matcher, j) => matcherOf(matcher, `${path}.labelMatchers[${j}]`, problems));
    return {
      matches: (labels) => matchers.every((matches) => matches(labels)),
      conditions: conditionsIn(severityConditions, severity, `${path}.severityConditions`, problems),
    };
  });
}

/** A label that a series lacks counts as empty. */
function matcherOf({ name = "", type = "", value = "" }: LabelMatcher, path: string, problems: string[]): Matches {
  if (name === "") problems.push(`${path}.name: is required`);
  if (type === "EXACT") return (labels) => (labels[name] ?? "") === value;
  if (type === "REGEX") {
    const pattern = wholeMatch(value);
    if (pattern !== undefined) return (labels) => pattern.test(labels[name] ?? "");
    problems.push(`${path}.value: the simulation can't parse the regular expression "${value}"`);
  } else {
    problems.push(`${path}.type: the simulation doesn't support "${type}". Supported: EXACT, REGEX`);
  }
  return () => false;
}

/** A pattern of the whole text. `(?i)` at its beginning is RE2's way to ignore case, which JavaScript lacks. */
export function wholeMatch(pattern: string): RegExp | undefined {
  const ignoresCase = pattern.startsWith("(?i)");
  return tried(() => new RegExp(`^(?:${ignoresCase ? pattern.slice(4) : pattern})$`, ignoresCase ? "isu" : "su"));
}
