import { basename, extname } from "node:path";
import type { Field } from "../../provider/schema/field";
import type { Kind } from "../../provider/schema/kind";
import { holding } from "../../provider/schema/walk";
import { leaves } from "../../provider/values/leaves";
import { literal, quoted } from "../../provider/values/literal";
import { slugFrom } from "../../provider/values/slug";
import { isObject, type JsonObject } from "../../provider/wire/json";
import type { Declared, Item } from "./item";
import { type Constant, Shared } from "./constants";
import { grouped } from "../../provider/values/grouped";
import { layoutOf } from "./layout";
import { Names, variableOf } from "./names";
import { referenceOf, Source, width } from "./source";

export interface Layout {
  /** The label whose value tells an item's file. Without one, each kind has its file, unless that is too long. */
  readonly groupBy?: string | undefined;
  /** Whether secrets are read from the environment, as a team's file does, in place of stack config. */
  readonly isTeam?: boolean;
  /** Where the items come from, for the headings: `imported from https://config.example.com`. */
  readonly source?: string | undefined;
  /** What an earlier run has declared, by `idOf`. */
  readonly known: Readonly<Record<string, Declared>>;
  /** The files that exist, without `.ts`. */
  readonly taken: readonly string[];
}

export interface Program {
  /** The text of each file, by its name without `.ts`. */
  readonly files: ReadonlyMap<string, string>;
  /** Where each of the items is declared, by `idOf`. */
  readonly declared: Readonly<Record<string, Declared>>;
}

/** The id of an item among all: `Monitor/checkout-errors`. */
export const idOf = ({ kind, name, args }: Pick<Item, "kind" | "name" | "args">) =>
  `${kind.name}/${kind.isSingleton ? kind.singletonId : String(args.slug ?? slugFrom("", name))}`;

export const kindIn = (id: string) => id.slice(0, id.indexOf("/"));

interface Placed extends Declared {
  readonly item: Item;
  readonly id: string;
}

/** The TypeScript files that declare the items. A file refers to another one by an import, never in a circle. */
export function programOf(items: readonly Item[], { groupBy, isTeam = false, source, known, taken }: Layout): Program {
  const names = new Names(["config", ...Object.values(known).map(({ variable }) => variable)]);
  const named = items.map((item) => {
    const variable = variableOf(item.name, item.kind.name);
    return { item, id: idOf(item), variable: names.free(variable, variable + item.kind.name) };
  });
  const files = new Names([...taken, "index"]);
  const given = new Map<string, string>();
  const fileNamed = (wish: string, origin = ""): string => {
    const folder = wish.slice(0, wish.lastIndexOf("/") + 1);
    const first = wish === `${folder}index` ? `${wish}2` : wish;
    const isSaid = origin === "" || wish.includes(origin);
    const name = given.get(wish) ?? files.free(first, ...(isSaid ? [] : [`${first}-${origin}`]));
    given.set(wish, name);
    return name;
  };
  // What a declaration says does not depend on its file.
  const all = { ...known, ...Object.fromEntries(named.map(({ id, variable }) => [id, { variable, file: "" }])) };
  const shared = new Shared();
  const counting = new Source("", { declared: all, shared });
  for (const { item, variable } of named) declarationText(item, variable, counting);
  const constants = shared.constants(names, fileNamed);
  // All objects of a kind lie beside each other if others refer to one of them.
  const referred = new Set(items.flatMap(({ kind, args }) => referencesIn(kind.root, args)).map(kindIn));
  const sized = named.map(({ item, variable }) => {
    const lines = declarationText(item, variable, new Source("", { declared: all, constants })).split("\n").length + 1;
    return { item, lines, isReferred: referred.has(item.kind.name) };
  });
  const layout = layoutOf(sized, groupBy);
  const wishOf = (item: Item) => layout.get(item) ?? "";
  for (const [wish, own] of grouped(items, wishOf)) fileNamed(wish, originOf(own));
  const placed = named.map((each): Placed => ({ ...each, file: fileNamed(wishOf(each.item)) }));
  const declared = Object.fromEntries(
    placed.map(({ id, variable, file, item: { name } }) => [id, { variable, file, name }]),
  );
  const everywhere = { ...known, ...declared };
  const texts = [...grouped(placed, ({ file }) => file)].map(([file, own]) => {
    const print = (printed: Source) => {
      const blocks = inOrder(own).map(({ item, variable }) => declarationText(item, variable, printed));
      return `${[...headingOf(own, source), printed.head, ...blocks].join("\n\n")}\n`;
    };
    const printed = new Source(file, { declared: everywhere, constants, isTeam });
    const text = print(printed);
    const whole = printed.filesOfMany;
    if (whole.length === 0) return [file, text] as const;
    const spaces = new Map(whole.map((each) => [each, names.free(variableOf(basename(each), "file"))]));
    return [file, print(new Source(file, { declared: everywhere, constants, spaces, isTeam }))] as const;
  });
  return { files: new Map([...constantsIn([...constants.values()], source), ...texts]), declared };
}

