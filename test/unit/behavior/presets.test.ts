import * as obs from "pulumi-observability";
import { simulate } from "pulumi-observability/behavior";
import { expect, test } from "vitest";
import { slo } from "../../../dist/provider/kinds/slo.js";
import type { JsonObject } from "../../../dist/provider/wire/json.js";
import { ownService, put } from "../../support/service.js";

const daySecs = 86_400;
const monday = Date.parse("2026-03-23T00:00:00Z") / 1000;

/** When a monitor with a schedule is active, in a week and the next, in which clocks change. */
function activeHours(schedule: object): readonly number[] {
  const span = { from: monday, to: monday + 14 * daySecs };
  const samples = Array.from({ length: 14 * 24 }, (_, hour) => [monday + hour * 3600, 1] as const);
  const seriesConditions = { defaults: { warn: { conditions: [{ op: "EXISTS" }] } } };
  const { signals } = simulate({ intervalSecs: 3600, schedule, seriesConditions }, [{ labels: {}, samples }], span);
  const isActive = (at: number) =>
    signals.some(({ firedAt, resolvedAt = Infinity }) => firedAt <= at && at < resolvedAt);
  return samples.flatMap(([at], hour) => (isActive(at) ? [hour] : []));
}

test("any hours and the rest of the week are the whole week, each hour once", () => {
  const hours = ["00:00", "01:00", "09:00", "18:00", "22:00", "23:00"];
  const all = hours
    .flatMap((from) => [...hours, "24:00"].map((to) => ({ from, to })))
    .filter(({ from, to }) => from !== to);
  for (const each of [{}, ...all]) {
    const both = [
      ...activeHours(obs.businessHours("Europe/Berlin", each)),
      ...activeHours(obs.outOfHours("Europe/Berlin", each)),
    ].sort((a, b) => a - b);
    expect(both, JSON.stringify(each)).toEqual(Array.from({ length: 14 * 24 }, (_, hour) => hour));
  }
});

test.each([
  [
    { from: "09:00", to: "09:00" },
    'from "09:00" to "09:00" has no length. For whole days use weekdays, or to: "24:00"',
  ],
  [{ from: "00:00", to: "00:00" }, 'from "00:00" to "00:00" has no length'],
  [{ from: "9:00" }, 'from: expected HH:MM from 00:00 to 23:59, got "9:00"'],
  [{ from: "24:00", to: "06:00" }, 'from: expected HH:MM from 00:00 to 23:59, got "24:00"'],
  [{ to: "24:01" }, 'to: expected HH:MM from 00:00 to 24:00, got "24:01"'],
])("hours %o are refused", (hours, message) => {
  expect(() => obs.businessHours("UTC", hours)).toThrow(message);
  expect(() => obs.outOfHours("UTC", hours)).toThrow(message);
});

test("business hours follow the clocks of their zone", () => {
  const hours = activeHours(obs.businessHours("Europe/Berlin"));
  expect(hours[0]).toBe(8); // 09:00 in winter.
  expect(hours.find((hour) => hour >= 7 * 24)).toBe(7 * 24 + 7); // 09:00 in summer.
  expect(hours).toHaveLength(10 * 8);
});

test("weekdays are five whole days", () => {
  expect(activeHours(obs.weekdays("UTC"))).toHaveLength(10 * 24);
});

test("the standard burn rates are those that the service fills in", () => {
  const definition = slo.args.fields.definition?.visit({
    object: ({ shape }) => shape,
    scalar: none,
    list: none,
    map: none,
  });
  expect(obs.burnRates.standard).toEqual(definition?.fields.burnRateAlertingConfig?.options.defaultValue);
});

test("the service accepts every preset", async () => {
  const service = await ownService();
  const night = { from: "22:00", to: "06:00" };
  for (const schedule of [
    obs.businessHours("Europe/Berlin"),
    obs.outOfHours("UTC"),
    obs.businessHours("UTC", night),
    obs.outOfHours("UTC", night),
    obs.weekdays("Asia/Tokyo"),
  ])
    await put(service, "Monitor", "with-a-schedule", { schedule: schedule as JsonObject });
});

const none = () => undefined;
