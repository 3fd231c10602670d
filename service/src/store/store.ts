/** One stored configuration object. `body` is JSON with sealed secrets. A singleton's slug and name are empty. */
export interface StoredObject {
  readonly kind: string;
  readonly slug: string;
  readonly name: string;
  readonly body: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** An object that another one refers to, or that refers to another. */
export interface Reference {
  readonly kind: string;
  readonly slug: string;
}

export interface ListQuery {
  readonly kind: string;
  /** Only these slugs; empty means every slug. */
  readonly slugs: readonly string[];
  readonly names: readonly string[];
  /** Only slugs that sort after this one. */
  readonly after: string | undefined;
  readonly limit: number;
}

export interface Reads {
  find(kind: string, slug: string): Promise<StoredObject | undefined>;
  /** The slugs among `slugs` that exist. */
  existing(kind: string, slugs: readonly string[]): Promise<ReadonlySet<string>>;
  /** Sorted by the binary order of the slugs. */
  list(query: ListQuery): Promise<readonly StoredObject[]>;
  /** The objects that refer to this one. */
  referrers(to: Reference): Promise<readonly Reference[]>;
}

export interface Writes extends Reads {
  insert(object: StoredObject, references: readonly Reference[]): Promise<void>;
  replace(object: StoredObject, references: readonly Reference[]): Promise<void>;
  remove(object: Reference): Promise<void>;
}

/** The service's data: objects, references and settings. A `transaction` is done as a whole or not at all. */
export interface Store extends Reads {
  transaction<T>(work: (writes: Writes) => Promise<T>): Promise<T>;
  setting(key: string): Promise<string | undefined>;
  setSetting(key: string, value: string): Promise<void>;
  close(): Promise<void>;
}
