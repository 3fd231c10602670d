import { SimulationError } from "../../sdk/behavior/error";
import type { Span } from "../../sdk/behavior/signals";
import { simulate } from "../../sdk/behavior/simulate";
import { Zone } from "../../sdk/behavior/zones";
import { isOutage } from "../../provider/client/answers";
import { RequestError } from "../../provider/client/errors";
import { CommandError, type Output } from "../report/output";
import { openSeries, type SeriesFlags } from "../series/open";
import type { Recording, SeriesSource } from "../series/recording";
import type { MonitorArguments, MonitorChange } from "../stacks/monitors";
import { figuresOf } from "./figures";
import type { Night } from "./night";
import { type Plan, type PlannedSide, planOf } from "./plan";
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
  const { source, span, cost } = await openSeries(
    { asked: [...plan.queries.keys()], leadSecs: plan.leadSecs },
    flags,
    output,
  );
  const counting: Counting = { span, night: flags.night, zone: flags.timezone };
  try {
    const outcomes = await backtest(plan, source, counting);
    return { outcomes, counting, ...(cost && { cost: cost() }) };
  } finally {
    await source.close?.();
  }
}

/** What came of one side of a monitor. */
type SideOutcome = { readonly side: Side; readonly warnings: readonly string[] } | { readonly failure: Error };

/**
 * Simulates both sides of each monitor over its recorded series. A monitor whose series cannot be had does not end the
 * others.
 * @throws the failure that every query would have
 */
async function backtest(plan: Plan, source: SeriesSource, counting: Counting): Promise<Outcomes> {
  const sides = new Map<PlannedSide, SideOutcome>();
  // One query at a time: what it has recorded is forgotten when its sides are simulated.
  for (const [asked, own] of plan.queries) {
    const recording = await source.record(asked).catch(expected);
    for (const side of own) sides.set(side, sideOf(side, recording, counting));
  }
  const outcomes = new Map<MonitorChange, Backtested | NotSimulated>(plan.notSimulated);
  for (const { monitor, before, after } of plan.planned) {
    const [old, now] = [before && sides.get(before), after && sides.get(after)];
    outcomes.set(monitor, outcomeOf(monitor, old, monitor.op === "same" ? old : now));
  }
  return outcomes;
}

function sideOf({ args }: PlannedSide, recording: Recording | Error, counting: Counting): SideOutcome {
  if (recording instanceof Error) return { failure: recording };
  try {
    return { side: simulateSide(args, recording, counting), warnings: recording.warnings };
  } catch (error) {
    return { failure: expected(error) };
  }
}

/** A failure that ends one monitor alone. */
function expected(error: unknown): Error {
  const isOne = error instanceof RequestError || error instanceof CommandError || error instanceof SimulationError;
  if (!isOne || isOutage(error)) throw error;
  return error;
}

function outcomeOf(
  { title, op }: MonitorChange,
  before: SideOutcome | undefined,
  after: SideOutcome | undefined,
): Backtested | NotSimulated {
  const warnings = new Set<string>();
  const sides: { before?: Side; after?: Side } = {};
  for (const [name, outcome] of Object.entries({ before, after })) {
    if (outcome === undefined) continue;
    if ("failure" in outcome) {
      const { failure } = outcome;
      return { title, reason: reasonOf(failure), isFailed: !(failure instanceof SimulationError) };
    }
    sides[name as keyof typeof sides] = outcome.side; // One of both.
    outcome.warnings.forEach((warning) => warnings.add(warning));
  }
  return { title, op, ...sides, warnings: [...warnings] };
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
