import { z } from "zod";
import { anything, mapping } from "../../source/scalars";
import type { LostKey } from "../../source/sourceNode";

// What becomes of the keys of an item. Each source has tables of them: in a `mapping`, a key that is carried over has the type of
// its value, and any other one says why it is not. A key that is in no table is lost, and may have any effect.

/** A text, or one about the value as it is shown and as it is. */
type Words = string | ((shown: string, value: unknown) => string);

/** Values of most keys that mean the same as no key. */
const usual = ["false", "0", ...["ms", "s", "m", "h", "d", "w", "y"].map((unit) => `0${unit}`)];

const leftOut = (
  neutral: readonly string[],
  issueOf: (shown: string, value: unknown) => Pick<z.core.$ZodIssueCustom, "params" | "message">,
) =>
  anything.superRefine((value, context) => {
    const isText = typeof value === "string";
    const isEmpty = isText ? value === "" || neutral.includes(value) : Object.keys(value ?? {}).length === 0;
    if (!isEmpty) context.addIssue({ code: "custom", ...issueOf(isText ? value : JSON.stringify(value), value) });
  });
const lostWith = (hasEffect: boolean, text: Words | undefined, neutral: readonly string[] = usual) =>
  leftOut(neutral, (shown, value) => {
    const lost: LostKey = { hasEffect, text: typeof text === "function" ? text(shown, value) : text };
    return { message: "", params: { lost } };
  });

/** Lost without effect, and not worth a word: what the other tool keeps about the item itself. */
export const inert = z.unknown().optional();
/** Lost without effect, which the text explains. */
export const harmless = (text: Words, neutral?: readonly string[]) => lostWith(false, text, neutral);
/** Lost with effect. @param neutral Values that mean the same as no key. */
export const lost = (text?: Words, neutral?: readonly string[]) => lostWith(true, text, neutral);
/** Without it, the item would be another one. */
export const rejects = (reason: string, neutral: readonly string[] = usual) =>
  leftOut(neutral, () => ({ message: reason }));

export const undelivered = rejects("has no counterpart, and without it nothing is delivered");
export const addressed = rejects("has no counterpart, and without it the message would go to another address");

/** The same for several keys. */
export const keysWith = <F, const K extends string>(fate: F, ...keys: readonly K[]) =>
  Object.fromEntries(keys.map((key) => [key, fate])) as Record<K, F>; // It has these keys.
export const inertKeys = <const K extends string>(...keys: readonly K[]) => keysWith(inert, ...keys);

/** An object's own labels and annotations are not those of its alerts. */
const own = (what: string) =>
  harmless((_, map) => `the object's ${what} are left out: ${Object.keys(Object(map)).join(", ")}`);

const metadataKeys = {
  ...{ name: anything, namespace: anything, labels: own("labels"), annotations: own("annotations") },
  ...inertKeys("generateName", "uid", "resourceVersion", "generation", "creationTimestamp", "selfLink"),
  ...inertKeys("managedFields", "ownerReferences", "finalizers"),
};

/** A Kubernetes object, or a document of that form. @param metadata The keys of its metadata that are read. */
export const objectOf = <S extends z.ZodType, M extends z.core.$ZodLooseShape>(spec: S, metadata: M, kind = inert) => {
  const keys = { ...metadataKeys, ...metadata } as Omit<typeof metadataKeys, keyof M> & M; // A spread of a type parameter.
  const read = mapping(keys).prefault({} as never); // Its type is not known here; a key that it requires is then missing.
  return mapping({ ...inertKeys("apiVersion", "status"), kind, metadata: read, spec });
};
