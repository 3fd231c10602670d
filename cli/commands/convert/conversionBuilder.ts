import { hash } from "node:crypto";
import type { z } from "zod";
import type { Kind } from "../../../provider/schema/kind";
import type { JsonObject } from "../../../provider/wire/json";
import { grouped } from "../../../provider/base/grouped";
import { equivalenceKey } from "../../../provider/values/equal";
import { carriedPart } from "../../program/carried";
import { ConfigSecret, type Item, withSecrets } from "../../program/item";
import { kebab, Names, numberedSlug } from "../../program/names";
import { queryProblems } from "../../program/queries";
import { type Conversion, type Converted, type Loss, lossesOf, type Lost, type Rejected } from "./conversion";
import { type Place, Rejection, type SourceNode } from "../../source/sourceNode";

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

/** The losses and notes of a part of a file. */
export class Diagnostics {
  readonly losses: Lost[] = [];
  readonly notes: string[] = [];
  /** Whether an item has included them. */
  isIncluded = false;

  /** @param outer Those of the part around it. */
  constructor(readonly outer?: Diagnostics) {}

  /** Adds a loss, once, even if it occurs in several places. */
  add(loss: Lost): void {
    if (!this.losses.some(({ text }) => text === loss.text)) this.losses.push(loss);
  }

  /** Adds a comment. */
  note(text: string): void {
    if (!this.notes.includes(text)) this.notes.push(text);
  }

  /** With those of all parts around it. */
  get all(): Diagnostics {
    const all = new Diagnostics();
    all.include(this);
    if (this.outer !== undefined) all.include(this.outer.all);
    return all;
  }

  include(diagnostics: Diagnostics): void {
    diagnostics.isIncluded = true;
    diagnostics.losses.forEach((loss) => this.add(loss));
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
  /** If not those of the node in conversion. */
  readonly diagnostics?: Diagnostics;
}

export class ConversionBuilder {
  readonly #items: Converted[] = [];
  readonly #rejected: Rejected[] = [];
  readonly #losses: Loss[] = [];
  readonly #secretKeys = new Names([], numberedSlug);
  readonly #sharedSecrets = new Map<string, ConfigSecret>();
  /** The name of the node in conversion. */
  #called: string | undefined;
  /** The losses and notes of the node in conversion. */
  current = new Diagnostics();

  reject({ file, line }: Place, reason: string, name = this.#called): void {
    this.#rejected.push({ file, line, ...(name === undefined ? {} : { name }), reason });
  }

  /** Adds a loss with an effect to the node in conversion. */
  readonly lose = ({ file, line }: Place, text: string): void =>
    this.current.add({ file, line, text, hasEffect: true });

  /** Adds how something of the node is read, or what is left out without an effect. */
  readonly report = ({ file, line }: Place, text: string): void => this.current.add({ file, line, text });

  /** Reads a part of the node, with its lost keys as their table describes them. @param of Where they are, for messages. */
  read<T>(part: SourceNode, schema: z.ZodType<T>, of = ""): T {
    return part.read(schema, (at, key, { text, hasEffect } = { hasEffect: true }) =>
      this[hasEffect ? "lose" : "report"](at, text ?? `"${key}"${of} has no counterpart and is left out`),
    );
  }

  /** Moves losses to the file, unless an item has them: they belong to none. */
  tell(item: string, { losses, isIncluded } = this.current): void {
    if (isIncluded) return;
    this.#losses.push(...losses.splice(0).map((loss) => ({ item, ...loss })));
  }

  /** Reports something of a file that is no loss. */
  reportFile({ file, line }: Place, item: string, text: string): void {
    this.#losses.push({ file, line, item, text });
  }

  /** Adds one loss per file for strings with templates: otherwise most alerts would have it. */
  templatesStay({ file, line }: Place, texts: readonly string[]): void {
    if (!texts.some((each) => each.includes("{{"))) return;
    const text = "templates ({{ … }}) are kept unchanged; the API doesn't document whether the service fills them in";
    if (!this.#losses.some((loss) => loss.file === file && loss.text === text)) {
      this.reportFile({ file, line }, "templates", text);
    }
  }

  /** Converts each node, and reports by name those that cannot be converted: a node without a name has that of the enclosing one. */
  each(
    nodes: readonly SourceNode[],
    convert: (node: SourceNode) => void,
    nameOf = (node: SourceNode, outer: string | undefined) => nameIn(node) ?? outer,
  ): void {
    const [outer, around] = [this.#called, this.current];
    for (const node of nodes) {
      this.#called = nameOf(node, outer);
      this.current = new Diagnostics(around);
      try {
        convert(node);
      } catch (error) {
        if (error instanceof Rejection) this.reject(error.at, error.reason);
        // One that fails unexpectedly does not stop the others.
        else this.reject(node, `an unexpected error: ${(error as Error).message}`);
      }
    }
    this.#called = outer;
    this.current = around;
  }

  /** Adds an item, which gets its name last, when all are known. */
  add(finished: Finished): void {
    const { kind, at, group, original, uid, diagnostics = this.current.all } = finished;
    // The file, with the folder that it is in.
    const [path = ""] = /[^\\/]*[\\/]?[^\\/]*$/.exec(at.file.replace(/\.\w+$/, "")) ?? [];
    const hints = [...(finished.hints ?? []), path];
    const present = withSecrets(finished.args, (secret) => secret);
    const { args, told } = carriedPart(present);
    const [unread] = queryProblems(kind, args);
    if (unread !== undefined) return this.reject(at, `it would have ${unread}`, original);
    for (const text of told) diagnostics.add({ file: at.file, line: at.line, text, hasEffect: true });
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
      );
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
