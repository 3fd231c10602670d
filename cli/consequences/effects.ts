import type { Effect } from "../../provider/schema/effect";
import type { Field } from "../../provider/schema/field";
import { effectOf, fieldIn, type Path, scalarsOf } from "../../provider/schema/walk";

/** The effects of all scalars at a path, by the schema. */
export function effectsAt(root: Field, path: Path): ReadonlySet<Effect> {
  const { field, effect } = fieldAt(root, path);
  return new Set(scalarsOf(field, effect).flatMap((scalar) => scalar.effect ?? []));
}

/** The effect of the value at a path as a whole: that of its first scalar, if no enclosing field has one. */
export function effectAt(root: Field, path: Path): Effect {
  const { field, effect } = fieldAt(root, path);
  const [first] = effect === undefined ? effectsAt(root, path) : [effect];
  if (first === undefined) throw new Error(`the field "${field.description}" has no effect`);
  return first;
}

/** The field at a path, or the last one that the schema has there, and its effect. */
export function fieldAt(root: Field, path: Path) {
  let [field, effect] = [root, effectOf(root, undefined)];
  for (const step of path) {
    const inner = fieldIn(field, step);
    if (inner === undefined) break;
    [field, effect] = [inner, effectOf(inner, effect)];
  }
  return { field, effect };
}
