import { monitorPlan, simulate as simulateSpan } from "../behavior/simulate";
import type { MonitorArgs } from "../monitor.gen";
import { type NotedSeries, samplesOf, valuesOf } from "./notation";
import { picture } from "./picture";
import { timeSecs, type Time } from "./times";
import type { Labels, Series, Severity, Simulation } from "../behavior/signals";

/** Where a simulation begins and ends. */
export interface SimulationOptions {
  /** Where series in the notation begin. Default: the epoch, a Thursday 00:00 UTC. */
  readonly from?: Time;
  /** Where it ends, exclusive. Default: the end of the longest series. */
  readonly to?: Time;
}

/** The result of a simulation, with its inputs. */
export interface TestSimulation extends Simulation {
  readonly from: number;
  readonly to: number;
  readonly intervalSecs: number;
  readonly series: readonly Series[];
  /** The labels of the signals that there may be. */
  readonly groups: readonly Labels[];
  /** Their severities. */
  readonly severities: ReadonlySet<Severity>;
  /** The timeline as text: the values, and below them what fires. */
  picture(): string;
}

/**
 * Simulates a monitor with series, by the rules in docs/testing.md. A string is a series without labels in
 * promtool's notation, with a value for each of the monitor's intervals.
 * @throws SimulationError if an argument that decides the behavior is an output, wrong, or unknown to the simulation.
 */
export function simulate(
  monitor: MonitorArgs,
  given: string | NotedSeries | Series | readonly (NotedSeries | Series)[],
  options: SimulationOptions = {},
): TestSimulation {
  const { interval: intervalSecs, severities, groupOf } = monitorPlan(monitor);
  const from = timeSecs(options.from ?? 0, 0);
  const start = Math.ceil(from / intervalSecs) * intervalSecs;
  const series = listOf(given).map((each) => ({
    labels: each.labels,
    samples: "samples" in each ? [...each.samples] : [...samplesOf(each.values.map(asRun), start, intervalSecs)],
  }));
  const ends = listOf(given).map((each, i) =>
    "samples" in each
      ? (series[i]?.samples.at(-1)?.[0] ?? from) + intervalSecs
      : start + each.values.length * intervalSecs,
  );
  const to = options.to === undefined ? Math.max(from, ...ends) : timeSecs(options.to, from);
  const groups = series.map(({ labels }) => groupOf(labels));
  const facts = { ...simulateSpan(monitor, series, { from, to }), from, to, intervalSecs, series, groups, severities };
  return { ...facts, picture: () => picture(facts) };
}

const asRun = (first: number | undefined) => ({ first, step: 0, count: 1 });

function listOf(given: Parameters<typeof simulate>[1]): readonly (NotedSeries | Series)[] {
  if (typeof given === "string") return [{ labels: {}, values: valuesOf(given) }];
  return "labels" in given ? [given] : given;
}
