import type { Field } from "../../dist/provider/schema/field.js";
import type { Path } from "../../dist/provider/schema/walk.js";
import { generator } from "./random.js";
import { overlaps } from "./drift.js";
import { isObject, type Json } from "./equivalence.js";

/** Some places of a configuration where a value could be unknown, none inside another, none at or around `spared`. */
export function somePlaces(field: Field, config: Json, count: number, seed: number, spared?: Path): Path[] {
  const random = generator(seed);
  const isFree = (path: Path, taken: readonly Path[]) => !taken.some((each) => overlaps(path, each));
  const avoided = spared === undefined ? [] : [spared];
  // Depth first counts: most places are leaves, but whole objects, arrays and arguments are as welcome.
  const all = placesOf(field, config);
  const byDepth = [...new Set(all.map((path) => path.length))];
  const paths: Path[] = [];
  for (let i = 0; i < count; i++) {
    const depth = byDepth[Math.floor(random() * byDepth.length)];
    const free = all.filter((path) => path.length === depth && isFree(path, [...avoided, ...paths]));
    const path = free[Math.floor(random() * free.length)];
    if (path !== undefined) paths.push(path);
  }
  return paths;
}

/** Every place where a program could put a value: also absent ones of objects that are there. */
export function placesOf(field: Field, value: any, path: Path = []): Path[] {
  const here = path.length === 0 ? [] : [path];
  return field.visit<Path[]>({
    scalar: () => here,
    map: () => [...here, ...(isObject(value) ? Object.keys(value).map((key) => [...path, key]) : [])],
    list: ({ item }) => [
      ...here,
      ...(Array.isArray(value) ? value.flatMap((each, i) => placesOf(item, each, [...path, i])) : []),
    ],
    object: ({ shape }) => [
      ...here,
      ...(isObject(value)
        ? Object.entries(shape.fields).flatMap(([name, inner]) => placesOf(inner, value[name], [...path, name]))
        : []),
    ],
  });
}

/** `a.b, c["x, y"]` → its two places. */
export function placesIn(text: string): string[] {
  const places: string[] = [];
  let rest = text;
  while (rest !== "") {
    const [place = rest] = /^(?:[^,"[]|\[\d+\]|\["(?:[^"\\]|\\.)*"\])+/.exec(rest) ?? [];
    places.push(place);
    rest = rest.slice(place.length).replace(/^, /, "");
  }
  return places;
}
