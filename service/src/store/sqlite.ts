import { chmodSync, closeSync, openSync } from "node:fs";
import { dirname } from "node:path";
import Sqlite from "libsql";
import { StartError } from "../errors.js";

export const inMemory = ":memory:";

// Stored in the file by SQLite's `user_version`. Earlier releases stored 0 there, and had other tables.
const schemaVersion = 4;

/** Opens a SQLite file, which only this process may then use, or a database in memory. */
export function openSqlite(file: string): Sqlite.Database {
  let sqlite: Sqlite.Database | undefined;
  try {
    if (file !== inMemory) keepToOwner(file);
    sqlite = new Sqlite(file);
    // In exclusive mode the lock stays after the transaction. The operating system frees it however the process ends.
    pragma(sqlite, "locking_mode = EXCLUSIVE");
    sqlite.exec("begin exclusive");
    makeTables(sqlite);
    sqlite.exec("commit");
    pragma(sqlite, "journal_mode = WAL");
    // Every commit is on disk before it is answered.
    pragma(sqlite, "synchronous = FULL");
    return sqlite;
  } catch (error) {
    sqlite?.close();
    throw new StartError(`unable to open the database "${file}": ${why(error as NodeJS.ErrnoException, file)}`);
  }
}

/** Moves everything into the one file, and unlocks it. */
export function closeSqlite(sqlite: Sqlite.Database): void {
  try {
    // Exclusive locking ends only outside of WAL mode, at the next read. libsql's close alone would keep the lock until
    // the last statement is garbage-collected.
    for (const text of ["journal_mode = DELETE", "locking_mode = NORMAL", "user_version"]) pragma(sqlite, text);
  } finally {
    sqlite.close();
  }
}

/** Creates the file if it is missing. SQLite gives its "-wal" file the same permissions. */
function keepToOwner(file: string): void {
  closeSync(openSync(file, "a", 0o600));
  chmodSync(file, 0o600);
}

function makeTables(sqlite: Sqlite.Database): void {
  const [{ user_version: version } = {}] = pragma(sqlite, "user_version") as { user_version?: number }[];
  if (version === schemaVersion) return;
  const isNew = sqlite.prepare("select 1 from sqlite_master").all([]).length === 0;
  if (!isNew) throw new StartError("another release or another program created it; pass another file with --database");
  sqlite.exec(`
    create table objects (
      kind text not null, slug text not null, name text not null, body text not null,
      created_at text not null, updated_at text not null,
      primary key (kind, slug));
    create table settings (key text primary key, value text not null);
    pragma user_version = ${schemaVersion}`);
}

function pragma(sqlite: Sqlite.Database, text: string): readonly object[] {
  const statement = sqlite.prepare(`PRAGMA ${text}`);
  // libsql returns rows as plain objects, and throws if a statement has none to return.
  if (statement.reader) return statement.all() as object[];
  statement.run();
  return [];
}

function why({ code = "", message }: NodeJS.ErrnoException, file: string): string {
  const closed = "this user has no write permission there";
  const damaged = "it is damaged or not a SQLite database; restore a copy, or pass another file with --database";
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: `the folder "${dirname(file)}" does not exist`,
    EISDIR: "it is a folder",
    EACCES: closed,
    SQLITE_BUSY: "another process uses it; stop that process, or pass another file with --database",
    SQLITE_NOTADB: damaged,
    SQLITE_CORRUPT: damaged,
    SQLITE_CANTOPEN: closed,
    SQLITE_READONLY: closed,
  };
  // SQLite's longer codes name a special case: SQLITE_BUSY_RECOVERY.
  return reasons[/^[A-Z]+(?:_[A-Z]+)?/.exec(code)?.[0] ?? ""] ?? message;
}
