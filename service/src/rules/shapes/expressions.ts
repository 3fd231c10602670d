import { RE2JS } from "re2js";
import type { RuleOptions } from "../rules.js";

/** The error in a regular expression. Its language is RE2, as in the query languages of metrics and logs. */
export function expressionProblem(pattern: string, { spend }: RuleOptions): string | undefined {
  const tooLarge = spend(sizeOf(pattern));
  if (tooLarge !== undefined) return tooLarge;
  try {
    RE2JS.compile(pattern);
    return undefined;
  } catch (error) {
    return `is not a valid regular expression: ${(error as Error).message.replace(/^error parsing regexp: /, "").slice(0, 200)}`;
  }
}

/** At least as many characters as an expression has with its counted repeats written out. */
function sizeOf(pattern: string): number {
  let [ofGroups, ofOthers] = [1, 1];
  for (const [, group, least, most] of pattern.matchAll(/(\))?\{(\d+)(?:,(\d*))?\}/g)) {
    const count = Math.max(Number(least), Number(most ?? 0), 1);
    if (group === undefined) ofOthers = Math.max(ofOthers, count);
    else ofGroups *= count; // One may be inside of the other.
  }
  return pattern.length * Math.min(ofGroups * ofOthers, mostRepeats);
}

// RE2 rejects more repeats.
const mostRepeats = 1_000;
