import fc, { type Arbitrary } from "fast-check";
import type { Field, Shape } from "../../dist/provider/schema/field.js";
import { monitor } from "../../dist/provider/kinds/monitor.js";
import type { Kind } from "../../dist/provider/schema/kind.js";
import { isZero, type Json } from "./equivalence.js";
import { alternatives, drawnFor, mayLackAll } from "./drawn.js";
import { isValid, mended, requiredIn } from "./rules.js";

const awkwardKeys = [
  "a.b",
  "a/b",
  "til~de",
  "~1~0",
  "snake_case",
  "camelCase",
  "with space",
  "constructor",
  "toString",
  "__name__",
  "ключ",
  "🔑",
  "0",
  "",
  'quo"te',
  "a[0]",
];
const awkwardTexts = [
  "🦉 beyond the BMP 𝒳",
  "two\nlines",
  "a\u0000b",
  "\u2028",
  " ",
  "null",
  "0",
  "false",
  "***",
  "snake_case",
  "{{ .Values }} ${x} %s",
  "\\u0041",
  String.raw`! !\N`,
];

const text = fc.oneof(
  { weight: 3, arbitrary: fc.string({ minLength: 1, maxLength: 8 }) },
  { weight: 1, arbitrary: fc.string({ minLength: 1, maxLength: 4, unit: "grapheme" }) },
  { weight: 2, arbitrary: fc.constantFrom(...awkwardTexts) },
);
const anyText = fc.oneof({ weight: 5, arbitrary: text }, { weight: 1, arbitrary: fc.constant("") });
// Never a mask, nor so short that striking it from a message would garble the message.
const secret = fc.string({ maxLength: 6, unit: "grapheme" }).map((end) => `secret-${end}`);
const wholeNumber = fc.oneof(fc.integer(), fc.constantFrom(1, 60, -1, 2 ** 53 - 1, -(2 ** 53 - 1)));
const anyNumber = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.constantFrom(0.1 + 0.2, 1e21, 1e-7, 5e-324, Number.MAX_VALUE, -0.5),
);
const nonZero = <T>(values: Arbitrary<T>) => values.filter((value) => !isZero(value));

const scalars = { string: text, boolean: fc.constant(true), number: nonZero(anyNumber), integer: nonZero(wholeNumber) };
const zeros = { string: "", boolean: false, number: 0, integer: 0 } as const;
/** Items of arrays are data: there a zero is a value. */
const items = { string: anyText, boolean: fc.boolean(), number: anyNumber, integer: wholeNumber };

/** A map with keys that are easily mistaken for something else. */
export const someEntries: Arbitrary<Json> = fc
  .uniqueArray(fc.tuple(fc.oneof(fc.constantFrom(...awkwardKeys), text), anyText), {
    minLength: 1,
    maxLength: 3,
    selector: ([key]) => key,
  })
  .map((entries) => Object.fromEntries(entries));

/** The same without keys that the service refuses in labels and annotations. */
export const someLabels = someEntries.map((labels) => mended(monitor, { ...monitor.example, labels }).labels as Json);

/** A value that is there: no zero, not empty. */
function present(field: Field, drawn?: Arbitrary<unknown>): Arbitrary<unknown> {
  return field.visit<Arbitrary<unknown>>({
    scalar: ({ type, options }) => {
      if (drawn !== undefined) return nonZero(drawn);
      if (options.secret !== undefined) return secret;
      if (options.suggestions === undefined) return scalars[type];
      return fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(...options.suggestions) },
        { weight: 1, arbitrary: text },
      );
    },
    list: ({ item }) =>
      fc.array(
        item.visit<Arbitrary<unknown>>({
          scalar: ({ type }) => items[type],
          object: ({ shape }) => objectOf(shape),
          list: (inner) => present(inner),
          map: (inner) => present(inner),
        }),
        { minLength: 1, maxLength: 3 },
      ),
    map: () => someEntries,
    object: ({ shape }) => objectOf(shape),
  });
}

/** The spelling of "nothing" that is not absence; of objects, only settings have one. */
export function zeroOf(field: Field): unknown {
  return field.visit<unknown>({
    scalar: ({ type }) => zeros[type],
    list: () => [],
    map: () => ({}),
    object: ({ options }) => (["settings", "schedule"].includes(options.format ?? "") ? {} : undefined),
  });
}

const known = new Map<Shape, Arbitrary<Json>>();

function objectOf(shape: Shape): Arbitrary<Json> {
  const made = known.get(shape) ?? makeObject(shape);
  known.set(shape, made);
  return made;
}

function makeObject(shape: Shape): Arbitrary<Json> {
  const choice = alternatives[shape.name] ?? [];
  const always = requiredIn(shape).map(([name]) => name);
  const record = (chosen: string | undefined) => {
    const required = chosen === undefined ? always : [...always, chosen];
    const fields = Object.entries(shape.fields).flatMap(([name, field]): [string, Arbitrary<unknown>][] => {
      const zero = zeroOf(field);
      if (choice.includes(name) && name !== chosen) return zero === undefined ? [] : [[name, fc.constant(zero)]];
      const value = present(field, drawnFor(shape.name, name, field));
      if (required.includes(name) || zero === undefined) return [[name, value]];
      return [[name, fc.oneof({ weight: 3, arbitrary: value }, { weight: 1, arbitrary: fc.constant(zero) })]];
    });
    return fc.record(Object.fromEntries(fields), { requiredKeys: required, noNullPrototype: true }) as Arbitrary<Json>;
  };
  const lacksAll = choice.length === 0 || mayLackAll.includes(shape.name);
  return fc.oneof(...[...choice, ...(lacksAll ? [undefined] : [])].map((each) => record(each)));
}

/** A valid configuration of a kind: everything but the slug, which the tests give so that it is free. */
export const configurationOf = (kind: Kind): Arbitrary<Json> =>
  objectOf(kind.args)
    .map(({ slug: _, ...drawn }) => {
      const config = mended(kind, drawn);
      // Without a receiver a notifier says that it discards.
      return isValid(kind, config) ? config : { ...config, discard: true };
    })
    .filter((config) => isValid(kind, config));
