import { createReadStream, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
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

/** An object that another one refers to, or that refers to another. */
export type Reference = Pick<StoredObject, "kind" | "slug">;

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

// In milliseconds and rows. A filter by parts of a long name takes up to a millisecond a row.
const [fast, slow] = [25, 50];
const largestSlice = 4_000;

// In bytes. A page may wait in memory for a client that does not read, so a thousand large objects must not be one.
const largestPage = 1_048_576;

const columns = new Set(["slug", "name"]);

// Texts as bytes: libsql ends the process if a text that it is asked for is damaged.
const stored = ["slug", "name", "body", "created_at", "updated_at"]
  .map((column) => `cast(${column} as blob) as ${column}`)
  .join(", ");
const strict = new TextDecoder("utf-8", { fatal: true });
const lenient = new TextDecoder();

/** The service's data: objects, references and settings. The tables must exist. Nobody else may use the database. */
export class Store {
  readonly #db: Sqlite.Database;
  readonly #refuseIfGone: () => void;
  readonly #prepared = new Map<string, Sqlite.Statement>();

  /** `refuseIfGone` throws if what is written would be lost. */
  constructor(db: Sqlite.Database, refuseIfGone: () => void = () => {}) {
    this.#db = db;
    this.#refuseIfGone = refuseIfGone;
  }

  get isInMemory(): boolean {
    return this.#db.memory;
  }

  find(kind: string, slug: string): StoredObject | undefined {
    const sql = `select ${stored} from objects where kind = ? and slug = ?`;
    return this.#rows<Bytes>(sql, kind, slug).map((row) => objectFrom(kind, row))[0];
  }

  /** The slugs among `slugs` that exist. */
  existing(kind: string, slugs: readonly string[]): ReadonlySet<string> {
    // One JSON text, because SQLite limits the number of parameters.
    const sql = "select slug from objects where kind = ? and slug in (select value from json_each(?))";
    return new Set(this.#rows<Reference>(sql, kind, JSON.stringify(slugs)).map(({ slug }) => slug));
  }

  /**
   * The next objects in the binary order of their slugs, at least one, and whether more follow. Yields after each slice of
   * the objects that it looks at.
   */
  *list({ kind, filters, after, limit }: ListQuery): Generator<undefined, Page> {
    const driving = equals(filters, "slug") ?? equals(filters, "name");
    const rest = filters.filter((filter) => filter !== driving);
    const objects: StoredObject[] = [];
    let [last, bytes, rows] = [after, 0, rest.length === 0 ? limit + 1 : 64];
    for (;;) {
      const slugs = this.#slice(kind, driving, last, rows);
      if (slugs.length === 0) return { objects, more: false };
      last = slugs.at(-1) ?? last;
      yield;
      const started = performance.now();
      for (const row of this.#matching(kind, slugs, rest)) {
        bytes += row.body.byteLength;
        if (objects.length === limit || (bytes > largestPage && objects.length > 0)) return { objects, more: true };
        objects.push(objectFrom(kind, row));
      }
      const took = performance.now() - started;
      if (took < fast) rows = Math.min(rows * 2, largestSlice);
      else if (took > slow) rows = Math.ceil(rows / 2);
      yield;
    }
  }

  /** The slugs after this one, as many as have bodies of 1 MiB, and those at most that a filter by an index leaves. */
  #slice(kind: string, driving: Filter | undefined, after: string, rows: number): readonly string[] {
    const where = ["kind = ?", "slug > ?", ...(driving === undefined ? [] : [conditionOf(driving)])].join(" and ");
    // For a name SQLite would walk through all slugs, because they are in order.
    const index = driving?.fields[0] === "name" ? "indexed by objects_by_name" : "";
    const sql = `with slice as materialized (select slug from objects ${index} where ${where} order by slug limit ?)
      select cast(objects.slug as blob) as slug, octet_length(body) as bytes
      from slice cross join objects on objects.kind = ? and objects.slug = slice.slug order by objects.slug`;
    const values = [kind, after, ...(driving === undefined ? [] : valuesOf(driving)), rows, kind];
    const found = this.#rows<{ readonly slug: ArrayBuffer; readonly bytes: number }>(sql, ...values);
    let total = 0;
    const end = found.findIndex(({ bytes }, i) => (total += bytes) > largestPage && i > 0);
    return found.slice(0, end < 0 ? found.length : end).map(({ slug }) => decoded(kind, slug, slug));
  }

  /** Those of the objects that fulfil the filters. */
  #matching(kind: string, slugs: readonly string[], filters: readonly Filter[]): readonly Bytes[] {
    const where = ["kind = ?", "slug in (select value from json_each(?))", ...filters.map(conditionOf)].join(" and ");
    try {
      const sql = `select ${stored} from objects where ${where} order by objects.slug`;
      return this.#rows(sql, kind, JSON.stringify(slugs), ...filters.flatMap(valuesOf));
    } catch (error) {
      const find = `select ${stored} from objects where kind = ? and not json_valid(body) limit 1`;
      const [damaged] = this.#rows<Bytes>(find, kind);
      throw damaged === undefined ? error : new DamagedError(kind, lenient.decode(damaged.slug));
    }
  }

  /** The objects that refer to this one. */
  referrers({ kind, slug }: Reference): readonly Reference[] {
    const sql = `select from_kind as kind, from_slug as slug from object_references
      where to_kind = ? and to_slug = ? order by from_kind, from_slug`;
    return this.#rows(sql, kind, slug);
  }

  /** Inserts the object, or replaces everything of it but `created_at`. */
  put({ kind, slug, name, body, created_at, updated_at }: StoredObject, references: readonly Reference[]): void {
    const put = `insert into objects values (?, ?, ?, ?, ?, ?) on conflict (kind, slug)
      do update set name = excluded.name, body = excluded.body, updated_at = excluded.updated_at`;
    const refer = "insert into object_references select ?, ?, value ->> 'kind', value ->> 'slug' from json_each(?)";
    this.transaction(() => {
      this.#run(put, kind, slug, name, body, created_at, updated_at);
      this.#run("delete from object_references where from_kind = ? and from_slug = ?", kind, slug);
      this.#run(refer, kind, slug, JSON.stringify(references));
    });
  }

  remove({ kind, slug }: Reference): void {
    this.#run("delete from objects where kind = ? and slug = ?", kind, slug);
  }

  setting(key: string): string | undefined {
    return this.#rows<{ value: string }>("select value from settings where key = ?", key)[0]?.value;
  }

  setSetting(key: string, value: string): void {
    this.#run("insert into settings values (?, ?) on conflict (key) do update set value = excluded.value", key, value);
  }

  /** Does `work` as a whole or not at all. */
  transaction(work: () => void): void {
    this.#db.exec("begin immediate");
    try {
      work();
      this.#db.exec("commit");
    } catch (error) {
      // SQLite itself ends the transaction if the disk is full. Rolling back again would hide that error by its own.
      if (this.#db.inTransaction) this.#db.exec("rollback");
      throw error;
    }
  }

  /** The file of a copy of the whole database. */
  backUp(): ReadableStream {
    // Only its owner may enter this folder.
    const folder = mkdtempSync(join(tmpdir(), "observability-backup-"));
    try {
      const file = join(folder, "copy.db");
      this.#run("vacuum into ?", file);
      return Readable.toWeb(createReadStream("", { fd: openSync(file, "r") })) as ReadableStream;
    } finally {
      // Who has opened the file can read it to its end.
      rmSync(folder, { recursive: true });
    }
  }

  #rows<Row>(sql: string, ...values: readonly unknown[]): Row[] {
    return this.#prepare(sql).all(values) as Row[]; // The caller knows its columns.
  }

  #run(sql: string, ...values: readonly unknown[]): void {
    this.#refuseIfGone();
    this.#prepare(sql).run(values);
  }

  #prepare(sql: string): Sqlite.Statement {
    const statement = this.#prepared.get(sql) ?? this.#db.prepare(sql);
    this.#prepared.set(sql, statement);
    return statement;
  }
}

