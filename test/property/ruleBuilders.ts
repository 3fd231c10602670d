import fc, { type Arbitrary } from "fast-check";
import { isZero, type Json } from "./equivalence.js";

/** A rule of the service about the objects of one shape. */
export interface Rule {
  readonly holds: (value: Json) => boolean;
  /** The object with the least change that makes the rule hold. */
  readonly mend: (value: Json) => Json;
  /** Fields that the rule wants there, and what their values are drawn from, if types do not tell. */
  readonly always?: readonly string[];
  readonly drawn?: Readonly<Record<string, Arbitrary<unknown>>>;
  /** Fields of which exactly one is there, or in addition none. */
  readonly alternatives?: readonly string[];
  readonly orNone?: boolean;
}

export const without = (value: Json, ...fields: readonly string[]) =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !fields.includes(name)));

/** At least one letter, digit, sign or symbol that every font shows. */
const isVisible = (text: string) => /[^\s\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);
const isBlank = (value: unknown) => isZero(value) || (typeof value === "string" && !isVisible(value));

/** The field is there, not zero and not blank. */
export const needs = (field: string, fallback: unknown): Rule => ({
  holds: (value) => !isBlank(value[field]),
  mend: (value) => ({ ...value, [field]: fallback }),
  always: [field],
});

/** If the field is set, it holds one of these. */
export const among = (field: string, good: readonly string[]): Rule => ({
  holds: (value) => isZero(value[field]) || good.includes(value[field]),
  mend: (value) => without(value, field),
  drawn: { [field]: fc.constantFrom(...good) },
});

/** The number is inside its range. */
export const inside = (field: string, numbers: Arbitrary<number>, isGood: (number: number) => boolean): Rule => ({
  holds: (value) => isGood(value[field] ?? 0),
  mend: (value) => ({ ...value, [field]: 50 }),
  drawn: { [field]: numbers },
});

/** Exactly one of the fields is set. Texts are set if they are not zero, objects if they are there. */
export function exactlyOne(
  fallbacks: Readonly<Record<string, unknown>>,
  mayBeNone: (value: Json) => boolean = () => false,
): Rule {
  const names = Object.keys(fallbacks);
  const set = (value: Json) => names.filter((name) => !isZero(value[name]));
  const [first = ""] = names;
  return {
    holds: (value) => set(value).length === 1 || (set(value).length === 0 && mayBeNone(value)),
    mend: (value) => {
      const [kept] = set(value);
      if (kept === undefined) return { ...value, [first]: fallbacks[first] };
      return without(value, ...set(value).filter((name) => name !== kept));
    },
    alternatives: names,
  };
}

/** If the text is set, it is more than white space. */
export const notBlank = (field: string): Rule => ({
  holds: (value) => isZero(value[field]) || !isBlank(value[field]),
  mend: (value) => without(value, field),
});

/** No item of the list is blank. */
export const noneBlank = (field: string): Rule => ({
  holds: (value) => (value[field] ?? []).every((each: unknown) => !isBlank(each)),
  mend: (value) => ({ ...value, [field]: value[field].filter((each: unknown) => !isBlank(each)) }),
});

/** If the text is set, it has this form. */
export const shaped = (field: string, form: RegExp, good: Arbitrary<string>): Rule => ({
  holds: (value) => isZero(value[field]) || form.test(value[field]),
  mend: (value) => without(value, field),
  drawn: { [field]: good },
});

const word = fc.stringMatching(/^[a-z0-9]{1,8}$/);

const urlOf = (field: string, words: Arbitrary<string>): Rule =>
  shaped(
    field,
    /^https?:\/\/[\w.-]+(?::\d+)?(?:\/\S*)?$/,
    fc.oneof(
      words.map((each) => `https://hook.example.com/${each}`),
      words.map((each) => `http://${each}.test:8080`),
    ),
  );

export const url = (field: string) => urlOf(field, word);
/** A URL that carries credentials: long enough to be redacted from a message without garbling it. */
export const secretUrl = (field: string) =>
  urlOf(
    field,
    word.map((end) => `secret-${end}`),
  );

export const addresses = (field: string): Rule =>
  shaped(
    field,
    /^[\w ]*<?\w+@[\w.]+>?(?:, \w+@[\w.]+)*$/,
    fc.oneof(
      word.map((name) => `${name}@example.com`),
      word.map((name) => `The ${name} <${name}@example.com>`),
      word.map((name) => `a@example.com, ${name}@localhost`),
    ),
  );

/** Regular expressions that every dialect compiles. */
export const compiles = (field: string, isExpression: (value: Json) => boolean): Rule => ({
  holds: (value) => !isExpression(value) || /^(?:[\w-]|\.\*)*$/.test(value[field] ?? ""),
  mend: (value) => ({ ...value, [field]: "eu-.*" }),
});

/** A map whose keys are names of labels. */
export const labeled = (field: string): Rule => {
  const isName = (key: string) => isVisible(key) && key !== "__name__";
  return {
    holds: (value) => Object.keys(value[field] ?? {}).every(isName),
    mend: (value) => ({
      ...value,
      [field]: Object.fromEntries(Object.entries(value[field]).filter(([key]) => isName(key))),
    }),
  };
};

/** Label filters of PromQL. */
export const labelFilters = (field: string): Rule =>
  shaped(
    field,
    /^\w+=~?"[a-z0-9]*"$/,
    word.map((value) => `region="${value}"`),
  );

/** PromQL. @param more Texts that are PromQL once variables are put in. */
export const promql = (field: string, ...more: readonly Arbitrary<string>[]): Rule => {
  const declared = (value: Json): string[] => (value.variables ?? []).map((each: Json) => each.name);
  const named = (value: Json) => /\$(\w+)/.exec(value[field] ?? "")?.[1];
  return {
    holds: (value) =>
      isZero(value[field]) ||
      (/^(?:[a-z_]+|sum\([a-z_]+\)|[a-z_]+\{(?:\$\w+|region="[a-z0-9]*")\} > \d+)$/.test(value[field]) &&
        (named(value) === undefined || declared(value).includes(named(value) ?? ""))),
    mend: (value) => ({ ...value, [field]: "up" }),
    drawn: {
      [field]: fc.oneof(
        fc.constantFrom("up", "sum(up)", "errors_total"),
        word.map((region) => `up{region="${region}"} > 1`),
        ...more,
      ),
    },
  };
};

/** The items of a list have different keys, or none. */
export const once = (field: string, keyOf: (item: Json) => unknown): Rule => {
  const unique = (items: readonly Json[] = []) =>
    items.filter((item, i) => {
      const key = keyOf(item);
      return key === undefined || items.findIndex((other) => keyOf(other) === key) === i;
    });
  return {
    holds: (value) => unique(value[field]).length === (value[field] ?? []).length,
    mend: (value) => ({ ...value, [field]: unique(value[field]) }),
  };
};

/** Numbers of 0 or more, the first not above the second. */
export const range = (from: string, to: string): Rule[] => [
  ...[from, to].map((field) => inside(field, fc.double({ min: 0, max: 1e6, noNaN: true }), (number) => number >= 0)),
  {
    holds: ({ [from]: least = 0, [to]: most = 0 }) => most === 0 || least <= most,
    mend: (value) => ({ ...value, [from]: value[to], [to]: value[from] }),
  },
];
