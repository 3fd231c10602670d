import type { ObjectField } from "../../provider/schema/field";
import type { Effect } from "../../provider/schema/effect";
import { formatPath, isWithin, type Path } from "../../provider/schema/walk";
import { append, grouped } from "../../provider/values/grouped";
import { unknown } from "../../provider/values/unknown";
import type { JsonObject } from "../../provider/wire/json";
import { count, listed, plainly } from "../report/words";
import type { Change } from "../preview/stackPreview";
import { classOf } from "./classes";
import { effectAt, effectsAt } from "./effects";
import { comparable } from "../equality/comparable";
import { rulesOf } from "./kinds/index";
import { normalForm } from "../equality/equivalence";
import { leafPath, only, type Part, differingParts, programPath, shownPath } from "../equality/parts";
import type { LocatedFinding } from "./risk";
import { shownAt } from "../equality/hidden";
import type { SecretPlaces } from "../preview/secrets";
import { changeText } from "./values";

/** The labels that are only text for people. */
export type TextLabels = ReadonlySet<string>;

/** Facts about a change in addition to its two sides. */
type Known = Pick<Change, "kind" | keyof SecretPlaces | "unknowns">;

/** A place in a declaration, and its difference. */
interface Place {
  readonly path: Path;
  readonly effect: Effect;
  readonly text: string;
  /** The paths of all values in it that have this effect. */
  readonly at: readonly Path[];
}

/**
 * The consequences of a difference between two declarations. The kind's rules have the best sentences. A difference that
 * no rule covers is reported by the effect of its field, so every difference is reported.
 */
export function changedFindings(
  { kind, changedSecrets, unsureSecrets, unknowns }: Known,
  before: JsonObject,
  after: JsonObject,
  textLabels: TextLabels = new Set(),
): readonly LocatedFinding[] {
  const { root, name } = kind;
  const rules = rulesOf(name);
  const normal = normalForm(root, after);
  const { before: old, after: now } = comparable(root, normalForm(root, before), normal);
  const parts = differingParts(root, old, now);
  const differenceAt = (path: Path) => changeText(shownAt(before, path), shownAt(after, path));
  const findings = parts.length === 0 ? [] : rules.changed(old, now);
  const reported = [...findings.flatMap(({ at }) => at), ...(rules.same?.(old, now) ?? [])];
  const places = [
    ...parts
      .flatMap((part) => placesIn(root, part, textLabels, (path) => programPath(root, path, after, normal)))
      .filter(({ at }) => !at.some((path) => isWithin(path, reported))),
    ...hiddenPlaces(root, changedSecrets, differenceAt),
    ...hiddenPlaces(root, unsureSecrets, (path) =>
      [before, after].every((side) => shownAt(side, path) !== undefined)
        ? "may have changed (secret)"
        : differenceAt(path),
    ),
    ...hiddenPlaces(root, unknowns, (path) => changeText(shownAt(before, path), unknown)),
  ];
  const risky = places.filter(({ path, effect }) => !isText(path, effect, textLabels));
  return [...findings, ...findingsOf(risky, rules.end?.(old, now))];
}

const isText = (path: Path, effect: Effect, textLabels: TextLabels) =>
  effect === "text" || (effect === "label" && textLabels.has(String(path.at(-1))));

/** The places of a part, one for each effect in it. */
function placesIn(
  root: ObjectField,
  part: Part,
  textLabels: TextLabels,
  inProgram: (path: Path) => Path,
): readonly Place[] {
  const { path, before, after, isOrder, leaves } = part;
  const effectOf = (leaf: Path) => effectAt(root, isOrder ? path : [...path, ...leaf]);
  const others = leaves.filter((leaf) => !isText([...path, ...leaf], effectOf(leaf), textLabels));
  return [...grouped(others, effectOf)].map(([effect, leaves]) => ({
    path: shownPath(inProgram(path)),
    effect,
    text: isOrder ? "reordered" : changeText(only(before, leaves), only(after, leaves)),
    at: leaves.map((leaf) => leafPath(part, leaf)),
  }));
}

const hiddenPlaces = (root: ObjectField, paths: readonly Path[], textAt: (path: Path) => string) =>
  paths.flatMap((path) =>
    [...effectsAt(root, path)].map((effect): Place => ({ path, effect, text: textAt(path), at: [path] })),
  );

/** How many places a sentence names, and its length in characters: a longer sentence is cut. */
const [most, longest] = [3, 260];

/** One finding for all places with the same consequence: that of their class, or one of the kind's rules. */
function findingsOf(places: readonly Place[], common?: string): readonly LocatedFinding[] {
  const groups = new Map<string, Place[]>();
  for (const place of places) {
    const end = classOf[place.effect]?.end;
    if (end !== undefined) append(groups, end, place);
  }
  return [...groups.values()].flatMap((group): readonly LocatedFinding[] => {
    const told = group[0] && classOf[group[0].effect];
    if (told === undefined) return [];
    const texts = group.map(({ path, text }) => `${plainly(formatPath(path))} ${text}`);
    const room = texts.findIndex((_, i) => i === most || (i > 0 && texts.slice(0, i + 1).join().length > longest));
    const shown = room < 0 ? texts : texts.slice(0, room);
    const rest = texts.length - shown.length;
    const sentence = `${listed([...shown, ...(rest > 0 ? [count(rest, "more place")] : [])])}: ${common ?? told.end}`;
    return [{ class: told.class, direction: "unclear", text: sentence, at: group.flatMap(({ at }) => at) }];
  });
}
