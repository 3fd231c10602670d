/** The number of common characters that are shown before the first difference. */
const context = 20;

/** How many common characters end a difference. */
const shortest = 8;

/** How far the end of a difference is looked for: a rewritten text is one difference. */
const farthest = 2_000;

type Span = readonly [from: number, to: number];

/**
 * Two texts, without most of what they have in common if one is too long to be shown whole, and words about the differences
 * for which there is no room: `…[5m])…) > 0.1`, `…[1m])…) > 0.5` and ` and 2 more differences`.
 */
export function aroundDifference(
  before: string,
  after: string,
  longest: number,
): readonly [before: string, after: string, others: string] {
  if (Math.max([...before].length, [...after].length) <= longest) return [before, after, ""];
  const spans = differingSpans(before, after);
  const [old, now] = [spans.map(([span]) => span), spans.map(([, span]) => span)];
  let count = Math.min(spans.length, 1);
  const isShort = (text: string, all: readonly Span[]) => excerpt(text, all.slice(0, count + 1), "…").length <= longest;
  while (count < spans.length && isShort(before, old) && isShort(after, now)) count += 1;
  const left = spans.length - count;
  const end = left === 0 ? undefined : "…";
  return [
    excerpt(before, old.slice(0, count), end),
    excerpt(after, now.slice(0, count), end),
    left === 0 ? "" : ` and ${left} more ${left === 1 ? "difference" : "differences"}`,
  ];
}

/** A text around its differences, with its rest or another end. */
function excerpt(text: string, spans: readonly Span[], end?: string): string {
  let at = Math.max(0, (spans[0]?.[0] ?? 0) - context);
  let shown = at === 0 ? "" : "…";
  for (const [from, to] of spans) {
    const isFar = from - at > context;
    shown += isFar ? `${text.slice(at, at + context / 2)}…${text.slice(from - context / 2, to)}` : text.slice(at, to);
    at = to;
  }
  // No half of a letter.
  return `${shown}${end ?? text.slice(at)}`.replace(/\p{Cs}/gu, "");
}

/** The parts in which two texts differ, in each of them. */
function differingSpans(before: string, after: string): readonly (readonly [Span, Span])[] {
  const spans: (readonly [Span, Span])[] = [];
  for (let i = 0, j = 0; i < before.length || j < after.length; i += 1, j += 1) {
    if (before[i] === after[j]) continue;
    const [oldEnd, newEnd] = endOfDifference(before, after, i, j);
    spans.push([
      [i, oldEnd],
      [j, newEnd],
    ]);
    [i, j] = [oldEnd, newEnd];
  }
  return spans;
}

/** The nearest place from which both texts go on alike. */
function endOfDifference(before: string, after: string, i: number, j: number): Span {
  const ahead = after.slice(j, j + farthest);
  let [end, least]: [Span, number] = [[before.length, after.length], farthest];
  for (let skipped = 0; skipped < least && i + skipped + shortest <= before.length; skipped += 1) {
    const found = ahead.indexOf(before.slice(i + skipped, i + skipped + shortest));
    if (found >= 0 && skipped + found < least) [end, least] = [[i + skipped, j + found], skipped + found];
  }
  return end;
}

/** The text, cut after so many characters. */
export const cutText = (text: string, longest: number) => (text.length > longest ? `${text.slice(0, longest)}…` : text);
