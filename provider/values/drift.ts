import { createHash } from "node:crypto";
import type { Field, ScalarField } from "../schema/field";
import { valueAt } from "../schema/walk";
import { entries, isObject, items, type JsonObject, keysOf, withoutAbsent } from "../wire/json";
import { sameMeaning } from "./equal";
import { leaves } from "./leaves";
import { paired } from "./pairs";
import { type MaskTest, withoutSecrets } from "./secrets";

/**
 * What the service changed in what it was sent: values by JSON pointer, in the arguments' spelling. `null` means that
 * the service left something out. Never holds a secret.
 */
export type FilledIn = JsonObject;

/** The differences between the answer to a write and what was sent. */
export function filledIn(field: Field, sent: unknown, answered: unknown, isMask: MaskTest, pointer = ""): FilledIn {
  const here = () => {
    const value = withoutSecrets(field, answered);
    return { [pointer]: value ?? null };
  };
  return field.visit<FilledIn>({
    scalar: (scalar) => (sameMeaning(field, sent, answered) ? {} : answeredInstead(scalar, answered, isMask, pointer)),
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

/** A scalar that the service answered in place of what was sent. */
function answeredInstead(scalar: ScalarField, answered: unknown, isMask: MaskTest, pointer: string): FilledIn {
  if (isMask(scalar, answered)) return {};
  // If the service answers a secret in another form, its digest recognises it later.
  return { [pointer]: scalar.options.secret === undefined ? (answered ?? null) : digestOf(answered) };
}

const digestOf = (value: unknown) => ({ sha256: createHash("sha256").update(String(value)).digest("hex") });

/**
 * The recorded arguments with those secrets that the service is known to have, because a digest of them is recorded: an
 * import brings a secret into state only so.
 */
export function withKnownSecrets(root: Field, managed: JsonObject, filled: FilledIn, wanted: JsonObject): JsonObject {
  if (!Object.values(filled).some((value) => isObject(value) && "sha256" in value)) return managed;
  return leaves(root, wanted).reduce<JsonObject>((known, { path, field: { options }, value }) => {
    const steps = path.map(String);
    const recorded = entries(filled[steps.map((step) => `/${escapeStep(step)}`).join("")]);
    const isKnown = options.secret !== undefined && recorded.sha256 === digestOf(value).sha256;
    return isKnown && valueAt(known, path) === undefined ? (set(known, steps, value) as JsonObject) : known; // as in `settled`
  }, managed);
}

/** The object right after it was written: what was sent, with the service's changes. */
export function settled(sent: JsonObject, filled: FilledIn): JsonObject {
  return Object.entries(filled).reduce<JsonObject>(
    (object, [pointer, value]) =>
      // The cast holds: with at least one step, `set` returns an object for an object.
      set(object, pointer.split("/").slice(1).map(unescapeStep), value ?? undefined) as JsonObject,
    sent,
  );
}

function set(target: unknown, [step, ...rest]: readonly string[], value: unknown): unknown {
  if (step === undefined) return value;
  if (Array.isArray(target)) return target.map((each, i) => (i === Number(step) ? set(each, rest, value) : each));
  return { ...entries(target), [step]: set(entries(target)[step], rest, value) };
}

/**
 * What the user manages, as the service has it now: the `managed` value if nothing changed since the last write, else
 * the live value. A mask in place of a secret is no change. A secret that is not managed is left out, because it could
 * not be kept encrypted.
 */
export function project(field: Field, managed: unknown, written: unknown, live: unknown, isMask: MaskTest): unknown {
  // The second case also covers a service that no longer changes a value and now answers ours in another spelling.
  if ((written === undefined && live === undefined) || sameMeaning(field, managed, live)) return managed;
  const projectScalar = (scalar: ScalarField, mine: unknown, before: unknown, now: unknown) => {
    if (isMask(scalar, now) || now === before) return mine;
    if (isObject(before) && before.sha256 === digestOf(now).sha256) return mine;
    return scalar.options.secret !== undefined && mine === undefined ? undefined : now;
  };
  return field.visit<unknown>({
    scalar: (scalar) => (sameMeaning(field, written, live) ? managed : projectScalar(scalar, managed, written, live)),
    list: (list) => {
      const { item } = list;
      const [mine, before, now] = [items(managed), items(written), items(live)];
      // The service filled in or left out items: ours do not correspond to them.
      if (mine.length !== before.length)
        return sameMeaning(field, written, live) ? managed : withoutSecrets(field, live);
      const found = paired(list, now, before)
        .map(([each, i]) =>
          i < before.length ? project(item, mine[i], before[i], each, isMask) : withoutSecrets(item, each),
        )
        .filter((each) => each !== undefined);
      return found.length === 0 && mine.length === 0 ? managed : found;
    },
    map: ({ item }) => {
      const [mine, before, now] = [entries(managed), entries(written), entries(live)];
      const kept = keysOf(mine, now).map(
        (key) => [key, projectScalar(item, mine[key], before[key], now[key])] as const,
      );
      const present = kept.filter(([, value]) => value !== undefined);
      return present.length === 0 && !isObject(managed) ? undefined : Object.fromEntries(present);
    },
    object: ({ shape }) => {
      if (!isObject(live)) return undefined;
      // The service filled in the whole object, and it is unchanged.
      if (managed === undefined && sameMeaning(field, withoutSecrets(field, written), withoutSecrets(field, live))) {
        return undefined;
      }
      if (!isObject(managed)) return withoutSecrets(field, live);
      return withoutAbsent(
        Object.fromEntries(
          Object.entries(shape.fields).map(([name, inner]) => [
            name,
            project(inner, managed[name], entries(written)[name], live[name], isMask),
          ]),
        ),
      );
    },
  });
}

const merge = (parts: readonly FilledIn[]): FilledIn => Object.assign({}, ...parts);
// RFC 6901
const escapeStep = (step: string) => step.replaceAll("~", "~0").replaceAll("/", "~1");
const unescapeStep = (step: string) => step.replaceAll("~1", "/").replaceAll("~0", "~");
