import type Sqlite from "libsql";

/** One stored configuration object. `body` is JSON with sealed secrets. A singleton's slug and name are empty. */
export interface StoredObject {
  readonly kind: string;
  readonly slug: string;
  readonly name: string;
  readonly body: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly created_at: string;
  readonly updated_at: string;
}

/** Keeps objects of which one of the fields has one of the values, or contains one in any case. */
export interface Filter {
  /** Paths inside the resource: `collection.slug`. */
  readonly fields: readonly string[];
  readonly match: "equals" | "contains";
  readonly values: readonly string[];
}

export interface Page {
  readonly objects: readonly StoredObject[];
  readonly more: boolean;
}

export interface ListQuery {
  readonly kind: string;
  readonly filters: readonly Filter[];
  /** Only slugs that sort after this one; empty means every slug. */
  readonly after: string;
  readonly limit: number;
}

// In bytes. A page may wait in memory for a client that does not read, so a thousand large objects must not be one.
const largestPage = 1_048_576;

const columns = new Set(["slug", "name"]);

/** The service's data: objects and settings. The tables must exist. Every change is on disk when its call returns. */
export class Store {
  readonly #prepared = new Map<string, Sqlite.Statement>();

  constructor(private readonly db: Sqlite.Database) {}

  find(kind: string, slug: string): StoredObject | undefined {
    return this.#rows<StoredObject>("select * from objects where kind = ? and slug = ?", kind, slug)[0];
  }

  /** All objects of a kind. */
  all(kind: string): readonly StoredObject[] {
    return this.#rows("select * from objects where kind = ?", kind);
  }

  /** The next objects in the binary order of their slugs, at least one, and whether more follow. */
  list({ kind, filters, after, limit }: ListQuery): Page {
    const where = ["kind = ?", "slug > ?", ...filters.map(conditionOf)].join(" and ");
    const found = this.#rows<{ readonly slug: string; readonly bytes: number }>(
      `select slug, octet_length(body) as bytes from objects where ${where} order by slug limit ?`,
      ...[kind, after, ...filters.flatMap(valuesOf), limit + 1],
    );
    let total = 0;
    const end = found.findIndex(({ bytes }, i) => i === limit || ((total += bytes) > largestPage && i > 0));
    const slugs = (end < 0 ? found : found.slice(0, end)).map(({ slug }) => slug);
    // One JSON text, because SQLite limits the number of parameters.
    const sql = "select * from objects where kind = ? and slug in (select value from json_each(?)) order by slug";
    return { objects: this.#rows(sql, kind, JSON.stringify(slugs)), more: end >= 0 };
  }

  /** Inserts the object, or replaces the one of its kind and slug. */
  put({ kind, slug, name, body, created_at, updated_at }: StoredObject): void {
    const sql = "insert or replace into objects values (?, ?, ?, ?, ?, ?)";
    this.#run(sql, kind, slug, name, body, created_at, updated_at);
  }

  remove(kind: string, slug: string): void {
    this.#run("delete from objects where kind = ? and slug = ?", kind, slug);
  }

  setting(key: string): string | undefined {
    return this.#rows<{ readonly value: string }>("select value from settings where key = ?", key)[0]?.value;
  }

  setSetting(key: string, value: string): void {
    this.#run("insert or replace into settings values (?, ?)", key, value);
  }

  #rows<Row>(sql: string, ...values: readonly unknown[]): readonly Row[] {
    return this.#prepare(sql).all(values) as Row[]; // The caller knows its columns.
  }

  #run(sql: string, ...values: readonly unknown[]): void {
    this.#prepare(sql).run(values);
  }

  #prepare(sql: string): Sqlite.Statement {
    const statement = this.#prepared.get(sql) ?? this.db.prepare(sql);
    this.#prepared.set(sql, statement);
    return statement;
  }
}

function valuesOf({ fields, match, values }: Filter): readonly string[] {
  return fields.flatMap(() => (match === "equals" ? [JSON.stringify(values)] : values));
}

function conditionOf({ fields, match, values }: Filter): string {
  const conditions = fields.flatMap((field) => {
    const text = columns.has(field) ? field : `body ->> '$.${field}'`;
    return match === "equals"
      ? [`${text} in (select value from json_each(?))`]
      : values.map(() => `instr(lower(${text}), lower(?)) > 0`);
  });
  return `(${conditions.join(" or ")})`;
}
