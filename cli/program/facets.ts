import type { Kind } from "../../provider/schema/kind";
import { leaves } from "../../provider/values/leaves";
import { entries, isObject, type JsonObject } from "../../provider/wire/json";

/** What tells an item from others, by what it is told by: `["service", "checkout"]`. */
export type Facet = readonly [key: string, text: string];

/** The labels by which people tell things apart, the usual first. */
const usual = ["service", "group", "severity", "team", "component", "env", "environment", "region", "cluster"];

/** What may tell an item from others of the same title, the most readable first: labels, parts, queries, at last any value. */
export const facetsOf = (kind: Kind, args: JsonObject): readonly (readonly Facet[])[] => {
  const all = leaves(kind.root, args).flatMap(({ path, field, value }): Facet[] =>
    field.options.secret === undefined ? [[path.join("."), String(value)]] : [],
  );
  return [labelsOf(args), partsIn(args), all.flatMap(selectedBy), all.flatMap(shortOnes)];
};

function labelsOf({ labels }: JsonObject): readonly Facet[] {
  const rank = (key: string) => (usual.includes(key) ? usual.indexOf(key) : usual.length);
  return Object.entries(entries(labels))
    .flatMap(([key, text]): Facet[] => (typeof text === "string" ? [[key, text]] : []))
    .sort(([a], [b]) => rank(a) - rank(b));
}

/** Which of its parts an object has: `["seriesConditions.defaults", "critical"]`. */
function partsIn(value: JsonObject, path: readonly string[] = []): readonly Facet[] {
  const parts = Object.entries(value).flatMap(([name, part]) => (isObject(part) ? [[name, part] as const] : []));
  const own = parts.filter(([name]) => name !== "labels" && name !== "annotations");
  if (own.length === 0) return [];
  return [
    [path.join("."), own.map(([name]) => name).join(" ")],
    ...own.flatMap(([name, part]) => partsIn(part, [...path, name])),
  ];
}

/** What a query selects: `["query service", "checkout"]`. */
const selectedBy = ([, text]: Facet): readonly Facet[] =>
  [...text.matchAll(/(\w+) *=~? *"([^"]+)"/g)].map(([, key = "", value = ""]): Facet => [`query ${key}`, value]);

/** A value that is no text to read: a number is told with its field's name, `["definition.objective", "objective 99.9"]`. */
function shortOnes([path, text]: Facet): readonly Facet[] {
  if (/^(name|slug|labels\b.*|annotations\b.*)$/.test(path)) return [];
  if (/^[\w.#@ -]{1,24}$/.test(text))
    return [[path, /^[\d.]+$|^true$|^false$/.test(text) ? `${path.split(".").at(-1)} ${text}` : text]];
  return [];
}
