import type { Field } from "../../dist/provider/schema/field.js";
import type { Kind } from "../../dist/provider/schema/kind.js";
import { type Json, wireKey } from "./equivalence.js";

/** The place that a message names first, in the arguments' spelling; empty where it is about the whole. */
export function firstPlaceIn(kind: Kind, message: string): string {
  const words = message.replace(
    /^(?:\d+ UNKNOWN: )?unable to .* answered \d+: .*? (?:is invalid|refers to an object that does not exist): /s,
    "",
  );
  const [, place = ""] = /^([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*|\[\d+\]|\["(?:[^"\\]|\\.)*"\])*): /.exec(words) ?? [];
  let field: Field | undefined = kind.root;
  return place.replace(/[A-Za-z_$][\w$]*|\[[^\]]*\]/g, (step) => {
    const shape = field?.visit({ object: (object) => object.shape, scalar: none, list: none, map: none });
    const [name, inner] =
      Object.entries(shape?.fields ?? {}).find(([name, each]) => wireKey(name, each) === step) ?? [];
    field = step.startsWith("[")
      ? field?.visit({ list: ({ item }) => item, object: none, scalar: none, map: none })
      : inner;
    return name ?? step;
  });
}

const none = () => undefined;

/** A slug that makes another path asks another operation, and is refused as such. */
export const isUnplaceable = ({ slug }: Json) => slug === "..";
