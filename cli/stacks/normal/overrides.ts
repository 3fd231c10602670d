import type * as types from "../../../sdk/types.gen";
import { canMeet } from "./matchers";

type Override = types.ConditionsOverride;

/**
 * The overrides in one order of all that mean the same: two that a series can both match stay as they are to each other,
 * because the first holds. One that says the same as the one right before it says nothing.
 * @param keyOf The same text for overrides that mean the same.
 */
export function inOneOrder(overrides: readonly Override[], keyOf: (override: Override) => string): readonly Override[] {
  const open = new Set(
    overrides.map((override, i) => {
      const first = new Set(overrides.slice(0, i).filter((before) => meet(before, override)));
      return { override, key: keyOf(override), first };
    }),
  );
  const ordered: { readonly override: Override; readonly key: string }[] = [];
  while (open.size > 0) {
    const free = [...open].filter(({ first }) => first.size === 0);
    const next = free.reduce((least, each) => (each.key < least.key ? each : least));
    open.delete(next);
    for (const { first } of open) first.delete(next.override);
    if (next.key !== ordered.at(-1)?.key) ordered.push(next);
  }
  return ordered.map(({ override }) => override);
}

const meet = ({ labelMatchers: some = [] }: Override, { labelMatchers: others = [] }: Override) =>
  canMeet(some, others);
