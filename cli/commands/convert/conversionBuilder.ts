import { hash } from "node:crypto";
import type { Kind } from "../../../provider/schema/kind";
import type { JsonObject } from "../../../provider/wire/json";
import { grouped } from "../../../provider/base/grouped";
import { equivalenceKey } from "../../../provider/values/equal";
import { carriedPart } from "../../program/carried";
import { ConfigSecret, type Item, withSecrets } from "../../program/item";
import { kebab, Names, numberedSlug } from "../../program/names";
import { queryProblems } from "../../program/queries";
import { type Conversion, type Converted, type Loss, lossesOf, type Lost, type Rejected } from "./conversion";
import { type LostKey, type Place, Rejection, type SourceNode } from "../../source/sourceNode";

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

  /** Adds a loss of the item that has an effect, once, even if it occurs in several places. */
  readonly lose = (at: Place, text: string): void => this.#add({ at, text, hasEffect: true });

  /** Adds how something is read, or what is left out without an effect. */
  readonly report = (at: Place, text: string): void => this.#add({ at, text });

  /** Adds the loss of a key, as its table describes it. */
  readonly loseKey = (at: Place, key: string, { text, hasEffect }: LostKey = { hasEffect: true }): void =>
    this[hasEffect ? "lose" : "report"](at, text ?? `"${key}"${this.of} has no counterpart and is left out`);

  #add(loss: Lost): void {
    if (!this.losses.some(({ text }) => text === loss.text)) this.losses.push(loss);
  }

  /** Adds a comment. */
  note(text: string): void {
    if (!this.notes.includes(text)) this.notes.push(text);
  }

  include(diagnostics: Diagnostics): void {
    diagnostics.isIncluded = true;
    diagnostics.losses.forEach((loss) => this.#add(loss));
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
  /** What its Pulumi name is made of, if that is not the name. */
  readonly called?: string;
  /** What identifies it there, even if it is renamed. */
  readonly uid?: string | undefined;
  /** Values that distinguish the item from others of the same name, most readable first. */
  readonly hints?: readonly string[];
  readonly args: JsonObject;
  readonly diagnostics: Diagnostics;
}

export class ConversionBuilder {
  readonly #items: Converted[] = [];
  readonly #rejected: Rejected[] = [];
  readonly #losses: Loss[] = [];
  readonly #secretKeys = new Names([], numberedSlug);
  readonly #sharedSecrets = new Map<string, ConfigSecret>();
  /** The name of the object in conversion. */
  #called: string | undefined;

  reject({ file, line }: Place, reason: string, name = this.#called): void {
    this.#rejected.push({ file, line, ...(name === undefined ? {} : { name }), reason });
  }

  /** Adds what belongs to no item, unless an item has it. */
  tell({ losses, isIncluded }: Diagnostics, item: string): void {
    if (isIncluded) return;
    for (const { at, ...loss } of losses) this.#losses.push({ file: at.file, line: at.line, item, ...loss });
  }

  /** Reports something of a file that is no loss. */
  report({ file, line }: Place, item: string, text: string): void {
    this.#losses.push({ file, line, item, text });
  }

  /** Adds one loss per file for strings with templates: otherwise most alerts would have it. */
  templatesStay({ file, line }: Place, texts: readonly string[]): void {
    if (!texts.some((each) => each.includes("{{"))) return;
    const text = "templates ({{ … }}) are kept unchanged; the API doesn't document whether the service fills them in";
    if (!this.#losses.some((loss) => loss.file === file && loss.text === text)) {
      this.report({ file, line }, "templates", text);
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
        if (error instanceof Rejection) this.reject(error.at, error.reason);
        // One that fails unexpectedly does not stop the others.
        else this.reject(node, `an unexpected error: ${(error as Error).message}`);
      }
    }
    this.#called = outer;
  }

  /** Adds an item, which gets its name last, when all are known. */
  add(finished: Finished): void {
    const { kind, at, group, original, uid, diagnostics } = finished;
    // The file, with the folder that it is in.
    const [path = ""] = /[^\\/]*[\\/]?[^\\/]*$/.exec(at.file.replace(/\.\w+$/, "")) ?? [];
    const hints = [...(finished.hints ?? []), path];
    const present = withSecrets(finished.args, (secret) => secret) as JsonObject; // An object stays one.
    const { args, told } = carriedPart(present);
    const [unread] = queryProblems(kind, args);
    if (unread !== undefined) return this.reject(at, `it would have ${unread}`, original);
    for (const text of told) diagnostics.lose(at, text);
    const comments = [...diagnostics.notes, ...diagnostics.losses.map(({ text }) => text)];
    // The keys of secrets come from names.
    const content = withSecrets(args, () => "secret");
    const text = JSON.stringify([original, equivalenceKey(kind.root, content)]);
    const said = hash("sha256", text).slice(0, 16);
    const source = { file: at.file, line: at.line, group, name: original, uid, said };
    const name = kebab(finished.called ?? original) || kebab(kind.title);
    this.#items.push({ kind, name, args, comments, source, hints, lost: diagnostics.losses });
  }

  /** What was converted. Names do not depend on the order of files: those that are equal get what distinguishes them. */
  get conversion(): Conversion {
    const [given, others] = [this.#items.filter(saysItsSlug), this.#items.filter((item) => !saysItsSlug(item))];
    const alike = grouped(others, ({ kind, source }) => JSON.stringify([kind.name, source.said]));
    const wishes = distinguished([...alike.values()].flatMap(([first]) => first ?? []));
    const wishing = [...wishes.keys()].sort((one, other) => (one.source.said < other.source.said ? -1 : 1));
    const taken = new Names([], numberedSlug);
    const nameOf = (item: Converted) => freeName(taken, item.kind, wishes.get(item) ?? item.name);
    // Copies, most of which are not written, are named last.
    const names = new Map([...new Set([...given, ...wishing, ...others])].map((item) => [item, nameOf(item)]));
    const shared = [...this.#sharedSecrets.values()];
    const items = this.#items.map((item): Converted => {
      const name = names.get(item) ?? "";
      const args = withSecrets(item.args, (secret) =>
        shared.includes(secret) ? secret : this.#keyed(secret.value, name, secret.key),
      ) as JsonObject; // An object stays one.
      return called({ ...item, args }, name);
    });
    const rejected = [...this.#rejected].sort((a, b) =>
      a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1,
    );
    return { items, rejected, losses: [...this.#losses, ...lossesOf(items)] };
  }

  /** A secret of several items: the same name and value are one secret. */
  sharedSecret(value: string | undefined, owner: string, field: string): ConfigSecret {
    const key = JSON.stringify([owner, field, value]);
    const secret = this.#sharedSecrets.get(key) ?? this.#keyed(value, owner, field);
    this.#sharedSecrets.set(key, secret);
    return secret;
  }

  /** A secret under a key in camel case: `teamXRoutingKey` */
  #keyed(value: string | undefined, owner: string, field: string): ConfigSecret {
    const key = this.#secretKeys.free(kebab(`${owner}-${field}`));
    return new ConfigSecret(
      key.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    );
  }
}

/** Whether an item says its slug itself: no name changes it. */
export const saysItsSlug = ({ kind, args }: Item) => kind.isSingleton || args.slug !== undefined;

/** An item under a Pulumi name. Its display name stays. */
export function called(item: Converted, name: string): Converted {
  const original = item.source.name;
  const isSaid = name === original || original === "" || item.kind.isSingleton;
  return { ...item, name, args: isSaid ? item.args : { name: original, ...item.args } };
}

/** The first of the wished names that no other resource of the kind has. @param taken The ids of resources. */
export function freeName(taken: Names, kind: Kind, ...wishes: readonly string[]): string {
  const [first = "", ...others] = wishes.map((wish) => `${kind.name}/${wish}`);
  return taken.free(first, ...others).slice(kind.name.length + 1);
}

/** Names for several items: those of one name have its first hint that differs, and further ones if they stay equal. */
function distinguished(items: readonly Converted[]): ReadonlyMap<Converted, string> {
  const names = new Map(items.map((item) => [item, item.name]));
  for (let i = 0; items.some(({ hints }) => i < hints.length); i++)
    for (const equal of grouped([...names], ([{ kind }, name]) => JSON.stringify([kind.name, name])).values()) {
      const hints = equal.map(([item]) => kebab(item.hints[i] ?? ""));
      if (new Set(hints).size > 1) equal.forEach(([item, name], j) => names.set(item, kebab(`${name}-${hints[j]}`)));
    }
  return names;
}

/** The name of a rule, a receiver, an objective, a Kubernetes object. */
export const nameIn = (node: SourceNode): string | undefined =>
  ["alert", "record", "name"].map((key) => node.at(key).text).find(Boolean) ?? node.at("metadata", "name").text;

/** A map under its name, if it has entries. */
export const nonEmpty = (name: string, map: Readonly<Record<string, string>>) =>
  Object.keys(map).length === 0 ? {} : { [name]: map };
