import { describe, expect, test } from "vitest";
import { operationsInDocument, pathsInDocument, readDocument } from "./readings.js";
import { interfaceOperations, witnesses } from "./witnesses.js";

const document = readDocument();
const operations = Object.entries<any>(document.paths).flatMap(([path, item]) =>
  Object.entries<any>(item).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    path,
    operation,
  })),
);

test.each(witnesses)(
  "$name has every field of the API spec with its type and its secrets, and no other",
  ({ name, paths }) => {
    expect(pathsInDocument(document, name)).toEqual(paths);
  },
);

test("the described operations have their parameters and envelopes as the API spec has them", () => {
  expect(operationsInDocument(document)).toEqual(interfaceOperations);
});

test("every request carries the header API-Token", () => {
  expect(document.components.securitySchemes).toEqual({
    apiToken: { type: "apiKey", in: "header", name: "API-Token" },
  });
  expect(document.security).toEqual([{ apiToken: [] }]);
});

describe.each(operations)("$name", ({ name, path, operation }) => {
  test("is marked as described where the API spec has it, and only there", () => {
    expect(operation["x-described"]).toBe(Object.hasOwn(interfaceOperations, name));
  });

  test("requires the parameters of its path, and no other", () => {
    const required = (operation.parameters ?? []).filter((parameter: any) => parameter.required);
    expect(required.map((parameter: any) => [parameter.in, parameter.name])).toEqual(
      path.includes("{slug}") ? [["path", "slug"]] : [],
    );
  });
});
