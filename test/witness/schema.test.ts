import { describe, expect, test } from "vitest";
import { kinds } from "../../dist/provider/kinds/index.gen.js";
import { caseOf } from "../support/cases.js";
import { pathsInSchema, readingsInSchema } from "./readings.js";
import { missing, witnesses } from "./witnesses.js";

/** The service sets them, so they are no arguments. */
const timestamps = ["created_at", "updated_at"];

test("the schema module holds the kinds of the API spec, and no other", () => {
  const names = kinds.map(({ name }) => name);
  const known = witnesses.map(({ name }) => name);
  expect(names.filter((name) => !known.includes(name)).map(missing)).toEqual([]);
  expect(known.sort()).toEqual(names.sort());
});

describe.each(witnesses)("$name", ({ name, paths, readings }) => {
  test("has every field of the API spec with its type, and no other", () => {
    const fields = Object.entries(paths).filter(([path]) => !timestamps.includes(path));
    expect(pathsInSchema(caseOf(name).kind)).toEqual(Object.fromEntries(fields));
  });

  test("has the meanings, formats, defaults and values that its copy in test/witness/kinds has", () => {
    const remedy = "correct the schema, or the words of the field in test/witness/kinds";
    expect(readingsInSchema(caseOf(name).kind), remedy).toEqual(readings);
  });
});
