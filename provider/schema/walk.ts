import type { Field, ScalarField, Shape } from "./field";
import type { Effect } from "./effect";

/** One step into a value: an object's field, a map's key, or an array's index. `*` means every item of a map or array. */
export type PathStep = string | number;
export type Path = readonly PathStep[];

/** `["labels", "a.b", 0]` → `labels["a.b"][0]`: a path as a program would write it. */
export function formatPath(path: Path): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === "number") return `${text}[${step}]`;
    if (!/^[A-Za-z_$][\w$]*$/.test(step)) return `${text}[${JSON.stringify(step)}]`;
    return text === "" ? step : `${text}.${step}`;
  }, "");
}

/** Every shape below `root`, each once, in the order of the fields; without `root` itself. */
export function shapesOf(root: Shape): Shape[] {
  const found = new Set<Shape>();
  const enter = (field: Field): void =>
    field.visit({
      scalar: () => {},
      map: () => {},
      list: (list) => enter(list.item),
      object: ({ shape }) => {
        if (found.has(shape)) return;
        found.add(shape);
        Object.values(shape.fields).forEach(enter);
      },
    });
  Object.values(root.fields).forEach(enter);
  return [...found];
}

/** Every scalar below `root` with its path; the step `*` is for the items of maps and arrays. */
export function scalarsOf(root: Shape): { readonly path: readonly string[]; readonly field: ScalarField }[] {
  const enter = (field: Field, path: readonly string[]): ReturnType<typeof scalarsOf> =>
    field.visit({
      scalar: (scalar) => [{ path, field: scalar }],
      map: ({ item }) => enter(item, [...path, "*"]),
      list: ({ item }) => enter(item, [...path, "*"]),
      object: ({ shape }) => Object.entries(shape.fields).flatMap(([name, inner]) => enter(inner, [...path, name])),
    });
  return Object.entries(root.fields).flatMap(([name, field]) => enter(field, [name]));
}

/** A field's own effect, or that of the nearest field around it. */
export const effectOf = ({ options }: Field, around: Effect | undefined): Effect | undefined =>
  options.effect ?? around;

/** Every scalar below a field, with its effect if it has one; the step `*` is for the items of maps and lists. */
export function scalarsWithEffects(
  field: Field,
  around?: Effect,
  path: Path = [],
): readonly { readonly path: Path; readonly effect: Effect | undefined }[] {
  const effect = effectOf(field, around);
  return field.visit({
    scalar: () => [{ path, effect }],
    map: ({ item }) => scalarsWithEffects(item, effect, [...path, "*"]),
    list: ({ item }) => scalarsWithEffects(item, effect, [...path, "*"]),
    object: ({ shape }) =>
      Object.entries(shape.fields).flatMap(([name, inner]) => scalarsWithEffects(inner, effect, [...path, name])),
  });
}

/** The field one step inside of another one; undefined if there is none. */
export const fieldIn = (field: Field, step: PathStep) =>
  field.visit<Field | undefined>({
    scalar: () => undefined,
    map: ({ item }) => item,
    list: ({ item }) => item,
    object: ({ shape }) => (Object.hasOwn(shape.fields, step) ? shape.fields[step] : undefined),
  });

/** An object with a value for each field of its shape; a field without one is left out. */
export const objectWith = (shape: Shape, valueOf: (field: Field, name: string) => unknown): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(shape.fields)
      .map(([name, field]) => [name, valueOf(field, name)])
      .filter(([, value]) => value !== undefined),
  );

/** The path down to the first unordered list in it: an item's index may differ elsewhere. */
export function certainPart(root: Field, path: Path): Path {
  let field: Field | undefined = root;
  for (const [depth, step] of path.entries()) {
    const isUnordered = field?.options.unordered === true;
    if (isUnordered) return path.slice(0, depth);
    field = field && fieldIn(field, step);
  }
  return path;
}

/** The path of the map that a path leads into; undefined if it has no key of a map. */
export function mapIn(root: Field, path: Path): Path | undefined {
  let field: Field | undefined = root;
  for (const [depth, step] of path.entries()) {
    const isMap = field?.visit({ map: () => true, scalar: () => false, list: () => false, object: () => false });
    if (isMap === true) return path.slice(0, depth);
    field = field && fieldIn(field, step);
  }
  return undefined;
}

/** The path down to the first list in it: the engine encrypts a list as a whole. */
export function aboveItems(path: Path): Path {
  const index = path.findIndex((step) => typeof step === "number");
  return index < 0 ? path : path.slice(0, index);
}

/** Whether a path is one of the others, or inside one. */
export const isWithin = (path: Path, others: readonly Path[]) =>
  others.some((other) => other.every((step, i) => step === path[i]));

/** The value at a path; undefined if there is none. */
export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (here, step) =>
      typeof here === "object" && here !== null ? (here as Readonly<Record<PathStep, unknown>>)[step] : undefined,
    value,
  );
}
