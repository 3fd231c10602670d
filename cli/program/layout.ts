import { grouped } from "../../provider/base/grouped";
import { entries } from "../../provider/wire/json";
import type { Declaration } from "./declaration";
import { fileNameFrom, firstFree } from "./names";

/** The lines of declarations in a file. With its heading it has some 300. */
const mostLines = 270;

/**
 * The declarations of each file, by its name without `.ts`. Each kind has a file, or with `groupBy` each value of this label;
 * what is too long is split: `monitors-1`, `monitors-2`.
 * @param taken The files that exist.
 */
export function layoutOf(
  all: readonly Declaration[],
  groupBy: string | undefined,
  taken: readonly string[],
): ReadonlyMap<string, readonly Declaration[]> {
  const names = new Set([...taken, "index"].map((name) => name.toLowerCase()));
  // What others use stays in the file of its kind, which imports none of theirs: a circle of imports finds no values.
  const used = new Set(all.flatMap(({ uses }) => [...uses]));
  const usedTypes = new Set(all.flatMap(({ key, type }) => (used.has(key) ? [type] : [])));
  const labelOf = ({ type, item }: Declaration): string =>
    groupBy === undefined || usedTypes.has(type) ? "" : fileNameFrom(entries(item?.args.labels)[groupBy]);
  const groups = [
    ...grouped(
      all.filter((each) => labelOf(each) === ""),
      ({ usualFile }) => usualFile,
    ),
    ...grouped(
      all.filter((each) => labelOf(each) !== ""),
      labelOf,
    ),
  ];
  return new Map(
    groups.flatMap(([wish, own]) => {
      const parts = split(own);
      return parts.map((part) => {
        // Case tells no files apart on some systems.
        const name = firstFree(
          (each) => !names.has(each.toLowerCase()),
          (count) => (count === 1 && parts.length === 1 ? wish : `${wish}-${count}`),
        );
        names.add(name.toLowerCase());
        return [name, part];
      });
    }),
  );
}

/** The declarations in their order, in parts that are short enough. */
function split(all: readonly Declaration[]): readonly (readonly Declaration[])[] {
  const parts: Declaration[][] = [];
  let length = 0;
  for (const each of all) {
    const lines = each.text.split("\n").length + 1;
    const last = parts.at(-1);
    const fits = last !== undefined && length + lines <= mostLines;
    length = fits ? length + lines : lines;
    if (fits) last.push(each);
    else parts.push([each]);
  }
  return parts;
}
