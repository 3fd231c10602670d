import { hash } from "node:crypto";
import { type Field, ListField, ObjectField, ScalarField } from "../schema/field";
import { type PathStep, valueAt } from "../schema/walk";
import { entries, isObject, items, type JsonObject } from "../wire/json";
import { isEquivalent } from "./equal";
import { assembled } from "./leaves";
import { isLonger, pairsIn } from "./pairs";
import { isSecret, type MaskTest, withoutSecrets } from "./secrets";

/**
 * What the service changed in what it was sent: values by JSON pointer, in the arguments' spelling. `null` means that
 * the service left something out. Never contains a secret.
 */
export type FilledIn = JsonObject;

/** The differences between the answer to a write and what was sent. */
export function filledIn(field: Field, sent: unknown, answered: unknown, isMask: MaskTest, pointer = ""): FilledIn {
  const pairs = isLonger(field, sent, answered) ? undefined : pairsIn(field, sent, answered);
  if (pairs !== undefined) {
    const changed = pairs.filter(({ left, right }) => left !== right);
    const parts = changed.map(({ step, field: inner, left, right }) =>
      filledIn(inner, left, right, isMask, `${pointer}/${escapeStep(String(step))}`),
    );
    return Object.assign({}, ...parts) as FilledIn; // of objects
  }
  if (isEquivalent(field, sent, answered)) return {};
  if (!(field instanceof ScalarField)) return { [pointer]: withoutSecrets(field, answered) ?? null };
  if (isMask(field, answered)) return {};
  // If the service answers a secret in another form, its hash recognizes it later.
  return { [pointer]: field.options.secret === undefined ? (answered ?? null) : hashOf(answered) };
}

const hashOf = (value: unknown) => ({ sha256: hash("sha256", String(value)) });

/** Whether the service filled in this secret: then only its hash is recorded. */
const isHashOf = (hashed: unknown, value: unknown) => isObject(hashed) && hashed.sha256 === hashOf(value).sha256;

/**
 * The recorded arguments with those secrets that the service is known to have, because a hash of them is recorded: an
 * import brings a secret into state only so.
 */
export function withKnownSecrets(managed: JsonObject, filled: FilledIn, desired: JsonObject): JsonObject {
  return Object.entries(filled).reduce((object, [pointer, hashed]) => {
    const steps = stepsOf(pointer);
    const value = valueAt(desired, steps);
    const isAdded = value !== undefined && valueAt(object, steps) === undefined && isHashOf(hashed, value);
    return isAdded ? (set(object, steps, value) as JsonObject) : object; // as in `objectAsWritten`
  }, managed);
}

/** The object right after it was written: what was sent, with the service's changes. */
export function objectAsWritten(sent: JsonObject, filled: FilledIn): JsonObject {
  return Object.entries(filled).reduce<JsonObject>(
    (object, [pointer, value]) =>
      // The cast is safe: with at least one step, `set` returns an object for an object.
      set(object, stepsOf(pointer), value ?? undefined) as JsonObject,
    sent,
  );
}

function set(target: unknown, [step, ...rest]: readonly string[], value: unknown): unknown {
  if (step === undefined) return value;
  if (Array.isArray(target)) return target.map((each, i) => (i === Number(step) ? set(each, rest, value) : each));
  return { ...entries(target), [step]: set(entries(target)[step], rest, value) };
}

/** One value in its three states: as the program's arguments record it, as the last write left it, and as it is now. */
interface Sides {
  readonly recorded: unknown;
  readonly written: unknown;
  readonly actual: unknown;
}

/**
 * The recorded value if nothing has changed since the last write, else the actual one. A mask instead of a secret is no
 * change. A secret that is not recorded is left out: state has only secrets that the program sets.
 */
export function threeWay(field: Field, sides: Sides, isMask: MaskTest): unknown {
  const { recorded, written, actual } = sides;
  // The second case also covers a service that no longer changes a value and now answers ours in another spelling.
  if ((written === undefined && actual === undefined) || isEquivalent(field, recorded, actual)) return recorded;
  if (field instanceof ScalarField) return scalarNow(field, sides, isMask);
  // The service filled in or left out items, or the object: ours does not correspond to it.
  const isOther = field instanceof ObjectField && !(isObject(recorded) && isObject(actual));
  if (isOther || isLonger(field, recorded, written)) {
    // An answer may leave out settings that have only secrets, but no others.
    const isHidden: MaskTest = actual === undefined ? (scalar) => isMask(scalar, undefined) : isSecret;
    const [then, now] = [withoutSecrets(field, written, isHidden), withoutSecrets(field, actual)];
    return isEquivalent(field, then, now) ? recorded : now;
  }
  const before = new Map<PathStep, unknown>(Object.entries(isObject(recorded) ? recorded : {}));
  items(recorded).forEach((each, i) => before.set(i, each));
  const parts = pairsIn(field, written ?? {}, actual) ?? [];
  const now = parts.map(({ step, field: inner, left, right }) => {
    const part = { recorded: before.get(step), written: left, actual: right };
    return [step, threeWay(inner, part, isMask)] as const;
  });
  // What neither side has is as it was.
  const value = assembled(field, field instanceof ListField ? now : [...before, ...now]);
  return recorded === undefined && Object.keys(value).length === 0 ? undefined : value;
}

function scalarNow(scalar: ScalarField, { recorded, written, actual }: Sides, isMask: MaskTest): unknown {
  // By meaning: the service may spell its own values differently each time.
  if (isEquivalent(scalar, written, actual)) return recorded;
  if (scalar.options.secret === undefined) return actual;
  return isMask(scalar, actual) || isHashOf(written, actual) || recorded === undefined ? recorded : actual;
}

// RFC 6901
const escapeStep = (step: string) => step.replaceAll("~", "~0").replaceAll("/", "~1");
const unescapeStep = (step: string) => step.replaceAll("~1", "/").replaceAll("~0", "~");
const stepsOf = (pointer: string) => pointer.split("/").slice(1).map(unescapeStep);
