import type { Kysely } from "kysely";
import { StartError } from "../errors.js";
import type { Tables } from "./sqlStore.js";

type Migration = (db: Kysely<Tables>) => Promise<void>;

/** Step n brings a database from version n to n + 1. Only add steps; never change one. */
const migrations: readonly Migration[] = [
  async ({ schema }) => {
    await schema
      .createTable("objects")
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("slug", "text", (column) => column.notNull())
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("body", "text", (column) => column.notNull())
      .addColumn("created_at", "text", (column) => column.notNull())
      .addColumn("updated_at", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("objects_pk", ["kind", "slug"])
      .execute();
    await schema.createIndex("objects_by_name").on("objects").columns(["kind", "name", "slug"]).execute();
    await schema
      .createTable("object_references")
      .addColumn("from_kind", "text", (column) => column.notNull())
      .addColumn("from_slug", "text", (column) => column.notNull())
      .addColumn("to_kind", "text", (column) => column.notNull())
      .addColumn("to_slug", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("object_references_pk", ["from_kind", "from_slug", "to_kind", "to_slug"])
      .addForeignKeyConstraint(
        "object_references_from",
        ["from_kind", "from_slug"],
        "objects",
        ["kind", "slug"],
        (key) => key.onDelete("cascade"),
      )
      // The service's own checks come first, with better messages. This protects against two processes on one database.
      .addForeignKeyConstraint("object_references_to", ["to_kind", "to_slug"], "objects", ["kind", "slug"])
      .execute();
    await schema
      .createIndex("object_references_by_target")
      .on("object_references")
      .columns(["to_kind", "to_slug"])
      .execute();
  },
];

const versionKey = "schema_version";

/** Brings the tables up to date in one transaction. Refuses a database that a newer release has written. */
export async function migrate(db: Kysely<Tables>): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await transaction.schema
      .createTable("settings")
      .ifNotExists()
      .addColumn("key", "text", (column) => column.primaryKey())
      .addColumn("value", "text", (column) => column.notNull())
      .execute();
    const row = await transaction
      .selectFrom("settings")
      .select("value")
      .where("key", "=", versionKey)
      .executeTakeFirst();
    const version = Number(row?.value ?? 0);
    if (version > migrations.length) {
      throw new StartError(
        `it has schema version ${version}, this release knows up to ${migrations.length}; start the newer release`,
      );
    }
    if (version === migrations.length) return;
    for (const migration of migrations.slice(version)) await migration(transaction);
    const value = String(migrations.length);
    await transaction
      .insertInto("settings")
      .values({ key: versionKey, value })
      .onConflict((conflict) => conflict.column("key").doUpdateSet({ value }))
      .execute();
  });
}
