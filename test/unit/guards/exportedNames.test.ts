import { posix } from "node:path";
import { expect, it } from "vitest";
import { kinds } from "../../../dist/provider/kinds/index.gen.js";
import { type Source, sourcesIn } from "./repository.js";

/** The function of a program, and the one of its unit tests: users know both by this name. */
const isPublicTwice = (found: string) => found.startsWith("simulate:");

/** The names that a source declares and exports. */
const exportedIn = ({ text }: Source): readonly string[] =>
  [...text.matchAll(/^export (?:abstract |async |declare )*(?:class|const|function\*?|interface|type) (\w+)/gm)].map(
    ([, name = ""]) => name,
  );

/** Each name that sources of several folders export, with the places. The kinds have their own name in several. */
function repeated(sources: readonly Source[]): readonly string[] {
  const places = new Map<string, string[]>();
  for (const source of sources)
    for (const name of exportedIn(source)) places.set(name, [...(places.get(name) ?? []), source.path]);
  const kindNames = kinds.map(({ name }) => name.toLowerCase());
  return [...places]
    .filter(([name, paths]) => new Set(paths.map(posix.dirname)).size > 1 && !kindNames.includes(name.toLowerCase()))
    .map(([name, paths]) => `${name}: ${paths.join(", ")}`)
    .sort();
}

const isChecked = ({ path }: Source) => !path.startsWith("tools/bench/") && !path.includes(".gen.");

it("a name that is exported means one thing in all folders", () => {
  const found = repeated(["provider", "sdk", "cli", "tools"].flatMap(sourcesIn).filter(isChecked));
  expect(found.filter((each) => !isPublicTwice(each))).toEqual([]);
});

it("a name that two folders export is found with its places", () => {
  const sources = [
    { path: "provider/a.ts", text: "export const nameOf = 1;" },
    { path: "cli/b.ts", text: "export function nameOf() {}\nexport type Other = 1;" },
    { path: "cli/c.ts", text: "export interface Other {}\nexport const monitor = 1;" },
  ];
  expect(repeated(sources)).toEqual(["nameOf: provider/a.ts, cli/b.ts"]);
});
