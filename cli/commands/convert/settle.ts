import { existsSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";
import type { Kind } from "../../../provider/schema/kind";
import { formatPath } from "../../../provider/schema/walk";
import { leaves } from "../../../provider/values/leaves";
import type { JsonObject } from "../../../provider/wire/json";
import type { Folder } from "../../program/folder";
import { kebab, Names, numberedSlug } from "../../program/names";
import { ConfigSecret, type Declared, type Item, withSecrets, type WrittenFrom } from "../../program/item";
import { idOf, kindIn } from "../../program/write";
import type { Conversion, Converted, Refused } from "./conversion";
import { append } from "../../../provider/values/grouped";

type Origin = WrittenFrom["origin"];

/** What an earlier run converted, and where it wrote it. */
interface Earlier {
  readonly id: string;
  readonly declared: Declared;
  readonly converted: WrittenFrom;
}

/** An item that an earlier run converted, with the name that it gave. */
export interface Known extends Earlier {
  readonly item: Converted;
  readonly origin: Origin;
}

/** What a folder has of a conversion, and what it lacks. */
export interface Settled {
  /** What no earlier run converted, with names that the folder does not have. */
  readonly added: readonly { readonly item: Converted; readonly origin: Origin }[];
  readonly known: readonly Known[];
  /** What earlier runs converted, and what its file does not say any more. The file is named as the inputs are. */
  readonly removed: readonly (Earlier & { readonly file: string })[];
  readonly refused: readonly Refused[];
  /** The name of an item after the kind and the name that its conversion gave it: `Monitor/errors`. */
  readonly names: ReadonlyMap<string, string>;
}

/** Finds each item in what earlier runs wrote into a folder, by what it was converted from. */
export function settle(conversion: Conversion, inputs: readonly string[], folder: Folder): Settled {
  const toFolder = (file: string) => relative(resolve(folder.path), resolve(file)).split(sep).join("/");
  const read = new Set(inputs.map(toFolder));
  const isGone = goneAmong(inputs, folder.path);
  const items = conversion.items.map((item) => {
    const { line: _, ...source } = item.source;
    return { item, origin: { ...source, file: toFolder(source.file) } };
  });
  const earlier = Object.entries(folder.declared).flatMap(([id, declared]): readonly Earlier[] =>
    declared.converted === undefined ? [] : [{ id, declared, converted: declared.converted }],
  );
  const { found, left } = matched(items, earlier, (file) => read.has(file) || isGone(file));

  const besides = new Map(
    earlier.map(({ id, declared: { file }, converted: { origin } }) => [groupKey(kindIn(id), origin), file]),
  );
  const naming = new Naming(folder);
  const known = items.flatMap(({ item, origin }): readonly Known[] => {
    const before = found.get(item);
    return before === undefined ? [] : [{ ...before, item: naming.asBefore(item, before), origin }];
  });
  const added: { item: Converted; origin: Origin }[] = [];
  const refused = [...conversion.refused];
  for (const { item, origin } of items.filter((each) => !found.has(each.item))) {
    const named = naming.free(item);
    if (named !== undefined)
      added.push({ item: { ...named, beside: besides.get(groupKey(item.kind.name, origin)) }, origin });
    else {
      const { file, line, name } = item.source;
      refused.push({
        file,
        line,
        name,
        reason: `the program has another ${item.kind.title} of the slug "${slugIn(idOf(item))}"`,
      });
    }
  }
  const removed = left
    .filter(({ converted: { origin } }) => read.has(origin.file) || isGone(origin.file))
    .map((each) => ({ ...each, file: relative("", resolve(folder.path, each.converted.origin.file)) }));
  return { added, known, removed, refused, names: naming.given };
}

/** Pairs items with what earlier runs wrote: by place and content, then by place, then by name and content. */
function matched(
  items: readonly { readonly item: Converted; readonly origin: Origin }[],
  earlier: readonly Earlier[],
  mayHaveMoved: (file: string) => boolean,
) {
  const found = new Map<Converted, Earlier>();
  let left = earlier;
  const pair = (keyOf: (kind: string, origin: Origin) => string | undefined) => {
    const byKey = new Map<string, Earlier[]>();
    for (const each of left) {
      const key = keyOf(kindIn(each.id), each.converted.origin);
      if (key !== undefined) append(byKey, key, each);
    }
    for (const { item, origin } of items) {
      if (found.has(item)) continue;
      const first = byKey.get(keyOf(item.kind.name, origin) ?? "")?.shift();
      if (first !== undefined) found.set(item, first);
    }
    const taken = new Set(found.values());
    left = left.filter((each) => !taken.has(each));
  };
  pair((kind, { file, group, name, said }) => JSON.stringify([kind, file, group, name, said]));
  pair((kind, { file, group, name }) => JSON.stringify([kind, file, group, name]));
  pair((kind, { file, name, said }) => (mayHaveMoved(file) ? JSON.stringify([kind, name, said]) : undefined));
  return { found, left };
}

/** What the resources of one kind and group have in common; what has no group is like no other. */
const groupKey = (kind: string, { file, group, name }: Origin) =>
  JSON.stringify([kind, file, ...(group === undefined ? ["", name] : [group])]);

/** Whether a file is gone from a folder of which others were read. */
function goneAmong(inputs: readonly string[], out: string): (file: string) => boolean {
  const folders = new Set(inputs.map((path) => resolve(dirname(path))));
  return (file) => {
    const path = resolve(out, file);
    return folders.has(dirname(path)) && !existsSync(path);
  };
}

/** Names and secrets' keys, each given once in a folder. */
class Naming {
  readonly given = new Map<string, string>();
  readonly #names = new Map<Kind, Names>();
  readonly #keys: Names;
  /** The key in stack config of each secret of the conversion. */
  readonly #keyOf = new Map<ConfigSecret, string>();

  constructor(private readonly folder: Folder) {
    this.#keys = new Names(folder.secrets);
  }

  /** An item with the name and the keys that it was written with. */
  asBefore(item: Converted, { id, converted }: Earlier): Converted {
    for (const { path, value } of leaves(item.kind.root, item.args)) {
      const key = converted.secrets[formatPath(path)];
      if (value instanceof ConfigSecret && key !== undefined) this.#keyOf.set(value, key);
    }
    return this.#renamed(item, saysItsSlug(item) ? item.name : slugIn(id));
  }

  /** An item with a free name; undefined if it says its slug itself, and that is taken. */
  free(item: Converted): Converted | undefined {
    const names = this.#namesOf(item.kind);
    if (saysItsSlug(item)) {
      const slug = slugIn(idOf(item));
      return names.free(slug) === slug ? this.#renamed(item, item.name) : undefined;
    }
    const others = item.hints.map((hint) => kebab(`${item.name}-${hint}`)).filter((name) => name !== item.name);
    return this.#renamed(item, names.free(item.name, ...others));
  }

  #namesOf(kind: Kind): Names {
    const declared = Object.entries(this.folder.declared).filter(([id]) => kindIn(id) === kind.name);
    // What was imported has a name that is not its slug.
    const taken = declared.flatMap(([id, { name }]) => [slugIn(id), ...(name === undefined ? [] : [name])]);
    const names = this.#names.get(kind) ?? new Names(taken, numberedSlug);
    this.#names.set(kind, names);
    return names;
  }

  #renamed(item: Converted, name: string): Converted {
    this.given.set(`${item.kind.name}/${item.name}`, name);
    const args = withSecrets(item.args, (secret) => this.#settled(secret)) as JsonObject; // An object stays one.
    const isNamed = name === item.name || args.name !== undefined;
    return { ...item, name, args: isNamed ? args : { name: item.source.name, ...args } };
  }

  #settled(secret: ConfigSecret): ConfigSecret {
    const key = this.#keyOf.get(secret) ?? this.#keys.free(secret.key);
    this.#keyOf.set(secret, key);
    return new ConfigSecret(key, secret.value);
  }
}

const saysItsSlug = ({ kind, args }: Item) => kind.isSingleton || args.slug !== undefined;
const slugIn = (id: string) => id.slice(id.indexOf("/") + 1);
