import { type Field, ListField } from "../../provider/schema/field";
import type { Meaning } from "../../provider/schema/meaning";
import { meaningOf, meantScalars, type Path } from "../../provider/schema/walk";
import { paired } from "../../provider/values/pairs";
import { entries, isObject, items, keysOf } from "../../provider/wire/json";
import { meansTheSame } from "./meaning";
import { append } from "../../provider/values/grouped";

/** A part in which two declarations differ. All of it decides the same thing. */
export interface Part {
  readonly path: Path;
  readonly meaning: Meaning;
  /** What each side says there; undefined for nothing. */
  readonly before: unknown;
  readonly after: unknown;
  /** Whether only the order of a list differs. */
  readonly isOrder?: true;
  /** How the later declaration is without this difference: what it says at which place. */
  readonly without: { readonly path: Path; readonly value: unknown };
}

/** Whether a label is no more than text. */
export type TextLabels = ReadonlySet<string>;

/**
 * Every part in which two declarations differ. An object or an item that only one side has is one part for each meaning
 * in it. There is none exactly if both mean the same.
 */
export function partsOf(
  field: Field,
  before: unknown,
  after: unknown,
  textLabels: TextLabels = new Set(),
): readonly Part[] {
  const labelMeaning = (meaning: Meaning, label: string): Meaning =>
    meaning === "label" && textLabels.has(label) ? "text" : meaning;

  function differing(field: Field, around: Meaning | undefined, path: Path, before: unknown, after: unknown): Part[] {
    if (meansTheSame(field, before, after)) return [];
    const meaning = meaningOf(field, around);
    const found = field.visit<Part[]>({
      scalar: () => [],
      map: () => {
        const [left, right] = [entries(before), entries(after)];
        return keysOf(left, right)
          .filter((key) => left[key] !== right[key])
          .map((key) => {
            const place = [...path, key];
            return part(place, labelMeaning(ownMeaning(field, meaning), key), left[key], right[key]);
          });
      },
      list: (list) => inList(list, meaning, path, items(before), items(after)),
      object: ({ shape }) => {
        if (!isObject(before) || !isObject(after)) return onOneSide(field, around, path, before, after);
        return Object.entries(shape.fields).flatMap(([name, inner]) =>
          differing(inner, meaning, [...path, name], before[name], after[name]),
        );
      },
    });
    // A difference that no part of the value shows is one of the value itself.
    return found.length > 0 ? found : [part(path, ownMeaning(field, around), before, after)];
  }

  function inList(list: ListField, meaning: Meaning | undefined, path: Path, left: Items, right: Items): Part[] {
    const pairs = partners(list, left, right);
    const gone = [...left.keys()].filter((i) => !pairs.some(([, from]) => from === i));
    const found = [
      ...pairs.flatMap(([at, from]) =>
        from === undefined
          ? onOneSide(list.item, meaning, [...path, at], undefined, right[at])
          : differing(list.item, meaning, [...path, at], left[from], right[at]),
      ),
      ...gone.flatMap((from, i) =>
        onOneSide(list.item, meaning, [...path, from], left[from], undefined, [...path, right.length + i]),
      ),
    ];
    const kept = pairs.filter((pair): pair is readonly [number, number] => pair[1] !== undefined);
    const inOrder = [...kept].sort(([, a], [, b]) => a - b);
    const saidIn = (order: typeof kept) => order.map(([, from]) => left[from]);
    if (list.options.unordered || meansTheSame(list, saidIn(inOrder), saidIn(kept))) return found;
    const added = pairs.filter(([, from]) => from === undefined);
    const value = [...inOrder, ...added].map(([at]) => right[at]);
    const order = part(path, ownMeaning(list, meaning), left, right);
    return [...found, { ...order, isOrder: true, without: { path, value } }];
  }

  /** The parts of a value that the other side lacks. @param place Where it is put back, if it is gone. */
  function onOneSide(
    field: Field,
    around: Meaning | undefined,
    path: Path,
    before: unknown,
    after: unknown,
    place: Path = path,
  ): Part[] {
    const value = after ?? before;
    const within = (meaning: Meaning, isIt: boolean) =>
      only(field, around, value, (each) => (each === meaning) === isIt);
    return meaningsIn(field, around, value).map((meaning) => {
      const own = within(meaning, true);
      const isNew = before === undefined;
      return {
        path,
        meaning,
        before: isNew ? undefined : own,
        after: isNew ? own : undefined,
        without: { path: place, value: isNew ? within(meaning, false) : own },
      };
    });
  }

  function meaningsIn(field: Field, around: Meaning | undefined, value: unknown): readonly Meaning[] {
    const found = new Set<Meaning>();
    only(field, around, value, (meaning) => Boolean(found.add(meaning)));
    return [...found];
  }

  /** As much of a value as has certain meanings; undefined for nothing. */
  function only(
    field: Field,
    around: Meaning | undefined,
    value: unknown,
    isWanted: (meaning: Meaning) => boolean,
  ): unknown {
    if (value === undefined || value === null) return undefined;
    const meaning = meaningOf(field, around);
    const whole = () => (isWanted(ownMeaning(field, around)) ? value : undefined);
    const named = (all: readonly (readonly [string, unknown])[]) => {
      const kept = all.filter(([, each]) => each !== undefined);
      return kept.length === 0 ? undefined : Object.fromEntries(kept);
    };
    return field.visit<unknown>({
      scalar: whole,
      list: ({ item }) => {
        if (!Array.isArray(value) || value.length === 0) return whole();
        const kept = value.map((each) => only(item, meaning, each, isWanted)).filter((each) => each !== undefined);
        return kept.length === 0 ? undefined : kept;
      },
      map: () => {
        if (!isObject(value) || Object.keys(value).length === 0) return whole();
        const own = ownMeaning(field, around);
        return named(Object.entries(value).filter(([key]) => isWanted(labelMeaning(own, key))));
      },
      object: ({ shape }) => {
        if (!isObject(value) || Object.keys(value).length === 0) return whole();
        return named(
          Object.entries(shape.fields).map(([name, inner]) => [name, only(inner, meaning, value[name], isWanted)]),
        );
      },
    });
  }

  return differing(field, undefined, [], before, after);
}

