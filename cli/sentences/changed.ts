import { ListField, type ObjectField } from "../../provider/schema/field";
import type { Effect } from "../../provider/schema/effect";
import { aboveItems, formatPath, isWithin, overlaps, type Path } from "../../provider/schema/walk";
import { differences } from "../../provider/values/differences";
import { grouped } from "../../provider/base/grouped";
import { unknown } from "../../provider/values/unknown";
import { items, type JsonObject } from "../../provider/wire/json";
import { count, cutLine, listed, plainly } from "../output/words";
import type { Change } from "../preview/stackPreview";
import { classOf } from "./classes";
import { effectAt, effectsAt, fieldAt } from "./effects";
import { isPromql } from "../promql/canonical";
import { comparable } from "../equality/comparable";
import { rulesOf } from "./kinds/index";
import { isRewritten, normalForm } from "../equality/equivalence";
import { idleParts, leafPath, only, type Part, differingParts, programPath, shownPath } from "../equality/parts";
import type { LocatedFinding } from "./risk";
import { holdsHidden, shownAt } from "../equality/hidden";
import { maskedPaths, type SecretPlaces } from "../preview/secrets";
import { changeText, valueText } from "./values";

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

export const sameMeaning = "means the same as before";

/**
 * The consequences of a difference between two declarations, and a line for each place that differs, with the reason if it
 * has no consequence. The kind's rules have the best sentences. A difference that no rule covers is reported by the effect
 * of its field, so every difference is reported. Declarations that mean the same have no lines.
 */
export function comparisonOf(
  { kind, changedSecrets, unsureSecrets, unknowns }: Known,
  before: JsonObject,
  after: JsonObject,
  textLabels: TextLabels = new Set(),
  isTarget: (label: unknown) => boolean = () => false,
) {
  const { root, name } = kind;
  const rules = rulesOf(name);
  const normal = normalForm(root, after);
  const { before: old, after: now } = comparable(root, normalForm(root, before), normal);
  const isRead = (path: Path, effect: Effect) => isText(path, effect, textLabels);
  const parts = differingParts(root, old, now).map((part) => {
    const path = shownPath(programPath(root, part.path, after, normal));
    const leaves = part.leaves.map((leaf) => leafPath(part, leaf));
    // The items of a list that one side leaves out or empties are those of its default.
    const list = aboveItems(part.path);
    const [old, now] = [shownAt(before, list), shownAt(after, list)];
    const isWhole = list.length < part.path.length && isLeftOut(old) !== isLeftOut(now);
    const isWritten = list.length === part.path.length && !part.isOrder;
    const text = isWritten ? changeText(old ?? part.before, now ?? part.after) : textOf(part);
    const line = isWhole ? ([list, changeText(old, now)] as const) : ([path, text] as const);
    const rewritten = rewrittenAt(root, part.path, before, after);
    return { path, leaves, line, rewritten, places: placesIn(root, part, path, isRead) };
  });
  const written = { before, after, hidden: [...changedSecrets, ...unsureSecrets, ...unknowns] };
  const own = parts.length === 0 ? [] : rules.changed(old, now, written);
  const idle = rules.same?.(old, now, written) ?? [];
  const reported = [...own.flatMap(({ at }) => at), ...idle.map(([at]) => at)];
  const differenceAt = (path: Path) => changeText(shownAt(before, path), shownAt(after, path));
  const hidden = [
    ...hiddenPlaces(root, changedSecrets, differenceAt),
    ...hiddenPlaces(root, unsureSecrets, (path) =>
      [before, after].every((side) => shownAt(side, path) !== undefined)
        ? "may have changed (secret)"
        : differenceAt(path),
    ),
    ...hiddenPlaces(root, unknowns, (path) => changeText(shownAt(before, path), unknown)),
  ];
  const open = parts.flatMap(({ places }) => places).filter(({ at }) => !at.some((path) => isWithin(path, reported)));
  const risky = [...open, ...hidden].filter(({ path, effect }) => !isRead(path, effect));
  // A label that may name who is notified is not one of the "more places".
  const isFirst = ({ path, effect }: Place) =>
    effect === "label" && (path.at(-1) === "notifier" || [before, after].some((side) => isTarget(shownAt(side, path))));
  const inOrder = risky.length > 1 ? [...risky].sort((a, b) => Number(isFirst(b)) - Number(isFirst(a))) : risky;
  const findings = [...own, ...findingsOf(inOrder, rules.end?.(old, now))];

  const covered = findings.flatMap(({ at }) => at);
  const reasonOf = ({ leaves, places }: (typeof parts)[number]) => {
    if (leaves.some((leaf) => overlaps(leaf, covered))) return undefined;
    if (places.length === 0) return "text only";
    return idle.find(([at]) => leaves.some((leaf) => isWithin(leaf, [at])))?.[1] ?? sameMeaning;
  };
  const lists = new Map(parts.map(({ line: [path] }) => [formatPath(aboveItems(path)), aboveItems(path)]));
  const unused = [...lists.values()].flatMap((path) => {
    const { field } = fieldAt(root, path);
    const [old, now] = [shownAt(before, path), shownAt(after, path)];
    if (!(field instanceof ListField) || holdsHidden(old) || holdsHidden(now)) return [];
    return idleParts(field, items(old), items(now)).map((part) =>
      lineAt([...path, ...(part.path.length === 1 ? [] : part.path)], textOf(part), sameMeaning),
    );
  });
  const lines = [
    ...[...grouped(parts, ({ rewritten }) => rewritten && formatPath(rewritten)).values()].flatMap((some) => {
      const at = some[0]?.rewritten;
      if (at === undefined) return some.map((part) => lineAt(...part.line, reasonOf(part)));
      const reasons = some.map(reasonOf);
      return writtenIn(root, at, before, after)
        .filter((line) => !unused.includes(lineAt(...line, sameMeaning)))
        .map((line) => lineAt(...line, reasons.includes(undefined) ? undefined : reasons[0]));
    }),
    ...hidden.map(({ path, effect, text }) => lineAt(path, text, isRead(path, effect) ? "text only" : undefined)),
  ];
  // Items correspond in another way here, and a place that is hidden on one side must not be shown by the other.
  const told = [
    ...[...parts.map(({ path, rewritten = path }) => rewritten), ...hidden.map(({ path }) => path)],
    ...[...maskedPaths(before), ...maskedPaths(after)],
  ];
  const others = differences(root, after, before, () => false)
    .filter(({ path }) => !overlaps(path, told.map(aboveItems)))
    .map(({ path, actual, desired }) => lineAt(path, changeText(actual, desired), sameMeaning));
  return { findings, lines: lines.length === 0 ? [] : [...new Set([...lines, ...unused, ...others])] };
}

