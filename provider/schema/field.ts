import type { Effect } from "./effect";
import { snakeCase } from "./names";

/**
 * How a value is read, beyond its type: two spellings with the same reading are equivalent. The provider reads only durations,
 * settings and schedules, because it must write what the program declares. A review reads all formats.
 */
export type ValueFormat =
  /** A string like `1d`. Other spellings of the same duration, like `24h`, are equivalent. */
  | "duration"
  /** An expression in PromQL. */
  | "promql"
  /** The label matchers of a PromQL selector, without its braces: `region="eu", job=~"api.*"`. */
  | "labelFilters"
  /** A list in which a repeated item has no effect. */
  | "set"
  /** Conditions of which any one fires: a condition that another one implies has no effect. */
  | "anyCondition"
  /** Overrides of which the first matching one applies: the order of two without a common series has no effect. */
  | "firstMatch"
  /** The times of a week. Without any it has no effect. */
  | "schedule"
  /** A comparison, which may have a value that it ignores. */
  | "condition"
  /** A label's matcher: a pattern without special characters is an exact value. */
  | "matcher"
  /** E-mail addresses or tags, separated by commas. */
  | "addresses"
  /** Settings: an object without values has no effect, unlike `error: {}` of a filter, which selects spans without errors. */
  | "settings";

/** A field's properties beyond its type. Most are documentation. */
export interface FieldOptions<Value = unknown> {
  /** The unit of a number or the format of a string, such as `seconds` or `HH:MM`. */
  readonly unit?: string;
  /** The default in words. Not needed if `defaultValue` is clear as text. */
  readonly default?: string;
  /** The default as a value: the value of a setting, or the one in the service's answers. */
  readonly defaultValue?: NoInfer<Value>;
  /** When the reference service requires the field: `always`, or a condition. */
  readonly required?: string;
  /**
   * Values seen in practice. Enumerations are open: any other string is allowed, with a warning in the preview.
   */
  readonly suggestions?: readonly string[];
  /** The only values allowed. For our own settings: the service's enumerations are open. */
  readonly values?: readonly Value[];
  /**
   * `value`: encrypted in state; the service never shows it in plain text.
   * `url`: encrypted in state, because such URLs contain credentials; the service shows it in plain text.
   */
  readonly secret?: "value" | "url";
  /** The name of the kind whose slug this string is. */
  readonly refersTo?: string;
  /** Whether people name such a value and use it in several objects. A generated program then does the same. */
  readonly shared?: boolean;
  /** Whether the order of a list's items has no meaning, so that another order is no difference. */
  readonly unordered?: boolean;
  /** The field's effect for the people who rely on notifications; by default that of the field around it. */
  readonly effect?: Effect;
  /** Ends of further names under which the data is found, if the string is a name with the effect `publishes`. */
  readonly suffixes?: readonly string[];
  readonly format?: ValueFormat;
  /** The path of the equivalent field, from the enclosing object. */
  readonly sameAs?: readonly [field: string, inner: string];
  /** The string is a pattern if the sibling field of this name has one of these values. */
  readonly patternIf?: readonly [field: string, values: readonly string[]];
  /** The setting whose entries the class, or without one the plugin, adds to this map; a key that the program gives wins. */
  readonly defaultsFrom?: string;
  /** The name on the wire, if it is not the snake_case form of the field's name. */
  readonly wire?: string;
}

/** One function per shape of value, so that none is forgotten. Code about a single shape tests for its class. */
interface FieldCases<R> {
  scalar(field: ScalarField): R;
  list(field: ListField): R;
  map(field: MapField): R;
  object(field: ObjectField): R;
}

/** A field of a kind's schema. The classes below are the four shapes that its value can have. */
export abstract class Field<Value = unknown> {
  constructor(
    readonly description: string,
    readonly options: FieldOptions<Value> = {},
  ) {}

  /** The default, for documentation. */
  get defaultText(): string | undefined {
    const { default: text, defaultValue } = this.options;
    return text ?? (defaultValue === undefined ? undefined : String(defaultValue));
  }

