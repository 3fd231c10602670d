import { aboveItems, formatPath, overlaps, type Path } from "../../provider/schema/walk";
import { differences } from "../../provider/values/differences";
import { entries, items } from "../../provider/wire/json";
import { comparable } from "../meaning/comparable";
import { maskedPaths } from "../meaning/hidden";
import { isEquivalentInReview } from "../meaning/normalForm";
import { differingParts, orderOf, programPath, shownPath } from "../meaning/parts";
import { cutLine, plainly } from "../output/words";
import { fieldAt } from "./effects";
import { partText, type ChangedPlace, type Sides } from "./places";
import { changeText } from "./values";

export const sameMeaning = "means the same as before";

/** A place in which the meaning differs, as the program has it. */
interface Difference {
  readonly path: Path;
  /** Why it has no consequence. */
  readonly reason: string | undefined;
}

/** A line for each difference between two declarations as the program has them, with the reason if it has no consequence. */
export function differenceLines(
  sides: Sides,
  found: readonly Difference[],
  hidden: readonly (ChangedPlace & Difference)[],
): readonly string[] {
  const { root } = sides;
  const { before, after } = comparable(root, sides.before, sides.after);
  const parts = differingParts(root, before, after).map((part) => {
    const path = shownPath(programPath(root, part.path, after, after));
    const at = part.isOrder ? orderOf(part.path) : shownPath(part.path);
    const own = found.filter((each) => overlaps(each.path, [at]));
    const isIdle = own.length === 0 && isEquivalentInReview(root, undone(after, part.path, part.before), after);
    const reason = isIdle
      ? sameMeaning
      : commonReason(own.length > 0 ? own : found.filter((each) => each.path[0] === at[0]));
    // Of what is left out, the default has a text.
    const { defaultValue } = fieldAt(root, part.path).field.options;
    const said = { before: part.before ?? defaultValue, after: part.after ?? defaultValue };
    return { path, line: lineAt(path, partText({ ...part, ...said }), reason) };
  });
  const lines = [
    ...parts.map(({ line }) => line),
    ...hidden.map(({ path, text, reason }) => lineAt(path, text, reason)),
  ];
  const told = [...parts, ...hidden].map(({ path }) => path);
  return lines.length === 0 ? [] : [...new Set([...lines, ...respelledLines(sides, told)])];
}

const lineAt = (path: Path, text: string, reason?: string) =>
  cutLine(`${plainly(formatPath(path))}: ${text}${reason === undefined ? "" : ` (${reason})`}`);

/** The later declaration with one part as in the earlier one. */
function undone(after: unknown, [step, ...rest]: Path, before: unknown): unknown {
  if (step === undefined) return before;
  if (typeof step === "string") return { ...entries(after), [step]: undone(entries(after)[step], rest, before) };
  const list = [...items(after)];
  const old = step < 0 ? before : undone(list[step], rest, before);
  list.splice(step < 0 ? -1 - step : step, step < 0 ? 0 : 1, ...(old === undefined ? [] : [old]));
  return list;
}

/** Why none of some places has a consequence; undefined if one has. */
const commonReason = (places: readonly Difference[]) =>
  places.some(({ reason }) => reason === undefined) ? undefined : places[0]?.reason;

/** What the program spells in another way, except for places that other lines tell. */
function respelledLines({ root, before, after }: Sides, told: readonly Path[]): readonly string[] {
  // Items correspond in another way here, and a place that is hidden on one side must not be shown by the other.
  const others = [...told, ...maskedPaths(before), ...maskedPaths(after)].map(aboveItems);
  return differences(root, after, before, () => false)
    .filter(({ path }) => !overlaps(path, others))
    .map(({ path, actual, desired }) => lineAt(path, changeText(actual, desired), sameMeaning));
}
