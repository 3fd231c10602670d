import { expect, test } from "vitest";
import { isEquivalentInReview, normalForm } from "../../../dist/cli/meaning/normalForm.js";
import { unknown } from "../../../dist/provider/values/unknown.js";
import { caseOf } from "../../support/cases.js";
import { witnesses } from "../../witness/witnesses.js";
import { alike, meaningless, refused } from "./meaningless.js";
import { told } from "./reviewed.js";

const rootOf = (kind: string) => caseOf(kind).kind.root;

test("changes that mean nothing are listed for each kind that has a field with a format or without an order", () => {
  // A field's words in test/witness/kinds: its meaning, then "unordered" or the format.
  const isRead = (words: string) => /^(\w+ [a-z]|unordered)/.test(words);
  const kinds = witnesses.filter(({ readings }) => Object.values(readings).some(isRead)).map(({ name }) => name);
  expect(kinds.length).toBeGreaterThan(0);
  expect(meaningless.map(([, kind]) => kind)).toEqual(expect.arrayContaining(kinds));
});

test.each([...meaningless, ...refused])("%s means nothing (%s)", (_, kind, before, after) => {
  expect(told(kind, { before, after })).toEqual([]);
  expect(told(kind, { before: after, after: before })).toEqual([]);
  const normal = normalForm(rootOf(kind), before);
  expect(normalForm(rootOf(kind), normal)).toEqual(normal);
});

test.each(alike)("%s may matter (%s)", (_, kind, before, after) => {
  expect(isEquivalentInReview(rootOf(kind), before, before)).toBe(true);
  expect(isEquivalentInReview(rootOf(kind), before, after)).toBe(false);
  expect(isEquivalentInReview(rootOf(kind), after, before)).toBe(false);
});

test.each([["[secret]"], [unknown]])("of what is hidden as %s nothing is taken to mean nothing", (hidden) => {
  const same = (before: object, after: object) => isEquivalentInReview(rootOf("Monitor"), before, after);
  const fires = (...conditions: readonly object[]) => ({ seriesConditions: { defaults: { warn: { conditions } } } });
  expect(same(fires({ op: hidden, value: 1 }), fires({ op: hidden, value: 1 }, { op: hidden, value: 1 }))).toBe(false);
  expect(same(fires({ op: "GT", value: 3 }), fires({ op: "GT", value: 3 }, { op: "GT", value: hidden }))).toBe(false);
  const override = (value: string, limit: number) => ({
    labelMatchers: [{ name: "x", type: "EXACT", value }],
    severityConditions: { conditions: [{ op: "GT", value: limit }] },
  });
  const both = [override(hidden, 1), override("b", 2)];
  const overrides = (all: readonly object[]) => ({ seriesConditions: { overrides: all } });
  expect(same(overrides(both), overrides(both.toReversed()))).toBe(false);
  const schedule = (weeklySchedule: unknown) => ({ schedule: { timezone: "UTC", weeklySchedule } });
  expect(same({}, schedule(hidden))).toBe(false);
  expect(same({}, schedule({ monday: hidden }))).toBe(false);
  expect(same({ labelQuery: hidden }, { labelQuery: "up" })).toBe(false);
});
