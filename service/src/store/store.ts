import { createReadStream, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import type Sqlite from "libsql";
import {
  asBytes,
  DamagedError,
  damagedObject,
  damagedSetting,
  digestOf,
  objectBytes,
  objectDigest,
  objectFrom,
  type ObjectRow,
  type SettingRow,
  settingBytes,
  lenient,
  shown,
  slugFrom,
  type StoredObject,
} from "./rows.js";

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
    const sql = `select ${objectBytes} from objects where kind = ? and slug = ?`;
    return this.#rows<ObjectRow>(sql, kind, slug).map(objectFrom)[0];
  }

  /** Whether the object exists, damaged or not. */
  has(kind: string, slug: string): boolean {
    return this.existing(kind, [slug]).has(slug);
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
        bytes += row.body?.byteLength ?? 0;
        if (objects.length === limit || (bytes > largestPage && objects.length > 0)) return { objects, more: true };
        objects.push(objectFrom(row));
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
      select ${asBytes("objects.slug", "slug")}, octet_length(body) as bytes
      from slice cross join objects on objects.kind = ? and objects.slug = slice.slug order by objects.slug`;
    const values = [kind, after, ...(driving === undefined ? [] : valuesOf(driving)), rows, kind];
    const found = this.#rows<Pick<ObjectRow, "slug"> & { readonly bytes: number }>(sql, ...values);
    let total = 0;
    const end = found.findIndex(({ bytes }, i) => (total += bytes) > largestPage && i > 0);
    return found.slice(0, end < 0 ? found.length : end).map(({ slug }) => slugFrom(kind, slug));
  }

  /** Those of the objects that fulfil the filters. */
  #matching(kind: string, slugs: readonly string[], filters: readonly Filter[]): readonly ObjectRow[] {
    const where = ["kind = ?", "slug in (select value from json_each(?))", ...filters.map(conditionOf)].join(" and ");
    try {
      const sql = `select ${objectBytes} from objects where ${where} order by objects.slug`;
      return this.#rows(sql, kind, JSON.stringify(slugs), ...filters.flatMap(valuesOf));
    } catch (error) {
      const find = `select ${asBytes("slug")} from objects where kind = ? and not json_valid(body) limit 1`;
      const [damaged] = this.#rows<Pick<ObjectRow, "slug">>(find, kind);
      throw damaged === undefined ? error : new DamagedError(kind, shown(damaged.slug));
    }
  }

  /** The objects that refer to this one. */
  referrers({ kind, slug }: Reference): readonly Reference[] {
    const sql = `select ${asBytes("from_kind", "kind")}, ${asBytes("from_slug", "slug")} from object_references
      where to_kind = ? and to_slug = ? order by from_kind, from_slug`;
    const rows = this.#rows<Pick<ObjectRow, "kind" | "slug">>(sql, kind, slug);
    return rows.map((row) => ({ kind: lenient(row.kind), slug: lenient(row.slug) }));
  }

  /** Inserts the object, or replaces everything of it but `created_at`. */
  put(object: StoredObject, references: readonly Reference[]): void {
    const { kind, slug, name, body, created_at, updated_at } = object;
    const put = `insert into objects values (?, ?, ?, ?, ?, ?, ?) on conflict (kind, slug) do update
      set name = excluded.name, body = excluded.body, updated_at = excluded.updated_at, digest = excluded.digest`;
    const refer = "insert into object_references select ?, ?, value ->> 'kind', value ->> 'slug' from json_each(?)";
    this.transaction(() => {
      this.#run(put, kind, slug, name, body, created_at, updated_at, objectDigest(object));
      this.#run("delete from object_references where from_kind = ? and from_slug = ?", kind, slug);
      this.#run(refer, kind, slug, JSON.stringify(references));
    });
  }

  remove({ kind, slug }: Reference): void {
    this.#run("delete from objects where kind = ? and slug = ?", kind, slug);
  }

  setting(key: string): string | undefined {
    const [row] = this.#rows<Pick<SettingRow, "value">>(`select ${asBytes("value")} from settings where key = ?`, key);
    return row && lenient(row.value);
  }

  setSetting(key: string, value: string): void {
    const put = `insert into settings values (?, ?, ?) on conflict (key)
      do update set value = excluded.value, digest = excluded.digest`;
    this.#run(put, key, value, digestOf(key, value));
  }

  /** The first setting that something else than this service has changed. */
  damagedSetting(): string | undefined {
    const rows = this.#rows<SettingRow>(`select ${settingBytes} from settings order by key`);
    return rows.map(damagedSetting).find((key) => key !== undefined);
  }

  /** The objects that something else than this service has changed. */
  damagedObjects(): readonly DamagedError[] {
    const found: DamagedError[] = [];
    for (const row of this.#prepare(`select ${objectBytes} from objects order by kind, slug`).iterate([])) {
      const damage = damagedObject(row as ObjectRow); // The statement selects its columns.
      if (damage !== undefined) found.push(damage);
    }
    return found;
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
