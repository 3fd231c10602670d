import { grouped } from "../../provider/base/grouped";
import { kebab, Names, numberedSlug } from "./names";

/** An object as people know it: its resource gets a name from this. */
export interface Title {
  /** The display name of the object. */
  readonly text: string;
  readonly labels: Readonly<Record<string, unknown>>;
  readonly slug: string;
}

/** In characters. A name stands in a line with what it names. */
export const longestName = 60;

/** The labels by which people tell things apart, the usual first. */
const usual = ["service", "group", "severity", "team", "component", "env", "environment", "region", "cluster"];

/**
 * A name for each title, in slug form, given once: `high-error-rate`. Equal titles are distinguished by the labels that differ:
 * `high-error-rate-checkout`. If there are none, the name is the slug, unless that is an id, and at last it has a number.
 * @param taken Names that were given before.
 */
export function namesFor(titles: readonly Title[], taken: Iterable<string> = []): readonly string[] {
  const names = new Names(taken, numberedSlug);
  const alike = grouped(titles, ({ text }) => nameOf(text));
  return titles.map((title) => {
    const name = nameOf(title.text);
    const equal = alike.get(name) ?? [];
    const labels = labelsThatDiffer(title, equal);
    const longer = labels.map((_, i) => [name, ...labels.slice(0, i + 1)].join("-"));
    const slug = isId.test(title.slug) ? [] : [kebab(title.slug)];
    const [first = name, ...others] = [...(equal.length === 1 ? [name] : []), ...longer, ...slug];
    return names.free(first, ...others);
  });
}

/** The values of the labels that not all of the equal titles have, in slug form; of one title alone, of all usual labels. */
function labelsThatDiffer({ labels }: Title, equal: readonly Title[]): readonly string[] {
  const keys = [...usual, ...Object.keys(labels).filter((key) => !usual.includes(key))];
  const differing = keys.filter((key) =>
    equal.length === 1 ? usual.includes(key) : equal.some((other) => other.labels[key] !== labels[key]),
  );
  const values = differing.map((key) => kebab(typeof labels[key] === "string" ? labels[key] : ""));
  return values.filter((value) => value !== "" && value.length <= longestLabel && !isId.test(value));
}

const longestLabel = 24;

/** A slug or a label with a part that cannot be read: `0a1b2c3d`. */
const isId = /\b(?:\d{5,}|(?=[a-f]*\d)[0-9a-f]{6,})\b/;

/** A title in slug form, as many whole words as fit. */
function nameOf(title: string): string {
  const name = kebab(title);
  if (name.length <= longestName) return name;
  const words = name.slice(0, longestName + 1);
  return words.includes("-") ? words.slice(0, words.lastIndexOf("-")) : words.slice(0, longestName);
}
