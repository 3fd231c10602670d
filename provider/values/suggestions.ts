import type { Field } from "../schema/field";
import { formatPath, isWithin, type Path } from "../schema/walk";
import { leaves } from "./leaves";
import { nearest } from "./nearest";

/** A third of the letters, at most 2: a newer service's value is hardly taken for a typo. None in words like "GT". */
const fewLetters = ({ length }: string) => Math.min(2, Math.floor(length / 3));

/**
 * A warning for every value that is almost one of those seen in practice. Enumerations are open, so a value unlike all
 * of them counts as a new one.
 * @param secrets The paths of values that the program marks as secret: these get no warning.
 */
export function unusualValues(root: Field, value: unknown, secrets: readonly Path[] = []): string[] {
  return leaves(root, value).flatMap(({ path, field: { options }, value: found }) => {
    const { suggestions = [] } = options;
    if (typeof found !== "string" || suggestions.includes(found) || isWithin(path, secrets)) return [];
    const near = nearest(found, suggestions, fewLetters);
    return near === undefined ? [] : [`${formatPath(path)} "${found}" is not a known value: did you mean "${near}"?`];
  });
}
