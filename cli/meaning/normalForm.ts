import type { Field, FieldOptions, ListField, Shape } from "../../provider/schema/field";
import { isZero, equivalenceKey, isEquivalent } from "../../provider/values/equal";
import { assembled } from "../../provider/values/leaves";
import { isObject, type JsonObject } from "../../provider/wire/json";
import { canonicalPattern } from "../promql/pattern";
import { listForms, objectForms, textForms } from "./formats";
import { holdsHidden, isHidden } from "./hidden";

/**
 * The normal form of a value: with every default of the schema, and one spelling and order where several are equivalent.
 * An object that is left out stays absent: its defaults apply only inside of it.
 * @param beside The object that the value is in.
 */
export function normalForm(field: Field, value: unknown, beside?: JsonObject): unknown {
  if (typeof value !== "object" || value === null) return newNormalForm(field, value, beside);
  // A comparison asks again at each level.
  const ofField = known.get(field) ?? new WeakMap<object, unknown>();
  known.set(field, ofField);
  if (!ofField.has(value)) ofField.set(value, newNormalForm(field, value));
  return ofField.get(value);
}

const known = new WeakMap<Field, WeakMap<object, unknown>>();

function newNormalForm(field: Field, value: unknown, beside: JsonObject = {}): unknown {
  if (isHidden(value)) return value;
  const { defaultValue, format } = field.options;
  const isLeftOut = isZero(value) || (Array.isArray(value) && value.length === 0);
  const said = isLeftOut && defaultValue !== undefined ? defaultValue : value;
  return field.visit<unknown>({
    scalar: ({ options }) => (typeof said === "string" ? textForm(options, said, beside) : said),
    map: () => said,
    list: (list) => (Array.isArray(said) ? listForm(list, said) : said),
    object: ({ shape }) => {
      if (!isObject(said)) return said;
      const once = saidOnce(shape, said);
      const parts = shape.members.map(({ name, field: inner }) => [name, normalForm(inner, once[name], once)] as const);
      const normal = assembled(field, parts) as JsonObject; // of an object
      const form = format && objectForms[format];
      return form === undefined || holdsHidden(normal) ? normal : form(normal);
    },
  });
}

/** An object in which a field that is a second form of another field is moved there. If the two differ, both stay. */
function saidOnce({ fields }: Shape, said: JsonObject): JsonObject {
  return Object.entries(fields).reduce((all, [name, { options }]) => {
    if (options.sameAs === undefined) return all;
    const { [name]: value, ...rest } = all;
    const [outer, inner] = options.sameAs;
    const place = rest[outer] ?? {};
    if (isZero(value) || !isObject(place)) return all;
    if (!isZero(place[inner]) && place[inner] !== value) return all;
    return { ...rest, [outer]: { ...place, [inner]: value } };
  }, said);
}

function textForm({ format, patternIf }: FieldOptions, text: string, beside: JsonObject): string {
  const [name = "", values = []] = patternIf ?? [];
  if (values.some((each) => each === beside[name])) return canonicalPattern(text);
  return (format && textForms[format]?.(text)) ?? text;
}

function listForm(field: ListField, said: readonly unknown[]): readonly unknown[] {
  const { item, options } = field;
  const normal = said.map((each) => normalForm(item, each));
  const form = options.format && listForms[options.format];
  const items = form === undefined || holdsHidden(normal) ? normal : form(normal, field);
  if (options.unordered !== true) return items;
  return items
    .map((each) => [equivalenceKey(item, each), each] as const)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, each]) => each);
}

/** Whether two declarations are equivalent, however each is spelled. */
export const isEquivalentInReview = (field: Field, a: unknown, b: unknown) =>
  isEquivalent(field, a, b) || isEquivalent(field, normalForm(field, a), normalForm(field, b));
