import { type Document, isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseAllDocuments } from "yaml";
import type { z } from "zod";
import { formatPath, type Path, type PathStep, valueAt } from "../../provider/schema/walk";
import { isObject } from "../../provider/wire/json";
import { ruleFileMark } from "../output/ruleFileMark";

/** Where something is in a file. Lines count from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
}

/** Why something cannot be converted, and where. */
export class Rejection extends Error {
  constructor(
    readonly at: Place,
    readonly reason: string,
  ) {
    super(reason);
  }
}

/** A key that is left out. It is an issue of the value, by which `SourceNode.read` reports and removes the key. */
export interface LostKey {
  /** Why, if there is more to say than that it has no counterpart. */
  readonly text?: string | undefined;
  /** Whether it changes what fires, which data is read, or who is notified of what. */
  readonly hasEffect: boolean;
}

interface Source {
  readonly file: string;
  readonly document: Document;
  /** The line in the file of a position in the text. */
  readonly lineAt: (position: number) => number;
}

/**
 * A value of a YAML or JSON file that knows its line. Scalars are strings as written, because the tools read
 * `1.10` in a label as a string; null is absent. Aliases and merged maps are resolved.
 */
export class SourceNode implements Place {
  readonly #node: unknown;

  constructor(
    private readonly source: Source,
    readonly value: unknown,
    node: unknown,
    readonly line: number,
    /** Its key in the map around it; empty for a document. */
    readonly key = "",
  ) {
    this.#node = isAlias(node) ? node.resolve(source.document) : node;
  }

  get file(): string {
    return this.source.file;
  }

  get exists(): boolean {
    return this.value !== undefined;
  }

  /** How a message calls it. */
  get named(): string {
    return this.key === "" ? "the document" : JSON.stringify(this.key);
  }

  /** The string of a scalar; undefined for other values. */
  get text(): string | undefined {
    return typeof this.value === "string" ? this.value : undefined;
  }

  /** The items of a list; none if it is not a list. */
  get items(): readonly SourceNode[] {
    return Array.isArray(this.value) ? this.value.map((_, i) => this.at(i)) : [];
  }

  /** The keys of a map; none if it is not a map. */
  get keys(): readonly string[] {
    return isObject(this.value) ? Object.keys(this.value) : [];
  }

  /** The node at a path, even if it does not exist; its line is then that of the nearest enclosing node. */
  at(...path: Path): SourceNode {
    return path.reduce<SourceNode>((node, step) => node.#child(step), this);
  }

  /** The place of a line of the text, counted from 0: exact in a text after `|`. */
  atLine(offset: number): Place {
    const isLiteral = isScalar(this.#node) && this.#node.type === "BLOCK_LITERAL";
    return { file: this.file, line: isLiteral ? this.line + 1 + offset : this.line };
  }

  /**
   * The value as the table of its keys describes it. Reports each key that is lost.
   * @throws {Rejection} with all errors, at the line of the first.
   */
  read<T>(schema: z.ZodType<T>, lose: (node: SourceNode, name: string, key?: LostKey) => void): T {
    const value = structuredClone(this.value);
    for (;;) {
      const result = schema.safeParse(value);
      if (result.success) return result.data;
      const wrong = result.error.issues.filter((issue) => lostIn(issue).length === 0);
      const [first] = wrong;
      if (first !== undefined) {
        const reasons = wrong.map(({ path, message }) => `${formatPath(path as Path) || this.named} ${message}`);
        for (const [path, key] of result.error.issues.flatMap(lostIn))
          if (key === undefined) reasons.push(`${formatPath(path)} is unknown`);
        throw new Rejection(this.at(...(first.path as Path)), reasons.join("; "));
      }
      for (const [path, key] of result.error.issues.flatMap(lostIn)) {
        lose(this.at(...path), path.length === 1 ? String(path[0]) : formatPath(path), key);
        Reflect.deleteProperty(Object(valueAt(value, path.slice(0, -1))), path.at(-1) ?? "");
      }
    }
  }

  #child(step: PathStep): SourceNode {
    const node = this.#node;
    // A merged key has the place of the map that it is merged into.
    const pair = isMap(node)
      ? node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step))
      : undefined;
    const item = isSeq(node) && typeof step === "number" ? node.items[step] : undefined;
    const line = lineOf(this.source, pair?.key ?? item) ?? this.line;
    const key = typeof step === "number" ? `${this.key}[${step}]` : step;
    return new SourceNode(this.source, valueAt(this.value, [step]), pair?.value ?? item, line, key);
  }
}

