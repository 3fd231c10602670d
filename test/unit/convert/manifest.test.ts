import { expect, test } from "vitest";
import { stringify } from "yaml";
import { ConfigSecret } from "../../../dist/cli/program/item.js";
import { kinds } from "../../../dist/provider/kinds/index.gen.js";
import { toWire } from "../../../dist/provider/wire/codec.js";
import { leaves } from "../../../dist/provider/values/leaves.js";
import { convertText } from "./converted.js";

const manifestOf = (kind: string, spec: unknown) => stringify({ api_version: "v1/config", kind, spec });

/** The value with each secret as it is written. */
const plain = (value: unknown): unknown => {
  if (value instanceof ConfigSecret) return value.value;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]));
};

test("the manifests of all kinds in one file are read as the kinds' examples have them", () => {
  const text = kinds.map(({ name, root, example }) => manifestOf(name, toWire(root, example))).join("---\n");
  const { items, rejected, losses } = convertText(text);
  expect([rejected, losses]).toEqual([[], []]);
  expect(items.map(({ kind }) => kind)).toEqual(kinds);
  for (const { kind, args } of items) {
    expect(plain(args), kind.name).toEqual(kind.example);
    for (const { path, field, value } of leaves(kind.root, args))
      expect(value instanceof ConfigSecret, String(path)).toBe(field.options.secret !== undefined);
  }
});
