import type { Path } from "../../../provider/schema/walk";
import type { Resources } from "../../../sdk/standards/resources.gen";
import type { Direction, Finding, RiskClass } from "../risk";

/** What is known of a kind beyond its schema: which of its changes matter to people, and how. */
export interface KindRules<Resource = unknown> {
  /** What ends if an object is removed. */
  readonly removed: string;
  /**
   * What the difference of two declarations means, in better words than its fields' meanings have. Both have their defaults
   * written out. What these sentences do not tell is told by the fields' meanings.
   */
  changed(before: Resource, after: Resource): readonly Finding[];
  /** Where both declarations provably mean the same, although they are spelled differently. */
  same?(before: Resource, after: Resource): readonly Path[];
}

export const rulesFor = <Name extends keyof Resources>(_kind: Name, rules: KindRules<Resources[Name]>): KindRules =>
  rules as KindRules; // the caller passes declarations of that kind

/** Rules of a kind of which the fields' meanings say enough. */
export const removing = (removed: string): KindRules => ({ removed, changed: () => [] });

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
export const loosening = (direction: Direction, text: string) => classed("laxer", direction, text);

/** The same with what comes of it in each direction; none without a direction. */
export const tending = (
  direction: Direction | undefined,
  text: string,
  ends: Readonly<Record<Direction, string>>,
): readonly Finding[] => (direction === undefined ? [] : [loosening(direction, `${text}: ${ends[direction]}`)]);

/** A finding of a class, which is `stricter` the other way. */
export const classed = (riskClass: RiskClass, direction: Direction, text: string): Finding => ({
  class: direction === "stricter" ? "stricter" : riskClass,
  direction,
  text,
});

/** Removes what is in both lists, as often as it is in both. */
export function withoutCommon<T>(
  left: readonly T[],
  right: readonly T[],
  keyOf: (item: T) => string,
): readonly [readonly T[], readonly T[]] {
  const only = (side: readonly T[], other: readonly T[]) => {
    const left = new Map<string, number>();
    for (const each of other) left.set(keyOf(each), (left.get(keyOf(each)) ?? 0) + 1);
    return side.filter((each) => {
      const count = left.get(keyOf(each)) ?? 0;
      left.set(keyOf(each), count - 1);
      return count <= 0;
    });
  };
  return [only(left, right), only(right, left)];
}