/** The group, or else the file, that all items of a file come from; empty if they have none in common. */
function originOf(items: readonly Item[]): string {
  const common = (textOf: (item: Item) => string | undefined) => {
    const [first = "", ...others] = new Set(items.map((item) => textOf(item) ?? ""));
    return others.length === 0 ? slugFrom("", first) : "";
  };
  return (
    common(({ source }) => source?.group) ||
    common(({ source }) => source && basename(source.file, extname(source.file)))
  );
}

function constantsIn(all: readonly Constant[], source: string | undefined): ReadonlyMap<string, string> {
  const files = [...new Set(all.map(({ file }) => file))];
  return new Map(
    files.map((file) => {
      const own = all.filter((each) => each.file === file);
      const blocks = own.map(({ variable, type, value }) => {
        const start = `export const ${variable}: obs.types.${type} = `;
        return `${start}${literal(value, undefined, { instead: () => undefined, width }, "", start.length)};`;
      });
      const types = own.map(({ type }) => type);
      const head = source === undefined ? [] : [heading(types, source)];
      return [file, `${[...head, 'import * as obs from "pulumi-observability";', ...blocks].join("\n\n")}\n`];
    }),
  );
}

/** The first line of a file: how many resources it declares, and of which source. None if the source is not known. */
function headingOf(own: readonly Placed[], source: string | undefined): readonly string[] {
  const files = [...new Set(own.flatMap(({ item }) => item.source?.file ?? []))];
  const told = files.slice(0, mostSources).join(", ");
  const more = files.length > mostSources ? ` and ${files.length - mostSources} more` : "";
  const from = source ?? (files.length === 0 ? undefined : `converted from ${told}${more}`);
  const kinds = own.map(({ item }) => item.kind.name);
  return from === undefined ? [] : [heading(kinds, from)];
}

/** `// 3 Monitor, 1 SLO, imported from …` */
function heading(types: readonly string[], from: string): string {
  const counts = new Map<string, number>();
  for (const type of types) counts.set(type, (counts.get(type) ?? 0) + 1);
  const what = [...counts].map(([type, count]) => `${count} ${type}`).join(", ");
  return commentOf(`${what}, ${from}.`).join("\n");
}

const mostSources = 3;

/** The items that a value refers to, as `idOf` names them. */
const referencesIn = (root: Field, args: unknown): string[] =>
  mayRefer(root) ? leaves(root, args).flatMap(({ field, value }) => referenceOf(field, value) ?? []) : [];

const mayRefer = holding(({ options }) => options.refersTo !== undefined);

/** What others refer to comes first. */
function inOrder(placed: readonly Placed[]): readonly Placed[] {
  const byId = new Map(placed.map((each) => [each.id, each]));
  const done = new Set<Placed>();
  const enter = (each: Placed | undefined): void => {
    if (each === undefined || done.has(each)) return;
    for (const id of referencesIn(each.item.kind.root, each.item.args)) enter(byId.get(id));
    done.add(each);
  };
  placed.forEach(enter);
  return [...done];
}

/** A resource with what is said above it. */
const declarationText = (item: Item, variable: string, source: Source) =>
  [...item.comments.flatMap(commentOf), assignment(item, variable, source)].join("\n");

/** The assignment of a new resource, as a formatter would break it. */
function assignment({ kind, name, args: given }: Item, variable: string, source: Source): string {
  const args = textsLast(kind, given);
  const [left, call, title] = [`export const ${variable} =`, `new obs.${kind.name}(`, quoted(name)];
  const isLong = left.length + 1 + call.length > width;
  const indent = isLong ? "  " : "";
  const start = isLong ? `${left}\n  ${call}` : `${left} ${call}`;
  const column = isLong ? indent.length + call.length : start.length;
  if (Object.keys(args).length === 0) {
    const isShort = column + title.length + ");".length <= width;
    return isShort ? `${start}${title});` : `${start}\n${indent}  ${title},\n${indent});`;
  }
  const before = column + title.length + ", ".length;
  if (before < width)
    return `${start}${title}, ${source.literal(kind.root, args, indent, before + 1 - indent.length)});`;
  const inner = `${indent}  `;
  return `${start}\n${inner}${title},\n${inner}${source.literal(kind.root, args, inner, 0)},\n${indent});`;
}

/** Texts by key are long, and only read: what decides comes before them. */
function textsLast(kind: Kind, args: JsonObject): JsonObject {
  const isLast = ([name, value]: [string, unknown]) =>
    isObject(value) && kind.args.fields[name]?.options.meaning === "text";
  const all = Object.entries(args);
  return Object.fromEntries([...all.filter((each) => !isLast(each)), ...all.filter(isLast)]);
}

/** A comment, broken into lines. */
function commentOf(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`// ${word}`);
  }
  return lines;
}
