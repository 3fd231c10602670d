import { chmodSync, closeSync, existsSync, fchmodSync, openSync, readSync, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import Sqlite from "libsql";
import { StartError } from "../errors.js";
import { migrate } from "./migrations.js";
import { Store } from "./store.js";

export const inMemory = ":memory:";

/** Opens a SQLite file, which only this process may then use, or a database in memory. */
export function openSqlite(file: string): Sqlite.Database {
  let sqlite: Sqlite.Database | undefined;
  try {
    if (file !== inMemory) prepare(file);
    sqlite = new Sqlite(file);
    lock(sqlite);
    refuseForeign(sqlite);
    pragma(sqlite, "foreign_keys = ON");
    migrate(sqlite);
    pragma(sqlite, "journal_mode = WAL");
    // Every commit is on disk before it is answered.
    pragma(sqlite, "synchronous = FULL");
    const [damage] = pragma(sqlite, "integrity_check(1)");
    if (Object.values(damage ?? {})[0] !== "ok") throw new StartError(damaged);
    if (pragma(sqlite, "foreign_key_check").length > 0) throw new StartError(damagedIn("what refers to what"));
    const setting = new Store(sqlite).damagedSetting();
    if (setting !== undefined) throw new StartError(damagedIn(`its setting "${setting}"`));
    return sqlite;
  } catch (error) {
    sqlite?.close();
    throw new StartError(`unable to open the database "${file}": ${why(error as NodeJS.ErrnoException, file)}`);
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
    if (!existsSync(file)) throw new Error(`the database "${file}" was deleted or moved while the service ran`);
    const why = (error as Error).message; // libsql throws nothing but errors.
    throw new Error(
      `unable to bring the database "${file}" into one file: ${why}; nothing is lost as long as "${file}-wal" stays beside it`,
    );
  } finally {
    sqlite.close();
  }
}

/** A database that was deleted, or moved away, while this process uses it. */
export class GoneError extends Error {
  override readonly name = "GoneError";
}

/** Throws GoneError if the file is no longer the one that it is now: what is written would be lost with this process. */
export function gone(file: string): () => void {
  if (file === inMemory) return () => {};
  const { dev, ino } = statSync(file);
  return () => {
    const now = statSync(file, { throwIfNoEntry: false });
    if (now?.ino !== ino || now.dev !== dev)
      throw new GoneError("the database of the service was deleted or moved, nothing was stored");
  };
}

/** Makes the file if it is missing, keeps it to its owner, and refuses a copy that lacks its "-wal" file. */
function prepare(file: string): void {
  const opened = openSync(file, "a+", 0o600);
  // SQLite follows a symbolic link, and keeps its log beside the file itself.
  const wal = `${realpathSync(file)}-wal`;
  const marker = Buffer.alloc(1);
  // SQLite gives new files the permissions of this one; copied ones have their own.
  fchmodSync(opened, 0o600);
  readSync(opened, marker, 0, 1, 18);
  closeSync(opened);
  if (existsSync(wal)) chmodSync(wal, 0o600);
  // A running service marks its file here as incomplete without its log; a stop takes the mark back.
  else if (marker[0] === 2) {
    throw new StartError(
      `it was copied from a running service without "${wal}", which holds its latest changes; copy both, or use a backup; an empty file of that name starts without those changes`,
    );
  }
}

/** Locks the file for this process. The operating system frees the lock however the process ends. */
function lock(sqlite: Sqlite.Database): void {
  pragma(sqlite, "locking_mode = EXCLUSIVE");
  // In exclusive mode the lock stays after the transaction.
  sqlite.exec("begin exclusive; commit");
}

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

const wayOut = "restore a copy, or name another file with --database";
const damaged = `it is damaged or no SQLite database; ${wayOut}`;
const damagedIn = (part: string) => `it is damaged in ${part}; ${wayOut}`;

function why({ code = "", message }: NodeJS.ErrnoException, file: string): string {
  const closed = "this user may not write there";
  const reasons: readonly (readonly [code: string, reason: string])[] = [
    ["ENOENT", `there is no folder "${dirname(file)}"`],
    ["EISDIR", "it is a folder"],
    ["EACCES", closed],
    ["ENAMETOOLONG", "its name is too long"],
    ["SQLITE_BUSY", "another process uses it; stop that one, or name another file with --database"],
    ["SQLITE_NOTADB", damaged],
    ["SQLITE_CORRUPT", damaged],
    // Its tables are not those of its version.
    ["SQLITE_ERROR", `${damaged} (${message})`],
    ["SQLITE_CANTOPEN", closed],
    ["SQLITE_READONLY", closed],
  ];
  return reasons.find(([start]) => code.startsWith(start))?.[1] ?? message;
}
