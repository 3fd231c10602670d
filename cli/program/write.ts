import { basename, dirname, relative, sep } from "node:path";
import type { Field } from "../../provider/schema/field";
import type { Kind } from "../../provider/schema/kind";
import { holding } from "../../provider/schema/walk";
import { leaves } from "../../provider/values/leaves";
import { literal, quoted } from "../../provider/values/literal";
import { slugFrom } from "../../provider/values/slug";
import { ConfigSecret, type Item } from "./item";
import { layoutOf } from "./layout";
import { Names, variableOf } from "./names";

/** The columns of a line: the default of the usual formatter. */
const width = 80;

/** So many imports from one file become one of the whole file: they would hide the program. */
const mostImported = 10;

/** Where a resource is declared. */
export interface Declared {
  /** The file, without `.ts`: `monitors`, `checkout/payments`. */
  readonly file: string;
  readonly variable: string;
  /** The Pulumi name; in the notes of earlier versions it is missing, and was the slug. */
  readonly name?: string;
}

export interface Layout {
  /** The label whose value tells an item's file. Without one, each kind has its file, unless that is too long. */
  readonly groupBy?: string | undefined;
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

interface Placed extends Declared {
  readonly item: Item;
  readonly id: string;
}

/** The TypeScript files that declare the items. A file refers to another one by an import, never in a circle. */
export function programOf(items: readonly Item[], { groupBy, source, known, taken }: Layout): Program {
  const names = new Names(["config", ...Object.values(known).map(({ variable }) => variable)]);
  const named = items.map((item) => {
    const variable = variableOf(item.name, item.kind.name);
    return { item, id: idOf(item), variable: names.free(variable, variable + item.kind.name) };
  });
  const files = new Names([...taken, "index"]);
  const given = new Map<string, string>();
  const fileNamed = (wish: string): string => {
    const folder = wish.slice(0, wish.lastIndexOf("/") + 1);
    const name = given.get(wish) ?? files.free(wish === `${folder}index` ? `${wish}2` : wish);
    given.set(wish, name);
    return name;
  };
  // How long a declaration is does not depend on its file.
  const all = { ...known, ...Object.fromEntries(named.map(({ id, variable }) => [id, { variable, file: "" }])) };
  // All objects of a kind lie beside each other if others refer to one of them.
  const referred = new Set(items.flatMap(({ kind, args }) => referencesIn(kind.root, args)).map(kindIn));
  const sized = named.map(({ item, variable }) => {
    const lines = declarationText(item, variable, new Source("", all)).split("\n").length + 1;
    return { item, lines, isReferred: referred.has(item.kind.name) };
  });
  const layout = layoutOf(sized, groupBy);
  const placed = named.map((each): Placed => ({ ...each, file: fileNamed(layout.get(each.item) ?? "") }));
  const declared = Object.fromEntries(
    placed.map(({ id, variable, file, item: { name } }) => [id, { variable, file, name }]),
  );
  const everywhere = { ...known, ...declared };
  const texts = [...byFile(placed)].map(([file, own]) => {
    const print = (printed: Source) => {
      const blocks = inOrder(own).map(({ item, variable }) => declarationText(item, variable, printed));
      return `${[...headingOf(own, source), printed.head, ...blocks].join("\n\n")}\n`;
    };
    const printed = new Source(file, everywhere);
    const text = print(printed);
    const whole = printed.filesOfMany;
    if (whole.length === 0) return [file, text] as const;
    const spaces = new Map(whole.map((each) => [each, names.free(variableOf(basename(each), "file"))]));
    return [file, print(new Source(file, everywhere, spaces))] as const;
  });
  return { files: new Map(texts), declared };
}

function byFile(placed: readonly Placed[]): ReadonlyMap<string, readonly Placed[]> {
  const files = new Map<string, Placed[]>();
  for (const each of placed) {
    const own = files.get(each.file);
    if (own === undefined) files.set(each.file, [each]);
    else own.push(each);
  }
  return files;
}

/** What a file declares, and where that comes from. Empty if nobody knows. */
function headingOf(own: readonly Placed[], source: string | undefined): readonly string[] {
  const files = [...new Set(own.flatMap(({ item }) => item.source?.file ?? []))];
  const told = files.slice(0, mostSources).join(", ");
  const more = files.length > mostSources ? ` and ${files.length - mostSources} more` : "";
  const from = source ?? (files.length === 0 ? undefined : `converted from ${told}${more}`);
  if (from === undefined) return [];
  const counts = new Map<string, number>();
  for (const { item } of own) counts.set(item.kind.name, (counts.get(item.kind.name) ?? 0) + 1);
  const what = [...counts].map(([kind, count]) => `${count} ${kind}`).join(", ");
  return [commentOf(`${what}, ${from}.`).join("\n")];
}

const mostSources = 3;

/** The items that a value refers to, as `idOf` names them. */
const referencesIn = (root: Field, args: unknown): string[] =>
  mayRefer(root) ? leaves(root, args).flatMap(({ field, value }) => referenceOf(field, value) ?? []) : [];

const kindIn = (id: string) => id.slice(0, id.indexOf("/"));

const mayRefer = holding(({ options }) => options.refersTo !== undefined);

const referenceOf = ({ options: { refersTo } }: Field, value: unknown): string | undefined =>
  refersTo !== undefined && typeof value === "string" ? `${refersTo}/${value}` : undefined;

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

/** Prints values for one file, and keeps what the file must import. */
class Source {
  readonly #imports = new Map<string, Set<string>>();
  #usesConfig = false;

