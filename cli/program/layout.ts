import type { Kind } from "../../provider/schema/kind";
import { slugFrom } from "../../provider/values/slug";
import { entries } from "../../provider/wire/json";
import { grouped } from "../../provider/values/grouped";
import type { Item } from "./item";

/** An item and the lines of its declaration. */
export interface Sized {
  readonly item: Item;
  readonly lines: number;
  /** Whether other files import it: then its file must import none of them. */
  readonly isReferred: boolean;
}

/** The lines of declarations in a file. With its heading it has some 300. */
const mostLines = 270;

/** So many files or folders beside each other are still seen at once. */
const mostBeside = 40;

/** What may tell an item's file; empty if the item lacks it. */
type Aspect = (item: Item) => string;

const byLabel =
  (label: string): Aspect =>
  ({ args }) => {
    const value = entries(args.labels)[label];
    return typeof value === "string" ? slugFrom("", value) : "";
  };

const byKind: Aspect = ({ kind }) => fileOf(kind);

/** `trace_metrics_rules` → `traceMetricsRules`. */
const fileOf = ({ wire }: Kind) =>
  (wire.many ?? wire.one).replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

const inNames: Aspect = ({ name }) => slugFrom("", name).split(/[-_]/)[0] ?? "";

/** What people search by. */
const primary: readonly Aspect[] = [
  byLabel("team"),
  byLabel("service"),
  byLabel("group"),
  ({ source }) => slugFrom("", source?.group ?? ""),
  ({ source }) => slugFrom("", source?.file.replace(/\.\w+$/, "") ?? ""),
];

/** Then what else they know of it. */
const aspects: readonly Aspect[] = [
  ...primary,
  ...["namespace", "component", "env", "environment", "region"].map(byLabel),
  byKind,
  inNames,
];

/**
 * The file of each item, without `.ts`: `monitors`, or `checkout/payments` if that would be too long. Each kind has its file,
 * or with `groupBy` each value of this label; what is too long becomes a folder, by what most of it has: a team, a service …
 */
export function layoutOf(all: readonly Sized[], groupBy: string | undefined): ReadonlyMap<Item, string> {
  const files = new Map<Item, string>();
  const referred = all.filter(({ isReferred }) => isReferred);
  const others = all.filter(({ isReferred }) => !isReferred);
  const ofKinds = parts(others, byKind);
  const byTeam = ofKinds.every(isShort) ? undefined : aspects.find((aspect) => tells(aspect, others));
  const by = groupBy === undefined ? byTeam : byLabel(groupBy);
  for (const part of parts(referred, byKind)) place(part, aspects, files);
  for (const part of by === undefined ? ofKinds : parts(others, by)) place(part, aspects, files);
  return files;
}

interface Part {
  readonly path: string;
  readonly all: readonly Sized[];
}

const linesOf = ({ all }: Part) => all.reduce((sum, { lines }) => sum + lines, 0);
const isShort = (part: Part) => linesOf(part) <= mostLines;

/** Gives a part one file, or divides it further. */
function place(part: Part, left: readonly Aspect[], files: Map<Item, string>): void {
  if (isShort(part) || part.all.length === 1) {
    for (const { item } of part.all) files.set(item, part.path);
    return;
  }
  const at = left.findIndex((aspect) => tells(aspect, part.all));
  const aspect = left[at];
  if (aspect === undefined) return number(part, files);
  const inside = parts(part.all, aspect);
  for (const inner of primary.includes(aspect) ? inside : packed(inside)) {
    place({ ...inner, path: `${part.path}/${inner.path}` }, left.slice(at + 1), files);
  }
}

/** The parts, with small ones put together: nobody wants a file for each two objects. */
function packed(all: readonly Part[]): readonly Part[] {
  const small = all.filter((part) => linesOf(part) * 3 < mostLines);
  if (small.length < 2) return all;
  const together = { path: "others", all: small.flatMap((part) => part.all) };
  return [...all.filter((part) => !small.includes(part)), together];
}

/** Files of one size, in the order of the source: the last resort. */
function number({ path, all }: Part, files: Map<Item, string>): void {
  let [count, length] = [1, 0];
  for (const { item, lines } of all) {
    if (length > 0 && length + lines > mostLines) [count, length] = [count + 1, 0];
    length += lines;
    files.set(item, `${path}/part${count}`);
  }
}

/** Whether an aspect is one that most items have, and divides them into files neither too few nor too many. */
function tells(aspect: Aspect, all: readonly Sized[]): boolean {
  const values = all.map(({ item }) => aspect(item)).filter(Boolean);
  const count = new Set(values).size;
  return count > 1 && count <= mostBeside && values.length * 2 >= all.length && values.length >= count * 2;
}

/** The items by an aspect; those that lack it by their kind. */
function parts(all: readonly Sized[], aspect: Aspect): readonly Part[] {
  const found = grouped(all, ({ item }) => aspect(item) || byKind(item));
  return [...found].map(([path, of]) => ({ path, all: of }));
}
