import { type Section, sentenceMarkdown, titled } from "../output/markdown";
import { firstOf, listed, quote } from "../output/words";

/** The most that a part of a comment lists, so that there is room for other parts. */
const most = 50;

/** `Without data: a, b and 950 more`: a paragraph with the monitors without data, even if the comment has no room for them. */
export const noDataLines = (titles: readonly string[]): readonly string[] =>
  titles.length === 0
    ? []
    : ["", sentenceMarkdown(`Without data: ${listed(firstOf(titles.map(quote), undefined, most))}`)];

export const shortPart = (title: string, lines: readonly string[]): Section =>
  titled(`**${title}:**`, firstOf(lines, () => "and more: see the job's log", most).map(sentenceMarkdown));
