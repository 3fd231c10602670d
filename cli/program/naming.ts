import type { Facet } from "./facets";
import { grouped } from "../../provider/values/grouped";
import { Names, numberedSlug, plainWords } from "./names";

/** What a name is made from. */
export interface Title {
  /** What people call the object. */
  readonly text: string;
  /** What may tell it from others of the same title: the second list only if the first does not, and so on. */
  readonly facets: readonly (readonly Facet[])[];
  /** A text that no other object has, which may be unreadable. */
  readonly slug: string;
}

/** In characters. A name stands in a line with what it names. */
export const longestName = 60;

/** One facet takes no more than this of it. */
const longestFacet = 24;

/** Left out of titles that are too long. */
const fillers = new Set("a an and are at by for from has have in is more of on than that the to when with".split(" "));

interface Entry {
  readonly title: Title;
  readonly words: readonly string[];
  /** The words that tell it apart, behind those of the title. */
  readonly extra: readonly string[];
}

/**
 * A name of whole words for each title, in slug form, given once: `high-error-rate-checkout`. Equal titles are told apart by
 * their facets, then by the words of their slugs, and only then by a number.
 * @param taken Names that were given before.
 */
export function namesFor(titles: readonly Title[], taken: Iterable<string> = []): readonly string[] {
  const told = new Map<Title, string>();
  const entries = titles.map((title): Entry => ({ title, words: wordsOf(title.text), extra: [] }));
  for (const group of grouped(entries, nameOf).values()) tell(group, told);
  const names = new Names(taken, numberedSlug);
  return titles.map((title) => names.free(told.get(title) ?? ""));
}

/** Tells a group of equal names apart. */
function tell(group: readonly Entry[], told: Map<Title, string>): void {
  const better = group.length > 1 ? (byFacet(group) ?? bySlug(group)) : undefined;
  if (better === undefined) for (const entry of group) told.set(entry.title, nameOf(entry));
  else for (const inner of grouped(better, nameOf).values()) tell(inner, told);
}

/** The group with the words of the facet that tells most of it apart; undefined if none does. */
function byFacet(group: readonly Entry[]): readonly Entry[] | undefined {
  const tiers = Math.max(...group.map(({ title }) => title.facets.length));
  for (let tier = 0; tier < tiers; tier++) {
    const keys = new Set(group.flatMap(({ title }) => (title.facets[tier] ?? []).map(([key]) => key)));
    let best: { readonly count: number; readonly entries: readonly Entry[] } = { count: 1, entries: [] };
    for (const key of keys) {
      const entries = withWords(group, ({ title }) => title.facets[tier]?.find(([each]) => each === key)?.[1] ?? "");
      const count = new Set(entries.map(nameOf)).size;
      if (count > best.count) best = { count, entries };
    }
    if (best.count > 1) return best.entries;
  }
  return undefined;
}

function bySlug(group: readonly Entry[]): readonly Entry[] | undefined {
  // A number at a slug's end says no more than one of ours.
  const entries = withWords(group, ({ title }) => title.slug.replace(/\b\d+\b/g, ""));
  return new Set(entries.map(nameOf)).size > 1 ? entries : undefined;
}

/** The entries with what is new in a text of each: not what all of them say. */
function withWords(group: readonly Entry[], textOf: (entry: Entry) => string): readonly Entry[] {
  const all = group.map((entry) => wordsOf(textOf(entry)));
  const isCommon = (word: string) => all.every((words) => words.includes(word));
  return group.map((entry, i) => {
    const words = all[i] ?? [];
    const own = words.filter((word) => !isCommon(word));
    // A number alone says nothing.
    const isNumber = own.length > 0 && own.every((word) => /^\d+$/.test(word));
    return longer(entry, fitting(isNumber ? words : own, longestFacet));
  });
}

/** The entry with those of the words that say something new and can be read. */
function longer(entry: Entry, words: readonly string[]): Entry {
  const said = [...entry.words, ...entry.extra];
  const added = words.filter((word) => !said.includes(word));
  const extra = [...entry.extra, ...added];
  const isTooLong = extra.join("-").length > longestName - longestFacet;
  return isTooLong || added.some(isOpaque) ? entry : { ...entry, extra };
}

/** An id. */
const isOpaque = (word: string) =>
  /^\d{5,}$/.test(word) || (/^[0-9a-f]{6,}$/.test(word) && /\d/.test(word)) || word.length > longestFacet;

/** The title's words, as many as there is room for, and those that tell it apart. */
function nameOf({ words, extra }: Entry): string {
  const room = longestName - (extra.length === 0 ? 0 : extra.join("-").length + 1);
  const shorter = words.join("-").length > room ? words.filter((word) => !fillers.has(word)) : words;
  return [...fitting(shorter, room), ...extra].join("-");
}

/** As many whole words as there is room for; of a first one that is too long, its beginning. */
function fitting(words: readonly string[], room: number): readonly string[] {
  const [first = "", ...others] = words;
  if (first === "") return [];
  if (first.length >= room) return [first.slice(0, room)];
  const fit = [first];
  let length = first.length;
  for (const word of others) {
    length += word.length + 1;
    if (length > room) break;
    fit.push(word);
  }
  return fit;
}

/** `KubePodCrashLooping (EU)` → `kube`, `pod`, `crash`, `looping`, `eu`. */
const wordsOf = (text: string): readonly string[] =>
  plainWords(text)
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
