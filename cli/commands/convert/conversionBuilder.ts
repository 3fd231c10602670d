import { createHash } from "node:crypto";
import type { Kind } from "../../../provider/schema/kind";
import type { JsonObject } from "../../../provider/wire/json";
import { equivalenceKey } from "../../../provider/values/equal";
import { carriedPart } from "../../program/carried";
import { ConfigSecret, withSecrets } from "../../program/item";
import { kebab, Names, numberedSlug } from "../../program/names";
import type { Conversion, Converted, Loss, Refused } from "./conversion";
import { type Place, Refusal, type SourceNode } from "./sourceNode";

/** A format of another tool. */
export interface Format {
  recognizes(node: SourceNode): boolean;
  /** Converts all documents of the format at once, because they refer to each other. */
  convert(nodes: readonly SourceNode[], builder: ConversionBuilder): void;
}

/** What is to be said about one item. */
export class Diagnostics {
  readonly losses: { readonly at: Place; readonly text: string }[] = [];
  readonly notes: string[] = [];
  /** Whether something else says the same. */
  isIncluded = false;

  /** Says what the item lacks. Said once, also if it is lost in several places. */
  readonly lose = (at: Place, text: string): void => {
    if (!this.losses.some((loss) => loss.text === text)) this.losses.push({ at, text });
  };

  /** Says of a key that it has no counterpart. */
  readonly loseKey = (at: Place, key: string): void => this.lose(at, `"${key}" has no counterpart and is left out`);

  /** Says of a key that is not known why it is left out, if there is a reason of its own. */
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
  /** Where the other tool says it. */
  readonly at: Place;
  readonly group?: string;
  /** The name in the other tool. */
  readonly original: string;
  /** What tells the item from others of the same name, most readable first. */
  readonly hints?: readonly string[];
  readonly args: JsonObject;
  readonly diagnostics: Diagnostics;
}

export class ConversionBuilder implements Conversion {
  readonly items: Converted[] = [];
  readonly refused: Refused[] = [];
  readonly losses: Loss[] = [];
  readonly #names = new Map<Kind, Names>();
  readonly #secretKeys = new Names([], numberedSlug);
  readonly #sharedSecrets = new Map<string, ConfigSecret>();
  /** What is being converted. */
  #called: string | undefined;

  refuse({ file, line }: Place, reason: string): void {
    const name = this.#called;
    this.refused.push({ file, line, ...(name === undefined ? {} : { name }), reason });
  }

  /** Says what is lost beside the items. */
  lose({ file, line }: Place, item: string, text: string): void {
    this.losses.push({ file, line, item, text });
  }

  /** Says once for each file that texts hold templates: it would be above most alerts. */
  templatesStay({ file, line }: Place, texts: readonly string[]): void {
    if (!texts.some((each) => each.includes("{{"))) return;
    const text = "templates ({{ … }}) are left as they are; whether the service fills them in is not documented";
    if (!this.losses.some((loss) => loss.file === file && loss.text === text)) {
      this.lose({ file, line }, "templates", text);
    }
  }

  /** Calls for each, and refuses those that cannot be converted, by their names: what has none is a part of what is around it. */
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
        if (!(error instanceof Refusal)) throw error;
        this.refuse(error.at, error.reason);
      }
    }
    this.#called = outer;
  }

  /** A Pulumi name that no other item of the kind has. */
  nameFor(kind: Kind, original: string, hints: readonly string[] = []): string {
    const names = this.#names.get(kind) ?? new Names([], numberedSlug);
    this.#names.set(kind, names);
    const base = kebab(original) || kebab(kind.title);
    const others = hints.map((hint) => kebab(`${base}-${hint}`)).filter((name) => name !== base);
    return names.free(base, ...others);
  }

  add(finished: Finished, name = this.nameFor(finished.kind, finished.original, finished.hints)): void {
    const { kind, at, group, original, hints = [], diagnostics } = finished;
    const present = withSecrets(finished.args, (secret) => secret) as JsonObject; // An object stays one.
    const { args, told } = carriedPart(present);
    for (const text of told) diagnostics.lose(at, text);
    const comments = [...diagnostics.notes, ...diagnostics.losses.map(({ text }) => text)];
    const named = name === original || original === "" || kind.isSingleton ? {} : { name: original };
    // The keys of secrets come from names.
    const said = digestOf(
      JSON.stringify([
        original,
        equivalenceKey(
          kind.root,
          withSecrets(args, () => "secret"),
        ),
      ]),
    );
    const source = { file: at.file, line: at.line, ...(group === undefined ? {} : { group }), name: original, said };
    this.items.push({ kind, name, args: { ...named, ...args }, comments, source, hints });
    for (const { at, text } of diagnostics.losses) {
      this.losses.push({ file: at.file, line: at.line, kind: kind.name, item: name, text });
    }
  }

  /** A secret of one item. */
  secret(value: string | undefined, ...words: readonly string[]): ConfigSecret {
    const key = this.#secretKeys.free(kebab(words.map(kebab).join("-")));
    return new ConfigSecret(inCamelCase(key), value);
  }

  /** A secret of several items: the same name and value are one. */
  sharedSecret(value: string | undefined, ...words: readonly string[]): ConfigSecret {
    const key = JSON.stringify([words, value]);
    const secret = this.#sharedSecrets.get(key) ?? this.secret(value, ...words);
    this.#sharedSecrets.set(key, secret);
    return secret;
  }
}

/** `team-x-routing-key` → `teamXRoutingKey` */
const inCamelCase = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The name of a rule, a receiver, an objective, a Kubernetes object. */
export const nameIn = (node: SourceNode): string | undefined =>
  ["alert", "record", "name"].map((key) => node.at(key).text).find(Boolean) ?? node.at("metadata", "name").text;

/** Says that an object's own labels are left out: they are not those of its alerts. */
export function loseOwnLabels(node: SourceNode, lose: (at: Place, text: string) => void): void {
  for (const key of ["labels", "annotations"]) {
    const own = node.at("metadata", key);
    if (own.keys.length > 0) lose(own, `the object's ${key} are left out: ${own.keys.join(", ")}`);
  }
}

/** A map under its name, if it has entries. */
export const nonEmpty = (name: string, map: Readonly<Record<string, string>>) =>
  Object.keys(map).length === 0 ? {} : { [name]: map };

/** Enough of it to tell one text from another. */
const digestOf = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 16);
