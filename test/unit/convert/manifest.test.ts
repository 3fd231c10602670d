import { expect, test } from "vitest";
import { stringify } from "yaml";
import { ConfigSecret } from "../../../dist/cli/program/item.js";
import { kinds } from "../../../dist/provider/kinds/index.gen.js";
import { toWire } from "../../../dist/provider/wire/codec.js";
import { leaves } from "../../../dist/provider/values/leaves.js";
import { convertText, rejectionsOf } from "./converted.js";

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

test("a kind may be named as on the wire, and times are the service's", () => {
  const spec = { slug: "a", name: "A", metric_name: "m", queries: [], created_at: "2026-01-01T00:00:00Z" };
  const { items, losses } = convertText(manifestOf("derived_metric", spec));
  expect([items.map(({ args }) => args), losses]).toEqual([
    [{ slug: "a", name: "A", metricName: "m", queries: [] }],
    [],
  ]);
});

test("unknown keys are reported, wrong types rejected", () => {
  const { losses } = convertText(`${manifestOf("Monitor", { slug: "a", label_qery: "x" })}owner: x\n`);
  expect(losses.map(({ text }) => text)).toEqual([
    '"owner" has no counterpart and is left out',
    '"label_qery" has no counterpart and is left out',
  ]);
  expect(rejectionsOf(manifestOf("Monitor", { slug: "a", interval_secs: "often" }))).toEqual([
    '5: "intervalSecs" is "often" instead of a number',
  ]);
  expect(rejectionsOf(manifestOf("Monitor", { interval_secs: 5 }))).toEqual(["3: it has neither `slug` nor `name`"]);
  expect(rejectionsOf("apiVersion: example.com/v1\nkind: Monitor\nspec: {}")).toEqual([
    expect.stringContaining('"Monitor" of example.com/v1 is not one of the known formats'),
  ]);
});
