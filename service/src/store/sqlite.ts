import { accessSync, chmodSync, closeSync, constants, existsSync, openSync, readSync, statSync } from "node:fs";
import { dirname } from "node:path";
import Sqlite from "libsql";
import { StartError } from "../errors.js";
import { migrate } from "./migrations.js";

export const inMemory = ":memory:";

/** Opens a SQLite file, which only this process may then use, or a database in memory. */
export function openSqlite(file: string): Sqlite.Database {
  const sqlite = connect(file);
  try {
    lock(sqlite);
    refuseForeign(sqlite);
    pragma(sqlite, "foreign_keys = ON");
    migrate(sqlite);
    pragma(sqlite, "journal_mode = WAL");
    // Every commit is on disk before it is answered.
    pragma(sqlite, "synchronous = FULL");
    const [damage] = pragma(sqlite, "quick_check(1)");
    if (Object.values(damage ?? {})[0] !== "ok") throw new Damaged();
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw explain(error, file);
  }
}

/** Brings everything into the one file, and unlocks it. */
export function closeSqlite(sqlite: Sqlite.Database, file: string): void {
  try {
    // Exclusive locking ends only outside of WAL mode, at the next read. libsql's close alone would keep the lock until
    // the last statement is garbage-collected.
    const unlock = ["journal_mode = DELETE", "locking_mode = NORMAL", "user_version"];
    if (file !== inMemory) for (const text of unlock) pragma(sqlite, text);
  } catch (error) {
    const why = (error as Error).message; // libsql throws nothing but errors.
    throw new Error(
      `unable to bring the database "${file}" into one file: ${why}; nothing is lost as long as "${file}-wal" stays beside it`,
    );
  } finally {
    sqlite.close();
  }
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
    refuseTorn(file);
  }
  try {
    if (file !== inMemory) keepPrivate(file);
    return new Sqlite(file);
  } catch {
    // libsql tells no code here. It reads the file later, so the file is not the reason.
    throw new StartError(`${unable}: no such file can be opened or made there`);
  }
}

/** Refuses a copy without its "-wal" file: that may hold everything that was written since the last stop. */
function refuseTorn(file: string): void {
  const wal = `${file}-wal`;
  if (!existsSync(file) || existsSync(wal)) return;
  // A running service marks the file here as incomplete without its log. A stop takes the mark back.
  const [marker] = readAt(file, 18, 1);
  if (marker !== 2) return;
  throw new StartError(
    `unable to open the database "${file}": it was copied from a running service without "${wal}", which holds its latest changes; copy both, or use a backup; an empty file of that name starts without those changes`,
  );
}

function readAt(file: string, position: number, length: number): Buffer {
  const descriptor = openSync(file, "r");
  const bytes = Buffer.alloc(length);
  readSync(descriptor, bytes, 0, length, position);
  closeSync(descriptor);
  return bytes;
}

/** SQLite makes its other files with the permissions of the first one; copied ones have their own. */
function keepPrivate(file: string): void {
  closeSync(openSync(file, "a", 0o600));
  for (const each of [file, `${file}-wal`].filter((path) => existsSync(path))) chmodSync(each, 0o600);
}

/** Locks the file for this process. The operating system frees the lock however the process ends. */
function lock(sqlite: Sqlite.Database): void {
  pragma(sqlite, "locking_mode = EXCLUSIVE");
  // In exclusive mode the lock stays after the transaction.
  sqlite.exec("begin exclusive; commit");
}

class Damaged extends Error {}

function refuseForeign(sqlite: Sqlite.Database): void {
  const tables = sqlite.prepare("select name from sqlite_master where type = 'table'").all() as { name: string }[];
  if (tables.length > 0 && !tables.some(({ name }) => name === "settings")) {
    throw new StartError("it belongs to another program");
  }
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
