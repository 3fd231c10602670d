import { createHash } from "node:crypto";
import type { Kind } from "../../../provider/schema/kind";
import type { JsonObject } from "../../../provider/wire/json";
import { grouped } from "../../../provider/values/grouped";
import { equivalenceKey } from "../../../provider/values/equal";
import { carriedPart } from "../../program/carried";
import { ConfigSecret, withSecrets } from "../../program/item";
import { kebab, Names, numberedSlug } from "../../program/names";
import { type Conversion, type Converted, type Loss, lossesOf, type Lost, type Rejected } from "./conversion";
import { type Place, Rejection, type SourceNode } from "./sourceNode";

/** A format of another tool. */
export interface SourceFormat {
  recognizes(node: SourceNode): boolean;
  /** Converts all documents of the format at once, because they may refer to each other. */
  readonly convert: (nodes: readonly SourceNode[], builder: ConversionBuilder) => void;
}

/** Converts documents that do not. */
export const eachAlone =
  (convert: (node: SourceNode, builder: ConversionBuilder) => void): SourceFormat["convert"] =>
  (nodes, builder) =>
    builder.each(nodes, (node) => convert(node, builder));

/** The losses and notes of one item. */
export class Diagnostics {
  readonly losses: Lost[] = [];
  readonly notes: string[] = [];
  /** Whether another item has included them. */
  isIncluded = false;

  /** @param of Where the keys are that have no counterpart; empty for the item itself. */
  constructor(private readonly of = "") {}

  /** Adds a loss of the item, once, even if it occurs in several places. */
  readonly lose = (at: Place, text: string): void => {
    if (!this.losses.some((loss) => loss.text === text)) this.losses.push({ at, text });
  };

  /** Adds the loss of a key without a counterpart. */
  readonly loseKey = (at: Place, key: string): void =>
    this.lose(at, `"${key}"${this.of} has no counterpart and is left out`);

  /** Adds the loss of an unknown key, with its specific reason if there is one. */
  losing(reasons: Readonly<Record<string, (node: SourceNode) => string>>): (node: SourceNode, key: string) => void {
    return (node, key) => {
      const reason = reasons[key];
      if (reason === undefined) this.loseKey(node, key);
      else this.lose(node, reason(node));
    };
  }

  /** Reports something that is not a loss. */
  note(text: string): void {
    if (!this.notes.includes(text)) this.notes.push(text);
  }

  include(diagnostics: Diagnostics): void {
    diagnostics.isIncluded = true;
    for (const { at, text } of diagnostics.losses) this.lose(at, text);
    diagnostics.notes.forEach((text) => this.note(text));
  }
}

export interface Finished {
  readonly kind: Kind;
  /** The place in the file of the other tool. */
  readonly at: Place;
  readonly group?: string;
  /** The name in the other tool. */
  readonly original: string;
  /** What identifies it there, even if it is renamed. */
  readonly uid?: string | undefined;
  /** Values that distinguish the item from others of the same name, most readable first. */
  readonly hints?: readonly string[];
  readonly args: JsonObject;
  readonly diagnostics: Diagnostics;
}

export class ConversionBuilder {
  readonly items: Converted[] = [];
  readonly rejected: Rejected[] = [];
  readonly losses: Loss[] = [];
  readonly #names = new Map<Kind, Names>();
  readonly #unnamed = new Set<Converted>();
  readonly #secretKeys = new Names([], numberedSlug);
  readonly #sharedSecrets = new Map<string, ConfigSecret>();
  /** The name of the object in conversion. */
  #called: string | undefined;

  reject({ file, line }: Place, reason: string, name = this.#called): void {
    this.rejected.push({ file, line, ...(name === undefined ? {} : { name }), reason });
  }

  /** Adds a loss that belongs to no item. */
  lose({ file, line }: Place, item: string, text: string): void {
    this.losses.push({ file, line, item, text });
  }

  /** Adds the loss of a key that a file has next to its groups. */
  loseBeside(node: SourceNode, key: string, reason = "a file of rules has no such key"): void {
    this.lose(node.at(key), key, `"${key}" next to "groups" is left out: ${reason}`);
  }

  /** Adds one loss per file for strings with templates: otherwise most alerts would have it. */
  templatesStay({ file, line }: Place, texts: readonly string[]): void {
    if (!texts.some((each) => each.includes("{{"))) return;
    const text = "templates ({{ … }}) are kept unchanged; the API doesn't document whether the service fills them in";
    if (!this.losses.some((loss) => loss.file === file && loss.text === text)) {
      this.lose({ file, line }, "templates", text);
    }
  }

  /** Converts each node, and reports by name those that cannot be converted: a node without a name has that of the enclosing one. */
  each(
    nodes: readonly SourceNode[],
    convert: (node: SourceNode) => void,
    nameOf = (node: SourceNode, outer: string | undefined) => nameIn(node) ?? outer,
  ): void {
    const outer = this.#called;
    for (const node of nodes) {
      this.#called = nameOf(node, outer);
      try {
        convert(node);
      } catch (error) {
        if (!(error instanceof Rejection)) throw error;
        this.reject(error.at, error.reason);
      }
    }
    this.#called = outer;
  }

