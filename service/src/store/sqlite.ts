import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { Kysely, SqliteDialect } from "kysely";
import Sqlite from "libsql";
import { StartError } from "../errors.js";
import { migrate } from "./migrations.js";
import { sqlStore, type Tables } from "./sqlStore.js";
import type { Store } from "./store.js";

export const inMemory = ":memory:";

/** The store in a SQLite file, which only this process may use, or in memory. */
export async function openSqlite(file: string): Promise<Store> {
  const sqlite = connect(file);
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: sqlite }) });
  const close = async () => {
    if (file !== inMemory) release(sqlite);
    await db.destroy();
  };
  try {
    lock(sqlite);
    refuseForeign(sqlite);
    configure(sqlite);
    await migrate(db);
  } catch (error) {
    sqlite.close();
    throw explain(error, file);
  }
  return sqlStore(db, close);
}

function connect(file: string): Sqlite.Database {
  const folder = dirname(file);
  const unable = `unable to open the database "${file}"`;
  if (file !== inMemory) {
    if (!existsSync(folder)) throw new StartError(`${unable}: there is no folder "${folder}"`);
    if (existsSync(file) && statSync(file).isDirectory()) throw new StartError(`${unable}: it is a folder`);
    try {
      accessSync(folder, constants.W_OK);
      if (existsSync(file)) accessSync(file, constants.R_OK | constants.W_OK);
    } catch {
      throw new StartError(`${unable}: this user may not write there`);
    }
  }
  try {
    return new Sqlite(file);
  } catch {
    // libsql tells no code here. It reads the file later, so the file is not the reason.
    throw new StartError(`${unable}: no such file can be opened or made there`);
  }
}

/** Locks the file for this process. The operating system frees the lock however the process ends. */
function lock(sqlite: Sqlite.Database): void {
  pragma(sqlite, "locking_mode = EXCLUSIVE");
  // In exclusive mode the lock stays after the transaction.
  sqlite.exec("begin exclusive; commit");
}

function configure(sqlite: Sqlite.Database): void {
  pragma(sqlite, "journal_mode = WAL");
  // Every commit is on disk before it is answered.
  pragma(sqlite, "synchronous = FULL");
  pragma(sqlite, "foreign_keys = ON");
  const [damage] = pragma(sqlite, "quick_check(1)");
  if (Object.values(damage ?? {})[0] !== "ok") throw new Damaged();
}

class Damaged extends Error {}

function refuseForeign(sqlite: Sqlite.Database): void {
  const tables = sqlite.prepare("select name from sqlite_master where type = 'table'").all() as { name: string }[];
  if (tables.length > 0 && !tables.some(({ name }) => name === "settings")) {
    throw new StartError("it belongs to another program");
  }
}

/** Unlocks the file at once: libsql would keep it locked until the last statement is garbage-collected. */
function release(sqlite: Sqlite.Database): void {
  // Exclusive locking ends only outside of WAL mode, at the next read.
  pragma(sqlite, "journal_mode = DELETE");
  pragma(sqlite, "locking_mode = NORMAL");
  pragma(sqlite, "user_version");
}

function pragma(sqlite: Sqlite.Database, text: string): readonly object[] {
  const statement = sqlite.prepare(`PRAGMA ${text}`);
  // libsql returns rows as plain objects, and throws if a statement has none to return.
  if (statement.reader) return statement.all() as object[];
  statement.run();
  return [];
}

function explain(error: unknown, file: string): StartError {
  const what = `unable to open the database "${file}"`;
  if (error instanceof StartError) return new StartError(`${what}: ${error.message}`);
  const { code = "", message } = error as NodeJS.ErrnoException;
  if (code.startsWith("SQLITE_BUSY")) {
    return new StartError(`${what}: another process uses it; stop that one, or name another file with --database`);
  }
  if (error instanceof Damaged || code.startsWith("SQLITE_NOTADB") || code.startsWith("SQLITE_CORRUPT")) {
    return new StartError(
      `${what}: it is damaged or no SQLite database; restore a copy, or name another file with --database`,
    );
  }
  return new StartError(`${what}: ${message}`);
}
