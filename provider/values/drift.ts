import { hash } from "node:crypto";
import type { Field, ListField, ScalarField } from "../schema/field";
import { objectWith, valueAt } from "../schema/walk";
import { entries, isObject, items, type JsonObject, keysOf, withoutAbsent } from "../wire/json";
import { isEquivalent } from "./equal";
import { leaves } from "./leaves";
import { paired } from "./pairs";
import { type MaskTest, withoutSecrets } from "./secrets";

/**
 * What the service changed in what it was sent: values by JSON pointer, in the arguments' spelling. `null` means that
 * the service left something out. Never contains a secret.
 */
export type FilledIn = JsonObject;

/** The differences between the answer to a write and what was sent. */
export function filledIn(field: Field, sent: unknown, answered: unknown, isMask: MaskTest, pointer = ""): FilledIn {
  const here = () => {
    const value = withoutSecrets(field, answered);
    return { [pointer]: value ?? null };
  };
  return field.visit<FilledIn>({
    scalar: (scalar) => (isEquivalent(field, sent, answered) ? {} : answeredInstead(scalar, answered, isMask, pointer)),
    list: (list) => {
      const [left, right] = [items(sent), items(answered)];
      if (left.length !== right.length) return here();
      return merge(
        paired(list, right, left).map(([each, i]) => filledIn(list.item, left[i], each, isMask, `${pointer}/${i}`)),
      );
    },
    map: ({ item }) => {
      const [left, right] = [entries(sent), entries(answered)];
      const changed = keysOf(left, right).filter((key) => left[key] !== right[key]);
      return merge(changed.map((key) => answeredInstead(item, right[key], isMask, `${pointer}/${escapeStep(key)}`)));
    },
    object: ({ shape }) => {
      if (!isObject(sent) || !isObject(answered)) return sent === answered ? {} : here();
      // Most fields are in neither.
      const fields = Object.entries(shape.fields).filter(([name]) => sent[name] !== answered[name]);
      return merge(
        fields.map(([name, inner]) =>
          filledIn(inner, sent[name], answered[name], isMask, `${pointer}/${escapeStep(name)}`),
        ),
      );
    },
  });
}

/** A scalar that the service answered instead of what was sent. */
function answeredInstead(scalar: ScalarField, answered: unknown, isMask: MaskTest, pointer: string): FilledIn {
  if (isMask(scalar, answered)) return {};
  // If the service answers a secret in another form, its hash recognizes it later.
  return { [pointer]: scalar.options.secret === undefined ? (answered ?? null) : hashOf(answered) };
}

const hashOf = (value: unknown) => ({ sha256: hash("sha256", String(value)) });

/** Whether the service filled in this secret: then only its hash is recorded. */
const isHashOf = (hashed: unknown, value: unknown) => entries(hashed).sha256 === hashOf(value).sha256;

/**
 * The recorded arguments with those secrets that the service is known to have, because a hash of them is recorded: an
 * import brings a secret into state only so.
 */
export function withKnownSecrets(root: Field, managed: JsonObject, filled: FilledIn, desired: JsonObject): JsonObject {
  if (!Object.values(filled).some((value) => isObject(value) && "sha256" in value)) return managed;
  return leaves(root, desired).reduce<JsonObject>((object, { path, field: { options }, value }) => {
    const steps = path.map(String);
    const hashed = filled[steps.map((step) => `/${escapeStep(step)}`).join("")];
    const isAdded = options.secret !== undefined && isHashOf(hashed, value) && valueAt(object, path) === undefined;
    return isAdded ? (set(object, steps, value) as JsonObject) : object; // as in `objectAsWritten`
  }, managed);
}

/** The object right after it was written: what was sent, with the service's changes. */
export function objectAsWritten(sent: JsonObject, filled: FilledIn): JsonObject {
  return Object.entries(filled).reduce<JsonObject>(
    (object, [pointer, value]) =>
      // The cast is safe: with at least one step, `set` returns an object for an object.
      set(object, pointer.split("/").slice(1).map(unescapeStep), value ?? undefined) as JsonObject,
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
  return field.visit<unknown>({
    // By meaning: the service may spell its own values differently each time.
    scalar: (scalar) => (isEquivalent(field, written, actual) ? recorded : scalarNow(scalar, sides, isMask)),
    list: (list) => listNow(list, sides, isMask),
    map: ({ item }) => {
      const [before, then, now] = [entries(recorded), entries(written), entries(actual)];
      const values = keysOf(before, now)
        .map((key) => [key, scalarNow(item, { recorded: before[key], written: then[key], actual: now[key] }, isMask)])
        .filter(([, value]) => value !== undefined);
      return values.length === 0 && !isObject(recorded) ? undefined : Object.fromEntries(values);
    },
    object: ({ shape }) => {
      if (!isObject(actual)) return undefined;
      if (!isObject(recorded)) return unrecordedNow(field, written, actual);
      const then = entries(written);
      return withoutAbsent(
        objectWith(shape, (inner, name) =>
          threeWay(inner, { recorded: recorded[name], written: then[name], actual: actual[name] }, isMask),
        ),
      );
    },
  });
}

function scalarNow(scalar: ScalarField, { recorded, written, actual }: Sides, isMask: MaskTest): unknown {
  if (scalar.options.secret === undefined) return actual === written ? recorded : actual;
  const isUnchanged = isMask(scalar, actual) || actual === written || isHashOf(written, actual);
  return isUnchanged || recorded === undefined ? recorded : actual;
}

function listNow(list: ListField, { recorded, written, actual }: Sides, isMask: MaskTest): unknown {
  const [before, then, now] = [items(recorded), items(written), items(actual)];
  // The service filled in or left out items: ours do not correspond to them.
  if (before.length !== then.length) {
    return isEquivalent(list, written, actual) ? recorded : withoutSecrets(list, actual);
  }
  const values = paired(list, now, then)
    .map(([item, i]) =>
      i < then.length
        ? threeWay(list.item, { recorded: before[i], written: then[i], actual: item }, isMask)
        : withoutSecrets(list.item, item),
    )
    .filter((item) => item !== undefined);
  return values.length === 0 && before.length === 0 ? recorded : values;
}

/** An object that the program does not declare: nothing if the service filled it in, and it is unchanged. */
function unrecordedNow(field: Field, written: unknown, actual: unknown): unknown {
  const [before, after] = [withoutSecrets(field, written), withoutSecrets(field, actual)];
  return isEquivalent(field, before, after) ? undefined : after;
}

const merge = (parts: readonly FilledIn[]): FilledIn => Object.assign({}, ...parts);
// RFC 6901
const escapeStep = (step: string) => step.replaceAll("~", "~0").replaceAll("/", "~1");
const unescapeStep = (step: string) => step.replaceAll("~1", "/").replaceAll("~0", "~");
