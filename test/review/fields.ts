import { kinds } from "../../dist/provider/kinds/index.gen.js";
import type { Field } from "../../dist/provider/schema/field.js";
import { type KindName, marks, type Trial } from "./trials/trial.js";

type Fields = Readonly<Record<string, Field>>;
type Values = readonly (readonly [field: string, value: unknown])[];

const argsOf = (name: KindName): Fields => kinds.find((kind) => kind.name === name)?.args.fields ?? {};

/** Each field by the shape that has it, wherever the shape is used: `Monitor.intervalSecs`, `Condition.value`. */
export const allFields: readonly string[] = [...new Set(kinds.flatMap(({ name, args }) => namesIn(args.fields, name)))];

function namesIn(fields: Fields, owner: string): readonly string[] {
  return Object.entries(fields).flatMap(([name, field]) => namesOf(field, `${owner}.${name}`));
}

function namesOf(field: Field, name: string): readonly string[] {
  return field.visit<readonly string[]>({
    scalar: () => [name],
    list: ({ item }) => namesOf(item, name),
    map: () => [name],
    object: ({ shape }) => namesIn(shape.fields, shape.name),
  });
}

/** The fields whose values are others after the change of a trial. */
export function changedFields({ kind, before, after }: Trial): readonly string[] {
  const [old, now] = [textsOf(valuesIn(argsOf(kind), before, kind)), textsOf(valuesIn(argsOf(kind), after, kind))];
  return allFields.filter((field) => old.get(field) !== now.get(field));
}

function textsOf(values: Values): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const [field, value] of values) texts.set(field, `${texts.get(field) ?? ""} ${JSON.stringify(value)}`);
  return texts;
}

function valuesIn(fields: Fields, marked: unknown, owner: string): Values {
  const value = plain(marked);
  if (typeof value !== "object" || value === null) return [];
  const given = value as Readonly<Record<string, unknown>>; // arguments, or an object in them
  return Object.entries(fields).flatMap(([name, field]) => valuesOf(field, given[name], `${owner}.${name}`));
}

function valuesOf(field: Field, marked: unknown, name: string): Values {
  const value = plain(marked);
  if (value === undefined) return [];
  return field.visit<Values>({
    scalar: () => [[name, value]],
    list: ({ item }) => (value as readonly unknown[]).flatMap((each) => valuesOf(item, each, name)),
    map: () => [[name, value]],
    object: ({ shape }) => valuesIn(shape.fields, value, shape.name),
  });
}

/** The value that stands in a mark. */
function plain(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const mark = marks.find((each) => each in value);
  return mark === undefined ? value : (value as Record<string, unknown>)[mark];
}
