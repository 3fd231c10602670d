import type { Field } from "../../dist/provider/schema/field.js";
import { zeroOf } from "./configurations.js";
import { durations } from "./drawn.js";
import { isObject, minutesOf, isEquivalent } from "./equivalence.js";
import { generator } from "./random.js";

/**
 * The same meaning in other words: zeros and empty parts added or dropped, absent ones as null, keys and unordered lists
 * in other order, durations in other units.
 */
export function respelled(field: Field, value: any, seed: number): any {
  const random = generator(seed);
  const enter = (here: Field, inner: any): any =>
    here.visit<unknown>({
      scalar: ({ options }) => {
        if (options.format !== "duration") return inner;
        const same = durations.filter((each) => minutesOf(each) === minutesOf(inner));
        return same[Math.floor(random() * same.length)] ?? inner;
      },
      map: () => (isObject(inner) ? Object.fromEntries(shuffled(Object.entries(inner), random)) : inner),
      list: ({ item, options }) => {
        if (!Array.isArray(inner)) return inner;
        const each = inner.map((one: unknown) => enter(item, one) as unknown);
        return options.unordered ? shuffled(each, random) : each;
      },
      object: ({ shape }) =>
        isObject(inner)
          ? Object.fromEntries(
              shuffled(
                Object.entries(shape.fields).flatMap(([name, each]): [string, unknown][] => {
                  const spelled = enter(each, inner[name]);
                  const zero = zeroOf(each);
                  const isNothing = zero === undefined ? spelled === undefined : isEquivalent(each, spelled, zero);
                  if (!isNothing) return [[name, spelled]];
                  const spellings = zero === undefined ? [undefined, null] : [undefined, null, zero];
                  const said = spellings[Math.floor(random() * spellings.length)];
                  return said === undefined ? [] : [[name, said]];
                }),
                random,
              ),
            )
          : inner,
    });
  return enter(field, value);
}

function shuffled<T>(all: readonly T[], random: () => number): T[] {
  return all
    .map((each) => [random(), each] as const)
    .sort(([a], [b]) => a - b)
    .map(([, each]) => each);
}
