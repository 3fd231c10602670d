import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { simulate } from "../../dist/behaviour/simulate.js";
import { runs, timeLimitMs } from "../support/figures.js";
import { differenceOf, edges, trials, zones } from "./behaviourTrials.js";
import { type PlainMonitor, seriesOf, type Situation, situations } from "./behaviours.js";
import type { Series, Signal, Simulation } from "../../dist/behaviour/signals.js";

const anySituation = fc.oneof(situations(false), situations(true, zones));

const endOf = ({ monitor, ticks }: Situation) => ticks * monitor.intervalSecs;
const outcome = (
  situation: Situation,
  series: readonly Series[] = seriesOf(situation),
  from = 0,
  to = endOf(situation),
) => simulate(situation.monitor, series, { from, to });

/** Whether a group fires with a severity, at each evaluation. */
const firingAt = ({ signals }: Simulation, at: number) =>
  new Set(
    signals.filter((signal) => isFiring(signal, at)).map(({ severity, labels }) => JSON.stringify([severity, labels])),
  );

const isFiring = ({ firedAt, resolvedAt = Infinity }: Signal, at: number) => firedAt <= at && at < resolvedAt;

const timesOf = ({ monitor, ticks }: Situation) => Array.from({ length: ticks }, (_, i) => i * monitor.intervalSecs);

/** The situation with other conditions. */
const withConditions = (
  situation: Situation,
  edit: (condition: PlainMonitor["seriesConditions"]["defaults"]["critical"] & object) => typeof condition,
): Situation => {
  const { monitor } = situation;
  const { defaults, overrides = [] } = monitor.seriesConditions;
  return {
    ...situation,
    monitor: {
      ...monitor,
      seriesConditions: {
        defaults: Object.fromEntries(Object.entries(defaults).map(([severity, each]) => [severity, edit(each)])),
        overrides: overrides.map((each) => ({ ...each, severityConditions: edit(each.severityConditions) })),
      },
    },
  };
};

const hold = <T>(property: fc.IProperty<T>) =>
  fc.assert(property, { numRuns: runs(), interruptAfterTimeLimit: timeLimitMs * 0.7 });

/** What fires in one also fires in the other, at each evaluation. */
function expectWithin(situation: Situation, less: Simulation, more: Simulation): void {
  for (const at of timesOf(situation)) {
    const all = firingAt(more, at);
    expect([...firingAt(less, at)].filter((group) => !all.has(group))).toEqual([]);
  }
}

describe("a simulation", { timeout: timeLimitMs }, () => {
  test("does what its rules say, also over weeks in which clocks change", () => {
    for (const edge of edges) expect(differenceOf(simulate, edge)).toBeUndefined();
    hold(
      fc.property(trials, (trial) => {
        expect(differenceOf(simulate, trial)).toBeUndefined();
      }),
    );
  });

  test("says the same whatever the order of the series", () => {
    hold(
      fc.property(anySituation, fc.integer({ min: 0, max: 3 }), (situation, turns) => {
        const series = seriesOf(situation);
        const turned = [...series.slice(turns % series.length), ...series.slice(0, turns % series.length)];
        expect(outcome(situation, turned)).toEqual(outcome(situation));
        expect(outcome(situation, turned.reverse())).toEqual(outcome(situation));
      }),
    );
  });

  test("says the same of samples that come from a stream", () => {
    function* streamed(series: Series): Generator<readonly [number, number]> {
      yield* series.samples;
    }
    hold(
      fc.property(anySituation, (situation) => {
        const series = seriesOf(situation).map((each) => ({ labels: each.labels, samples: streamed(each) }));
        expect(outcome(situation, series)).toEqual(outcome(situation));
      }),
    );
  });

  test("says in two parts what it says in one", () => {
    hold(
      fc.property(anySituation, fc.nat(), (situation, at) => {
        const end = endOf(situation);
        const middle = at % end;
        // A series is known from its first sample on, however the span is split.
        fc.pre(situation.courses.some(({ values }) => values[0] !== undefined));
        const whole = outcome(situation);
        const parts = [outcome(situation, undefined, 0, middle), outcome(situation, undefined, middle, end)] as const;
        expect(parts.flatMap(({ notifications }) => notifications)).toEqual(whole.notifications);
        for (const time of timesOf(situation)) {
          const part = parts[time < middle ? 0 : 1];
          expect(firingAt(part, time)).toEqual(firingAt(whole, time));
        }
      }),
    );
  });

  test("never fires later with a laxer threshold", () => {
    const comparing = ["GT", "GEQ", "LT", "LEQ"];
    const only = (situation: Situation, laxer: number) =>
      withConditions(situation, ({ conditions }) => ({
        conditions: conditions.map((each) => {
          const op = comparing[["EQ", "NEQ", "EXISTS", "NOT_EXISTS"].indexOf(each.op)] ?? each.op;
          return { ...each, op, value: each.value + (op.startsWith("G") ? -laxer : laxer) };
        }),
      }));
    hold(
      fc.property(anySituation, fc.integer({ min: 1, max: 2 }), (situation, laxer) => {
        expectWithin(situation, outcome(only(situation, 0)), outcome(only(situation, laxer)));
      }),
    );
  });

  test("never fires later with less to wait for, nor ends later with less to wait for", () => {
    const waiting = (situation: Situation, sustain: number, resolve: number) =>
      withConditions(situation, ({ conditions }) => ({
        conditions: conditions.map((each) => ({
          ...each,
          sustainSecs: each.sustainSecs * sustain,
          resolveSustainSecs: each.resolveSustainSecs * resolve,
        })),
      }));
    hold(
      fc.property(anySituation, (situation) => {
        expectWithin(situation, outcome(situation), outcome(waiting(situation, 0, 1)));
        expectWithin(situation, outcome(waiting(situation, 1, 0)), outcome(situation));
      }),
    );
  });

  test("with a schedule only loses times at which something fires", () => {
    hold(
      fc.property(situations(true, zones), (situation) => {
        const { schedule: _, ...always } = situation.monitor;
        expectWithin(situation, outcome(situation), outcome({ ...situation, monitor: always }));
      }),
    );
  });

  test("of a group fires exactly while one of its series does", () => {
    hold(
      fc.property(anySituation, (situation) => {
        const together = outcome({ ...situation, monitor: { ...situation.monitor, signalGrouping: {} } });
        const alone = outcome({
          ...situation,
          monitor: { ...situation.monitor, signalGrouping: { signalPerSeries: true } },
        });
        const severitiesAt = (simulation: Simulation, at: number) =>
          new Set([...firingAt(simulation, at)].map((each) => (JSON.parse(each) as [string])[0]));
        for (const at of timesOf(situation)) expect(severitiesAt(together, at)).toEqual(severitiesAt(alone, at));
      }),
    );
  });

  test("has one notification for each severity and moment at which signals begin", () => {
    hold(
      fc.property(anySituation, (situation) => {
        const { signals, notifications } = outcome(situation);
        const told = notifications.flatMap(({ at, severity, labels }) => labels.map((each) => [at, severity, each]));
        expect(told).toEqual(signals.map(({ firedAt, severity, labels }) => [firedAt, severity, labels]));
        const moments = notifications.map(({ at, severity }) => `${at} ${severity}`);
        expect(new Set(moments).size).toBe(moments.length);
      }),
    );
  });
});
