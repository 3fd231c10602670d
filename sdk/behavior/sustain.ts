import { type Condition, holds } from "./conditions";
import type { Block } from "./ticks";

/** A time in which something fires; without an end it still does. */
export interface ConditionFiring {
  readonly start: number;
  end?: number;
}

/** Follows one condition of one series through pending, firing and resolving (rules 3, 5 and 6). */
export class Tracker {
  #firing: ConditionFiring | undefined;
  /** Since when the comparison is true without firing yet, or false while still firing. */
  #since: number | undefined;

  /** @param firings Where it puts each firing when it begins. */
  constructor(
    private readonly condition: Condition,
    private readonly firings: ConditionFiring[],
  ) {}

  follow({ start, count, interval, presence, values, active }: Block): void {
    const condition = this.condition;
    const { sustainSecs, resolveSustainSecs } = condition;
    let firing = this.#firing;
    let since = this.#since;
    let tick = start;
    for (let i = 0; i < count; i++, tick += interval) {
      // Inactive: what fires ends, and what was pending is forgotten (rule 8).
      const isActive = active === undefined || active[i] === 1;
      // Both casts are safe: the index is below the count.
      const isHeld = isActive && holds(condition, values[i] as number, presence[i] as number);
      if (isHeld === (firing !== undefined)) {
        since = undefined;
        continue;
      }
      since ??= tick;
      if (firing === undefined) {
        if (tick - since < sustainSecs) continue;
        firing = { start: tick };
        this.firings.push(firing);
      } else {
        if (isActive && tick - since < resolveSustainSecs) continue;
        firing.end = tick;
        firing = undefined;
      }
      since = undefined;
    }
    this.#firing = firing;
    this.#since = since;
  }
}
