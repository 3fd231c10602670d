/** What a field says of itself beyond its type. All of it is documentation except `secret` and `refersTo`. */
export interface FieldOptions {
  /** The unit of a number or the format of a text, e.g. `seconds` or `HH:MM`. */
  readonly unit?: string;
  /** What the reference service fills in where the field is left out. */
  readonly default?: string;
  /** That default as a value, if the service's answers show it. */
  readonly filledIn?: unknown;
  /** What the reference service asks for: `always`, or under which condition. */
  readonly required?: string;
  /**
   * Values seen in practice. Enumerations are open: any other text is allowed too. A preview warns of one that is almost
   * one of these, and says nothing of one that is unlike all of them.
   */
  readonly suggestions?: readonly string[];
  /** The only values allowed. For our own settings: the service's enumerations are open. */
  readonly values?: readonly (string | boolean)[];
  /**
   * `value`: encrypted in state and never answered in clear by the service.
   * `url`: encrypted in state, because such addresses carry credentials, but answered in clear.
   */
  readonly secret?: "value" | "url";
  /** The kind whose slug this text is. */
  readonly refersTo?: string;
  /** The name on the wire, where it is not the snake_case form of the field's name. */
  readonly wire?: string;
}

/** One function per shape of value: the only way shared code tells fields apart. */
export interface FieldCases<R> {
  scalar(field: ScalarField): R;
  list(field: ListField): R;
  map(field: MapField): R;
  object(field: ObjectField): R;
}

/** A value of a kind's schema. The classes below are the four shapes that a value can have. */
export abstract class Field {
  constructor(
    readonly description: string,
    readonly options: FieldOptions = {},
  ) {}

  /** Answers with the case of this field's shape. */
  abstract visit<R>(cases: FieldCases<R>): R;
}

/** The scalar types, and what each is called in messages. */
const nouns = { string: "a string", boolean: "a boolean", number: "a number", integer: "a whole number" } as const;

/** A text, truth value or number. */
export class ScalarField extends Field {
  constructor(
    readonly type: keyof typeof nouns,
    description: string,
    options?: FieldOptions,
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
export class ListField extends Field {
  constructor(
    readonly item: Field,
    description: string,
    options?: FieldOptions,
  ) {
    super(description, options);
  }

  visit<R>(cases: FieldCases<R>): R {
    return cases.list(this);
  }
}

/** A map from keys that the user chooses to texts. */
export class MapField extends Field {
  visit<R>(cases: FieldCases<R>): R {
    return cases.map(this);
  }
}

/** A field by its two names. */
export interface Member {
  readonly name: string;
  /** On the wire: `startHhMm` is `start_hh_mm`. */
  readonly wireName: string;
  readonly field: Field;
}

/** A named set of fields. */
export class Shape {
  #members: readonly Member[] | undefined;

  constructor(
    readonly name: string,
    readonly description: string,
    readonly fields: Readonly<Record<string, Field>>,
  ) {}

  get members(): readonly Member[] {
    this.#members ??= Object.entries(this.fields).map(([name, field]) => {
      return { name, wireName: field.options.wire ?? snakeCase(name), field };
    });
    return this.#members;
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

/** `startHhMm` → `start_hh_mm`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export const string = (description: string, options?: FieldOptions) => new ScalarField("string", description, options);
export const boolean = (description: string, options?: FieldOptions) =>
  new ScalarField("boolean", description, options);
export const number = (description: string, options?: FieldOptions) => new ScalarField("number", description, options);
export const integer = (description: string, options?: FieldOptions) =>
  new ScalarField("integer", description, options);
export const list = (item: Field, description: string, options?: FieldOptions) =>
  new ListField(item, description, options);
export const map = (description: string, options?: FieldOptions) => new MapField(description, options);
export const shape = (name: string, description: string, fields: Readonly<Record<string, Field>>) =>
  new Shape(name, description, fields);
/** A nested object; without a description of its own it carries the shape's. */
export const object = (of: Shape, description: string = of.description, options?: FieldOptions) =>
  new ObjectField(of, description, options);
