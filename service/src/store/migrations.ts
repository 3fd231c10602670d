import type Sqlite from "libsql";
import { saltedHash, tokenSetting } from "../auth.js";
import { StartError } from "../errors.js";
import { asBytes, digestOf, objectColumns, type Row, settingColumns, textsOf } from "./rows.js";
import { Store } from "./store.js";

type Migration = (store: Store, db: Sqlite.Database) => void;

/** Step n brings a database from version n to n + 1. Only add steps; never change one. */
const migrations: readonly Migration[] = [
  (_, db) =>
    db.exec(`
      create table objects (
        kind text not null, slug text not null, name text not null, body text not null,
        created_at text not null, updated_at text not null,
        primary key (kind, slug));
      create index objects_by_name on objects (kind, name, slug);
      create table object_references (
        from_kind text not null, from_slug text not null, to_kind text not null, to_slug text not null,
        primary key (from_kind, from_slug, to_kind, to_slug),
        foreign key (from_kind, from_slug) references objects (kind, slug) on delete cascade,
        -- The service's own checks come first, with better messages. This is the safety net.
        foreign key (to_kind, to_slug) references objects (kind, slug));
      create index object_references_by_target on object_references (to_kind, to_slug)`),
  // Version 1 kept the token's hash without salt.
  (store, db) => {
    const hash = store.setting("token_sha256");
    const put =
      "insert into settings (key, value) values (?, ?) on conflict (key) do update set value = excluded.value";
    if (hash !== undefined) db.prepare(put).run([tokenSetting, saltedHash(hash)]);
    db.exec("delete from settings where key = 'token_sha256'");
  },
  // Version 2 had nothing that tells a damaged row. What cannot be read gets no digest, and is told as damaged.
  (_, db) => {
    db.exec("alter table objects add column digest text; alter table settings add column digest text");
    addDigests(db, "objects", objectColumns, "where json_valid(body)");
    addDigests(db, "settings", settingColumns);
  },
];

function addDigests(db: Sqlite.Database, table: string, columns: readonly string[], where = ""): void {
  const bytes = columns.map((column) => asBytes(column)).join(", ");
  const digests: [digest: string, id: number][] = [];
  for (const each of db.prepare(`select rowid as id, ${bytes} from ${table} ${where}`).iterate([])) {
    const row = each as Row<string> & { readonly id: number }; // The statement selects its columns.
    const texts = textsOf(row, columns);
    if (texts !== undefined) digests.push([digestOf(...texts), row.id]);
  }
  const put = db.prepare(`update ${table} set digest = ? where rowid = ?`);
  for (const digest of digests) put.run(digest);
}

const versionKey = "schema_version";

/** Brings the tables up to date in one transaction. Refuses a database that a newer release has written. */
export function migrate(db: Sqlite.Database): void {
  db.exec("create table if not exists settings (key text primary key, value text not null)");
  const store = new Store(db);
  const version = Number(store.setting(versionKey) ?? 0);
  if (version > migrations.length) {
    throw new StartError(
      `it has schema version ${version}, this release knows up to ${migrations.length}; start the newer release`,
    );
  }
  if (version === migrations.length) return;
  store.transaction(() => {
    for (const migration of migrations.slice(version)) migration(store, db);
    store.setSetting(versionKey, String(migrations.length));
  });
}
