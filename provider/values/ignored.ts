import type { Path, PathStep } from "../schema/walk";
import { entries, isObject, keysOf, withoutAbsent } from "../wire/json";

/** `labels["a.b"].c[0]` → `["labels", "a.b", "c", 0]`, as Pulumi spells paths in `ignoreChanges`; `*` is for every item. */
export function pathFrom(text: string): Path {
  return [...text.matchAll(/\[\s*"((?:[^"\\]|\\.)*)"\s*\]|\[(\d+)\]|\[\*\]|[^.[\]]+/g)].map(
    ([token, quoted, index]): PathStep => {
      if (index !== undefined) return Number(index);
      return quoted?.replace(/\\(.)/g, "$1") ?? (token === "[*]" ? "*" : token);
    },
  );
}

/** A copy of the value that has at a path what another value has there, or nothing. */
export function copyAt(value: unknown, from: unknown, [step, ...rest]: Path): unknown {
  if (step === undefined) return from;
  if (Array.isArray(value)) {
    const others: readonly unknown[] = Array.isArray(from) ? from : [];
    return value.map((each, i) => ((step === "*" || step === i) && i in others ? copyAt(each, others[i], rest) : each));
  }
  if (!isObject(value) && !isObject(from)) return value;
  const [own, other] = [entries(value), entries(from)];
  const keys = step === "*" ? keysOf(own, other) : [String(step)];
  return withoutAbsent({ ...own, ...Object.fromEntries(keys.map((key) => [key, copyAt(own[key], other[key], rest)])) });
}
