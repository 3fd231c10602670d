import { createHash } from "node:crypto";

/** The declaration of one resource in a file, with the comments above it. */
export interface Block {
  readonly from: number;
  readonly to: number;
  /** With line feeds as line ends. */
  readonly text: string;
}

/** The block that exports a variable; undefined if the text has none. */
export function blockIn(text: string, variable: string): Block | undefined {
  const start = startOf(text, variable);
  if (start < 0) return undefined;
  let from = start;
  for (let line = lineBefore(text, from); line.trimStart().startsWith("//"); line = lineBefore(text, from)) {
    from -= line.length;
  }
  // A declaration ends where a line with no more than its own indent closes the call.
  const isBroken = /^export const \S+ =\s*\n/.test(text.slice(start, text.indexOf("new obs.", start)));
  const end = isBroken ? /^(?: {2})?(?:\S.*)?\);[ \t]*$/gm : /^(?:\S.*)?\);[ \t]*$/gm;
  end.lastIndex = start;
  const last = end.exec(text);
  const to = last === null ? text.length : last.index + last[0].trimEnd().length;
  return { from, to, text: text.slice(from, to).replaceAll("\r\n", "\n") };
}

/** Where a line begins that exports the variable as a new resource; negative if none does. */
function startOf(text: string, variable: string): number {
  const wanted = `export const ${variable} =`;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const isLine = at === 0 || text[at - 1] === "\n";
    if (isLine && /^\s+new obs\./.test(text.slice(at + wanted.length, at + wanted.length + 20))) return at;
  }
  return -1;
}

const lineBefore = (text: string, at: number) => text.slice(text.lastIndexOf("\n", at - 2) + 1, at);

/** The text with another block in the place of one, and with each line that its head lacks. */
export function withBlock(text: string, { from, to }: Block, block: string, head: string): string {
  const replaced = text.slice(0, from) + block + text.slice(to);
  const lines = replaced.split(/\r?\n/);
  const missing = (head.match(/^(?:import|const) [^;]*;/gm) ?? []).flatMap((each) => missingOf(each, replaced));
  const added = missing.flatMap((each) => (each.startsWith("import ") ? [each] : ["", each]));
  const last = lines.reduce((found, line, i) => (/^import |^} from "/.test(line) ? i : found), -1);
  const whole = [...lines.slice(0, last + 1), ...added, ...lines.slice(last + 1)].join("\n");
  return text.includes("\r\n") ? whole.replaceAll("\n", "\r\n") : whole;
}

/** A statement of a head, or the part of an import, that a text lacks. */
function missingOf(statement: string, text: string): readonly string[] {
  const [, wanted, path] = imported.exec(statement) ?? [];
  if (wanted === undefined) return text.includes(statement) ? [] : [statement];
  const there = [...text.matchAll(new RegExp(imported, "gm"))].flatMap(([, names = "", from]) =>
    from === path ? namesIn(names) : [],
  );
  const names = namesIn(wanted).filter((name) => !there.includes(name));
  return names.length === 0 ? [] : [`import { ${names.join(", ")} } from "${path ?? ""}";`];
}

const imported = /^import \{([^}]*)\} from "([^"]+)";/;
const namesIn = (list: string) => list.split(/[\s,]+/).filter(Boolean);

/** Enough of it to tell one text from another. */
export const digestOf = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 16);

/** What two texts differ in, line by line: `- old`, `+ new`. */
export function lineDifference(before: string, after: string): readonly string[] {
  const [old, now] = [before.split("\n"), after.split("\n")];
  // How many lines are the same from two places on, at best.
  const same = Array.from({ length: old.length + 1 }, () => new Array<number>(now.length + 1).fill(0));
  const at = (i: number, j: number) => same[i]?.[j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      const row = same[i];
      if (row !== undefined) row[j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const told: string[] = [];
  for (let [i, j] = [0, 0]; i < old.length || j < now.length;) {
    if (i < old.length && j < now.length && old[i] === now[j]) [i, j] = [i + 1, j + 1];
    else if (j >= now.length || (i < old.length && at(i + 1, j) >= at(i, j + 1))) told.push(`- ${old[i++] ?? ""}`);
    else told.push(`+ ${now[j++] ?? ""}`);
  }
  return told;
}
