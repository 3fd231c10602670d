import { describe, expect, test } from "vitest";
import { derivedMetric } from "../../../dist/provider/kinds/derivedMetric.js";
import { monitor } from "../../../dist/provider/kinds/monitor.js";
import { notifier } from "../../../dist/provider/kinds/notifier.js";
import { slo } from "../../../dist/provider/kinds/slo.js";
import type { Kind } from "../../../dist/provider/schema/kind.js";
import { differences } from "../../../dist/provider/values/differences.js";
import { filledIn, project, settled } from "../../../dist/provider/values/drift.js";
import { sameMeaning } from "../../../dist/provider/values/equal.js";
import { keepSpelling } from "../../../dist/provider/values/spelling.js";

type Item = Readonly<Record<string, unknown>>;

const isMask = () => false;

describe.each<[what: string, kind: Kind, args: (items: readonly Item[]) => Item, one: Item, other: Item, more: Item]>([
  [
    "conditions",
    monitor,
    (conditions) => ({ seriesConditions: { defaults: { critical: { conditions } } } }),
    { op: "GT", value: 5 },
    { op: "LT", value: 1 },
    { sustainSecs: 60 },
  ],
  [
    "responders",
    notifier,
    (responders) => ({ oncallA: { apiKey: "a-key", responders } }),
    { id: "a", responderType: "TEAM" },
    { id: "b", responderType: "USER" },
    { name: "Who is on call" },
  ],
  [
    "burn-rate alerts",
    slo,
    (burnRateAlertingConfig) => ({ definition: { burnRateAlertingConfig } }),
    { window: "1h", budget: 2, severity: "critical" },
    { window: "3d", budget: 10, severity: "warn" },
    { labels: { team: "a" } },
  ],
  [
    "variables of a derived metric",
    derivedMetric,
    (variables) => ({ queries: [{ query: { labelExpr: "a{$a} / b{$b}", variables } }] }),
    { name: "a" },
    { name: "b" },
    { defaultLabelSelector: 'x="1"' },
  ],
])("%s in another order", (_, { root }, args, one, other, more) => {
  const [before, after] = [args([one, other]), args([other, one])];

  test("are no difference, and keep their recorded order", () => {
    expect(sameMeaning(root, after, before)).toBe(true);
    expect(differences(root, after, before, isMask)).toEqual([]);
    expect(keepSpelling(root, after, before)).toBe(before);
  });

  test("are no drift if the service answers so, also with what it fills in", () => {
    const answered = args([{ ...other, ...more }, one]);
    const filled = filledIn(root, before, answered, isMask);
    expect(Object.keys(filled)).toHaveLength(1);
    expect(project(root, before, settled(before, filled), answered, isMask)).toEqual(before);
    expect(project(root, before, before, after, isMask)).toBe(before);
  });

  test("are only the difference of the one that changes", () => {
    const [found, ...rest] = differences(root, args([other, { ...one, ...more }]), before, isMask);
    expect(rest).toEqual([]);
    expect(
      Object.values(more).flatMap((value) => (typeof value === "object" ? Object.values(value as Item) : [value])),
    ).toEqual([found?.wanted]);
    expect(keepSpelling(root, args([other, { ...one, ...more }]), before)).toEqual(args([{ ...one, ...more }, other]));
  });

  test("are a difference if one is there more often", () => {
    expect(sameMeaning(root, args([one, one, other]), args([one, other, other]))).toBe(false);
  });
});