  constructor(
    private readonly file: string,
    private readonly declared: Readonly<Record<string, Declared>>,
    /** The files that are imported as a whole, each with its name here. */
    private readonly spaces: ReadonlyMap<string, string> = new Map(),
  ) {}

  /** @param before The columns that its first line has beside it. */
  literal(field: Field, value: unknown, indent: string, before: number): string {
    return literal(value, field, { instead: (...part) => this.#instead(...part), width }, indent, before);
  }

  /** The files of which so much is imported that one import of the whole is easier to read. */
  get filesOfMany(): readonly string[] {
    return [...this.#imports].flatMap(([file, variables]) => (variables.size > mostImported ? [file] : []));
  }

  /** What the file imports, and the config if secrets are read from it. */
  get head(): string {
    const imports = [
      ...[...this.spaces].map(([file, space]) => [pathTo(file, this.file), `* as ${space}`] as const),
      ...[...this.#imports].map(([file, variables]) => [pathTo(file, this.file), [...variables].sort()] as const),
    ];
    return [
      ...(this.#usesConfig ? ['import * as pulumi from "@pulumi/pulumi";'] : []),
      'import * as obs from "pulumi-observability";',
      ...imports.sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, what]) => importOf(path, what)),
      ...(this.#usesConfig ? ["", "const config = new pulumi.Config();"] : []),
    ].join("\n");
  }

  #instead(value: unknown, field: Field | undefined): string | undefined {
    if (value instanceof ConfigSecret) {
      this.#usesConfig = true;
      return `config.requireSecret(${quoted(value.key)})`;
    }
    const id = (field && referenceOf(field, value)) ?? "";
    const target = Object.hasOwn(this.declared, id) ? this.declared[id] : undefined;
    if (target === undefined) return undefined;
    const { file, variable } = target;
    const space = this.spaces.get(file);
    if (space !== undefined) return `${space}.${variable}.slug`;
    if (file !== this.file) this.#imports.set(file, (this.#imports.get(file) ?? new Set()).add(variable));
    return `${variable}.slug`;
  }
}

/** `datasets` from `checkout/payments` → `../datasets`. */
function pathTo(file: string, from: string): string {
  const path = relative(dirname(from), file).split(sep).join("/");
  return path.startsWith(".") ? path : `./${path}`;
}

function importOf(path: string, what: string | readonly string[]): string {
  if (typeof what === "string") return `import ${what} from "${path}";`;
  const flat = `import { ${what.join(", ")} } from "${path}";`;
  return flat.length <= width ? flat : `import {\n${what.map((each) => `  ${each},\n`).join("")}} from "${path}";`;
}

/** A resource with what is said above it. */
const declarationText = (item: Item, variable: string, source: Source) =>
  [...item.comments.flatMap(commentOf), assignment(item, variable, source)].join("\n");

/** The assignment of a new resource, as a formatter would break it. */
function assignment({ kind, name, args }: Item, variable: string, source: Source): string {
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
