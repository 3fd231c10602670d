import { type Field, type FieldOptions, ObjectField, Shape, string } from "./field";

/** What can be asked of a kind. `create` and `update` may be one operation (PUT). */
export type Verb = "create" | "read" | "update" | "list" | "delete";

/** The five operations that the interface has for a kind, by how they are addressed. */
export type OperationName = "post" | "list" | "get" | "put" | "delete";

/** One operation of one kind: where it is, and whether the interface document describes it. */
export interface Operation {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** The path under the base URL; `{slug}` stands for the object's slug. */
  readonly path: string;
  /** False: not among the document's eleven operations, but following their conventions. A service may lack it. */
  readonly described: boolean;
}

/** The operation that does each verb's work for a kind. */
export interface Operations {
  readonly create: Operation;
  /** By path (`get`), or through a list of one slug where only that is described. */
  readonly read: Operation;
  readonly update: Operation;
  /** Absent for a singleton. */
  readonly list?: Operation;
  readonly delete: Operation;
}

export interface KindDefinition {
  /** The document's name, which is also the class's. */
  readonly name: string;
  /** One sentence: what an object of this kind is. */
  readonly description: string;
  /** What a person calls one, in messages: `trace metrics rule`. */
  readonly title: string;
  /** The keys of one and of several on the wire; without `many` there is exactly one object, without name and slug. */
  readonly wire: { readonly one: string; readonly many?: string };
  /** The operations of this kind that the interface document describes. */
  readonly described: readonly OperationName[];
  /** Whether its list is what is asked where only the service's address is in doubt. One kind's is. */
  readonly provesAddress?: boolean;
  /** Limits that a user should know, for the docs page. */
  readonly limits?: readonly string[];
  /** All fields except name, slug and the timestamps. */
  readonly fields: Readonly<Record<string, Field>>;
  /** A complete object, once as arguments and once, typed by hand, as it stands on the wire. */
  readonly example: {
    readonly args: Readonly<Record<string, unknown>>;
    readonly wire: Readonly<Record<string, unknown>>;
  };
}

/** A kind of the interface: its fields, its operations and an example, all as data. */
export class Kind {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly wire: KindDefinition["wire"];
  readonly limits: readonly string[];
  readonly provesAddress: boolean;
  readonly example: KindDefinition["example"];
  /** The arguments of the resource class. */
  readonly args: Shape;
  readonly root: ObjectField;
  /** Every operation that the family of conventions has for this kind, by how it is addressed. */
  readonly family: Readonly<Partial<Record<OperationName, Operation>>>;
  /** The table of what does each verb's work. */
  readonly operations: Operations;

  constructor(definition: KindDefinition) {
    this.name = definition.name;
    this.title = definition.title;
    this.description = definition.description;
    this.wire = definition.wire;
    this.limits = definition.limits ?? [];
    this.provesAddress = definition.provesAddress ?? false;
    this.example = definition.example;
    this.args = new Shape(
      definition.name,
      definition.description,
      this.isSingleton ? definition.fields : { ...identity(definition.title), ...definition.fields },
    );
    this.root = new ObjectField(this.args, definition.description);
    this.family = family(definition);
    this.operations = preferDescribed(this.family);
  }

  /** True where the service has exactly one object of this kind, without name and slug. */
  get isSingleton(): boolean {
    return this.wire.many === undefined;
  }

  /** The Pulumi id of the single instance: `log-allocation-config`. */
  get singletonId(): string {
    return this.wire.one.replaceAll("_", "-");
  }

  /** True where create is the same PUT as update, with `create_if_missing`. */
  get createsByPut(): boolean {
    return this.operations.create.method === "PUT";
  }

  /** True where reading goes through a list of one slug. */
  get readsByList(): boolean {
    return this.operations.read === this.operations.list;
  }
}

export const kind = (definition: KindDefinition) => new Kind(definition);

const slugOptions = {
  default: "the slug prefix and the Pulumi resource name in slug form; it stays as created unless set here",
  unit: "1–255 characters of a–z, A–Z, 0–9, - and _",
} satisfies FieldOptions;

const identity = (title: string) => ({
  name: string(`The display name of the ${title}. Need not be unique.`, { default: "the Pulumi resource name" }),
  slug: string(`The slug that identifies the ${title}. Changing it replaces the ${title}, new one first.`, slugOptions),
});

const root = "/api/v1/config";

function family({ wire, described }: KindDefinition): Kind["family"] {
  const all = wire.many === undefined ? root : `${root}/${wire.many.replaceAll("_", "-")}`;
  const one = wire.many === undefined ? `${root}/${wire.one.replaceAll("_", "-")}` : `${all}/{slug}`;
  const operation = (method: Operation["method"], path: string, name: OperationName): Operation => ({
    method,
    path,
    described: described.includes(name),
  });
  // A described PUT creates too, so such a kind has no POST beside it.
  const createsByPut = described.includes("put") && !described.includes("post");
  return {
    ...(createsByPut ? {} : { post: operation("POST", wire.many === undefined ? one : all, "post") }),
    ...(wire.many === undefined ? {} : { list: operation("GET", all, "list") }),
    get: operation("GET", one, "get"),
    put: operation("PUT", one, "put"),
    delete: operation("DELETE", one, "delete"),
  };
}

/** A described operation that can do the job, and one that merely follows the conventions only where there is none. */
function preferDescribed({ post, list, get, put, delete: remove }: Kind["family"]): Operations {
  if (get === undefined || put === undefined || remove === undefined) throw new Error("a kind has get, put and delete");
  return {
    create: post ?? put,
    read: !get.described && list?.described ? list : get,
    update: put,
    ...(list === undefined ? {} : { list }),
    delete: remove,
  };
}
