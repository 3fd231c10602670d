import { ListField } from "../../provider/schema/field";
import { aboveItems, formatPath, overlaps, type Path } from "../../provider/schema/walk";
import { differences } from "../../provider/values/differences";
import { grouped } from "../../provider/base/grouped";
import { items } from "../../provider/wire/json";
import { isRewritten } from "../meaning/normalForm";
import { holdsHidden, maskedPaths } from "../meaning/hidden";
import { differingParts, idleParts, type Part, programPath, shownPath } from "../meaning/parts";
import { cutLine, plainly } from "../output/words";
import { fieldAt } from "./effects";
import { partText, type ChangedPlace, type Sides, sidesAt } from "./places";
import { changeText } from "./values";

export const sameMeaning = "means the same as before";

/** A part in which the normal forms of two declarations differ. */
interface Difference {
  readonly part: Part;
  /** Its path as the program has it. */
  readonly path: Path;
  /** Why it has no consequence. */
  readonly reason: string | undefined;
}

/** A line for each difference between two declarations, with the reason if it has no consequence. */
export function differenceLines(
  sides: Sides,
  found: readonly Difference[],
  hidden: readonly (ChangedPlace & Pick<Difference, "reason">)[],
): readonly string[] {
  const parts = found.map((each) => ({
    ...each,
    ...writtenAt(sides, each),
    around: rewrittenAt(sides, each.part.path),
  }));
  const unused = idleLines(
    sides,
    parts.map(({ at }) => aboveItems(at)),
  );
  const lines = [
    ...[...grouped(parts, ({ around }) => around && formatPath(around)).values()].flatMap((some) => {
      const [{ around, reason } = {}] = some;
      if (around === undefined) return some.map(({ at, text, reason }) => lineAt(at, text, reason));
      const isHarmless = some.every((each) => each.reason !== undefined);
      return differencesWithin(sides, around)
        .filter(([at, text]) => !unused.includes(lineAt(at, text, sameMeaning)))
        .map(([at, text]) => lineAt(at, text, isHarmless ? reason : undefined));
    }),
    ...hidden.map(({ path, text, reason }) => lineAt(path, text, reason)),
  ];
  const told = [...parts.map(({ path, around = path }) => around), ...hidden.map(({ path }) => path)];
  return lines.length === 0 ? [] : [...new Set([...lines, ...unused, ...respelledLines(sides, told)])];
}

const lineAt = (path: Path, text: string, reason?: string) =>
  cutLine(`${plainly(formatPath(path))}: ${text}${reason === undefined ? "" : ` (${reason})`}`);

/** What the program says at a part, which its normal form may say in other words. */
function writtenAt(sides: Sides, { part, path }: Difference): { readonly at: Path; readonly text: string } {
  const list = aboveItems(part.path);
  const [old, now] = sidesAt(sides, list);
  const isInList = list.length < part.path.length;
  // The items of a list that one side leaves out or empties are those of its default.
  if (isInList && isLeftOut(old) !== isLeftOut(now)) return { at: list, text: changeText(old, now) };
  const isOwn = !isInList && !part.isOrder;
  return { at: path, text: isOwn ? changeText(old ?? part.before, now ?? part.after) : partText(part) };
}

const isLeftOut = (list: unknown) => list === undefined || (Array.isArray(list) && list.length === 0);

/** The value around a place that the normal form writes in another way than the program; undefined if there is none. */
const rewrittenAt = (sides: Sides, path: Path) =>
  [...path.keys(), path.length]
    .map((length) => path.slice(0, length))
    .find((at) => {
      const isOnBoth = sidesAt(sides, at).every((each) => !isLeftOut(each) && !holdsHidden(each));
      // Items have other indexes in the program.
      return isOnBoth && !at.some(Number.isInteger) && isRewritten(fieldAt(sides.root, at).field);
    });

/** The differences within a value, as the program has it. */
function differencesWithin(sides: Sides, path: Path) {
  const { field } = fieldAt(sides.root, path);
  const [old, now] = sidesAt(sides, path);
  return differingParts(field, old, now).map(
    (part) => [[...path, ...shownPath(programPath(field, part.path, now, now))], partText(part)] as const,
  );
}

/** The items that come or go in lists which mean the same without them. */
function idleLines(sides: Sides, lists: readonly Path[]): readonly string[] {
  const once = new Map(lists.map((path) => [formatPath(path), path]));
  return [...once.values()].flatMap((path) => {
    const { field } = fieldAt(sides.root, path);
    const [old, now] = sidesAt(sides, path);
    if (!(field instanceof ListField) || holdsHidden(old) || holdsHidden(now)) return [];
    return idleParts(field, items(old), items(now)).map((part) =>
      lineAt([...path, ...(part.path.length === 1 ? [] : part.path)], partText(part), sameMeaning),
    );
  });
}

/** What the program spells in another way, except for places that other lines tell. */
function respelledLines({ root, before, after }: Sides, told: readonly Path[]): readonly string[] {
  // Items correspond in another way here, and a place that is hidden on one side must not be shown by the other.
  const others = [...told, ...maskedPaths(before), ...maskedPaths(after)].map(aboveItems);
  return differences(root, after, before, () => false)
    .filter(({ path }) => !overlaps(path, others))
    .map(({ path, actual, desired }) => lineAt(path, changeText(actual, desired), sameMeaning));
}
