import fc from "fast-check";
import type { Field } from "../../dist/provider/schema/field.js";
import type { Kind } from "../../dist/provider/schema/kind.js";
import type { Path } from "../../dist/provider/schema/walk.js";
import { configurationOf } from "./configurations.js";
import { at, isObject, isZero, type Json, isEquivalent, withoutSecrets } from "./equivalence.js";
import { type Manner, manners } from "./proxy.js";

/** What one trial of a kind's differences is drawn from. */
export const trialOf = (kind: Kind) =>
  fc.record({
    config: configurationOf(kind),
    other: configurationOf(kind),
    choice: fc.nat(),
    spelling: fc.integer(),
    manner: manners,
    givesSlug: fc.boolean(),
  });

const masks: readonly unknown[] = ["**REDACTED**", "*****", "****"];

/** Without what this manner of answering hides. */
export const withoutMasked = (root: Field, config: Json, { secrets, urls }: Manner): Json =>
  withoutSecrets(root, config, ({ options: { secret } }) => (secret === "url" ? urls : secrets) !== "clear");

/** Whether one of two places is the other, or around it. */
export const overlaps = (a: Path, b: Path) => a.slice(0, b.length).join("\n") === b.slice(0, a.length).join("\n");

/** Whether a map's key is empty or ends with a backslash: of such a difference the provider says that there is one, and leaves nothing open. */
export const hasUnnameableKey = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  Object.entries(value).some(([key, each]) => key === "" || key.endsWith("\\") || hasUnnameableKey(each));

/** Of each item of an unordered list, the place of the one that means the same, else one that is left. */
function partners(item: Field, list: readonly unknown[], others: readonly unknown[]): (number | undefined)[] {
  const left = new Set(others.keys());
  const take = (index: number | undefined) => {
    if (index !== undefined) left.delete(index);
    return index;
  };
  const same = list.map((each) => take([...left].find((i) => sameItem(item, each, others[i]))));
  return same.map((index) => index ?? take([...left][0]));
}

const sameItem = (item: Field, a: unknown, b: unknown) => (isObject(a) ? isEquivalent(item, a, b) : a === b);

/**
 * Whether an edit leaves open which items of an unordered list correspond, so that what the service fills in in them
 * could be shown or not.
 */
export function isOpen(field: Field, before: any, after: any, { fillsIn }: Manner): boolean {
  if (fillsIn === undefined || isEquivalent(field, before, after)) return false;
  const enter = (inner: Field, a: any, b: any) => isOpen(inner, a, b, { fillsIn } as Manner);
  return field.visit<boolean>({
    scalar: () => false,
    map: () => false,
    list: ({ item, options }) => {
      const [was, is]: [unknown[], unknown[]] = [before ?? [], after ?? []];
      return options.unordered
        ? Math.max(was.length, is.length) > 1 && [...was, ...is].some(isObject)
        : is.some((each, i) => enter(item, was[i], each));
    },
    object: ({ shape }) =>
      Object.entries(shape.fields).some(([name, inner]) => enter(inner, before?.[name], after?.[name])),
  });
}

/** Whether an answer does not show a secret: it is not managed, or masked. Left out or empty, a secret may as well be masked; a URL is not. */
const isHidden = (secret: "value" | "url" | undefined, mine: unknown, after: unknown): boolean =>
  secret !== undefined && (mine === undefined || (isZero(after) ? secret === "value" : masks.includes(after)));

/**
 * What is managed once somebody has changed the object from `before` to `after`, both as answered: the managed value
 * if nothing changed, the new one if something did, and never a secret if none is managed.
 */
export function merged(field: Field, mine: any, before: any, after: any): any {
  if (isEquivalent(field, before, after)) return mine;
  return field.visit<unknown>({
    scalar: ({ options }) => (isHidden(options.secret, mine, after) ? mine : after),
    map: ({ item }) => {
      const keys = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
      const isHere = (key: string) => isHidden(item.options.secret, at(mine, [key]), at(after, [key]));
      const changed = [...keys].filter((key) => at(before, [key]) !== at(after, [key]) && !isHere(key));
      const kept = Object.entries((mine ?? {}) as Json).filter(([key]) => !changed.includes(key));
      const there = changed.filter((key) => at(after, [key]) !== undefined).map((key) => [key, after[key]] as const);
      return Object.fromEntries([...kept, ...there]);
    },
    list: ({ item, options }) => {
      const [ours, was, is]: [unknown[], unknown[], unknown[]] = [mine ?? [], before ?? [], after ?? []];
      if (ours.length !== was.length) return withoutSecrets(field, after);
      const places = options.unordered ? partners(item, is, was) : [...is.keys()];
      return is.map((each, position) => {
        const i = places[position] ?? was.length;
        if (i >= was.length) return withoutSecrets(item, each);
        return isObject(each) ? merged(item, ours[i], was[i], each) : each === was[i] ? ours[i] : each;
      });
    },
    object: ({ shape }) => {
      if (!isObject(after)) {
        // An answer may leave out settings that have only secrets.
        const shown = withoutSecrets(field, before, ({ options }) => options.secret === "value");
        return isEquivalent(field, shown, after) ? mine : undefined;
      }
      if (!isObject(mine)) {
        const [was, is] = [before, after].map((each: unknown) => withoutSecrets(field, each));
        return isEquivalent(field, was, is) ? mine : is;
      }
      return Object.fromEntries(
        Object.entries(shape.fields).map(([name, inner]) => [
          name,
          merged(inner, mine[name], before?.[name], after[name]),
        ]),
      );
    },
  });
}
