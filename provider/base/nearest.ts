import { distance } from "fastest-levenshtein";

/** At most a third of the letters may differ; in the shortest words, one. */
const thirdOf = ({ length }: string) => Math.max(1, length / 3);

/**
 * The known word that a misspelled one probably means. Case, "_" and "-" do not count.
 * @param most The number of letters that may differ from a known word.
 */
export function nearest(typed: string, known: readonly string[], most = thirdOf): string | undefined {
  const ranked = known
    .map((each) => ({ each, away: distance(lettersOf(typed), lettersOf(each)) }))
    .sort((a, b) => a.away - b.away)[0];
  return ranked !== undefined && ranked.away <= most(ranked.each) ? ranked.each : undefined;
}

/** The question whether that word is meant; undefined if there is none. */
export function meant(typed: string, known: readonly string[]): string | undefined {
  const near = nearest(typed, known);
  return near === undefined ? undefined : `Did you mean "${near}"?`;
}

const lettersOf = (word: string) => word.replace(/[_-]/g, "").toLowerCase();
