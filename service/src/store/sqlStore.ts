import type { Kysely } from "kysely";
import type { ListQuery, Reads, Reference, Store, StoredObject, Writes } from "./store.js";

export interface Tables {
  readonly settings: { readonly key: string; readonly value: string };
  readonly objects: {
    readonly kind: string;
    readonly slug: string;
    readonly name: string;
    readonly body: string;
    readonly created_at: string;
    readonly updated_at: string;
  };
  readonly object_references: {
    readonly from_kind: string;
    readonly from_slug: string;
    readonly to_kind: string;
    readonly to_slug: string;
  };
}

type Database = Kysely<Tables>;

// SQLite takes 32,766 values in one statement; a reference has four.
const rowsPerStatement = 5_000;

/** The store on any database that kysely supports. The tables must exist. */
export function sqlStore(db: Database, close: () => Promise<void>): Store {
  return {
    ...reads(db),
    transaction: (work) =>
      db.transaction().execute((transaction) => work({ ...reads(transaction), ...writes(transaction) })),
    setting: async (key) =>
      (await db.selectFrom("settings").select("value").where("key", "=", key).executeTakeFirst())?.value,
    setSetting: async (key, value) => {
      await db
        .insertInto("settings")
        .values({ key, value })
        .onConflict((conflict) => conflict.column("key").doUpdateSet({ value }))
        .execute();
    },
    close,
  };
}

function reads(db: Database): Reads {
  return {
    find: async (kind, slug) => {
      const row = await db
        .selectFrom("objects")
        .selectAll()
        .where("kind", "=", kind)
        .where("slug", "=", slug)
        .executeTakeFirst();
      return row && toObject(row);
    },
    existing: async (kind, slugs) => {
      const found = new Set<string>();
      for (const some of chunks(slugs)) {
        const rows = await db
          .selectFrom("objects")
          .select("slug")
          .where("kind", "=", kind)
          .where("slug", "in", some)
          .execute();
        for (const { slug } of rows) found.add(slug);
      }
      return found;
    },
    list: async ({ kind, slugs, names, after, limit }: ListQuery) => {
      let query = db.selectFrom("objects").selectAll().where("kind", "=", kind).orderBy("slug").limit(limit);
      if (slugs.length > 0) query = query.where("slug", "in", slugs);
      if (names.length > 0) query = query.where("name", "in", names);
      if (after !== undefined) query = query.where("slug", ">", after);
      return (await query.execute()).map(toObject);
    },
    referrers: (to) =>
      db
        .selectFrom("object_references")
        .select(["from_kind as kind", "from_slug as slug"])
        .where("to_kind", "=", to.kind)
        .where("to_slug", "=", to.slug)
        .orderBy("from_kind")
        .orderBy("from_slug")
        .execute(),
  };
}

function writes(db: Database): Omit<Writes, keyof Reads> {
  const refer = async (from: Reference, references: readonly Reference[]) => {
    await db
      .deleteFrom("object_references")
      .where("from_kind", "=", from.kind)
      .where("from_slug", "=", from.slug)
      .execute();
    for (const some of chunks(references)) {
      await db
        .insertInto("object_references")
        .values(some.map((to) => ({ from_kind: from.kind, from_slug: from.slug, to_kind: to.kind, to_slug: to.slug })))
        .execute();
    }
  };
  return {
    insert: async (object, references) => {
      await db.insertInto("objects").values(toRow(object)).execute();
      // A new object has no old references to remove.
      if (references.length > 0) await refer(object, references);
    },
    replace: async (object, references) => {
      await db
        .updateTable("objects")
        .set(toRow(object))
        .where("kind", "=", object.kind)
        .where("slug", "=", object.slug)
        .execute();
      await refer(object, references);
    },
    remove: async (object) => {
      await db.deleteFrom("objects").where("kind", "=", object.kind).where("slug", "=", object.slug).execute();
    },
  };
}

function* chunks<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < rows.length; from += rowsPerStatement) yield rows.slice(from, from + rowsPerStatement);
}

function toObject(row: Tables["objects"]): StoredObject {
  const { created_at: createdAt, updated_at: updatedAt, ...rest } = row;
  return { ...rest, createdAt, updatedAt };
}

function toRow(object: StoredObject): Tables["objects"] {
  const { createdAt: created_at, updatedAt: updated_at, ...rest } = object;
  return { ...rest, created_at, updated_at };
}
