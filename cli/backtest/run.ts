import { SimulationError } from "../../sdk/behavior/error";
import type { Span } from "../../sdk/behavior/signals";
import { simulate } from "../../sdk/behavior/simulate";
import { Zone } from "../../sdk/behavior/zones";
import { RequestError } from "../../provider/client/errors";
import { CommandError, type Output } from "../report/output";
import { openSeries, type SeriesFlags } from "../series/open";
import type { Recording, SeriesSource } from "../series/recording";
import type { MonitorArguments, MonitorChange } from "../stacks/monitors";
import { figuresOf } from "./figures";
import type { Night } from "./night";
import { keyOf, type Plan, type PlannedSide, planOf } from "./plan";
import type { Backtested, NotSimulated, Outcomes, Side } from "./result";

/** What a monitor's figures are counted by. */
interface Counting {
  readonly span: Span;
  readonly night: Night;
  /** The zone of monitors whose schedule names none. */
  readonly zone: string;
}

/** What decides where series come from, and what is counted. */
export interface CountingFlags extends SeriesFlags {
  readonly night: Night;
  readonly timezone: string;
}

/** Simulates monitors before and after a change, over the series that the options name. */
export async function backtestMonitors(monitors: readonly MonitorChange[], flags: CountingFlags, output: Output) {
  const plan = planOf(monitors);
  const { source, span, cost } = await openSeries(plan, flags, output);
  const counting: Counting = { span, night: flags.night, zone: flags.timezone };
  try {
    const outcomes = await backtest(plan, source, counting);
    return { outcomes, counting, ...(cost && { cost: cost() }) };
  } finally {
    await source.close?.();
  }
}

/**
 * Simulates both sides of each monitor over its recorded series. A monitor whose series cannot be had does not end the
 * others.
 * @throws the failure that every query would have
 */
async function backtest(plan: Plan, source: SeriesSource, counting: Counting): Promise<Outcomes> {
  const recordings = new Map<string, Promise<Recording>>();
  for (const asked of plan.asked) {
    const recording = source.record(asked);
    recording.catch(() => undefined); // Told below, in its turn.
    recordings.set(keyOf(asked), recording);
  }
  const outcomes = new Map<MonitorChange, Backtested | NotSimulated>(plan.notSimulated);
  for (const { monitor, before, after } of plan.planned) {
    const { title, op } = monitor;
    const warnings = new Set<string>();
    const sideOf = async (side: PlannedSide | undefined): Promise<Side | undefined> => {
      const recording = side && (await recordings.get(keyOf(side.asked)));
      if (side === undefined || recording === undefined) return undefined;
      recording.warnings.forEach((warning) => warnings.add(warning));
      return simulateSide(side.args, recording, counting);
    };
    try {
      const old = await sideOf(before);
      const now = op === "same" ? old : await sideOf(after);
      const sides = { ...(old && { before: old }), ...(now && { after: now }) };
      outcomes.set(monitor, { title, op, ...sides, warnings: [...warnings] });
    } catch (error) {
      if (source.outage !== undefined) throw source.outage;
      const isFailed = error instanceof RequestError || error instanceof CommandError;
      if (!isFailed && !(error instanceof SimulationError)) throw error;
      outcomes.set(monitor, { title, reason: reasonOf(error), isFailed });
    }
  }
  return outcomes;
}

const reasonOf = (error: Error) => (error instanceof SimulationError ? error.problems.join("; ") : error.message);

function simulateSide(args: MonitorArguments, { series }: Recording, { span, night, zone }: Counting): Side {
  const simulation = simulate(args, series, span);
  return { ...figuresOf(simulation, span, night, zoneOf(args) ?? zone), signals: simulation.signals };
}

function zoneOf({ schedule }: MonitorArguments): string | undefined {
  if (!schedule?.timezone) return undefined;
  try {
    Zone.named(schedule.timezone);
    return schedule.timezone;
  } catch {
    return undefined; // The simulation says so.
  }
}
