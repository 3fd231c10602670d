import { expect } from "vitest";
import { exportMonitor } from "../../../dist/cli/commands/export/alerts.js";
import type { Exported } from "../../../dist/cli/commands/export/exported.js";
import { ruleFile } from "../../../dist/cli/commands/export/ruleFile.js";

type Args = Parameters<typeof exportMonitor>[1];

/** A monitor with one critical condition: the query above 1. */
const monitorArgs = (more: Args = {}): Args => ({
  name: "Errors",
  labelQuery: "errors",
  seriesConditions: { defaults: { critical: { conditions: [{ op: "GT", value: 1 }] } } },
  signalGrouping: { signalPerSeries: true },
  ...more,
});

export const exported = (more: Args = {}): Exported => exportMonitor("errors", monitorArgs(more));

/** The only alert of a monitor that has one. */
export function alertOf(more: Args = {}) {
  const { alerts, rejection } = exported(more);
  expect(rejection).toBe(undefined);
  expect(alerts.length).toBe(1);
  return alerts[0];
}

/** The rule file of monitors. */
export const ruleText = (...all: readonly Exported[]) => ruleFile(all);
