import type { ValueFormat, ListField } from "../../provider/schema/field";
import { isZero, equivalenceKey } from "../../provider/values/equal";
import type { JsonObject } from "../../provider/wire/json";
import type * as types from "../../sdk/types.gen";
import { canonicalFilters, canonicalPromql } from "../promql/canonical";
import { canonicalPattern, onlyMatch } from "../promql/pattern";
import { withoutIgnored, withoutImplied } from "./conditions";
import { inOneOrder, withoutEverything } from "./matchers";
import { inOneSpelling } from "./schedule";

type Items = readonly unknown[];

// The casts hold: the provider has checked the types, and what holds a hidden value is not brought here.

/** One spelling of a text for all that mean the same, by its format. */
export const textForms: Readonly<Partial<Record<ValueFormat, (text: string) => string>>> = {
  promql: canonicalPromql,
  labelFilters: canonicalFilters,
  addresses: canonicalAddresses,
};

/** One form of a list for all that mean the same, by its format. Its items have one form already. */
export const listForms: Readonly<Partial<Record<ValueFormat, (items: Items, field: ListField) => Items>>> = {
  set: (items, { item }) => [...new Map(items.map((each) => [equivalenceKey(item, each), each])).values()],
  anyCondition: (items) => withoutImplied(items as readonly types.Condition[]),
  firstMatch: (items, { item }) =>
    inOneOrder((items as readonly types.ConditionsOverride[]).map(withoutEverything), (each) =>
      equivalenceKey(item, each),
    ),
};

/** One form of an object for all that mean the same, by its format; undefined if it says nothing. */
export const objectForms: Readonly<Partial<Record<ValueFormat, (value: JsonObject) => unknown>>> = {
  schedule: (value) => inOneSpelling(value as types.Schedule),
  condition: (value) => withoutIgnored(value as types.Condition),
  matcher: (value) => {
    if (value.type !== "REGEX" || value.value === undefined) return value;
    const pattern = canonicalPattern(String(value.value), true);
    const only = onlyMatch(pattern);
    return only === undefined ? { ...value, value: pattern } : { ...value, type: "EXACT", value: only };
  },
  settings: (value) => (Object.values(value).every(saysNothing) ? undefined : value),
};

// Settings within were removed before if they are empty.
const saysNothing = (value: unknown) => isZero(value) || (Array.isArray(value) && value.length === 0);

/** The addresses, each once; undefined if a comma may separate nothing: in a template or in a quoted name. */
export const addressesIn = (text: string): string[] | undefined =>
  /[{}"()$\\]/.test(text) ? undefined : [...new Set(text.split(",").map((each) => each.trim()))];

function canonicalAddresses(text: string): string {
  return addressesIn(text)?.sort().join(", ") ?? text;
}
