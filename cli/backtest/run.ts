import { intervalOf, simulate } from "../../behaviour/simulate";
import { Zone } from "../../behaviour/zones";
import { RequestError } from "../../provider/client/errors";
import type { MonitorArguments, MonitorChange } from "../stacks/monitors";
import { expressionIn } from "../stacks/monitorQuery";
import { CommandError } from "../report/output";
import { figuresOf } from "./figures";
import type { Night } from "./night";
import type { Recording } from "../series/recording";
import type { Backtested, BacktestResult, NotSimulated, Side } from "./result";
import type { Asked, SeriesSource } from "../series/source";
import { SimulationError } from "../../behaviour/error";
import type { Span } from "../../behaviour/signals";

/** What a monitor's figures are counted by. */
export interface BacktestOptions {
  readonly span: Span;
  readonly night: Night;
  /** The zone of monitors whose schedule names none. */
  readonly zone: string;
  /** Called after each monitor. */
  readonly onMonitor?: () => void;
}

/** A monitor whose sides can be simulated as soon as their series are there. */
export interface Planned {
  readonly monitor: MonitorChange;
  readonly before?: PlannedSide;
  readonly after?: PlannedSide;
}

interface PlannedSide {
  readonly args: MonitorArguments;
  readonly asked: Asked;
}

export interface Plan {
  readonly planned: readonly Planned[];
  readonly notSimulated: readonly NotSimulated[];
  /** The longest time that a condition must hold: so much earlier must the series begin. */
  readonly leadSecs: number;
}

/** What can be simulated of some monitors. */
export function planOf(monitors: readonly MonitorChange[]): Plan {
  const planned: Planned[] = [];
  const notSimulated: NotSimulated[] = [];
  let leadSecs = 0;
  for (const monitor of monitors) {
    const sides: { before?: PlannedSide; after?: PlannedSide } = {};
    const reasons = new Set<string>();
    for (const side of ["before", "after"] as const) {
      const args = monitor[side];
      if (args === undefined) continue;
      const found = askedBy(monitor.title, args);
      if (typeof found === "string") reasons.add(found);
      else sides[side] = { args, asked: found };
      leadSecs = Math.max(leadSecs, leadOf(args));
    }
    // With one side alone it would look like a new monitor, or like one that is removed.
    if (reasons.size === 0) planned.push({ monitor, ...sides });
    else notSimulated.push({ title: monitor.title, reason: [...reasons].join("; "), isFailed: false });
  }
  return { planned, notSimulated, leadSecs };
}

function askedBy(title: string, args: MonitorArguments): Asked | string {
  const expression = expressionIn(args);
  if (typeof expression === "string") return expression;
  try {
    return { title, query: expression.text, intervalSecs: intervalOf(args) };
  } catch (error) {
    if (error instanceof SimulationError) return error.problems.join("; ");
    throw error;
  }
}

function leadOf({ intervalSecs = 0, seriesConditions = {} }: MonitorArguments): number {
  const { defaults = {}, overrides = [] } = seriesConditions;
  const all = [defaults.critical, defaults.warn, ...overrides.map((each) => each.severityConditions)];
  const secs = all
    .flatMap((each) => each?.conditions ?? [])
    .map(({ sustainSecs = 0, resolveSustainSecs = 0 }) => Math.max(sustainSecs, resolveSustainSecs));
  const longest = Math.max(0, ...secs) + intervalSecs;
  return Number.isFinite(longest) ? longest : 0; // An unknown value is no number.
}

/** Each query of a plan once. */
export function askedIn({ planned }: Pick<Plan, "planned">): readonly Asked[] {
  const asked = planned.flatMap(({ before, after }) => [before, after].flatMap((side) => side?.asked ?? []));
  return [...new Map(asked.map((each) => [keyOf(each), each])).values()];
}

const keyOf = ({ query, intervalSecs }: Asked) => `${intervalSecs} ${query}`;

/**
 * Simulates both sides of each monitor over its recorded series. A monitor whose series cannot be had does not end the
 * others.
 * @throws the failure that every query would have
 */
export async function backtest(plan: Plan, source: SeriesSource, options: BacktestOptions): Promise<BacktestResult> {
  const recordings = new Map<string, Promise<Recording>>();
  for (const asked of askedIn(plan)) {
    const recording = source.record(asked);
    recording.catch(() => undefined); // Told below, in its turn.
    recordings.set(keyOf(asked), recording);
  }
  const monitors: Backtested[] = [];
  const notSimulated = [...plan.notSimulated];
  for (const { monitor, before, after } of plan.planned) {
    const { title, op } = monitor;
    const warnings = new Set<string>();
    const sideOf = async (
      name: "before" | "after",
      side: PlannedSide | undefined,
    ): Promise<{ readonly before?: Side; readonly after?: Side }> => {
      const recording = side && (await recordings.get(keyOf(side.asked)));
      if (side === undefined || recording === undefined) return {};
      recording.warnings.forEach((warning) => warnings.add(warning));
      return { [name]: simulateSide(side.args, recording, options) };
    };
    try {
      const old = await sideOf("before", before);
      const sides =
        op === "same"
          ? { ...old, ...(old.before && { after: old.before }) }
          : { ...old, ...(await sideOf("after", after)) };
      monitors.push({ title, op, ...sides, warnings: [...warnings] });
    } catch (error) {
      if (source.outage !== undefined) throw source.outage;
      const isFailed = error instanceof RequestError || error instanceof CommandError;
      if (!isFailed && !(error instanceof SimulationError)) throw error;
      notSimulated.push({ title, reason: reasonOf(error), isFailed });
    }
    options.onMonitor?.();
  }
  return { span: options.span, monitors, notSimulated };
}

const reasonOf = (error: Error) => (error instanceof SimulationError ? error.problems.join("; ") : error.message);

function simulateSide(args: MonitorArguments, { series }: Recording, { span, night, zone }: BacktestOptions): Side {
  const simulation = simulate(args, series, span);
  return { ...figuresOf(simulation, span, night, zoneOf(args) ?? zone), signals: simulation.signals };
}

/** The zone of a monitor's schedule. */
function zoneOf({ schedule }: MonitorArguments): string | undefined {
  if (!schedule?.timezone) return undefined;
  try {
    Zone.named(schedule.timezone);
    return schedule.timezone;
  } catch {
    return undefined; // The simulation says so.
  }
}
