import { plainly } from "./words";

/** The width of a text that is piped or kept. */
export const usualWidth = 80;

interface Hanging {
  /** What the first line begins with. */
  readonly start?: string;
  /** Its columns, if they are not those of the indent. */
  readonly columns?: number;
  /** The columns before all lines but the first. */
  readonly indent: number;
  readonly width?: number | undefined;
  /** Whether it is broken best after a semicolon. */
  readonly byClause?: boolean;
}

/** A text that is broken at spaces, or if need be within a word; all lines but the first are indented. */
export function hanging(
  text: string,
  { start = "", indent, columns = indent, width = usualWidth, byClause = false }: Hanging,
): readonly string[] {
  const room = width - Math.max(columns, indent);
  const words = (line: string) => line.split(beforeWord).flatMap((word) => piecesOf(word, room).map(asPart));
  const plain = plainly(text);
  if (byClause && start.length + plain.length <= width) return [start + plain];
  const parts = byClause
    ? plain.split(/(?<=;) /).flatMap((clause) => (clause.length > room ? words(clause) : [asPart(clause, 0)]))
    : words(plain);
  const lines: string[] = [];
  let line = "";
  for (const { gap, part } of parts) {
    const longer = `${line}${line === "" ? "" : gap}${part}`;
    if (line === "" || longer.length <= width - (lines.length === 0 ? columns : indent)) line = longer;
    else {
      lines.push(line);
      line = part;
    }
  }
  lines.push(line);
  return lines.map((each, i) => `${i === 0 ? start : " ".repeat(indent)}${each}`);
}

/** What a line may end after; between two pieces of one word there is no space. */
const asPart = (part: string, at: number) => ({ gap: at === 0 ? " " : "", part });

/** A space, but none between a number and its unit. */
const beforeWord = / (?![s%h](?:\W|$))/;

function piecesOf(word: string, room: number): readonly string[] {
  const letters = [...word];
  if (letters.length <= room) return [word];
  return Array.from({ length: Math.ceil(letters.length / room) }, (_, i) =>
    letters.slice(i * room, (i + 1) * room).join(""),
  );
}
