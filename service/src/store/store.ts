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

  /** The next objects in the binary order of their slugs, at least one, and whether more follow. */
  list({ kind, filters, after, limit }: ListQuery): { objects: readonly StoredObject[]; more: boolean } {
    // Every slug sorts after the empty text.
    const where = ["kind = ?", "slug > ?", ...filters.map(conditionOf)].join(" and ");
    const values = [kind, after, ...filters.flatMap((each) => each.fields.map(() => JSON.stringify(each.values)))];
    const select = (what: string) => `select ${what} from objects where ${where} order by objects.slug limit ?`;

    const sizes = this.#sizes(kind, select("octet_length(body) as bytes"), [...values, limit + 1]);
    let total = 0;
    const tooMuch = sizes.findIndex(({ bytes }, i) => i === limit || ((total += bytes) > largestPage && i > 0));
    const more = tooMuch !== -1;
    const rows = this.#rows<Bytes>(select(stored), ...values, more ? tooMuch : limit);
    return { objects: rows.map((row) => objectFrom(kind, row)), more };
  }

  /** Runs a query that looks into bodies. */
  #sizes(kind: string, sql: string, values: readonly unknown[]): readonly { readonly bytes: number }[] {
    try {
      return this.#rows(sql, ...values);
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
  try {
    const texts = Object.entries(row).map(([column, bytes]) => [column, strict.decode(bytes)] as const);
    return { kind, ...(Object.fromEntries(texts) as Omit<StoredObject, "kind">) }; // Every column is one of the object's.
  } catch {
    throw new DamagedError(kind, lenient.decode(row.slug));
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

function conditionOf({ fields, match }: Filter): string {
  const conditions = fields.map((field) => {
    const text = columns.has(field) ? field : `body ->> '$.${field}'`;
    return match === "equals"
      ? `${text} in (select value from json_each(?))`
      : `exists (select 1 from json_each(?) as part where instr(lower(${text}), lower(part.value)) > 0)`;
  });
  return `(${conditions.join(" or ")})`;
}
