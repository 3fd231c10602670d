import type { Field } from "../../provider/schema/field";
import type { Kind } from "../../provider/schema/kind";
import { holding } from "../../provider/schema/walk";
import { leaves } from "../../provider/values/leaves";
import { literal, quoted } from "../../provider/values/literal";
import { slugFrom } from "../../provider/values/slug";
import { isObject } from "../../provider/wire/json";
import { ConfigSecret, type Item, type Origin } from "./item";
import { Names, variableOf } from "./names";

/** The columns of a line: the default of the usual formatter. */
const width = 80;

/** Where a resource is declared. */
export interface Declared {
  /** The file, without `.ts`. */
  readonly file: string;
  readonly variable: string;
  /** Of what was converted: from what, and how it was written. */
  readonly converted?: WrittenFrom;
}

export interface WrittenFrom {
  /** Its file is named from the folder of the program. */
  readonly origin: Omit<Origin, "line">;
  /** A digest of its text in the program. */
  readonly text: string;
  /** The names of its secrets in stack config, by path. */
  readonly secrets: Readonly<Record<string, string>>;
}

export interface Layout {
  /** The label whose value tells an item's file. Without one, each kind has its file. */
  readonly groupBy?: string | undefined;
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
export function programOf(items: readonly Item[], { groupBy, known, taken }: Layout): Program {
  const names = new Names(["config", ...Object.values(known).map(({ variable }) => variable)]);
  const files = new Names(["index", ...taken]);
  const given = new Map<string, string>();
  const fileNamed = (wish: string): string => {
    const name = given.get(wish) ?? files.free(wish);
    given.set(wish, name);
    return name;
  };
  const groupOf = groups(items, groupBy);
  const placed = items.map((item): Placed => {
    const variable = names.free(variableOf(item.name, item.kind.name));
    return { item, id: idOf(item), variable, file: fileNamed(groupOf(item) ?? fileOf(item.kind)) };
  });
  const declared = Object.fromEntries(placed.map(({ id, variable, file }) => [id, { variable, file }]));
  const texts = [...new Set(placed.map(({ file }) => file))].map((file) => {
    const own = inOrder(placed.filter((each) => each.file === file));
    return [file, resourcesText(own, new Source(file, { ...known, ...declared }))] as const;
  });
  return { files: new Map(texts), declared };
}

/** `trace_metrics_rules` → `traceMetricsRules`. */
const fileOf = ({ wire }: Kind) =>
  (wire.many ?? wire.one).replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/**
 * The group of each item: the value of its label. What other items refer to has none, so that files need not import each
 * other in a circle.
 */
function groups(items: readonly Item[], groupBy: string | undefined): (item: Item) => string | undefined {
  if (groupBy === undefined) return () => undefined;
  const referred = new Set(items.flatMap(({ kind, args }) => referencesIn(kind.root, args)));
  return (item) => {
    const { labels } = item.args;
    const value = isObject(labels) ? labels[groupBy] : undefined;
    const group = typeof value === "string" ? slugFrom("", value) : "";
    return group === "" || referred.has(idOf(item)) ? undefined : group;
  };
}

/** The items that a value refers to, as `idOf` names them. */
const referencesIn = (root: Field, args: unknown): string[] =>
  mayRefer(root) ? leaves(root, args).flatMap(({ field, value }) => referenceOf(field, value) ?? []) : [];

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
  ) {}

  /** @param before The columns that its first line has beside it. */
  literal(field: Field, value: unknown, indent: string, before: number): string {
    return literal(value, field, { instead: (...part) => this.#instead(...part), width }, indent, before);
  }

  /** What the file imports, and the config if secrets are read from it. */
  get head(): string {
    return [
      ...(this.#usesConfig ? ['import * as pulumi from "@pulumi/pulumi";'] : []),
      'import * as obs from "pulumi-observability";',
      ...[...this.#imports].sort().map(([file, variables]) => importOf(file, [...variables].sort())),
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
    if (file !== this.file) this.#imports.set(file, (this.#imports.get(file) ?? new Set()).add(variable));
    return `${variable}.slug`;
  }
}

function importOf(file: string, variables: readonly string[]): string {
  const flat = `import { ${variables.join(", ")} } from "./${file}";`;
  return flat.length <= width
    ? flat
    : `import {\n${variables.map((each) => `  ${each},\n`).join("")}} from "./${file}";`;
}

function resourcesText(placed: readonly Placed[], source: Source): string {
  const blocks = placed.map(({ item, variable }) => declarationText(item, variable, source));
  return `${[source.head, ...blocks].join("\n\n")}\n`;
}

/** The text of one resource at its place, and what its file must begin with. */
export function declarationAt(item: Item, { file, variable }: Declared, known: Layout["known"]) {
  const source = new Source(file, known);
  const text = declarationText(item, variable, source);
  return { text, head: source.head };
}

/** A resource with what is said above it. */
function declarationText(item: Item, variable: string, source: Source): string {
  const start = `export const ${variable} = new obs.${item.kind.name}(`;
  return [...item.comments.flatMap(commentOf), call(start, item, source)].join("\n");
}

/** The call of a constructor, as a formatter would break it. */
function call(start: string, { kind, name, args }: Item, source: Source): string {
  const title = quoted(name);
  if (Object.keys(args).length === 0) return `${start}${title});`;
  const before = `${start}${title}, `;
  if (before.length < width) return `${before}${source.literal(kind.root, args, "", before.length + 1)});`;
  return `${start}\n  ${title},\n  ${source.literal(kind.root, args, "  ", 0)},\n);`;
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
