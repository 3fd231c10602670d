import { type Field, type FieldOptions, type Member, ObjectField, Shape, string } from "./field";
import { camelCase } from "./names";

/** The operations of a kind. `create` and `update` may be the same operation (PUT). */
export type Verb = "create" | "read" | "update" | "list" | "delete";

/** The five operations of the API's conventions, by method; `list` and `get` are both GET. */
export type OperationName = "post" | "list" | "get" | "put" | "delete";

/** Every operation of a kind; a singleton has no list. */
type Family = Readonly<Record<Exclude<OperationName, "list">, Operation> & { list?: Operation }>;

/** One operation of one kind: its method and path, and whether the API spec contains it. */
export interface Operation {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** The path under the base URL, with `{slug}` instead of the object's slug. */
  readonly path: string;
  /** False if it only follows the conventions of the eleven described operations: a service may lack it. */
  readonly described: boolean;
}

/** The operation of a kind that each verb uses. */
export interface Operations {
  readonly create: Operation;
  /** `get`, or `list` filtered by one slug if only that is described. */
  readonly read: Operation;
  readonly update: Operation;
  /** Absent for a singleton. */
  readonly list?: Operation;
  readonly delete: Operation;
}

interface KindDefinition {
  /** The name in the API spec and of the class. */
  readonly name: string;
  /** One sentence: what an object of this kind is. */
  readonly description: string;
  /** The kind's name in messages: `trace metrics rule`. */
  readonly title: string;
  /** The keys of one object and of several on the wire. Without `many` it is a singleton, without name and slug. */
  readonly wire: { readonly one: string; readonly many?: string };
  /** The operations of this kind in the API spec. */
  readonly described: readonly OperationName[];
  /** Whether this kind's list verifies the service's URL. True for exactly one kind. */
  readonly verifiesAddress?: boolean;
  /** Limits that a user should know, for the docs page. */
  readonly limits?: readonly string[];
  /** All fields except name, slug and the timestamps. */
  readonly fields: Readonly<Record<string, Field>>;
  /** The arguments of a complete object. */
  readonly example: Readonly<Record<string, unknown>>;
  /** What is likely a mistake in arguments that are valid, with its remedy. */
  readonly hints?: (args: Readonly<Record<string, unknown>>) => readonly string[];
}

/** A kind of the API: its fields, its operations and an example, all as data. */
export class Kind {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly wire: KindDefinition["wire"];
  readonly limits: readonly string[];
  readonly verifiesAddress: boolean;
  readonly example: KindDefinition["example"];
  readonly hints: NonNullable<KindDefinition["hints"]>;
  /** The arguments of the resource class. */
  readonly args: Shape;
  readonly root: ObjectField;
  /** The fields in addition to those by which people and programs know an object. A list of names leaves them out. */
  readonly contents: readonly Member[];
  /** Every operation of this kind, described or only by convention. */
  readonly family: Family;
  /** The operation that each verb uses. */
  readonly operations: Operations;

  constructor(definition: KindDefinition) {
    this.name = definition.name;
    this.title = definition.title;
    this.description = definition.description;
    this.wire = definition.wire;
    this.limits = definition.limits ?? [];
    this.verifiesAddress = definition.verifiesAddress ?? false;
    this.example = definition.example;
    this.hints = definition.hints ?? (() => []);
    this.args = new Shape(
      definition.name,
      definition.description,
      this.isSingleton ? definition.fields : { ...nameAndSlug(definition.title), ...definition.fields },
    );
    this.root = new ObjectField(this.args, definition.description);
    this.contents = this.args.members.filter(
      ({ field: { options } }) => options.effect !== "identity" && options.effect !== "text",
    );
    this.family = family(definition);
    this.operations = preferDescribed(this.family);
  }

  /** Whether the service has exactly one object of this kind, without name and slug. */
  get isSingleton(): boolean {
    return this.wire.many === undefined;
  }