const isLeftOut = (list: unknown) => list === undefined || (Array.isArray(list) && list.length === 0);

const lineAt = (path: Path, text: string, reason?: string) =>
  cutLine(`${plainly(formatPath(path))}: ${text}${reason === undefined ? "" : ` (${reason})`}`);

/** The value around a place that the normal form writes in another way than the program; undefined if there is none. */
const rewrittenAt = (root: ObjectField, path: Path, before: JsonObject, after: JsonObject) =>
  [...path.keys(), path.length]
    .map((length) => path.slice(0, length))
    .find((at) => {
      const sides = [shownAt(before, at), shownAt(after, at)];
      const isOnBoth = sides.every((each) => !isLeftOut(each) && !holdsHidden(each));
      // Items have other indexes in the program.
      return isOnBoth && !at.some(Number.isInteger) && isRewritten(fieldAt(root, at).field);
    });

/** The differences within a value, as the program has it. */
function writtenIn(root: ObjectField, path: Path, before: JsonObject, after: JsonObject) {
  const { field } = fieldAt(root, path);
  const now = shownAt(after, path);
  return differingParts(field, shownAt(before, path), now).map(
    (part) => [[...path, ...shownPath(programPath(field, part.path, now, now))], textOf(part)] as const,
  );
}

const isText = (path: Path, effect: Effect, textLabels: TextLabels) =>
  effect === "text" || (effect === "label" && textLabels.has(String(path.at(-1))));

/** `"a" → "b"`, `"c" added` */
function textOf({ path, before, after, isOrder }: Part): string {
  if (isOrder) return "reordered";
  const isItem = typeof path.at(-1) === "number";
  if (isItem && before === undefined) return `${valueText(after)} added`;
  return isItem && after === undefined ? `${valueText(before)} removed` : changeText(before, after);
}

/** The places of a part, one for each effect in it. */
function placesIn(
  root: ObjectField,
  part: Part,
  shown: Path,
  isRead: (path: Path, effect: Effect) => boolean,
): readonly Place[] {
  const { path, before, after, isOrder, leaves } = part;
  const effectOf = (leaf: Path) => effectAt(root, isOrder ? path : [...path, ...leaf]);
  const others = leaves.filter((leaf) => !isRead([...path, ...leaf], effectOf(leaf)));
  return [...grouped(others, effectOf)].map(([effect, leaves]) => ({
    path: shown,
    effect,
    text: `${textOf({ ...part, before: only(before, leaves), after: only(after, leaves) })}${unreadText(root, path, after)}`,
    at: leaves.map((leaf) => leafPath(part, leaf)),
  }));
}

const unreadText = (root: ObjectField, path: Path, value: unknown) =>
  typeof value === "string" && fieldAt(root, path).field.options.format === "promql" && !isPromql(value)
    ? ", which can't be read as PromQL"
    : "";

const hiddenPlaces = (root: ObjectField, paths: readonly Path[], textAt: (path: Path) => string) =>
  paths.flatMap((path) =>
    [...effectsAt(root, path)].map((effect): Place => ({ path, effect, text: textAt(path), at: [path] })),
  );

/** How many places a sentence names, and its length in characters: a longer sentence is cut. */
const [most, longest] = [3, 260];

/** One finding for all places with the same consequence: that of their class, or one of the kind's rules. */
function findingsOf(places: readonly Place[], common?: string): readonly LocatedFinding[] {
  const groups = grouped(places, ({ effect }) => classOf[effect]?.end);
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
