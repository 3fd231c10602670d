import type { Path } from "../../../provider/schema/walk";
import type { Resources } from "../../../sdk/standards/resources.gen";
import { entries } from "../../../provider/wire/json";
import { isHidden } from "../../meaning/hidden";
import { valueText } from "../values";
import { gone } from "../../meaning/parts";
import type { Direction, LocatedFinding, RiskClass } from "../risk";

/** The rules of a kind beyond its schema: the consequences of its changes for the people who rely on alerts. */
export interface KindRules<Resource = unknown> {
  /** The consequence of removing an object. */
  readonly removed: string;
  /** Whether people may be notified more often without the object. */
  readonly isRemovalUnclear?: boolean;
  /** Why an object notifies nobody, so that its removal has no effect, either; undefined if it may notify. */
  idle?(resource: Resource): string | undefined;
  /** Whether it may fire because a query finds nothing, whatever the query is. */
  firesWithoutData?(resource: Resource): boolean;
  /** What fires, and when; only of a kind that alerts. The resource lacks hidden lists and objects, which `written` has. */
  alerting?(resource: Resource, written: Resource): AlertingText;
  /** How it delivers notifications, with the people that it names: `email: "a@example.com"`; only of a kind that delivers. */
  delivers?(resource: Resource): readonly string[];
  /** Where the object loses data; undefined if it doesn't. */
  gap?(resource: Resource): string | undefined;
  /**
   * The consequences of a difference between two declarations, in better words than the fields' effects have. Both have
   * their defaults written out. A difference at a path that no finding covers is reported by the field's effect.
   */
  changed(before: Resource, after: Resource, written: Written<Resource>): readonly LocatedFinding[];
  /** Places of which the findings say everything, and why another difference there has no effect. */
  same?(
    before: Resource,
    after: Resource,
    written: Written<Resource>,
  ): readonly (readonly [at: Path, reason: string])[];
}

/** What a rule may have to know of a difference beyond the normal forms. */
export interface Written<Resource> {
  /** The declarations as the program has them. */
  readonly before: Resource;
  readonly after: Resource;
  /** Where they may differ in hidden values, which are equal in the normal forms. */
  readonly hidden: readonly Path[];
}

/** Queries by field, conditions as in a review, and the severities of the signals, highest first. */
export interface AlertingText {
  readonly queries: readonly (readonly [field: string, text: string])[];
  readonly conditions: readonly string[];
  readonly severities: readonly string[];
  /** Each alert with its severity, and with its labels beyond those of the object. They may be hidden. */
  readonly alerts: readonly { readonly severity?: unknown; readonly labels?: unknown }[];
}

/** The fields that have a text, with it. */
export const textsAt = (value: object | undefined, fields: readonly string[]): AlertingText["queries"] =>
  fields.flatMap((field) => {
    const text: unknown = entries(value)[field];
    return text === undefined || text === "" ? [] : [[field, isHidden(text) ? `(${valueText(text)})` : String(text)]];
  });

export const rulesFor = <Name extends keyof Resources>(_kind: Name, rules: KindRules<Resources[Name]>): KindRules =>
  rules as KindRules; // the caller passes declarations of that kind

/** Rules of a kind whose fields' effects are enough. Who queries its data may fire for want of it. */
export const removing = (removed: string): KindRules => ({ removed, isRemovalUnclear: true, changed: () => [] });

/** The end of a sentence about an object that sends no notification. */
export const unheard = "nobody is notified, before and after";

/** The findings with another consequence, which is unclear. */
export const ending = (end: string, findings: readonly LocatedFinding[]): readonly LocatedFinding[] =>
  findings.map((each) => ({ ...each, direction: "unclear", text: each.text.replace(/(?:: [^:]*)?$/, `: ${end}`) }));

/** The findings about an object that notifies nobody on a side: they have no consequence. */
export function silenced([wasSilent, isSilent]: readonly boolean[], findings: readonly LocatedFinding[]) {
  if (!wasSilent && !isSilent) return findings;
  return ending(isSilent ? (wasSilent ? unheard : "nobody is notified now") : "nobody was notified before", findings);
}

type Paths = readonly Path[];

/** A visible number; an absent one means 0. Undefined for a secret or a value that is not known yet. */
const numberOf = (value: number | undefined): number | undefined => {
  const seen: unknown = value ?? 0; // the engine replaces hidden numbers with strings
  return typeof seen === "number" ? seen : undefined;
};

/** The direction of a number that alerts less the larger it is; undefined if it is unchanged. */
export function growing(before: number | undefined, after: number | undefined): Direction | undefined {
  const [old, now] = [numberOf(before), numberOf(after)];
  if (old === undefined || now === undefined) return before === after ? undefined : "unclear";
  if (old === now) return undefined;
  return now > old ? "alerts-less" : "alerts-more";
}

/** The direction of what is lost and what is gained; undefined for neither. */
export const sided = (isLost: boolean, isGained: boolean): Direction | undefined =>
  isLost ? (isGained ? "unclear" : "alerts-less") : isGained ? "alerts-more" : undefined;

/** A finding with its consequence in each direction; none without a direction. */
export const tending = (
  riskClass: RiskClass,
  direction: Direction | undefined,
  text: string,
  ends: Readonly<Record<Direction, string>>,
  at: Paths = [],
): readonly LocatedFinding[] =>
  direction === undefined ? [] : [classed(riskClass, direction, `${text}: ${ends[direction]}`, at)];

export const classed = (riskClass: RiskClass, direction: Direction, text: string, at: Paths = []): LocatedFinding => ({
  class: riskClass,
  direction,
  text,
  at,
});

/** Pairs the items of two lists that have the same key, then the remaining items by the next key. */
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

/** The paths of items in a list before and after a change. */
export const itemPaths = <T>(list: Path, before: readonly T[], after: readonly T[]) => ({
  was: (item: T): Path => [...list, gone(before.indexOf(item))],
  is: (item: T): Path => [...list, after.indexOf(item)],
});
