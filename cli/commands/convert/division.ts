import { existsSync, statSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { grouped } from "../../../provider/base/grouped";
import { leaves } from "../../../provider/values/leaves";
import type { Folder } from "../../program/folder";
import { ConfigSecret, type Declared, type Item, type Origin, withSecrets } from "../../program/item";
import { kebab, Names, numberedSlug } from "../../program/names";
import { idOf, kindNameOfId } from "../../program/write";
import { realOf } from "../../output/files";
import type { Conversion, Converted, Rejected } from "./conversion";
import { called, freeName, saysItsSlug } from "./conversionBuilder";

/** An item that an earlier run wrote. */
export interface Earlier {
  readonly id: string;
  readonly declared: Declared;
  readonly origin: Origin;
}

/** An item that an earlier run wrote, with the name that it has in the program. */
export interface KnownItem extends Earlier {
  readonly item: Converted;
}

/** An item that says the same as another one, which has this name in the program. */
export interface Copy {
  readonly item: Converted;
  readonly of: string;
  /** Its file, named from the folder of the program. */
  readonly file: string;
  /** The id of the other one; undefined if it was written only now. */
  readonly id: string | undefined;
  readonly isAccepted: boolean;
}

export interface Division {
  /** Items that no earlier run wrote, with names that are free in the folder. */
  readonly added: readonly Converted[];
  readonly existing: readonly KnownItem[];
  readonly copies: readonly Copy[];
  /** Items that an earlier run wrote from these files, which no longer have them. */
  readonly gone: readonly Earlier[];
  readonly rejected: readonly Rejected[];
}

/**
 * Divides the items of a conversion into those that earlier runs wrote into a folder, and new ones.
 * @param paths The files and folders that were read.
 * @param declares Whether the program still declares a resource.
 */
export function divide(
  conversion: Conversion,
  folder: Folder,
  paths: readonly string[],
  declares = (id: string) => folder.declares(id),
): Division {
  // What both the source and the program have lost is new if it returns.
  const known = Object.entries(folder.declared).filter(([id, { converted }]) => !converted?.isGone || declares(id));
  const all = known.flatMap(([id, declared]): readonly Earlier[] =>
    declared.converted === undefined ? [] : [{ id, declared, origin: declared.converted.origin }],
  );
  const read = paths.map(placeIn);
  const isIn = (path: string, origin: Origin) => `${fileOf(origin, folder)}${sep}`.startsWith(`${path}${sep}`);
  const wasRead = ({ origin }: Earlier) => read.some((path) => isIn(path, origin));
  const earlier = earlierOf(conversion.items, all, folder, wasRead);
  const existing = conversion.items.flatMap((item): readonly KnownItem[] => {
    const each = earlier.get(item);
    return each === undefined ? [] : [{ ...each, item: called(item, each.declared.name) }];
  });
  const naming = new Naming(known, folder.secrets);
  const rejected = [...conversion.rejected];
  const copies: Copy[] = [];
  // What an item says now, and what it said when it was written.
  const there = [...existing.map((each) => ({ ...each, origin: each.item.source })), ...all];
  const said = new Map(
    there.filter(({ id }) => declares(id)).map((each) => [saidBy(kindNameOfId(each.id), each.origin), each]),
  );
  const own = new Map<string, string>();
  const added = conversion.items.flatMap((item): readonly Converted[] => {
    if (earlier.has(item)) return [];
    const text = saidOf(item);
    const of = said.get(text);
    const name = of?.declared.name ?? own.get(text);
    // What items with secrets say can't be compared.
    if (name !== undefined && secretsOf([item]).length === 0) {
      const { file } = originFrom(item, folder);
      const accepted = of?.declared.converted?.copies ?? [];
      copies.push({ item, of: name, file, id: of?.id, isAccepted: accepted.includes(file) });
      return [];
    }
    const named = naming.free(item);
    if (named === undefined) {
      const { file, line, name } = item.source;
      const slug = idOf(item).slice(item.kind.name.length + 1);
      const reason = `the program already has a different ${item.kind.title} with the slug "${slug}"`;
      rejected.push({ file, line, name, reason });
      return [];
    }
    own.set(text, named.name);
    return [named];
  });
  const taken = new Set(earlier.values());
  const gone = all.filter((each) => !taken.has(each) && wasRead(each) && !each.declared.converted?.isGone);
  // What can't be read or converted any longer is reported as that.
  const converting = new Set(conversion.items.map(({ source }) => source.file));
  const refused = rejected.filter(({ file, name }) => name !== undefined || !converting.has(file));
  const isRefused = ({ origin }: Earlier) =>
    refused.some(({ file, name = origin.name }) => name === origin.name && isIn(placeIn(file), origin));
  return { added, existing, copies, gone: gone.filter((each) => !isRefused(each)), rejected };
}

const saidOf = ({ kind, source }: Converted) => saidBy(kind.name, source);

const saidBy = (kindName: string, { name, said }: Origin) => JSON.stringify([kindName, name, said]);

/** The names in stack config of the items' secrets. */
export const secretsOf = (items: readonly Item[]): readonly string[] => {
  const values = items.flatMap(({ kind, args }) => leaves(kind.root, args).map(({ value }) => value));
  return [...new Set(values.flatMap((value) => (value instanceof ConfigSecret ? [value.key] : [])))];
};

/** The origin of an item. The path of its file is relative to the program's folder, in whatever way either is typed. */
export function originFrom({ source: { line: _, ...source }, hints }: Converted, folder: Folder): Origin {
  return {
    ...source,
    hints: hints.slice(0, -1),
    file: relative(realOf(folder.path), placeIn(source.file)).split(sep).join("/"),
  };
}

/** A file may be a link, and stays one: a mounted ConfigMap's leads to another place with each version. */
const placeIn = (path: string) =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
    ? realOf(path)
    : join(realOf(dirname(path)), basename(path));

const fileOf = ({ file }: Origin, folder: Folder) => join(realOf(folder.path), file);

/** Matches items with those that an earlier run wrote: by place and content, then by one of them. */
function earlierOf(
  items: readonly Converted[],
  all: readonly Earlier[],
  folder: Folder,
  wasRead: (each: Earlier) => boolean,
): ReadonlyMap<Converted, Earlier> {
  const found = new Map<Converted, Earlier>();
  const origins = items.map((item) => [item, originFrom(item, folder)] as const);
  const pair = (written: readonly Earlier[], isSure: boolean, keyOf: (origin: Origin) => readonly unknown[]) => {
    const taken = new Set(found.values());
    const left = written.filter((each) => !taken.has(each));
    const byKey = grouped(left, ({ id, origin }) => JSON.stringify([kindNameOfId(id), ...keyOf(origin)]));
    const copied = new Set([...found.keys()].map(saidOf));
    const open = origins.filter(([item]) => !found.has(item));
    const alike = grouped(open, ([item, origin]) => JSON.stringify([item.kind.name, ...keyOf(origin)]));
    for (const [key, all] of alike) {
      const before = byKey.get(key) ?? [];
      // A copy of what was found, or of each other, is not another one that has changed.
      const apart = [...grouped(all, ([item]) => saidOf(item))];
      const own = isSure ? all : apart.flatMap(([said, same]) => (copied.has(said) ? [] : same.slice(0, 1)));
      // With more items than were written, any may be the new one. A duplicate is visible, a missing item is not.
      if (!isSure && own.length > before.length) continue;
      own.forEach(([item], i) => {
        if (before[i] === undefined) return;
        found.set(item, before[i]);
        copied.add(saidOf(item));
      });
    }
  };
  // What is no longer in its file may be in another one.
  const movable = all.filter((each) => wasRead(each) || !existsSync(fileOf(each.origin, folder)));
  pair(all, true, ({ file, group, name, said }) => [file, group, name, said]);
  pair(all, true, ({ file, name, said }) => [file, name, said]);
  pair(movable, true, ({ name, said }) => [name, said]);
  const isIdentified = ({ origin }: Earlier) => origin.uid !== undefined;
  pair(all.filter(isIdentified), true, ({ file, uid }) => [file, uid]);
  pair(movable.filter(isIdentified), true, ({ uid }) => [uid]);
  pair(all, false, ({ file, group, name, hints = [] }) => [file, group, name, ...hints]);
  pair(all, false, ({ file, group, name }) => [file, group, name]);
  pair(all, false, ({ file, name }) => [file, name]);
  pair(movable, false, ({ name }) => [name]);
  return found;
}

/** Assigns names and keys of secrets, unique within a folder. */
class Naming {
  readonly #names: Names;
  readonly #keys: Names;
  /** The key in stack config of each secret of the conversion. */
  readonly #keyOf = new Map<ConfigSecret, string>();

  constructor(known: readonly (readonly [id: string, declared: Declared])[], secrets: readonly string[]) {
    // The name of an imported object differs from its slug.
    const taken = known.flatMap(([id, { name }]) => [id, `${kindNameOfId(id)}/${name}`]);
    this.#names = new Names(taken, numberedSlug);
    this.#keys = new Names(secrets);
  }

  /** An item with a free name; undefined if it declares its slug, and that is taken. */
  free(item: Converted): Converted | undefined {
    const wishes = [item.name, ...item.hints.map((hint) => kebab(`${kebab(item.source.name)}-${hint}`))];
    if (!saysItsSlug(item)) return this.#renamed(item, freeName(this.#names, item.kind, ...wishes));
    return this.#names.free(idOf(item)) === idOf(item) ? this.#renamed(item, item.name) : undefined;
  }

  #renamed(item: Converted, name: string): Converted {
    const args = withSecrets(item.args, (secret) => {
      const key = this.#keyOf.get(secret) ?? this.#keys.free(secret.key);
      this.#keyOf.set(secret, key);
      return new ConfigSecret(key, secret.value);
    });
    return called({ ...item, args }, name);
  }
}
