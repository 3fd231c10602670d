import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { comparisonOf } from "../../../dist/cli/consequences/changed.js";
import { stackPreviewOf } from "../../../dist/cli/preview/stackPreview.js";
import { classOf } from "../../../dist/cli/consequences/classes.js";
import { shownPath } from "../../../dist/cli/meaning/parts.js";
import { shownAt } from "../../../dist/cli/meaning/hidden.js";
import { kinds } from "../../../dist/provider/kinds/index.gen.js";
import type { Field, ScalarField } from "../../../dist/provider/schema/field.js";
import type { Kind } from "../../../dist/provider/schema/kind.js";
import type { Effect } from "../../../dist/provider/schema/effect.js";
import { formatPath, isWithin, type Path, scalarsOf } from "../../../dist/provider/schema/walk.js";
import { digest, steps } from "../../support/digests.js";
import { runs } from "../../support/figures.js";
import { unknown } from "../../../dist/provider/values/unknown.js";
import { risksOf } from "./reviewed.js";

/** What a scalar says, and another thing that it may say. */
function sayings({ type, options }: ScalarField): readonly [unknown, unknown] {
  // Patterns: what has no special letter means the same as a text.
  if (options.patternIf !== undefined) return ["on[e]", "tw.*"];
  if (options.suggestions !== undefined) return [options.suggestions[1], options.suggestions[0]];
  if (options.format === "duration") return ["1d", "2d"];
  if (options.unit?.startsWith("HH:MM")) return ["08:00", "09:00"];
  return type === "boolean" ? [true, false] : type === "string" ? ["one", "two"] : [1, 2];
}

/** A declaration that says something in every field, and in one item of every list and map. */
function sayingAll(field: Field): unknown {
  return field.visit<unknown>({
    scalar: (scalar) => sayings(scalar)[0],
    list: ({ item }) => [sayingAll(item)],
    map: ({ item }) => ({ key: sayingAll(item) }),
    object: ({ shape }) =>
      // What says the same as another field is left out.
      Object.fromEntries(
        Object.entries(shape.fields)
          .filter(([, { options }]) => options.sameAs === undefined)
          .map(([name, inner]) => [name, sayingAll(inner)]),
      ),
  });
}

interface Leaf {
  readonly kind: Kind;
  readonly path: Path;
  readonly effect: Effect;
  readonly other: unknown;
}

/** Every scalar of every kind, at its place in a declaration that says all. */
const leaves = kinds.flatMap((kind) =>
  scalarsOf(kind.root).map(({ path, field, effect = "text" }): Leaf => {
    return { kind, path: placed(kind.root, path), effect, other: sayings(field)[1] };
  }),
);

/** The path with the first index or key instead of each `*`. */
function placed(field: Field, [step, ...rest]: readonly string[]): Path {
  if (step === undefined) return [];
  return field.visit<Path>({
    scalar: () => [],
    list: ({ item }) => [0, ...placed(item, rest)],
    map: ({ item }) => ["key", ...placed(item, rest)],
    object: ({ shape }) => {
      const inner = shape.fields[step];
      return inner === undefined ? [] : [step, ...placed(inner, rest)];
    },
  });
}

type Inputs = Record<string, unknown>;
const everything = new Map(
  kinds.map((kind) => {
    // A range that ends when it starts is a whole day.
    const text = JSON.stringify(sayingAll(kind.root)).replaceAll('"endHhMm":"08:00"', '"endHhMm":"17:00"');
    return [kind, JSON.parse(text) as Inputs];
  }),
);
const told = (kind: Kind, after: unknown, before: unknown = everything.get(kind)) => {
  const facts = { before: before as Inputs, after: after as Inputs };
  return risksOf(stackPreviewOf(digest([steps(kind.name, "x", facts)]), "dev"));
};
const with_ = (kind: Kind, ...changes: readonly (readonly [Path, unknown])[]) =>
  changes.reduce((value, [path, other]) => withAt(value, path, other), everything.get(kind) as unknown);

/** The value with another one at a path: undefined takes it away, and what is empty then around it. */
function withAt(value: unknown, [step, ...rest]: Path, other: unknown): unknown {
  if (step === undefined) return other;
  const entries = Object.entries((value ?? {}) as Inputs);
  const inner = withAt(entries.find(([key]) => key === String(step))?.[1], rest, other);
  const others = entries.filter(([key]) => key !== String(step));
  const all = inner === undefined ? others : [...others, [String(step), inner] as const];
  if (all.length === 0) return undefined;
  return typeof step === "number" ? all.map(([, item]) => item) : Object.fromEntries(all);
}

