/** The number of common characters that are shown before the difference. */
const context = 20;

/** Two texts, without most of their common beginning if one is too long to be shown whole. */
export function aroundDifference(before: string, after: string, longest: number): readonly [string, string] {
  const [old, now] = [[...before], [...after]];
  const first = old.findIndex((letter, i) => letter !== now[i]);
  const same = first < 0 ? old.length : first;
  const isLong = Math.max(old.length, now.length) > longest;
  const start = isLong ? Math.max(0, same - context) : 0;
  const end = (letters: readonly string[]) => `${start === 0 ? "" : "…"}${letters.slice(start).join("")}`;
  return [end(old), end(now)];
}

/** The text, cut after so many characters. */
export const cutText = (text: string, longest: number) => (text.length > longest ? `${text.slice(0, longest)}…` : text);
