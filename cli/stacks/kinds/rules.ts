import type { Path } from "../../../provider/schema/walk";
import type { Resources } from "../../../sdk/standards/resources.gen";
import { gone } from "../parts";
import type { Direction, LocatedFinding, RiskClass } from "../risk";

/** What is known of a kind beyond its schema: which of its changes matter to people, and how. */
export interface KindRules<Resource = unknown> {
  /** What ends if an object is removed. */
  readonly removed: string;
  /**
   * What the difference of two declarations means, in better words than its fields' meanings have. Both have their defaults
   * written out. What differs at a path of which no sentence speaks is reported by the field's meaning.
   */
  changed(before: Resource, after: Resource): readonly LocatedFinding[];
  /** Where both declarations provably mean the same, although they are spelled differently. */
  same?(before: Resource, after: Resource): readonly Path[];
}

export const rulesFor = <Name extends keyof Resources>(_kind: Name, rules: KindRules<Resources[Name]>): KindRules =>
  rules as KindRules; // the caller passes declarations of that kind

/** Rules of a kind of which the fields' meanings say enough. */
export const removing = (removed: string): KindRules => ({ removed, changed: () => [] });

type Paths = readonly Path[];

/** Findings of which each speaks of these paths, too. */
export const located = (at: Paths, findings: readonly LocatedFinding[]): readonly LocatedFinding[] =>
  findings.map((finding) => ({ ...finding, at: [...at, ...finding.at] }));

/** A number that can be seen; an absent one means 0. Undefined for a secret or a value that is not known yet. */
const numberOf = (value: number | undefined): number | undefined => {
  const seen: unknown = value ?? 0; // the engine puts texts in the place of numbers that it hides
  return typeof seen === "number" ? seen : undefined;
};

/** The direction of a number that makes people hear less the larger it is; undefined if it stays. */
export function growing(before: number | undefined, after: number | undefined): Direction | undefined {
  const [old, now] = [numberOf(before), numberOf(after)];
  if (old === undefined || now === undefined) return before === after ? undefined : "unclear";
  if (old === now) return undefined;
  return now > old ? "laxer" : "stricter";
}

/** A finding if there is a direction: `laxer` counts for unclear too, so that nobody misses it. */
export const loosening = (direction: Direction, text: string, at: Paths = []) => classed("laxer", direction, text, at);

/** The same with what comes of it in each direction; none without a direction. */
export const tending = (
  direction: Direction | undefined,
  text: string,
  ends: Readonly<Record<Direction, string>>,
  at: Paths = [],
): readonly LocatedFinding[] =>
  direction === undefined ? [] : [loosening(direction, `${text}: ${ends[direction]}`, at)];

/** A finding of a class, which is `stricter` the other way. */
export const classed = (riskClass: RiskClass, direction: Direction, text: string, at: Paths = []): LocatedFinding => ({
  class: direction === "stricter" ? "stricter" : riskClass,
  direction,
  text,
  at,
});

/** Pairs the items of two lists that have the same key, then what is left by the next key. */
export function matched<T>(
  before: readonly T[],
  after: readonly T[],
  ...keys: readonly ((item: T) => string | undefined)[]
) {
  const pairs: (readonly [old: T, now: T])[] = [];
  const added = [...after];
  const removed = keys.reduce<readonly T[]>(
    (left, keyOf) =>
      left.filter((old) => {
        const at = added.findIndex((now) => keyOf(now) === keyOf(old));
        pairs.push(...added.splice(at, at < 0 ? 0 : 1).map((now) => [old, now] as const));
        return at < 0;
      }),
    before,
  );
  return { pairs, removed, added };
}

/** The paths of items that are in a list before a change, and after it. */
export const itemPaths = <T>(list: Path, before: readonly T[], after: readonly T[]) => ({
  was: (item: T): Path => [...list, gone(before.indexOf(item))],
  is: (item: T): Path => [...list, after.indexOf(item)],
});
export type ItemPaths<T> = ReturnType<typeof itemPaths<T>>;