/** The keys that an issue says are lost. Their paths have no symbols, as in JSON. */
function lostIn(issue: z.core.$ZodIssue): readonly (readonly [Path, LostKey?])[] {
  if (issue.code === "unrecognized_keys") return issue.keys.map((key) => [[...issue.path, key] as Path]);
  const key = issue.code === "custom" ? (issue.params?.lost as LostKey | undefined) : undefined; // As `keys` makes it.
  return key === undefined ? [] : [[issue.path as Path, key]];
}

/** Whether a node is the answer of a ruler: groups by namespace, whose first rule has this key. */
export const isRuler = (node: SourceNode, key: string) =>
  node.keys.every((namespace) => node.at(namespace, 0, "rules").exists) &&
  node.keys.some((namespace) => node.at(namespace, 0, "rules", 0, key).exists);

/**
 * The documents of a file that are not empty, and those that cannot be parsed. Lists of Kubernetes objects are split.
 * @param lineIn The line in the file of a line of the text.
 */
export function nodesOf(
  file: string,
  text: string,
  lineIn = (line: number) => line,
): readonly (SourceNode | Rejection)[] {
  const lines = new LineCounter();
  const documents = [
    ...parseAllDocuments(text, {
      schema: "failsafe",
      customTags: (tags) => [...tags, "null", "merge"],
      lineCounter: lines,
      prettyErrors: false,
      logLevel: "silent",
    }),
  ];
  return documents.flatMap((document): readonly (SourceNode | Rejection)[] => {
    const source = { file, document, lineAt: (position: number) => lineIn(lines.linePos(position).line) };
    const [error] = document.errors;
    if (error !== undefined) {
      // Prometheus reads this, although YAML does not allow it.
      const isUnderIndented = error.code === "MISSING_CHAR" && /^\r?\n[^]*\S/.test(text.slice(error.pos[0]));
      // Some messages quote what they found, which may be a secret.
      const reason = isUnderIndented
        ? "indent the lines that continue a quoted string further than its key"
        : error.message.replace(/: ".*$/s, "");
      const hint = /^\s*\{[{%]/m.test(text) ? ". The file contains template lines: render it first" : "";
      return [new Rejection({ file, line: source.lineAt(error.pos[0]) }, `this is not valid YAML: ${reason}${hint}`)];
    }
    const line = lineOf(source, document.contents) ?? lineIn(1);
    const [from = 0, to] = document.contents?.range ?? [];
    const template = text.startsWith(ruleFileMark) ? null : unrendered.exec(text.slice(from, to));
    if (template !== null) {
      const at = { file, line: source.lineAt(from + template.index + template[0].length) };
      return [new Rejection(at, `it has the template ${template[1]}: render the file first`)];
    }
    try {
      // The limit is for files that are made to exhaust memory.
      const value = withoutNulls(document.toJS({ maxAliasCount: 10_000 }));
      const isEmpty = value === undefined || (isObject(value) && Object.keys(value).length === 0);
      return isEmpty ? [] : apart(new SourceNode(source, value, document.contents, line));
    } catch (error) {
      return [new Rejection({ file, line }, `this is not valid YAML: ${(error as Error).message}`)];
    }
  });
}

/** What Helm or Ansible has yet to fill in, in a line that is no comment. Other templates are for Prometheus and the like. */
const unrendered =
  /^(?!\s*#).*?(\{\{[^{}]*(?:\.(?:Values\.[a-z]|Release\.|Chart\.)|\binclude \\?")[^{}]*\}\}|\{\{-?\s*\\?["`]\{\{.*?\}\}|\{%-? *\w.*?%\})/m;

/** The objects of a list, as `kubectl get -o yaml` writes it, or as a JSON array. */
function apart(node: SourceNode): readonly SourceNode[] {
  if (Array.isArray(node.value)) return node.items.flatMap(apart);
  const isList = node.at("kind").text?.endsWith("List") && Array.isArray(node.at("items").value);
  return isList ? node.at("items").items.flatMap(apart) : [node];
}

function lineOf({ lineAt }: Source, node: unknown): number | undefined {
  return isNode(node) && node.range ? lineAt(node.range[0]) : undefined;
}

/** Removes absent values in place: an alias can make a value part of itself. */
function withoutNulls(value: unknown, seen = new Set<unknown>()): unknown {
  if (value === null) return undefined;
  if (typeof value !== "object" || seen.has(value)) return value;
  seen.add(value);
  for (const [key, each] of Object.entries(value)) {
    if (each === null && !Array.isArray(value)) Reflect.deleteProperty(value, key);
    else withoutNulls(each, seen);
  }
  return value;
}
