import { describe, expect, test } from "vitest";
import { fromWire, fromWirePath, toWire } from "../../dist/provider/wire/codec.js";
import { caseOf } from "../support/cases.js";
import type { WireType } from "./witness.js";
import { witnesses } from "./witnesses.js";

/** The value at a path: `at("a.b[].c", 1)` is `{ a: { b: [{ c: 1 }] } }`. */
const at = (path: string, value: unknown): unknown =>
  (path.match(/\w+|\[\]/g) ?? []).reduceRight<unknown>(
    (inner, step) => (step === "[]" ? [inner] : { [step]: inner }),
    value,
  );

/** Every leaf of a value by its path; maps, whose keys are data, are leaves where `isMap` says so. */
function leaves(value: unknown, isMap: (path: string) => boolean, path = ""): [path: string, value: unknown][] {
  if (typeof value !== "object" || value === null || isMap(path)) return [[path, value]];
  if (Array.isArray(value)) return value.flatMap((each) => leaves(each, isMap, `${path}[]`));
  return Object.entries(value).flatMap(([key, each]) => leaves(each, isMap, path === "" ? key : `${path}.${key}`));
}

const samples: Readonly<Record<WireType, unknown>> = {
  string: "a text",
  "secret string": "a secret",
  enum: "A_VALUE",
  boolean: true,
  integer: 3,
  number: 0.5,
  map: { snake_case: "kept", camelCase: "kept", "dotted.key": "kept" },
  "secret map": { snake_case: "a secret" },
  "date-time": "2024-01-01T00:00:00.000Z",
};

describe.each(witnesses)("$name", ({ name, paths }) => {
  const { root, example } = caseOf(name).kind;
  const { args, wire } = example;

  test("the example's arguments become the example on the wire", () => {
    expect(toWire(root, args)).toEqual(wire);
  });

  test("the example on the wire becomes the example's arguments", () => {
    expect(fromWire(root, wire)).toEqual(args);
  });

  test("the example on the wire has no path and no type but the interface document's", () => {
    const isMap = (path: string) => paths[path]?.endsWith("map") ?? false;
    for (const [path, value] of leaves(wire, isMap)) {
      const type = paths[path];
      // An object that holds nothing has no leaf of its own.
      const isEmptyObject = type === undefined && Object.keys(paths).some((each) => each.startsWith(`${path}.`));
      expect(typeof value, path).toBe(isEmptyObject ? "object" : typeof samples[type as WireType]);
    }
  });

  test("the argument of every path of the interface document is its camel case, in values and in places", () => {
    const camelCase = (text: string) => text.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    const first = (path: string) => path.replaceAll("[]", "[0]");
    for (const [path, type] of Object.entries(paths)) {
      // Timestamps are no arguments.
      if (type === "date-time") continue;
      const [wire, argument] = [at(path, samples[type]), at(camelCase(path), samples[type])];
      expect(fromWire(root, wire), path).toEqual(argument);
      expect(toWire(root, argument), path).toEqual(wire);
      expect(fromWirePath(root, first(path))).toBe(first(camelCase(path)));
    }
  });
});
