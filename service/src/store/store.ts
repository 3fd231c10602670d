/** One configuration object as it is kept: `body` is JSON, its secrets sealed; a singleton's slug and name are empty. */
export interface StoredObject {
  readonly kind: string;
  readonly slug: string;
  readonly name: string;
  readonly body: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** An object named by another. */
export interface Reference {
  readonly kind: string;
  readonly slug: string;
}

export interface ListQuery {
  readonly kind: string;
  /** Any of these; empty means every slug. */
  readonly slugs: readonly string[];
  readonly names: readonly string[];
  /** Only slugs that sort behind this one. */
  readonly after: string | undefined;
  readonly limit: number;
}

export interface Reads {
  find(kind: string, slug: string): Promise<StoredObject | undefined>;
  /** Those of `slugs` that exist. */
  existing(kind: string, slugs: readonly string[]): Promise<ReadonlySet<string>>;
  /** In the binary order of the slugs. */
  list(query: ListQuery): Promise<readonly StoredObject[]>;
  /** The objects that refer to this one. */
  referrers(to: Reference): Promise<readonly Reference[]>;
}

export interface Writes extends Reads {
  insert(object: StoredObject, references: readonly Reference[]): Promise<void>;
  replace(object: StoredObject, references: readonly Reference[]): Promise<void>;
  remove(object: Reference): Promise<void>;
}

/** Where everything is kept. Everything that `transaction` does happens together or not at all. */
export interface Store extends Reads {
  transaction<T>(work: (writes: Writes) => Promise<T>): Promise<T>;
  setting(key: string): Promise<string | undefined>;
  setSetting(key: string, value: string): Promise<void>;
  close(): Promise<void>;
}
