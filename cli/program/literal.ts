import type { Field } from "../../provider/schema/field";
import { fieldIn, type Path } from "../../provider/schema/walk";

export interface Printing {
  /** Other source for a value, such as the name of a variable. */
  readonly instead: (value: unknown, field: Field | undefined, path: Path) => string | undefined;
  /** The columns that a line may take. */
  readonly width: number;
}

/** A value as TypeScript source, each entry of an object on a line of its own. */
export function sourceLiteral(
  value: unknown,
  field: Field | undefined,
  printing: Printing,
  indent = "",
  before = 0,
  path: Path = [],
): string {
  const instead = printing.instead(value, field, path);
  if (instead !== undefined) return instead;
  if (typeof value === "string") return textLiteral(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value).replace("e+", "e");
  const inner = `${indent}  `;
  const broken = (entries: readonly string[]) => `\n${entries.map((entry) => `${inner}${entry},\n`).join("")}${indent}`;
  if (Array.isArray(value)) {
    const items = value.map((each, i) =>
      sourceLiteral(each, field && fieldIn(field, i), printing, inner, 0, [...path, i]),
    );
    const flat = items.join(", ");
    // Two columns are for the brackets, and one is for the comma behind them.
    const fits = !flat.includes("\n") && indent.length + before + flat.length + 2 < printing.width;
    return `[${fits ? flat : broken(items)}]`;
  }
  const entries = Object.entries(value).map(([name, each]) => {
    const key = `${property(name)}:`;
    const text = sourceLiteral(each, field && fieldIn(field, name), printing, inner, key.length + 1, [...path, name]);
    if (text === name) return name;
    // A text that is too long for its line gets one of its own, unless it would begin there hardly further left.
    const isLong = /^["']/.test(text) && inner.length + key.length + 1 + text.length >= printing.width;
    return isLong && key.length > longestShortKey ? `${key}\n${inner}  ${text}` : `${key} ${text}`;
  });
  return entries.length === 0 ? "{}" : `{${broken(entries)}}`;
}

/** With its colon: `slug:`. */
const longestShortKey = 5;

/** A text as TypeScript source: in the quotes that need fewer backslashes, or of several lines between backticks. */
function textLiteral(text: string): string {
  // Only tabs and line feeds can be read between backticks.
  const isReadable = text.trim().includes("\n") && !/[^\P{C}\n\t]/u.test(text);
  return isReadable ? `\`${text.replace(/[\\`]|\$(?=\{)/g, "\\$&")}\`` : quoted(text);
}

/** A text in quotes, on one line. */
export function quoted(text: string): string {
  // Characters that end a line or change the direction could make the code look different from what it is.
  const double = JSON.stringify(text).replace(
    /[\u2028\u2029\p{Bidi_Control}]/gu,
    (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  const count = (quote: string) => text.split(quote).length;
  if (count('"') <= count("'")) return double;
  return `'${double.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

function property(name: string): string {
  if (name === "__proto__") return '["__proto__"]'; // Otherwise it would set the prototype.
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) ? name : quoted(name);
}
