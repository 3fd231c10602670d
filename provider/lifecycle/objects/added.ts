import { textDigest } from "../../protocol";
import type { Field } from "../../schema/field";
import { mapIn, type Path } from "../../schema/walk";
import { leaves } from "../../values/leaves";

/** What a transformation or transform has added to the arguments: the paths of values, and the keys of maps. */
export interface Added {
  readonly paths: readonly Path[];
  readonly keys: readonly string[];
}

/** @param sent The digests of what the class sent; undefined if that is all, or if the marks of the rest are known. */
export function addedTo(root: Field, value: unknown, sent: string | undefined): Added {
  const known = new Set(sent?.split(" "));
  const isAdded = (step: unknown) => !known.has(textDigest(String(step)));
  // The slug is never secret.
  const found = (sent === undefined ? [] : leaves(root, value)).flatMap(({ path, value: each }) => {
    const keys = path.slice(mapIn(root, path)?.length ?? path.length).map(String);
    return path[0] !== "slug" && [...keys, each].some(isAdded) ? [{ path, keys: keys.filter(isAdded) }] : [];
  });
  return { paths: found.map(({ path }) => path), keys: found.flatMap(({ keys }) => keys) };
}