  /** The Pulumi id of a singleton: `log-allocation-config`. */
  get singletonId(): string {
    return this.wire.one.replaceAll("_", "-");
  }

  /** The slug in an object's arguments; for a singleton, its fixed id. */
  slugOf(args: Readonly<Record<string, unknown>>): string {
    return this.isSingleton ? this.singletonId : String(args.slug ?? "");
  }

  /** An object in messages: `notifier "pager"`, or for a singleton `the log allocation config`. */
  titleOf(slug: string): string {
    return this.isSingleton ? `the ${this.title}` : `${this.title} "${slug}"`;
  }

  /** The same for an object that exists before its resource: `the existing log allocation config`. */
  existingTitleOf(slug: string): string {
    return `the existing ${this.isSingleton ? this.title : this.titleOf(slug)}`;
  }

  /** A word for one object as a word for several, by the two names on the wire: `NotificationPolicy` → `NotificationPolicies`. */
  plural(word: string): string {
    const { one, many = one } = this.wire;
    let alike = 0;
    while (alike < one.length && one[alike] === many[alike]) alike += 1;
    return word.slice(0, word.length - (one.length - alike)) + many.slice(alike);
  }

  /** `trace metrics rules`, in messages. */
  get manyTitle(): string {
    return this.plural(this.title);
  }

  /** The key of a list of objects in a program: `traceMetricsRules`. */
  get manyName(): string | undefined {
    return this.wire.many && camelCase(this.wire.many);
  }

  /** The names of its functions: `getNotifier` and `getNotifiers`; a singleton has no list. */
  get functionNames(): readonly [one: string, ...many: string[]] {
    const one = `get${this.name}`;
    return this.isSingleton ? [one] : [one, this.plural(one)];
  }

  /** Whether create is the same PUT as update, with `create_if_missing`. */
  get createsByPut(): boolean {
    return this.operations.create.method === "PUT";
  }

  /** Whether read is a list filtered by one slug. */
  get readsByList(): boolean {
    return this.operations.read === this.operations.list;
  }
}

export const kind = (definition: KindDefinition) => new Kind(definition);

const slugOptions = {
  default: "the slug prefix and the Pulumi resource name in slug form, as they were when the object was created",
  unit: "1–255 characters of a–z, A–Z, 0–9, - and _",
  effect: "identity",
} satisfies FieldOptions;

const nameAndSlug = (title: string) => ({
  name: string(`The display name of the ${title}. Two objects can have the same name.`, {
    default: "the Pulumi resource name",
    effect: "text",
  }),
  slug: string(
    `The slug that identifies the ${title}. A change of the slug replaces the ${title}: the new object is created before the old one is deleted.`,
    slugOptions,
  ),
});

const root = "/api/v1/config";

function family({ wire, described }: KindDefinition): Family {
  const all = wire.many === undefined ? root : `${root}/${wire.many.replaceAll("_", "-")}`;
  const one = wire.many === undefined ? `${root}/${wire.one.replaceAll("_", "-")}` : `${all}/{slug}`;
  const operation = (method: Operation["method"], path: string, name: OperationName): Operation => ({
    method,
    path,
    described: described.includes(name),
  });
  return {
    post: operation("POST", wire.many === undefined ? one : all, "post"),
    ...(wire.many === undefined ? {} : { list: operation("GET", all, "list") }),
    get: operation("GET", one, "get"),
    put: operation("PUT", one, "put"),
    delete: operation("DELETE", one, "delete"),
  };
}

/** Prefers described operations; uses one that only follows the conventions if there is no other. */
function preferDescribed({ post, list, get, put, delete: remove }: Family): Operations {
  return {
    // A described PUT creates too.
    create: put.described && !post.described ? put : post,
    read: !get.described && list?.described ? list : get,
    update: put,
    ...(list === undefined ? {} : { list }),
    delete: remove,
  };
}
