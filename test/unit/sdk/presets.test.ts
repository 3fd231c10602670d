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

test.each([{}, { from: "08:00", to: "18:00" }, { from: "00:00", to: "12:00" }, { from: "00:00", to: "24:00" }])(
  "business hours %o and the hours outside of them are the whole week, each hour once",
  (hours) => {
    const both = [
      ...activeHours(obs.businessHours("Europe/Berlin", hours)),
      ...activeHours(obs.outOfHours("Europe/Berlin", hours)),
    ];
    expect(both.sort((a, b) => a - b)).toEqual(Array.from({ length: 14 * 24 }, (_, hour) => hour));
  },
);

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
