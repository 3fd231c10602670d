import { describe, expect, test } from "vitest";
import { kinds } from "../../dist/provider/kinds/index.gen.js";
import { differences } from "./differences.js";
import { interfaceKinds } from "./interface/kinds.js";
import { interfaceOperations } from "./interface/operations.js";
import { pathsInSchema } from "./readings.js";

/** The service sets them, so they are no arguments. */
const timestamps = ["created_at", "updated_at"];

test("the schema module holds the kinds of the interface document, and no other", () => {
  expect(kinds.map(({ name }) => name).sort()).toEqual(Object.keys(interfaceKinds).sort());
});

describe.each(kinds.map((kind) => [kind.name, kind] as const))("%s", (name, kind) => {
  test("has every field of the interface document with its type, and no other", () => {
    const fields = Object.entries(interfaceKinds[name] ?? {}).filter(([path]) => !timestamps.includes(path));
    expect(differences(Object.fromEntries(fields), pathsInSchema(kind))).toEqual([]);
  });

  test("has every described operation of the interface document, and no other", () => {
    const described = Object.values(kind.family)
      .filter((operation) => operation.described)
      .map(({ method, path }) => `${method} ${path}`);
    const expected = Object.entries(interfaceOperations)
      .filter(([, { response }]) => [name, `${name}[]`].some((type) => Object.values(response).includes(type)))
      .map(([operation]) => operation);
    expect(described.sort()).toEqual(expected.sort());
  });
});
