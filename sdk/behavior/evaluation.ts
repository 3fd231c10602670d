import { grouped } from "../../provider/base/grouped";
import type { Schedule, SeriesConditions, SignalGrouping } from "../types.gen";
import { type Condition, defaultConditions } from "./conditions";
import { SimulationError } from "./error";
import { grouper, groupKey, union } from "./grouping";
import { inOrder, notificationsSince } from "./notifications";
import { overridesIn } from "./overrides";
import { activeTimes } from "./schedule";
import {
  type Labels,
  type Series,
  severities,
  type Severity,
  type Signal,
  type Simulation,
  type Span,
} from "./signals";
import { type ConditionFiring, Tracker } from "./sustain";
import { Block, firstTick, SampleReader } from "./ticks";

// The part of a simulation that also runs in a report: it knows no schema.

/** The arguments that decide what a monitor does with the values of its query. */
export interface Behavior {
  readonly intervalSecs?: number;
  readonly schedule?: Schedule;
  readonly seriesConditions?: SeriesConditions;
  readonly signalGrouping?: SignalGrouping;
}

/**
 * Simulates what a monitor does, as `simulate` describes.
 * @param title The monitor in messages: `monitor "checkout-errors"`.
 * @throws SimulationError as `simulate`.
 */
export function simulateBehavior(
  behavior: Behavior,
  title: string,
  series: Iterable<Series>,
  { from, to }: Span,
): Simulation {
  if (!(Number.isFinite(from) && Number.isFinite(to))) {
    throw new SimulationError(title, [`expected from and to in seconds since the epoch, got ${from} and ${to}`]);
  }
  const plan = evaluationPlan(behavior, title);
  const followed = followedSeries(plan, series, title);

  const { interval } = plan;
  const block = new Block(interval);
  const flags = plan.active && new Uint8Array(Block.capacity);
  const earliest = followed.reduce(
    (time, { reader: { knownFrom } }) => (Number.isFinite(knownFrom) ? Math.min(time, knownFrom) : time),
    from,
  );
  for (let tick = firstTick(earliest, interval); tick < to; tick += block.count * interval) {
    block.start = tick;
    block.count = Math.min(Block.capacity, Math.ceil((to - tick) / interval));
    if (flags !== undefined) plan.active?.fill(flags, tick, block.count, interval);
    block.active = flags;
    for (const each of followed) each.follow(block);
  }
  return outcomeOf(followed, from);
}

/** A monitor's arguments, ready to be evaluated. */
export interface EvaluationPlan {
  /** In seconds: the service's default for 0 and none. */
  readonly interval: number;
  readonly active: ReturnType<typeof activeTimes>;
  readonly conditionsOf: (labels: Labels) => readonly Condition[];
  readonly groupOf: (labels: Labels) => Labels;
  /** Those for which it has conditions. */
  readonly severities: ReadonlySet<Severity>;
}

const defaultIntervalSecs = 60;

/** @throws SimulationError as `simulate`. */
export function evaluationPlan(behavior: Behavior, title: string): EvaluationPlan {
  const { intervalSecs = 0, schedule, seriesConditions = {}, signalGrouping = {} } = behavior;
  const problems: string[] = [];
  if (intervalSecs < 0) problems.push(`intervalSecs: expected 0 or more seconds, got ${intervalSecs}`);
  const defaults = defaultConditions(seriesConditions, problems);
  // An override names no severity: it has the gravest that the defaults have.
  const severity = severities.find((each) => defaults.some((condition) => condition.severity === each)) ?? "critical";
  const overrides = overridesIn(seriesConditions, severity, problems);
  const all = [...defaults, ...overrides.flatMap(({ conditions }) => conditions)];
  if (all.length === 0) {
    problems.push("seriesConditions: needs at least one condition");
  }
  const plan = {
    interval: intervalSecs || defaultIntervalSecs,
    active: activeTimes(schedule, problems),
    conditionsOf: (labels: Labels) => overrides.find(({ matches }) => matches(labels))?.conditions ?? defaults,
    groupOf: grouper(signalGrouping, problems),
    severities: new Set(all.map((condition) => condition.severity)),
  };
  if (problems.length > 0) throw new SimulationError(title, problems);
  return plan;
}

/** One series with the state of its conditions. */
class Followed {
  readonly #trackers: readonly Tracker[];
  /** When its conditions fire, by severity. */
  readonly firings: Readonly<Record<Severity, ConditionFiring[]>> = { critical: [], warn: [] };

  /** @param group The labels of its signals. */
  constructor(
    readonly reader: SampleReader,
    conditions: readonly Condition[],
    readonly group: Labels,
  ) {
    this.#trackers = conditions.map((condition) => new Tracker(condition, this.firings[condition.severity]));
  }

  follow(block: Block): void {
    this.reader.fill(block);
    for (const tracker of this.#trackers) tracker.follow(block);
  }
}

function followedSeries(plan: EvaluationPlan, series: Iterable<Series>, title: string): readonly Followed[] {
  const known = new Set<string>();
  const follow = ({ labels, samples }: Series) => {
    const key = groupKey(labels);
    const fail = (problem: string): never => {
      throw new SimulationError(title, [`series ${key}: ${problem}`]);
    };
    if (known.has(key)) fail("it occurs twice");
    known.add(key);
    return new Followed(new SampleReader(samples, fail), plan.conditionsOf(labels), plan.groupOf(labels));
  };
  const all = [...series];
  // A query that returned nothing at all counts as a series without labels and samples (rule 5).
  return (all.length > 0 ? all : [{ labels: {}, samples: [] }]).map(follow);
}

function outcomeOf(followed: readonly Followed[], from: number): Simulation {
  const groups = [...grouped(followed, ({ group }) => groupKey(group))].sort(([a], [b]) => (a < b ? -1 : 1));
  const signals = groups.flatMap(([, all]) =>
    severities.flatMap((severity) =>
      union(all.flatMap(({ firings }) => firings[severity]))
        .filter(({ end = Infinity }) => end > from)
        .map(({ start: firedAt, end }): Signal => {
          const labels = all[0]?.group ?? {};
          return { severity, labels, firedAt, ...(end === undefined ? {} : { resolvedAt: end }) };
        }),
    ),
  );
  const ordered = inOrder(signals);
  return { signals: ordered, notifications: notificationsSince(from, ordered) };
}
