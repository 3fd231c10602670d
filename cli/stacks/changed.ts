import type { Field, ObjectField } from "../../provider/schema/field";
import type { Meaning } from "../../provider/schema/meaning";
import { formatPath, isWithin, objectWith, type Path } from "../../provider/schema/walk";
import { unknown } from "../../provider/values/unknown";
import { isObject, type JsonObject } from "../../provider/wire/json";
import { count, listed, plainly } from "../report/words";
import type { Change } from "./changes";
import { toldAs } from "./classes";
import { comparable, meaningsAt } from "./hidden";
import { rulesOf } from "./kinds/index";
import { meansTheSame, withDefaults } from "./meaning";
import { type Part, partsOf, type TextLabels, withAt } from "./parts";
import type { Finding } from "./risk";
import { shownAt } from "./places";
import type { SecretPlaces } from "./secrets";
import { arrow } from "./values";
import { append } from "../../provider/values/grouped";

/** What can be known of a change beside its two sides. */
type Known = Pick<Change, "kind" | keyof SecretPlaces | "unknowns">;

/** A place that no rule has told. */
interface Untold {
  readonly path: Path;
  readonly meaning: Meaning;
  /** What happens there. */
  readonly words: string;
}

/**
 * What a difference between two declarations means. The kind's rules tell it in the best words. Each part that they do not
 * tell is told by the meaning of its field, so nothing but equality is silent.
 */
export function changedFindings(
  { kind, changedSecrets, unsureSecrets, unknowns }: Known,
  before: JsonObject,
  after: JsonObject,
  textLabels: TextLabels = new Set(),
): readonly Finding[] {
  const { root, name } = kind;
  const rules = rulesOf(name);
  const seen = comparable(root, withDefaults(root, before), withDefaults(root, after));
  const now = settled(root, seen.before, seen.after);
  const same = rules.same?.(seen.before, now) ?? [];
  const parts = partsOf(root, seen.before, now, textLabels).filter(({ path }) => !isWithin(path, same));
  const found = parts.length === 0 ? [] : rules.changed(seen.before, now);
  const isTold = (part: Part) =>
    found.some(({ covers = [] }) => isWithin(part.path, covers)) ||
    // A sentence that would be the same without the difference does not tell it.
    !areSame(found, rules.changed(seen.before, withAt(now, part.without.path, part.without.value) ?? {}));
  const open = parts.filter((part) => part.meaning !== "text" && !(found.length > 0 && isTold(part)));
  const untold = [
    ...open.map(({ path, meaning, isOrder, ...sides }): Untold => {
      return { path, meaning, words: isOrder ? "in another order" : arrow(sides.before, sides.after) };
    }),
    ...hiddenPlaces(root, changedSecrets, () => "changed (secret)", textLabels),
    ...hiddenPlaces(root, unsureSecrets, () => "may have changed (secret)", textLabels),
    ...hiddenPlaces(root, unknowns, (path) => arrow(shownAt(before, path), unknown), textLabels),
  ];
  return [...found, ...findingsOf(untold)];
}

/** The later side, spelled as the earlier one wherever both mean the same: rules see only differences. */
function settled(field: Field, before: unknown, after: unknown): unknown {
  if (meansTheSame(field, before, after)) return before;
  const asItIs = () => after;
  return field.visit<unknown>({
    scalar: asItIs,
    list: asItIs,
    map: asItIs,
    object: ({ shape }) =>
      isObject(before) && isObject(after)
        ? objectWith(shape, (inner, name) => settled(inner, before[name], after[name]))
        : after,
  });
}

const areSame = (a: readonly Finding[], b: readonly Finding[]) => JSON.stringify(a) === JSON.stringify(b);

const hiddenPlaces = (
  root: ObjectField,
  paths: readonly Path[],
  wordsAt: (path: Path) => string,
  textLabels: TextLabels,
) =>
  paths.flatMap((path) =>
    [...meaningsAt(root, path)]
      .filter((meaning) => meaning !== "label" || !textLabels.has(String(path.at(-1))))
      .map((meaning): Untold => ({ path, meaning, words: wordsAt(path) })),
  );

/** How many places a sentence tells one by one, and in how many letters: a longer sentence is cut. */
const [most, longest] = [3, 260];

/** One finding for all places of which the same is to be said. */
function findingsOf(untold: readonly Untold[]): readonly Finding[] {
  const groups = new Map<string, Untold[]>();
  for (const each of untold) {
    const end = toldAs[each.meaning]?.end;
    if (end !== undefined) append(groups, end, each);
  }
  return [...groups.values()].flatMap((group): readonly Finding[] => {
    const told = group[0] && toldAs[group[0].meaning];
    if (told === undefined) return [];
    const texts = group.map(({ path, words }) => `${plainly(formatPath(path))} ${words}`);
    const room = texts.findIndex((_, i) => i === most || (i > 0 && texts.slice(0, i + 1).join().length > longest));
    const shown = room < 0 ? texts : texts.slice(0, room);
    const rest = texts.length - shown.length;
    const places = [...shown, ...(rest > 0 ? [count(rest, "more place")] : [])];
    return [{ class: told.class, direction: "unclear", text: `${listed(places)}: ${told.end}` }];
  });
}
