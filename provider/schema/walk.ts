import type { Effect } from "./effect";
import { type Field, ListField, MapField, ObjectField, type ScalarField, type Shape } from "./field";

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

/** The shape of an object, or of a list's items. */
export const shapeIn = (field: Field): Shape | undefined =>
  field instanceof ListField ? shapeIn(field.item) : field instanceof ObjectField ? field.shape : undefined;

/** Every shape below `root`, each once, in the order of the fields; without `root` itself. */
export function shapesOf(root: Shape, found = new Set<Shape>()): Shape[] {
  for (const shape of Object.values(root.fields).map(shapeIn)) {
    if (shape !== undefined && !found.has(shape)) shapesOf(shape, found.add(shape));
  }
  return [...found];
}

/** A field's own effect, or that of the nearest field around it. */
export const effectOf = ({ options }: Field, around: Effect | undefined): Effect | undefined =>
  options.effect ?? around;

/** A scalar somewhere below a field, with its effect if it has one. */
interface ScalarPlace {
  /** The step `*` is for the items of maps and lists. */
  readonly path: readonly string[];
  readonly field: ScalarField;
  readonly effect: Effect | undefined;
}

/** Every scalar below a field. */
export function scalarsOf(field: Field, around?: Effect, path: readonly string[] = []): readonly ScalarPlace[] {
  const effect = effectOf(field, around);
  return field.visit<readonly ScalarPlace[]>({
    scalar: (scalar) => [{ path, field: scalar, effect }],
    map: ({ item }) => scalarsOf(item, effect, [...path, "*"]),
    list: ({ item }) => scalarsOf(item, effect, [...path, "*"]),
    object: ({ shape }) =>
      Object.entries(shape.fields).flatMap(([name, inner]) => scalarsOf(inner, effect, [...path, name])),
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

/** The path down to the first unordered list in it: an item's index may differ elsewhere. */
export const certainPart = (root: Field, path: Path): Path =>
  pathDownTo(root, path, ({ options }) => options.unordered === true) ?? path;

/** The path of the map that a path leads into; undefined if it has no key of a map. */
export const mapIn = (root: Field, path: Path): Path | undefined =>
  pathDownTo(root, path, (field) => field instanceof MapField);

/** The path down to the first field around its end that is as a test demands. */
function pathDownTo(root: Field, path: Path, isWanted: (field: Field) => boolean): Path | undefined {
  let field: Field | undefined = root;
  for (const [depth, step] of path.entries()) {
    if (field === undefined) return undefined;
    if (isWanted(field)) return path.slice(0, depth);
    field = fieldIn(field, step);
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

/** Whether a path is, contains or is in one of the others. */
export const overlaps = (path: Path, others: readonly Path[]) =>
  isWithin(path, others) || others.some((other) => isWithin(other, [path]));

/** The value at a path; undefined if there is none. */
export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (here, step) =>
      typeof here === "object" && here !== null ? (here as Readonly<Record<PathStep, unknown>>)[step] : undefined,
    value,
  );
}