  /** A Pulumi name that no other item of the kind has. */
  nameFor(kind: Kind, original: string): string {
    return this.#namesOf(kind).free(nameFrom(kind, original));
  }

  #namesOf(kind: Kind): Names {
    const names = this.#names.get(kind) ?? new Names([], numberedSlug);
    this.#names.set(kind, names);
    return names;
  }

  /** @param given The item's name; without it, `conversion` gives it one. */
  add(finished: Finished, given?: string): void {
    const { kind, at, group, original, uid, diagnostics } = finished;
    const hints = [
      ...(finished.hints ?? []),
      at.file
        .replace(/\.\w+$/, "")
        .split(/[\\/]/)
        .slice(-2)
        .join("-"),
    ];
    const present = withSecrets(finished.args, (secret) => secret) as JsonObject; // An object stays one.
    const { args, told } = carriedPart(present);
    for (const text of told) diagnostics.lose(at, text);
    const comments = [...diagnostics.notes, ...diagnostics.losses.map(({ text }) => text)];
    // The keys of secrets come from names.
    const content = withSecrets(args, () => "secret");
    const text = JSON.stringify([original, equivalenceKey(kind.root, content)]);
    const said = createHash("sha256").update(text).digest("hex").slice(0, 16);
    const source = {
      file: at.file,
      line: at.line,
      ...(group === undefined ? {} : { group }),
      name: original,
      ...(uid === undefined ? {} : { uid }),
      said,
    };
    const name = given ?? nameFrom(kind, original);
    const item = { kind, name, args, comments, source, hints, lost: diagnostics.losses };
    this.items.push(item);
    if (given === undefined) this.#unnamed.add(item);
  }

  /** What was converted. Names do not depend on the order of files: those that are equal get what distinguishes them. */
  get conversion(): Conversion {
    const names = new Map(this.items.map((item) => [item, item.name]));
    const alike = grouped([...this.#unnamed], ({ kind, name }) => JSON.stringify([kind.name, name]));
    for (const items of alike.values()) {
      // Copies, most of which are not written, are named last.
      const firsts = [...grouped(items, ({ source }) => source.said).values()].flatMap(([first]) => first ?? []);
      const copies = items.filter((item) => !firsts.includes(item)).map((item) => [item, item.name] as const);
      for (const [item, name] of [...distinguished(firsts), ...copies])
        names.set(item, this.#namesOf(item.kind).free(name));
    }
    const itemNamed = (item: Converted): Converted => {
      const [name, original] = [names.get(item) ?? item.name, item.source.name];
      const isSaid = name === original || original === "" || item.kind.isSingleton;
      return { ...item, name, args: isSaid ? item.args : { name: original, ...item.args } };
    };
    const items = this.items.map(itemNamed);
    return { items, rejected: this.rejected, losses: [...this.losses, ...lossesOf(items)] };
  }

  /** A secret of one item. */
  secret(value: string | undefined, ...words: readonly string[]): ConfigSecret {
    const key = this.#secretKeys.free(kebab(words.map(kebab).join("-")));
    return new ConfigSecret(inCamelCase(key), value);
  }

  /** A secret of several items: the same name and value are one secret. */
  sharedSecret(value: string | undefined, ...words: readonly string[]): ConfigSecret {
    const key = JSON.stringify([words, value]);
    const secret = this.#sharedSecrets.get(key) ?? this.secret(value, ...words);
    this.#sharedSecrets.set(key, secret);
    return secret;
  }
}

const nameFrom = (kind: Kind, original: string) => kebab(original) || kebab(kind.title);

/** A name for each of several items of one name: with the first hint that differs, and further ones for those that it leaves equal. */
function distinguished(
  items: readonly Converted[],
  nameOf = ({ name }: Converted) => name,
  from = 0,
): readonly (readonly [Converted, string])[] {
  const hintOf = ({ hints }: Converted) => kebab(hints[from] ?? "");
  const parts = [...grouped(items, hintOf).values()];
  if (parts.length > 1)
    return parts.flatMap((part) => distinguished(part, (item) => kebab(`${nameOf(item)}-${hintOf(item)}`), from + 1));
  if (items.length > 1 && items.some(({ hints }) => from < hints.length)) return distinguished(items, nameOf, from + 1);
  // The order of files decides nothing.
  const inOrder = [...items].sort((one, other) => (one.source.said < other.source.said ? -1 : 1));
  return inOrder.map((item) => [item, nameOf(item)]);
}

/** `team-x-routing-key` → `teamXRoutingKey` */
const inCamelCase = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The name of a rule, a receiver, an objective, a Kubernetes object. */
export const nameIn = (node: SourceNode): string | undefined =>
  ["alert", "record", "name"].map((key) => node.at(key).text).find(Boolean) ?? node.at("metadata", "name").text;

/** Adds the loss of an object's own labels: they are not those of its alerts. */
export function loseOwnLabels(node: SourceNode, lose: (at: Place, text: string) => void): void {
  for (const key of ["labels", "annotations"]) {
    const own = node.at("metadata", key);
    if (own.keys.length > 0) lose(own, `the object's ${key} are left out: ${own.keys.join(", ")}`);
  }
}

/** A map under its name, if it has entries. */
export const nonEmpty = (name: string, map: Readonly<Record<string, string>>) =>
  Object.keys(map).length === 0 ? {} : { [name]: map };
