import { notifier } from "../../provider/kinds/notifier";
import type { Field } from "../../provider/schema/field";
import type { Kind } from "../../provider/schema/kind";
import type { Path } from "../../provider/schema/walk";
import { usualLabel } from "../consequences/alerting";
import { type Printing, quoted, sourceLiteral } from "./literal";
import { isObject, type JsonObject } from "../../provider/wire/json";
import { ConfigSecret, type Item } from "./item";
import { variableFor } from "./names";
import { plainly } from "../output/words";

/** The columns of a line: the default of the usual formatter. */
export const width = 80;

/** A resource or a constant as source, which is the same in each file. */
export interface Declaration {
  /** The key of the declaration: the id of a resource, or the key of a constant. */
  readonly key: string;
  readonly variable: string;
  /** `Monitor`, `Schedule` */
  readonly type: string;
  /** The file that it has if there are few of its type, without `.ts`: `monitors`. */
  readonly usualFile: string;
  /** The resource; a constant has none. */
  readonly item?: Item;
  readonly text: string;
  /** The keys of the declarations that it refers to. */
  readonly uses: ReadonlySet<string>;
  readonly readsSecrets: boolean;
}

interface Surroundings {
  /** The variable of each declaration, by its key. */
  readonly variables: ReadonlyMap<string, string>;
  /** Whether secrets are read from the environment, as a team's file does, instead of stack config. */
  readonly isTeam: boolean;
}

export function resource(item: Item, key: string, { variables, isTeam }: Surroundings): Declaration {
  const uses = new Set<string>();
  let readsSecrets = false;
  const instead: Printing["instead"] = (value, field, path) => {
    if (value instanceof ConfigSecret) {
      readsSecrets = true;
      return isTeam ? `secretFrom(${quoted(variableFor(value.key))})` : `config.requireSecret(${quoted(value.key)})`;
    }
    const isShared = field?.options.shared === true;
    const used = isShared ? constantKey(value) : (referenceOf(value, field, path) ?? "");
    const variable = variables.get(used);
    // Code that a person wrote need not have one that other files can import.
    if (variable === undefined || variable === "") return undefined;
    uses.add(used);
    return isShared ? variable : `${variable}.slug`;
  };
  const variable = variables.get(key) ?? "";
  const text = [...item.comments.flatMap(commentLines), assignment(item, variable, instead)].join("\n");
  const { name: type, wire } = item.kind;
  const usualFile = (wire.many ?? wire.one).replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return { key, variable, type, usualFile, item, text, uses, readsSecrets };
}

/** A text that is the same for equal values. */
export const constantKey = (value: unknown) => JSON.stringify(value);

/** The resource that a field or the label of a notifier refers to, as `idOf` names it. */
function referenceOf(value: unknown, field: Field | undefined, path: Path): string | undefined {
  const isRoute = path.at(-2) === "labels" && path.at(-1) === usualLabel;
  const refersTo = isRoute ? notifier.name : field?.options.refersTo;
  return refersTo !== undefined && typeof value === "string" ? `${refersTo}/${value}` : undefined;
}

/** The assignment of a new resource, as a formatter would break it. */
function assignment({ kind, name, args: given }: Item, variable: string, instead: Printing["instead"]): string {
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
  const printed = (indent: string) => sourceLiteral(args, kind.root, { instead, width }, indent);
  // The bracket of the arguments is on the line of the title, if there is room.
  if (column + title.length + ", ".length < width) return `${start}${title}, ${printed(indent)});`;
  const inner = `${indent}  `;
  return `${start}\n${inner}${title},\n${inner}${printed(inner)},\n${indent});`;
}

/** Texts by key are long, and only read: what decides comes before them. */
function textsLast(kind: Kind, args: JsonObject): JsonObject {
  const isLast = ([name, value]: [string, unknown]) =>
    isObject(value) && kind.args.fields[name]?.options.effect === "text";
  const all = Object.entries(args);
  return Object.fromEntries([...all.filter((each) => !isLast(each)), ...all.filter(isLast)]);
}

/** A comment, broken into lines. */
export function commentLines(text: string): string[] {
  const lines: string[] = [];
  for (const each of text.split(/\s+/).filter(Boolean)) {
    const word = plainly(each);
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`// ${word}`);
  }
  return lines;
}