const table = leaves.map((leaf) => [`${leaf.kind.name} ${formatPath(leaf.path)}`, leaf] as const);

describe("whatever changes alone is named by what it decides", () => {
  test.each(table)("%s", (_, { kind, path, effect, other }) => {
    const wanted = classOf[effect]?.class;
    const found = [told(kind, with_(kind, [path, other]))];
    if (shownAt(everything.get(kind), path) !== undefined) {
      const without = with_(kind, [path, undefined]);
      found.push(told(kind, without), told(kind, everything.get(kind), without));
    }
    for (const risks of found) {
      const classes = risks.map((risk) => risk.class);
      if (wanted === undefined) expect(classes).toEqual([]);
      else expect(classes).toContain(wanted);
    }
  });
});

test("of two changes both are told, whichever they are, by sentences that name their paths", () => {
  const named = leaves.filter(({ effect }) => effect !== "text");
  const findingsOf = (...changed: readonly Leaf[]) => {
    const [{ kind } = named[0] as Leaf] = changed; // there is always one
    const after = with_(kind, ...changed.map(({ path, other }) => [path, other] as const));
    const known = { kind, changedSecrets: [], unsureSecrets: [], unknowns: [] };
    return comparisonOf(known, everything.get(kind) as Inputs, after as Inputs).findings;
  };
  const sentences = (...changed: readonly Leaf[]) => findingsOf(...changed).map(({ text }) => text);
  // Indexes, so that a counterexample is short.
  const pair = fc.tuple(fc.nat(named.length - 1), fc.nat(), fc.boolean());
  const property = fc.property(pair, ([i, j, isRemoved]) => {
    const a = named[i] as Leaf; // the index is within
    // `collection.slug` and `collectionSlug` are two forms of one reference.
    const field = (leaf: Leaf) => formatPath(leaf.path).replace("collection.slug", "collectionSlug");
    const partners = named.filter((each) => field(each) !== field(a) && each.kind === a.kind);
    const b = partners[j % partners.length] as Leaf;
    const what = `${a.kind.name} ${formatPath(a.path)} and ${formatPath(b.path)}`;
    const both = sentences(a, b);
    expect(both, what).not.toEqual(sentences(a));
    expect(both, what).not.toEqual(sentences(b));
    const isSaid = shownAt(everything.get(a.kind), b.path) !== undefined;
    const paths = findingsOf(a, isRemoved && isSaid ? { ...b, other: undefined } : b).flatMap(({ at }) =>
      at.map(shownPath),
    );
    expect(
      [a, b].filter(({ path }) => !isWithin(path, paths)).map(({ path }) => formatPath(path)),
      what,
    ).toEqual([]);
  });
  fc.assert(property, { numRuns: runs(1, 2) });
});

test("whatever is secret or not known yet, it is told by its place, and no text in its place is read", () => {
  const hiding = fc.constantFrom("[secret]", unknown);
  const hidden = fc.property(
    fc.tuple(fc.nat(leaves.length - 1), fc.nat(), hiding, fc.boolean(), fc.boolean()),
    ([i, depth, text, isBoth, isNew]) => {
      const { kind, path, effect } = leaves[i] as Leaf; // the index is within
      // The engine hides a place, or everything around it.
      const place = path.slice(0, 1 + (depth % path.length));
      const before = isNew ? { slug: "x" } : everything.get(kind);
      const after = with_(kind, [place, text]);
      const sides = isBoth && text === "[secret]" ? [after, after] : [before, after];
      const facts = { before: sides[0] as Inputs, after: sides[1] as Inputs, places: [formatPath(place)] };
      const found = risksOf(stackPreviewOf(digest([steps(kind.name, "x", facts)]), "dev"));
      const said = found.map(({ sentence }) => sentence).join("\n");
      expect(said).not.toContain(unknown);
      const removed = (side: unknown) => told(kind, undefined, side)[0]?.direction;
      if (removed(everything.get(kind)) === "alerts-less") expect(removed(after)).toBe("alerts-less");
      expect(said).not.toMatch(/undefined|\[object|NaN/);
      // Of two fields for one value, the declaration has one.
      const isThere = shownAt(sides[0], place) !== undefined;
      const words = text === unknown ? "known only after the update" : isThere ? "changed (secret)" : "added (secret)";
      // Beside many other changes it may be one of the "more places".
      if (effect !== "text" && !isNew)
        expect(said.replace(/ \S+ → known/g, " known")).toContain(`${formatPath(place)} ${words}`);
    },
  );
  fc.assert(hidden, { numRuns: runs(2, 4) });
});