type Bytes = Readonly<Record<Exclude<keyof StoredObject, "kind">, ArrayBuffer>>;

/** Throws an error that names the object, if it is damaged. */
function objectFrom(kind: string, row: Bytes): StoredObject {
  const texts = Object.entries(row).map(([column, bytes]) => [column, decoded(kind, row.slug, bytes)] as const);
  return { kind, ...(Object.fromEntries(texts) as Omit<StoredObject, "kind">) }; // Every column is one of the object's.
}

function decoded(kind: string, slug: ArrayBuffer, bytes: ArrayBuffer): string {
  try {
    return strict.decode(bytes);
  } catch {
    throw new DamagedError(kind, lenient.decode(slug));
  }
}

/** A stored object that cannot be read. */
export class DamagedError extends Error {
  override readonly name = "DamagedError";

  constructor(kind: string, slug: string) {
    super(
      `the ${kind} "${slug}" is damaged in the database; restore a copy of the database, or write the object again`,
    );
  }
}

/** The filter by values of this one column. */
function equals(filters: readonly Filter[], column: string): Filter | undefined {
  return filters.find(({ fields, match }) => match === "equals" && fields.length === 1 && fields[0] === column);
}

function valuesOf({ fields, values }: Filter): readonly string[] {
  return fields.map(() => JSON.stringify(values));
}

function conditionOf({ fields, match }: Filter): string {
  const conditions = fields.map((field) => {
    const text = columns.has(field) ? field : `body ->> '$.${field}'`;
    return match === "equals"
      ? `${text} in (select value from json_each(?))`
      : `exists (select 1 from json_each(?) as part where instr(lower(${text}), lower(part.value)) > 0)`;
  });
  return `(${conditions.join(" or ")})`;
}
