import { type Field, MapField, ScalarField } from "../schema/field";
import { aboveItems, formatPath, isWithin, mapIn, overlaps, type Path } from "../schema/walk";
import { aroundDifference, cutText } from "../base/aroundDifference";
import { grouped } from "../base/grouped";
import { isZero, isEquivalent } from "./equal";
import { isLonger, pairsIn } from "./pairs";
import { type MaskTest, withoutSecrets } from "./secrets";

/** One place where an existing object differs from what would be written. */
export interface Difference {
  readonly path: Path;
  readonly field: Field;
  /** Undefined if the write would erase the place. */
  readonly desired: unknown;
  readonly actual: unknown;
  /** Whether the program leaves out the whole field, so that the service may have filled it in. */
  readonly isLeftOut: boolean;
  /** True for a declared secret that the service does not show, so that it cannot be compared. */
  readonly isMasked: boolean;
}

/**
 * Compares by meaning. A default that the service fills in, by the schema's `defaultValue`, is no difference.
 * @param isLeftOut Whether the program leaves out the field; of an entry, the whole map.
 */
export function differences(
  field: Field,
  desired: unknown,
  actual: unknown,
  isMask: MaskTest,
  path: Path = [],
  isLeftOut = desired === undefined,
): Difference[] {
  const { defaultValue } = field.options;
  if (defaultValue !== undefined && isEmpty(desired) && isEquivalent(field, defaultValue, actual)) return [];
  const pairs = isLonger(field, desired, actual) ? undefined : pairsIn(field, desired, actual);
  if (pairs !== undefined) {
    const ofMap = field instanceof MapField ? isLeftOut : undefined;
    return pairs.flatMap(({ step, field: inner, left, right }) =>
      differences(inner, left, right, isMask, [...path, step], ofMap),
    );
  }
  const isMasked =
    field instanceof ScalarField &&
    isMask(field, actual) &&
    (field.isItem ? desired !== undefined && desired !== actual : !isZero(desired));
  if (!isMasked && isEquivalent(field, desired, actual)) return [];
  return [{ path, field, desired, actual, isLeftOut, isMasked }];
}

const isEmpty = (value: unknown) => isZero(value) || (Array.isArray(value) && value.length === 0);

/** Whether the object is what was written: a service may fill in what was left out, and hide secrets. */
export const isAsWritten = (found: readonly Difference[]) =>
  found.every(({ isLeftOut, isMasked }) => isLeftOut || isMasked);

const most = 20;
const longestValue = 60;

/**
 * `changes: intervalSecs 60 → 90; erases: labels.team "payments"; sets: …`; empty if there is no difference. Of long texts
 * that change it shows the part that differs.
 * @param root The field that all paths start from.
 * @param redacted Redacts secrets in a whole text: in a text that was cut off, a secret is no longer recognized.
 * @param marks The paths of values that the program marks as secret: neither side is shown.
 */
export function describeDifferences(
  root: Field,
  found: readonly Difference[],
  redacted: (text: string) => string,
  marks: readonly Path[] = [],
): string {
  const shown = found.slice(0, most);
  const valueText = (field: Field, value: unknown) => {
    if (value === undefined) return "";
    if (typeof value === "string") return redacted(value);
    // A secret may be shown as an object.
    return redacted(JSON.stringify(typeof value === "object" ? withoutSecrets(field, value) : value) ?? "");
  };
  const show = ({ path, field }: Difference, value: unknown, text = valueText(field, value)) => {
    if (value === undefined) return "(not set)";
    // Any item of a list may be the secret: items may have moved.
    if (field.options.secret !== undefined || overlaps(path, marks.map(aboveItems))) return "[secret]";
    return typeof value === "string" ? JSON.stringify(cutText(text, longestValue)) : cutText(text, longestValue);
  };
  const change = (each: Difference) => {
    const [actual, desired] = [valueText(each.field, each.actual), valueText(each.field, each.desired)];
    if (actual === desired && typeof each.actual === typeof each.desired) return " [secret] → [secret]"; // What differs was redacted.
    const [from, to, others] = aroundDifference(actual, desired, longestValue);
    const text = ` ${show(each, each.actual, from)} → ${show(each, each.desired, to)}`;
    return text.endsWith("→ [secret]") ? text : `${text}${others}`;
  };
  const texts = {
    changes: change,
    erases: (each: Difference) => ` ${show(each, each.actual)}`,
    sets: () => ", which the service does not show",
  };
  const groups = grouped(shown, ({ desired, isMasked }) =>
    isMasked ? texts.sets : desired === undefined ? texts.erases : texts.changes,
  );
  const parts = Object.entries(texts).flatMap(([verb, text]) => {
    const places = groups.get(text)?.map((each) => `${formatPath(shownPart(root, each.path, marks))}${text(each)}`);
    return places === undefined ? [] : [`${verb}: ${unique(places).join(", ")}`];
  });
  return [...parts, ...(found.length > most ? [`and ${found.length - most} more`] : [])].join("; ");
}

/** The places that paths lead to, each once. */
export const placesOf = (root: Field, paths: readonly Path[], marks: readonly Path[]) =>
  unique(paths.map((path) => formatPath(shownPart(root, path, marks))));

const unique = (texts: readonly string[]) => [...new Set(texts)];

/** The path without the key of a map that is secret as a whole: then its keys are secret too. */
export function shownPart(root: Field, path: Path, marks: readonly Path[]): Path {
  const map = mapIn(root, path);
  return map !== undefined && isWithin(map, marks.map(aboveItems)) ? map : path;
}
