import fc, { type Arbitrary } from "fast-check";
import type { Path } from "../../dist/provider/schema/walk.js";
import { isZero, type Json } from "./equivalence.js";

/** A rule of the service about the objects of one shape. */
export interface Rule {
  readonly says: string;
  readonly holds: (value: Json) => boolean;
  /** The object with the least change that makes the rule hold. */
  readonly mend: (value: Json) => Json;
  /** The object with the rule broken, and where the service puts the blame, seen from the object. */
  readonly broken: (value: Json) => readonly { readonly value: Json; readonly at: Path }[];
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
export function needs(field: string, fallback: unknown, { blame = [field] as Path, blanks = true } = {}): Rule {
  return {
    says: `needs ${field}`,
    holds: (value) => !isBlank(value[field]),
    mend: (value) => ({ ...value, [field]: fallback }),
    broken: (value) => [
      { value: without(value, field), at: blame },
      ...(typeof fallback === "string" ? [{ value: { ...value, [field]: "" }, at: blame }] : []),
      ...(blanks && typeof fallback === "string" ? [{ value: { ...value, [field]: " \n" }, at: blame }] : []),
    ],
    always: [field],
  };
}

/** If the field is set, it holds one of these. */
export const among = (field: string, good: readonly string[], bad: readonly string[]): Rule => ({
  says: `${field} is one of its kind`,
  holds: (value) => isZero(value[field]) || good.includes(value[field]),
  mend: (value) => without(value, field),
  broken: (value) => bad.map((each) => ({ value: { ...value, [field]: each }, at: [field] })),
  drawn: { [field]: fc.constantFrom(...good) },
});

/** The number is inside its range. */
export const inside = (
  field: string,
  numbers: Arbitrary<number>,
  isGood: (number: number) => boolean,
  bad: readonly number[],
): Rule => ({
  says: `${field} is in its range`,
  holds: (value) => isGood(value[field] ?? 0),
  mend: (value) => ({ ...value, [field]: 50 }),
  broken: (value) => bad.map((each) => ({ value: { ...value, [field]: each }, at: [field] })),
  drawn: { [field]: numbers },
});

/** Exactly one of the fields is set. Texts are set if they are not zero, objects if they are there. */
export function exactlyOne(
  fallbacks: Readonly<Record<string, unknown>>,
  {
    orNone = () => false,
    makeNone = (value) => value,
  }: { readonly orNone?: (value: Json) => boolean; readonly makeNone?: (value: Json) => Json } = {},
): Rule {
  const names = Object.keys(fallbacks);
  const set = (value: Json) => names.filter((name) => !isZero(value[name]));
  const [first = "", second = ""] = names;
  return {
    says: `exactly one of ${names.join(", ")}`,
    holds: (value) => set(value).length === 1 || (set(value).length === 0 && orNone(value)),
    mend: (value) => {
      const [kept] = set(value);
      if (kept === undefined) return { ...value, [first]: fallbacks[first] };
      return without(value, ...set(value).filter((name) => name !== kept));
    },
    broken: (value) => {
      const more = set(value).length === 0 ? [first, second] : names.filter((name) => isZero(value[name])).slice(0, 1);
      return [
        { value: makeNone(without(value, ...names)), at: [] },
        { value: { ...value, ...Object.fromEntries(more.map((name) => [name, fallbacks[name]])) }, at: [] },
      ];
    },
    alternatives: names,
  };
}

export const rule = (says: string, facts: Omit<Rule, "says">): Rule => ({ says, ...facts });

/** If the text is set, it is more than white space. */
export const notBlank = (field: string): Rule => ({
  says: `${field} is not blank`,
  holds: (value) => isZero(value[field]) || !isBlank(value[field]),
  mend: (value) => without(value, field),
  broken: (value) => [{ value: { ...value, [field]: " " }, at: [field] }],
});

/** No item of the list is blank. */
export const noneBlank = (field: string): Rule => ({
  says: `no item of ${field} is blank`,
  holds: (value) => (value[field] ?? []).every((each: unknown) => !isBlank(each)),
  mend: (value) => ({ ...value, [field]: value[field].filter((each: unknown) => !isBlank(each)) }),
  broken: (value) =>
    ["", " "].map((each) => ({
      value: { ...value, [field]: [...(value[field] ?? []), each] },
      at: [field, (value[field] ?? []).length],
    })),
});

/** If the text is set, it has this form. */
export const shaped = (field: string, form: RegExp, good: Arbitrary<string>, bad: readonly string[]): Rule => ({
  says: `${field} has its form`,
  holds: (value) => isZero(value[field]) || form.test(value[field]),
  mend: (value) => without(value, field),
  broken: (value) => bad.map((each) => ({ value: { ...value, [field]: each }, at: [field] })),
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
    ["elsewhere", "https://", "ftp://hook.example.com", "https://two words"],
  );

export const url = (field: string) => urlOf(field, word);
/** A URL that carries credentials: long enough to be struck from a message without garbling it. */
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
    ["team", "@example.com", "team@", "a@b, c"],
  );

/** Regular expressions that every dialect compiles. */
export const compiles = (
  field: string,
  isExpression: (value: Json) => boolean,
  asExpression: (value: Json) => Json,
): Rule => ({
  says: `${field} compiles`,
  holds: (value) => !isExpression(value) || /^(?:[\w-]|\.\*)*$/.test(value[field] ?? ""),
  mend: (value) => ({ ...value, [field]: "eu-.*" }),
  broken: (value) =>
    ["(", "a**", "[z-a]", "(?!a)"].map((each) => ({ value: { ...asExpression(value), [field]: each }, at: [field] })),
});

/** A map whose keys are names of labels. */
export const labeled = (field: string): Rule => {
  const isName = (key: string) => isVisible(key) && key !== "__name__";
  return {
    says: `the keys of ${field} are labels`,
    holds: (value) => Object.keys(value[field] ?? {}).every(isName),
    mend: (value) => ({
      ...value,
      [field]: Object.fromEntries(Object.entries(value[field]).filter(([key]) => isName(key))),
    }),
    broken: (value) =>
      ["", "__name__"].map((key) => ({ value: { ...value, [field]: { [key]: "a" } }, at: [field, key] })),
  };
};

/** A map whose keys can be seen. */
export const entitled = (field: string): Rule => ({
  ...labeled(field),
  broken: (value) => [{ value: { ...value, [field]: { " ": "a" } }, at: [field, " "] }],
});

/** Label filters of PromQL. */
export const labelFilters = (field: string): Rule =>
  shaped(
    field,
    /^\w+=~?"[a-z0-9]*"$/,
    word.map((value) => `region="${value}"`),
    ["region=", 'region="a" env="b"', 'region=~"("'],
  );

interface Promql {
  /** Variables that are declared may stand in it. */
  readonly variables?: boolean;
  /** Anything may stand in it. */
  readonly templates?: boolean;
  /** Fields that may not be set beside it. */
  readonly besides?: readonly string[];
}

/** PromQL that variables or templates may stand in. */
export const promql = (field: string, { variables = false, templates = false, besides = [] }: Promql = {}): Rule => {
  const declared = (value: Json): string[] => (value.variables ?? []).map((each: Json) => each.name);
  const named = (value: Json) => /\$(\w+)/.exec(value[field] ?? "")?.[1];
  return {
    says: `${field} is PromQL`,
    holds: (value) =>
      isZero(value[field]) ||
      (/^(?:[a-z_]+|sum\([a-z_]+\)|[a-z_]+\{(?:\$\w+|region="[a-z0-9]*")\} > \d+)$/.test(value[field]) &&
        (named(value) === undefined || declared(value).includes(named(value) ?? ""))),
    mend: (value) => ({ ...value, [field]: "up" }),
    broken: (value) =>
      [
        ...["up up", "sum(up", "rate(up[5m]", "rate(up)", "topk(up)", 'up{a=~"("}'],
        ...(templates ? [] : variables ? ["up{$undeclared}"] : ["up{$scope}"]),
      ].map((each) => ({ value: { ...without(value, ...besides), [field]: each }, at: [field] })),
    drawn: {
      [field]: fc.oneof(
        fc.constantFrom("up", "sum(up)", "errors_total"),
        word.map((region) => `up{region="${region}"} > 1`),
        ...(variables ? [fc.constant("up{$scope} > 2")] : []),
      ),
    },
  };
};

/** Label matchers: none twice, and none that no series fulfils beside another. */
export const matchers = (field: string): Rule => ({
  says: `${field} can hold together`,
  holds: (value) => new Set((value[field] ?? []).map((each: Json) => each.name)).size === (value[field] ?? []).length,
  mend: (value) => ({
    ...value,
    [field]: [...new Map(value[field].map((each: Json) => [each.name, each] as const)).values()],
  }),
  broken: (value) => [
    { value: { ...value, [field]: Array(2).fill({ name: "a", type: "EXACT", value: "b" }) }, at: [field, 1] },
    {
      value: { ...value, [field]: ["b", "c"].map((each) => ({ name: "a", type: "EXACT", value: each })) },
      at: [field, 1],
    },
  ],
});

/** Numbers of 0 or more, the first not above the second. */
export const range = (from: string, to: string): Rule[] => [
  ...[from, to].map((field) =>
    inside(field, fc.double({ min: 0, max: 1e6, noNaN: true }), (number) => number >= 0, [-1]),
  ),
  rule(`${from} is not above ${to}`, {
    holds: ({ [from]: least = 0, [to]: most = 0 }) => most === 0 || least <= most,
    mend: (value) => ({ ...value, [from]: value[to], [to]: value[from] }),
    broken: (value) => [{ value: { ...value, [from]: 2, [to]: 1 }, at: [] }],
  }),
];
