import { type Field, MapField, ScalarField } from "../schema/field";
import { aboveItems, isWithin, mapIn, type Path, scalarsOf } from "../schema/walk";
import { isObject, textsIn } from "../wire/json";
import { isZero } from "./equal";
import { leaves, withParts } from "./leaves";

/** Whether a value is a mask instead of a secret. */
export type MaskTest = (field: ScalarField, value: unknown) => boolean;

/** Masks are `**REDACTED**`, three or more `*`, and further texts; for secrets of type `value`, also empty and absent. */
export function maskTest(furtherMasks: readonly string[]): MaskTest {
  return ({ options: { secret } }, value) => {
    if (secret === undefined) return false;
    if (value === undefined || value === null || value === "") return secret === "value";
    return (
      typeof value === "string" && (value === "**REDACTED**" || /^\*{3,}$/.test(value) || furtherMasks.includes(value))
    );
  };
}

/** The value without its secret fields, or without those of them that a test picks. */
export function withoutSecrets(field: Field, value: unknown, isLeftOut: MaskTest = isSecret): unknown {
  if (!hasSecrets(field)) return value;
  if (field instanceof ScalarField) return isLeftOut(field, value) ? undefined : value;
  const kept = withParts(field, value, (inner, each) => withoutSecrets(inner, each, isLeftOut));
  return field instanceof MapField && isObject(kept) && Object.keys(kept).length === 0 ? undefined : kept;
}

/** Whether the schema declares the field as a secret. */
export const isSecret = ({ options }: ScalarField) => options.secret !== undefined;

const withSecrets = new WeakMap<Field, boolean>();

/** Whether the schema declares a secret anywhere in the field. Most have none, which saves a walk through the value. */
function hasSecrets(field: Field): boolean {
  const known = withSecrets.get(field) ?? scalarsOf(field).some(({ field: scalar }) => isSecret(scalar));
  withSecrets.set(field, known);
  return known;
}

/** The value with each secret field marked as a secret for the engine, unless something around it is marked already. */
export function withSecretsMarked(field: Field, value: unknown): unknown {
  if (!hasSecrets(field) || isMarked(value)) return value;
  if (field instanceof ScalarField) return isZero(value) ? value : secretOf(value);
  return withParts(field, value, withSecretsMarked);
}

/** The value with what it has at a path marked as a secret for the engine; a list is marked as a whole. */
export const withMarkAt = (value: unknown, path: Path): unknown => markAt(value, aboveItems(path));

function markAt(value: unknown, [step, ...rest]: Path): unknown {
  if (value === undefined || value === null || isMarked(value)) return value;
  if (step === undefined) return secretOf(value);
  return isObject(value) && Object.hasOwn(value, step) ? { ...value, [step]: markAt(value[step], rest) } : value;
}

// The key and value that mark a secret in Pulumi's wire protocol (sdk/go/common/resource/properties.go).
const isMarked = (value: unknown) => isObject(value) && Object.hasOwn(value, secretMark);
export const secretMark = "4dabf18193072939515e22adb298388d";
const secretOf = (value: unknown) => ({ [secretMark]: "1b47061264138c4ac30d75fd1eb44270", value });

/** Whether the schema itself declares the place as a secret. */
export const isSecretPlace = (field: Field, value: unknown, path: Path): boolean =>
  leavesIn(field, value, path).some((leaf) => leaf.path.length === path.length && isSecret(leaf.field));

/** Whether the value has something at the place that the schema does not call a secret. */
export const isPublicPlace = (field: Field, value: unknown, path: Path): boolean =>
  leavesIn(field, value, path).some((leaf) => !isSecret(leaf.field));

const leavesIn = (field: Field, value: unknown, path: Path) =>
  leaves(field, value).filter((leaf) => isWithin(leaf.path, [path]));

/** Every text in the value's secret fields. */
export function secretTexts(field: Field, value: unknown): string[] {
  if (!hasSecrets(field)) return [];
  return leaves(field, value).flatMap(({ field: { options }, value: found }) =>
    options.secret !== undefined && typeof found === "string" && found !== "" ? [found] : [],
  );
}

/**
 * Every text in the value's marked places, and the keys of a map that is marked as a whole. The API's own words
 * are left out: if `EXISTS` were redacted, no text could say that something exists.
 */
export function markedTexts(root: Field, value: unknown, marked: readonly Path[]): string[] {
  if (marked.length === 0) return [];
  return leaves(root, value)
    .filter(({ path }) => isWithin(path, marked))
    .flatMap(({ path, field: { options }, value: found }) => {
      const map = mapIn(root, path);
      const keys = map !== undefined && isWithin(map, marked) ? path.slice(map.length).map(String) : [];
      return [...keys, ...textsIn(found).filter((text) => options.suggestions?.includes(text) !== true)];
    });
}