  /** Calls the case of this field's shape. */
  abstract visit<R>(cases: FieldCases<R>): R;
}

/** The type of a field's value; unknown in an object. */
export type ValueOf<F> = F extends Field<infer Value> ? Value : never;

/** The scalar types, and their names in messages. */
const nouns = { string: "a string", boolean: "a boolean", number: "a number", integer: "a whole number" } as const;

/** A string, boolean or number. */
export class ScalarField<Value = unknown> extends Field<Value> {
  constructor(
    readonly type: keyof typeof nouns,
    description: string,
    options?: FieldOptions<Value>,
    /** Whether it is the item of a list or a map: a zero is data there, and elsewhere the same as no value. */
    readonly isItem = false,
  ) {
    super(description, options);
  }

  /** `a whole number`, in messages. */
  get noun(): string {
    return nouns[this.type];
  }

  visit<R>(cases: FieldCases<R>): R {
    return cases.scalar(this);
  }
}

/** An array of values of one type. */
export class ListField<Item = unknown> extends Field<readonly Item[]> {
  readonly item: Field<Item>;

  constructor(item: Field<Item>, description: string, options?: FieldOptions<readonly Item[]>) {
    super(description, options);
    this.item = item instanceof ScalarField ? new ScalarField(item.type, item.description, item.options, true) : item;
  }

  visit<R>(cases: FieldCases<R>): R {
    return cases.list(this);
  }
}

type Entries = Readonly<Record<string, string>>;

/** A map of strings, whose keys the user chooses. */
export class MapField extends Field<Entries> {
  /** One value of the map. Each value of a secret map is a secret. */
  readonly item: ScalarField;

  constructor(description: string, options: FieldOptions<Entries> = {}) {
    super(description, options);
    this.item = new ScalarField("string", "", options.secret === undefined ? {} : { secret: options.secret }, true);
  }

  visit<R>(cases: FieldCases<R>): R {
    return cases.map(this);
  }
}

/** A field with its two names. */
export interface Member {
  readonly name: string;
  /** The name on the wire: `start_hh_mm` for `startHhMm`. */
  readonly wireName: string;
  readonly field: Field;
}

/** A named set of fields. */
export class Shape {
  readonly members: readonly Member[];

  constructor(
    readonly name: string,
    readonly description: string,
    readonly fields: Readonly<Record<string, Field>>,
    /** Fields to suggest for keys that people often write here by mistake. */
    readonly instead: Readonly<Record<string, string>> = {},
  ) {
    this.members = Object.entries(fields).map(([name, field]) => {
      return { name, wireName: field.options.wire ?? snakeCase(name), field };
    });
  }
}

/** A nested object of a named shape. */
export class ObjectField extends Field {
  constructor(
    readonly shape: Shape,
    description: string,
    options?: FieldOptions,
  ) {
    super(description, options);
  }

  visit<R>(cases: FieldCases<R>): R {
    return cases.object(this);
  }
}

export const string = <const Value extends string | boolean = string>(
  description: string,
  options?: FieldOptions<Value>,
) => new ScalarField("string", description, options);
export const boolean = (description: string, options?: FieldOptions<boolean>) =>
  new ScalarField("boolean", description, options);
export const number = (description: string, options?: FieldOptions<number>) =>
  new ScalarField("number", description, options);
export const integer = (description: string, options?: FieldOptions<number>) =>
  new ScalarField("integer", description, options);
export const list = <Item>(item: Field<Item>, description: string, options?: FieldOptions<readonly Item[]>) =>
  new ListField(item, description, options);
export const map = (description: string, options?: FieldOptions<Entries>) => new MapField(description, options);
export const shape = (
  name: string,
  description: string,
  fields: Readonly<Record<string, Field>>,
  instead?: Readonly<Record<string, string>>,
) => new Shape(name, description, fields, instead);
/** A nested object. Its description defaults to the shape's. */
export const object = (of: Shape, description: string = of.description, options?: FieldOptions) =>
  new ObjectField(of, description, options);
