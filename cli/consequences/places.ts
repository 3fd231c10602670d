import type { Effect } from "../../provider/schema/effect";
import type { ObjectField } from "../../provider/schema/field";
import { formatPath, type Path } from "../../provider/schema/walk";
import { grouped } from "../../provider/base/grouped";
import { unknown } from "../../provider/values/unknown";
import type { JsonObject } from "../../provider/wire/json";
import { shownAt, type SecretPlaces } from "../meaning/hidden";
import { leavesOf, only, type Part } from "../meaning/parts";
import { count, listed, plainly } from "../output/words";
import type { Change } from "../preview/stackPreview";
import { isPromql } from "../promql/canonical";
import { classOf } from "./classes";
import { effectAt, effectsAt, fieldAt } from "./effects";
import type { LocatedFinding } from "./risk";
import { changeText, valueText } from "./values";

/** Two declarations as the program has them. */
export interface Sides {
  readonly root: ObjectField;
  readonly before: JsonObject;
  readonly after: JsonObject;
}

/** What both sides have at a path. */
const sidesAt = ({ before, after }: Sides, path: Path) => [shownAt(before, path), shownAt(after, path)] as const;

/** A place in a declaration, and its difference. */
export interface ChangedPlace {
  readonly path: Path;
  readonly effect: Effect;
  readonly text: string;
  /** The paths of all values in it that have this effect. */
  readonly at: readonly Path[];
}

/** The places of a part, one for each effect in it. */
export function partPlaces(
  root: ObjectField,
  part: Part,
  shown: Path,
  isText: (path: Path, effect: Effect) => boolean,
): readonly ChangedPlace[] {
  const { path, before, after, isOrder, leaves } = part;
  const effectOf = (leaf: Path) => effectAt(root, isOrder ? path : [...path, ...leaf]);
  const others = leaves.filter((leaf) => !isText([...path, ...leaf], effectOf(leaf)));
  return [...grouped(others, effectOf)].map(([effect, leaves]) => {
    const own = { ...part, leaves, before: only(before, leaves), after: only(after, leaves) };
    return { path: shown, effect, text: `${partText(own)}${unreadText(root, path, after)}`, at: leavesOf(own) };
  });
}

/** `"a" → "b"`, `"c" added` */
export function partText({ path, before, after, isOrder }: Part): string {
  if (isOrder) return "reordered";
  const isItem = typeof path.at(-1) === "number";
  if (isItem && before === undefined) return `${valueText(after)} added`;
  return isItem && after === undefined ? `${valueText(before)} removed` : changeText(before, after);
}

const unreadText = (root: ObjectField, path: Path, value: unknown) =>
  typeof value === "string" && fieldAt(root, path).field.options.format === "promql" && !isPromql(value)
    ? ", which can't be read as PromQL"
    : "";

/** The places of hidden values that change or may change, one for each effect of a value. */
export function hiddenPlaces(
  sides: Sides,
  { changedSecrets, unsureSecrets, unknowns }: SecretPlaces & Pick<Change, "unknowns">,
): readonly ChangedPlace[] {
  const textAt = (path: Path) => changeText(...sidesAt(sides, path));
  const unsureAt = (path: Path) =>
    sidesAt(sides, path).includes(undefined) ? textAt(path) : "may have changed (secret)";
  const placesAt = (paths: readonly Path[], toText: (path: Path) => string) =>
    paths.flatMap((path) =>
      [...effectsAt(sides.root, path)].map((effect): ChangedPlace => ({
        path,
        effect,
        text: toText(path),
        at: [path],
      })),
    );
  return [
    ...placesAt(changedSecrets, textAt),
    ...placesAt(unsureSecrets, unsureAt),
    ...placesAt(unknowns, (path) => changeText(shownAt(sides.before, path), unknown)),
  ];
}

/** How many places a sentence names, and its length in characters: a longer sentence is cut. */
const [most, longest] = [3, 260];

/**
 * One finding for all places with the same consequence: that of their class, or one of the kind's rules.
 * @param ofRoutes The consequence for who is notified, if it is known.
 */
export function placeFindings(
  places: readonly ChangedPlace[],
  common?: string,
  ofRoutes?: string,
): readonly LocatedFinding[] {
  const groups = grouped(places, ({ effect }) => classOf[effect]?.end);
  return [...groups.values()].flatMap((group): readonly LocatedFinding[] => {
    const told = group[0] && classOf[group[0].effect];
    if (told === undefined) return [];
    const texts = group.map(({ path, text }) => `${plainly(formatPath(path))} ${text}`);
    const room = texts.findIndex((_, i) => i === most || (i > 0 && texts.slice(0, i + 1).join().length > longest));
    const shown = room < 0 ? texts : texts.slice(0, room);
    const rest = texts.length - shown.length;
    const sentence = `${listed([...shown, ...(rest > 0 ? [count(rest, "more place")] : [])])}: ${common ?? (told.class === "routing" ? ofRoutes : undefined) ?? told.end}`;
    return [{ class: told.class, direction: "unclear", text: sentence, at: group.flatMap(({ at }) => at) }];
  });
}
