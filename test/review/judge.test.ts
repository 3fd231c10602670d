import { expect, test } from "vitest";
import type { Risk } from "../../dist/cli/stacks/risk.js";
import { failuresOf, has } from "./judge.js";
import { any, type Named, named, orSilent } from "./trials/trial.js";

const raised = named("laxer", "laxer", "0.05", "0.1");
const risk = (change: Partial<Risk>): Risk => ({
  stack: "project/dev",
  kind: "Monitor",
  name: "monitor-1",
  class: "laxer",
  direction: "laxer",
  sentence: "monitor-1: critical threshold 0.05 → 0.1: fires later",
  ...change,
});
const faultsOf = (expected: readonly Named[], ...risks: readonly Risk[]) => {
  const trial = { title: "a threshold", kind: "Monitor", name: "monitor-1", named: expected } as const;
  return failuresOf(trial, risks).map(({ fault }) => fault);
};

test("each fault of a review is told by its name", () => {
  expect(faultsOf([raised], risk({}))).toEqual([]);
  expect(faultsOf([raised])).toEqual(["miss"]);
  expect(faultsOf([raised], risk({ name: "monitor-2" }))).toEqual(["miss"]);
  expect(faultsOf([], risk({}))).toEqual(["false alarm"]);
  expect(faultsOf([raised], risk({ class: "query-changed" }))).toEqual(["wrong class"]);
  expect(faultsOf([raised], risk({ direction: "stricter" }))).toEqual(["wrong direction"]);
  expect(faultsOf([raised], risk({ sentence: "monitor-1: 0.05 → 0.15" }))).toEqual(["lacks its word"]);
  expect(faultsOf([raised], risk({}), risk({ class: "stricter", direction: "stricter" }))).toEqual(["wrong direction"]);
});

test("what some find worth a word may be named or not, and only so", () => {
  const optional = orSilent(named("delivery-changed", "unclear"));
  expect(faultsOf([optional])).toEqual([]);
  expect(faultsOf([optional], risk({}))).toEqual(["wrong class"]);
  expect(faultsOf([raised, orSilent(named("stricter", any))], risk({}))).toEqual([]);
});

test("a word is found in a sentence, in a longer form and in a field's name, and a number only as it is", () => {
  expect(has("nothing is sent when an alert resolves", "resolve")).toBe(true);
  expect(has("skipResolved false → true", "resolve")).toBe(true);
  expect(has("propagateTags true → false", "tags")).toBe(true);
  expect(has("a warning", "warn")).toBe(false);
  expect(has("threshold 0.5", "5")).toBe(false);
  expect(has("for 120 s", "120")).toBe(true);
  expect(has("for 1200 s", "120")).toBe(false);
});