type Items = readonly unknown[];

const part = (path: Path, meaning: Meaning, before: unknown, after: unknown): Part => ({
  path,
  meaning,
  before,
  after,
  without: { path, value: before },
});

/** The meaning of a field as a whole: that of its first scalar, if nothing around says one. */
function ownMeaning(field: Field, around: Meaning | undefined): Meaning {
  const found = meaningOf(field, around) ?? meantScalars(field).find(({ meaning }) => meaning !== undefined)?.meaning;
  if (found === undefined) throw new Error(`the field "${field.description}" has no meaning`);
  return found;
}

/** For each item of a list the index of the earlier list's item that it corresponds to; undefined for a new one. */
function partners(
  list: ListField,
  left: Items,
  right: Items,
): readonly (readonly [at: number, from: number | undefined])[] {
  const positions = new Map<unknown, number[]>();
  right.forEach((each, at) => append(positions, each, at));
  // Items correspond by what they say: those of an ordered list may have moved.
  return paired(new ListField(list.item, "", { unordered: true }), right, left)
    .map(([each, from]) => [positions.get(each)?.shift() ?? 0, from < left.length ? from : undefined] as const)
    .sort(([a], [b]) => a - b);
}

/** The value with another one at a place: nothing takes the place away, and what is empty then around it. */
export function withAt(value: unknown, [step, ...rest]: Path, other: unknown): unknown {
  if (step === undefined) return other;
  if (typeof step === "number") {
    const list = Array.isArray(value) ? [...(value as Items)] : [];
    const inner = withAt(list[step], rest, other);
    if (inner === undefined) list.splice(step, 1);
    else list.splice(step, 1, inner);
    return list;
  }
  const all = entries(value);
  const inner = withAt(all[step], rest, other);
  const others = Object.entries(all).filter(([key]) => key !== step);
  if (inner !== undefined) return Object.fromEntries([...others, [step, inner]]);
  return others.length === 0 && step in all ? undefined : Object.fromEntries(others);
}
