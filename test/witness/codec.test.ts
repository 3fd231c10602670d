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

  test("a complete object comes back from the wire as it was sent", () => {
    expect(fromWire(root, toWire(root, example))).toEqual(example);
  });

  test("the argument of every path of the API spec is its camel case, in values and in places", () => {
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
