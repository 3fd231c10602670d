import type { Field, ObjectField } from "../schema/field";
import { isObject } from "../wire/json";

export interface Printing {
  /** Other source for a value, such as the name of a variable. */
  readonly instead: (value: unknown, field: Field | undefined) => string | undefined;
  /** The columns that a line may take. */
  readonly width: number;
}

/** A value as TypeScript source, as a formatter would print it. */
export function literal(value: unknown, field: Field | undefined, printing: Printing, indent = "", before = 0): string {
  const instead = printing.instead(value, field);
  if (instead !== undefined) return instead;
  if (typeof value === "string") return textLiteral(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value).replace("e+", "e");
  const inner = `${indent}  `;
  // A text that is too long for its line gets one of its own, unless it would begin there hardly further left.
  const breaksAfter = (key: string, text: string) =>
    key.length > longestShortKey && /^["']/.test(text) && inner.length + key.length + 1 + text.length >= printing.width;
  const entries = Array.isArray(value)
    ? value.map((each) => literal(each, itemOf(field), printing, inner))
    : Object.entries(value).map(([name, each]) => {
        const key = `${property(name)}:`;
        const text = literal(each, fieldOf(field, name), printing, inner, key.length + 1);
        if (text === name) return name;
        return breaksAfter(key, text) ? `${key}\n${inner}  ${text}` : `${key} ${text}`;
      });
  const [open, close, space] = Array.isArray(value) ? ["[", "]", ""] : ["{", "}", " "];
  if (entries.length === 0) return open + close;
  const flat = `${open}${space}${entries.join(", ")}${space}${close}`;
  // One column is for the comma after it.
  const isLong = flat.includes("\n") || indent.length + before + flat.length >= printing.width;
  return !isLong && !isTable(value)
    ? flat
    : `${open}\n${entries.map((entry) => `${inner}${entry},\n`).join("")}${indent}${close}`;
}

/** With its colon: `slug:`. */
const longestShortKey = 5;

/** A list of several objects with several fields: one line for each. */
const isTable = (value: object) =>
  Array.isArray(value) && value.length > 1 && value.every((each) => isObject(each) && Object.keys(each).length > 1);

const none = () => undefined;

const itemOf = (field: Field | undefined) =>
  field?.visit<Field | undefined>({ list: ({ item }) => item, scalar: none, map: none, object: none });

function fieldOf(field: Field | undefined, name: string): Field | undefined {
  const fields = field?.visit<ObjectField["shape"]["fields"] | undefined>({
    object: ({ shape }) => shape.fields,
    scalar: none,
    map: none,
    list: none,
  });
  return fields !== undefined && Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** A text as TypeScript source: in the quotes that need fewer backslashes, or of several lines between backticks. */
function textLiteral(text: string): string {
  // Only tabs and line feeds can be read between backticks.
  const isReadable = text.trim().includes("\n") && !/[^\P{C}\n\t]/u.test(text);
  return isReadable ? `\`${text.replace(/[\\`]|\$(?=\{)/g, "\\$&")}\`` : quoted(text);
}

/** A text in quotes, on one line. */
export function quoted(text: string): string {
  const double = JSON.stringify(text).replace(/[\u2028\u2029]/g, (each) => `\\u${each.charCodeAt(0).toString(16)}`);
  const count = (quote: string) => text.split(quote).length;
  if (count('"') <= count("'")) return double;
  return `'${double.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

function property(name: string): string {
  if (name === "__proto__") return '["__proto__"]'; // Otherwise it would set the prototype.
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) ? name : quoted(name);
}
