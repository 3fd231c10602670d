import { hash } from "node:crypto";
import { longestSlug } from "../rules/identity.js";

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

export const objectColumns = ["kind", "slug", "name", "body", "created_at", "updated_at"] as const;
export const settingColumns = ["key", "value"] as const;

/** A row whose columns are read as bytes; null if the column holds no text. */
export type Row<Column extends string> = Readonly<Record<Column, ArrayBuffer | null>>;
export type ObjectRow = Row<keyof StoredObject | "digest">;
export type SettingRow = Row<(typeof settingColumns)[number] | "digest">;

/** The column as bytes: libsql ends the process if a text that it is asked for is damaged. */
export function asBytes(column: string, name = column): string {
  return `iif(typeof(${column}) = 'text', cast(${column} as blob), null) as ${name}`;
}

/** The columns to select for an object or a setting, with the digest that tells whether the row is damaged. */
export const objectBytes = [...objectColumns, "digest"].map((column) => asBytes(column)).join(", ");
export const settingBytes = [...settingColumns, "digest"].map((column) => asBytes(column)).join(", ");

// A byte order mark is a character of the text.
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The digest that a row is stored with. Half of a character is stored as U+FFFD. */
export function digestOf(...texts: readonly string[]): string {
  const stored = texts.map((text) => Buffer.from(text).toString());
  return hash("sha256", JSON.stringify(stored), "base64");
}

export function objectDigest(object: StoredObject): string {
  return digestOf(...objectColumns.map((column) => object[column]));
}

/** Throws an error that names the object, if it is damaged. */
export function objectFrom(row: ObjectRow): StoredObject {
  const read = unchanged(row, objectColumns);
  if (read === undefined) throw damageOf(row);
  return read;
}

/** The error that names the object, if it is damaged. */
export function damagedObject(row: ObjectRow): DamagedError | undefined {
  return unchanged(row, objectColumns) === undefined ? damageOf(row) : undefined;
}

const damageOf = ({ kind, slug }: ObjectRow) => new DamagedError(shown(kind), shown(slug));

/** The name of the setting, if it is damaged. */
export function damagedSetting(row: SettingRow): string | undefined {
  return unchanged(row, settingColumns) === undefined ? shown(row.key) : undefined;
}

/** Throws an error that names the object, if its slug is damaged. */
export function slugFrom(kind: string, slug: ArrayBuffer | null): string {
  const text = decoded(slug);
  if (text === undefined) throw new DamagedError(kind, shown(slug));
  return text;
}

/** The text, with a sign in place of what is damaged. */
export function lenient(bytes: ArrayBuffer | null): string {
  return bytes === null ? "�" : new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** The text for a message: damage may have made it long. */
export function shown(bytes: ArrayBuffer | null): string {
  return lenient(bytes).slice(0, longestSlug);
}

/** The texts of a row; undefined if one of them cannot be read. */
export function textsOf<Column extends string>(row: Row<Column>, columns: readonly Column[]): string[] | undefined {
  const texts = columns.map((column) => decoded(row[column])).filter((text) => text !== undefined);
  return texts.length === columns.length ? texts : undefined;
}

/** The texts of a row; undefined if something else than this service has changed one. */
function unchanged<Column extends string>(
  row: Row<Column | "digest">,
  columns: readonly Column[],
): Readonly<Record<Column, string>> | undefined {
  const texts = textsOf(row, columns);
  if (texts === undefined || digestOf(...texts) !== decoded(row.digest)) return undefined;
  return Object.fromEntries(columns.map((column, i) => [column, texts[i]])) as Record<Column, string>; // One for each.
}

function decoded(bytes: ArrayBuffer | null): string | undefined {
  if (bytes === null) return undefined;
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

/** A stored object that cannot be read. */
export class DamagedError extends Error {
  override readonly name = "DamagedError";

  constructor(
    readonly kind: string,
    readonly slug: string,
  ) {
    super(`the ${kind} "${slug}" is damaged in the database`);
  }
}
