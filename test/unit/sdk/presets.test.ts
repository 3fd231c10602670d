import * as obs from "pulumi-observability";
import { simulate } from "pulumi-observability/behaviour";
import { expect, test } from "vitest";
import { slo } from "../../../dist/provider/kinds/slo.js";
import { ask, ownService } from "../../support/service.js";

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

test.each([
  {},
  { from: "08:00", to: "18:00" },
  { from: "00:00", to: "12:00" },
  { from: "00:00", to: "24:00" },
  { from: "00:00", to: "23:00" },
  { from: "22:00", to: "06:00" },
  { from: "18:00", to: "00:00" },
  { from: "12:00", to: "11:00" },
  { from: "23:00", to: "01:00" },
])("business hours %o and the hours outside of them are the whole week, each hour once", (hours) => {
  const both = [
    ...activeHours(obs.businessHours("Europe/Berlin", hours)),
    ...activeHours(obs.outOfHours("Europe/Berlin", hours)),
  ];
  expect(both.sort((a, b) => a - b)).toEqual(Array.from({ length: 14 * 24 }, (_, hour) => hour));
});

test("any hours and the rest of the week have no minute in common, and leave none out", () => {
  const hours = [0, 1, 6, 9, 12, 17, 22, 23].map((hour) => `${String(hour).padStart(2, "0")}:00`);
  for (const from of hours) {
    for (const to of [...hours, "24:00"].filter((each) => each !== from)) {
      const [inside, outside] = [obs.businessHours("UTC", { from, to }), obs.outOfHours("UTC", { from, to })];
      const [a, b] = [activeHours(inside), activeHours(outside)];
      expect(
        [...a, ...b].sort((x, y) => x - y),
        `${from} to ${to}`,
      ).toEqual(Array.from({ length: 14 * 24 }, (_, hour) => hour));
    }
  }
});

test.each([
  [
    { from: "09:00", to: "09:00" },
    'from "09:00" to "09:00" has no length: for whole days use weekdays, or to: "24:00"',
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

test("the service takes every preset", async () => {
  const service = await ownService();
  for (const [i, schedule] of [
    obs.businessHours("Europe/Berlin"),
    obs.outOfHours("UTC"),
    obs.businessHours("UTC", { from: "22:00", to: "06:00" }),
    obs.outOfHours("UTC", { from: "22:00", to: "06:00" }),
    obs.weekdays("Asia/Tokyo"),
  ].entries()) {
    const { weeklySchedule = {}, timezone } = schedule;
    const weekly_schedule = Object.fromEntries(
      Object.entries(weeklySchedule).map(([day, { active, ranges }]) => [
        day,
        {
          active,
          ...(ranges && {
            ranges: ranges.map(({ startHhMm, endHhMm }: obs.types.TimeRange) => ({
              start_hh_mm: startHhMm,
              end_hh_mm: endHhMm,
            })),
          }),
        },
      ]),
    );
    const monitor = {
      slug: `m${i}`,
      name: "m",
      label_query: "up",
      schedule: { timezone, weekly_schedule },
      series_conditions: { defaults: { warn: { conditions: [{ op: "EXISTS" }] } } },
    };
    const answer = await ask(service, "PUT", `/api/v1/config/monitors/m${i}`, { create_if_missing: true, monitor });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  }
});

const none = () => undefined;
