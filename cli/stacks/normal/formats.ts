import type { Format, ListField } from "../../../provider/schema/field";
import { meaningKey } from "../../../provider/values/equal";
import type { JsonObject } from "../../../provider/wire/json";
import type * as types from "../../../sdk/types.gen";
import { canonicalFilters, canonicalPromql } from "../../promql/canonical";
import { withoutImplied } from "./conditions";
import { inOneOrder } from "./overrides";
import { inOneSpelling } from "./schedule";
import { canonicalZone } from "./zones";

type Items = readonly unknown[];

// The casts hold: the provider has checked the types, and what holds a hidden value is not brought here.

/** One spelling of a text for all that mean the same, by its format. */
export const texts: Readonly<Partial<Record<Format, (text: string) => string>>> = {
  timeZone: canonicalZone,
  promql: canonicalPromql,
  labelFilters: canonicalFilters,
};

/** One form of a list for all that mean the same, by its format. Its items have one form already. */
export const lists: Readonly<Partial<Record<Format, (items: Items, field: ListField) => Items>>> = {
  set: (items, { item }) => [...new Map(items.map((each) => [meaningKey(item, each), each])).values()],
  anyCondition: (items) => withoutImplied(items as readonly types.Condition[]),
  firstMatch: (items, { item }) =>
    inOneOrder(items as readonly types.ConditionsOverride[], (each) => meaningKey(item, each)),
};

/** One form of an object for all that mean the same, by its format; undefined if it says nothing. */
export const objects: Readonly<Partial<Record<Format, (value: JsonObject) => unknown>>> = {
  schedule: (value) => inOneSpelling(value as types.Schedule),
};
