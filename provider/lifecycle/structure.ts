import { distance } from "fastest-levenshtein";
import type { z } from "zod";
import type { Field, Shape } from "../schema/field";
import { formatPath, type Path } from "../schema/walk";
import { isObject, nounOf } from "../wire/codec";
import { unknown } from "./unknown";

/** Every wrong type and unknown key, by path, all at once. Values are never quoted: they may be secrets. */
export function structureProblems(root: Shape, value: unknown): string[] {
  const result = root.structure.safeParse(value);
  return result.success ? [] : result.error.issues.flatMap((issue) => problemsOf(root, value, issue));
}

function problemsOf(root: Shape, value: unknown, issue: z.core.$ZodIssue): string[] {
  const path = issue.path.filter((step) => typeof step !== "symbol");
  const found = valueAt(value, path);
  // Whatever an unknown value turns out to be, it is checked when it is known.
  if (found === unknown) return [];
  if (issue.code === "unrecognized_keys") {
    const known = keysAt(root, path);
    return issue.keys.map((key) => {
      const close = nearest(key, known);
      const hint = close === undefined ? `known are ${known.join(", ")}` : `did you mean "${close}"?`;
      return `${formatPath([...path, key])}: there is no such field; ${hint}`;
    });
  }
  const got = typeof found === "number" ? "a number with a fraction or out of range" : nounOf(found);
  return [
    `${formatPath(path)}: ${issue.message}, got ${issue.message === "expected a whole number" ? got : nounOf(found)}`,
  ];
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((here, step) => {
    if (Array.isArray(here)) return here[Number(step)];
    return isObject(here) ? here[step] : undefined;
  }, value);
}

function keysAt(root: Shape, path: Path): readonly string[] {
  let shape: Shape | undefined = root;
  let field: Field | undefined;
  for (const step of path) {
    field =
      typeof step === "number"
        ? field?.visit({ list: ({ item }) => item, scalar: none, map: none, object: none })
        : shape?.fields[step];
    shape = field?.visit({ object: (object) => object.shape, scalar: none, map: none, list: none });
  }
  return Object.keys(shape?.fields ?? {});
}

const none = () => undefined;

/** The known key that is at most a third of its letters away; snake case counts as a spelling of camel case. */
function nearest(key: string, known: readonly string[]): string | undefined {
  const typed = key.replaceAll("_", "").toLowerCase();
  const ranked = known
    .map((each) => ({ each, away: distance(typed, each.toLowerCase()) }))
    .sort((a, b) => a.away - b.away)[0];
  return ranked !== undefined && ranked.away <= Math.max(1, ranked.each.length / 3) ? ranked.each : undefined;
}
