import { stripVTControlCharacters } from "node:util";
import { plainly } from "./words";

/** The width of a text that is piped or kept. */
export const usualWidth = 80;

interface Hanging {
  /** The start of the first line; it may be colored. */
  readonly start?: string;
  /** The columns before all lines but the first. */
  readonly indent: number;
  readonly width?: number | undefined;
}

/** Text wrapped at spaces, or within a word if necessary; all lines except for the first are indented. */
export function hanging(text: string, { start = "", indent, width = usualWidth }: Hanging): readonly string[] {
  const margin = " ".repeat(indent);
  const piece = new RegExp(`.{1,${width - indent}}`, "gu");
  return text.split("\n").flatMap((paragraph, i) => {
    const lines: string[] = [];
    let line = i === 0 ? start : margin;
    plainly(paragraph)
      .split(beforeWord)
      .forEach((word, at) => {
        let gap = at === 0 ? "" : " ";
        for (const part of word.match(piece) ?? [""]) {
          const longer = line + gap + part;
          const hasRoom = stripVTControlCharacters(longer).length <= width;
          if (!hasRoom) lines.push(line);
          line = hasRoom ? longer : margin + part;
          gap = "";
        }
      });
    return [...lines, line];
  });
}

/** A space, except for one between a number and its unit, or a comparison and its number. */
const beforeWord = /(?<![<>=]) (?!(?:[s%hd]|min)(?:\W|$))/;
