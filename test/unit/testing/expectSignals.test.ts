import { expect, test } from "vitest";
import { expectSignals, series, simulate, type Signals } from "pulumi-observability/testing";

const monitor = {
  signalGrouping: { labelNames: ["region"] },
  seriesConditions: {
    defaults: { critical: { conditions: [{ op: "GT", value: 2 }] }, warn: { conditions: [{ op: "GT", value: 1 }] } },
  },
};
const simulation = simulate(monitor, [
  series({ region: "eu" }, "0 2 3 0 3 3"),
  series({ region: "us" }, "0x5"),
  series({ region: "ap" }, "0 0 3 0 0 0"),
]);
const signals = expectSignals(simulation);
const eu = { region: "eu" };

test.each<[string, (signals: Signals) => unknown]>([
  ["fires", () => signals.critical(eu).toFire()],
  ["does not fire", () => signals.critical({ region: "us" }).notToFire()],
  ["fires at these times", () => signals.critical(eu).toFireAt("2m", "4m")],
  ["fires at these times, in seconds", () => signals.warn(eu).toFireAt(60, 240)],
  ["resolves at these times", () => signals.critical(eu).toResolveAt("3m")],
  ["fires so often", () => signals.critical().toFireTimes(3)],
  ["notifies once for two groups", () => signals.critical().toNotifyTimes(2)],
  ["is firing then", () => signals.warn(eu).toBeFiringAt("2m30s")],
  ["is not firing then", () => signals.notToBeFiringAt("3m")],
])("an expectation holds if a signal %s", (_, hold) => {
  hold(signals);
});

test.each<[string, () => unknown]>([
  ['expected critical {region="us"} to fire, but none fired', () => signals.critical({ region: "us" }).toFire()],
  ["expected critical not to fire, but it fired at 2m, 2m, 4m", () => signals.critical().notToFire()],
  ['expected critical {region="eu"} to fire at 2m, but it fired at 2m, 4m', () => signals.critical(eu).toFireAt("2m")],
  ['expected warn {region="eu"} to resolve at 4m, but it resolved at 3m', () => signals.warn(eu).toResolveAt("4m")],
  ["expected signals to fire 1 time, but it fired 6 times", () => signals.toFireTimes(1)],
  ["expected critical to notify 3 times, but it notified 2 times", () => signals.critical().toNotifyTimes(3)],
  ["expected critical to be firing at 1m, but none is", () => signals.critical().toBeFiringAt("1m")],
  ["expected signals not to be firing at 2m, but one is", () => signals.notToBeFiringAt("2m")],
])("%s: it shows the time line", (message, fail) => {
  // Runners show more than the message of what is an AssertionError.
  expect(fail).toThrow(
    expect.objectContaining({
      name: "ExpectationError",
      stack: expect.stringContaining(`ExpectationError: ${message}`),
    }),
  );
  expect(fail).not.toThrow(expect.objectContaining({ code: "ERR_ASSERTION" }));
  expect(fail).toThrow(`${message}\n\n`);
  expect(fail).toThrow('critical {region="eu"}  ··█·██');
});

test.each<[string, () => unknown]>([
  [
    'no signal can have the labels {regio="eu"}. By signalGrouping, signals have {region="eu"}, {region="us"}, {region="ap"}',
    () => signals.critical({ regio: "eu" }).notToFire(),
  ],
  [
    "no signal can have the severity warn: the monitor has no condition for it",
    () => {
      const { critical } = monitor.seriesConditions.defaults;
      const onlyCritical = { seriesConditions: { defaults: { critical } } };
      return expectSignals(simulate(onlyCritical, "0x5")).warn().notToFire();
    },
  ],
  ["6m is outside the simulation: it starts at 0 and ends before 6m", () => signals.notToBeFiringAt("6m")],
  ["-1m is outside the simulation: it starts at 0 and ends before 6m", () => signals.toBeFiringAt(-60)],
  ['expected a time like "5m"', () => signals.toFireAt("2026-03-29T00:00:00")],
])("an expectation that cannot be checked is an error: %s", (message, fail) => {
  expect(fail).toThrow(message);
});

test("a long time line is drawn in 72 columns at most", () => {
  const lines = simulate(monitor, "0x500 3x40 0x5000", { from: "2026-03-29T00:00:00Z" }).picture().split("\n");
  expect(lines[0]).toContain("after 2026-03-29T00:00:00Z");
  expect(lines.find((line) => line.startsWith("critical"))).toMatch(/^critical {2}·+█+·+$/);
  expect(Math.max(...lines.slice(1).map(({ length }) => length))).toBeLessThanOrEqual(82);
});
