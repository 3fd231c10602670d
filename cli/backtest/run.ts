import { behaviorOf } from "../../sdk/behavior/arguments";
import { SimulationError } from "../../sdk/behavior/error";
import type { Simulation, Span } from "../../sdk/behavior/signals";
import { simulate } from "../../sdk/behavior/simulate";
import { Zone } from "../../sdk/behavior/zones";
import { outageOf } from "../../provider/client/failures";
import { RequestError } from "../../provider/client/errors";
import { CommandError, type Output } from "../output/output";
import { mostThreads } from "../series/answerThreads";
import { openSeries, type SeriesFlags } from "../series/open";
import type { Recording, SeriesSource } from "../series/recording";
import type { MonitorArguments, MonitorChange } from "../preview/monitors";
import type { Chart } from "./chart";
import { ChartPacker } from "./chartPacker";
import { figuresOf } from "./figures";
import { readIncidents } from "./incidentFile";
import { concerns, type Incident, type IncidentLog, isIn, judge } from "./incidents";
import { outcomesOf } from "./incidentText";
import type { Night } from "./night";
import { noDataOf } from "./noData";
import { type Plan, planOf, sidesOf } from "./plan";
import { type Backtested, type BacktestSide, type NotSimulated } from "./result";

/** The options that select the series and what is counted. */
export interface CountingFlags extends SeriesFlags {
  readonly night: Night;
  /** The time zone of monitors whose schedule has none. */
  readonly timezone: string;
  /** The HTML file, if one is written: it gets a chart of each monitor. */
  readonly report?: string;
  /** The file of incidents. */
  readonly incidents?: string;
  /** How many seconds before the start of an incident a page counts for it. */
  readonly lead: number;
}

/** Simulates monitors before and after a change, over the series that the options name. */
export async function backtestMonitors(monitors: readonly MonitorChange[], flags: CountingFlags, output: Output) {
  const { incidents: file, lead: leadSecs } = flags;
  const all = file === undefined ? undefined : readIncidents(file);
  const plan = planOf(monitors);
  const { source, span, cost } = await openSeries([...plan.queries.keys()], plan.leadSecs, flags, output);
  try {
    const log = all && { incidents: all.filter((each) => isIn(each, leadSecs, span)), leadSecs };
    const found = await backtest(monitors, plan, source, { ...flags, span, ...(log && { log }) });
    const simulated = [...found.outcomes.values()].filter((each) => "op" in each);
    const incidents = all && outcomesOf({ incidents: all, leadSecs }, span, simulated);
    return { ...found, span, simulated, ...(incidents && { incidents }), ...(cost && { cost: cost() }) };
  } finally {
    await source.close?.();
  }
}

/** With the incidents for which a page in the span may be. */
type Counting = CountingFlags & { readonly span: Span; readonly log?: IncidentLog };

/** The simulation of one side of a monitor. */
interface Simulated {
  readonly side: BacktestSide;
  readonly simulation: Simulation;
  readonly warnings: readonly string[];
  readonly noData: readonly string[];
  readonly concerned: ReadonlySet<Incident>;
}

/** The result of one side of a monitor; a failure stops this monitor only. */
type SideOutcome = Simulated | Error;

/**
 * Simulates both sides of each monitor over its recorded series. A monitor whose series cannot be read does not stop the
 * others.
 * @throws the failure that every query would have
 */
async function backtest(monitors: readonly MonitorChange[], plan: Plan, source: SeriesSource, counting: Counting) {
  const sides = new Map<MonitorArguments, SideOutcome>();
  const packer = counting.report === undefined ? undefined : new ChartPacker();
  const packed = new Map<MonitorArguments, ReturnType<ChartPacker["pack"]>>();
  const shown = new Set(monitors.map(shownSide));
  const current = new Set(monitors.map((each) => sidesOf(each)[1]));
  const has = async (selector: string) => {
    const found = await source.has?.(selector).catch(expected);
    return found instanceof Error ? undefined : found;
  };
  for (const { asked, own, recorded } of recordedAhead(plan.queries, source)) {
    const read = await recorded;
    const recording = read instanceof Error ? expected(read) : read;
    for (const args of own) {
      const side = sideOf(args, recording, counting);
      if (recording instanceof Error || side instanceof Error || !current.has(args)) sides.set(args, side);
      else {
        const noData = await noDataOf(args, asked.query, recording.series, counting.span, has);
        sides.set(args, { ...side, noData });
      }
    }
    const drawn = own.filter((args) => shown.has(args));
    if (packer === undefined || recording instanceof Error || drawn.length === 0) continue;
    const series = packer.pack(recording.series, counting.span);
    for (const args of drawn) packed.set(args, series);
  }
  const outcomes = new Map<MonitorChange, Outcome>(plan.notSimulated);
  const charts = new Map<MonitorChange, Chart>();
  for (const monitor of monitors) {
    if (outcomes.has(monitor)) continue;
    const outcome = outcomeOf(
      monitor,
      sidesOf(monitor).map((args) => args && sides.get(args)),
      counting,
    );
    outcomes.set(monitor, outcome);
    const series = packed.get(shownSide(monitor));
    if ("op" in outcome && series) charts.set(monitor, chartOf(monitor, outcome, series, counting));
  }
  return { outcomes, charts };
}

/** Each query with its recording, of which a few are read ahead: one is dropped after its simulation. */
function* recordedAhead(queries: Plan["queries"], source: SeriesSource) {
  const ahead = [];
  for (const [asked, own] of queries) {
    ahead.push({ asked, own, recorded: source.record(asked).catch((error: unknown) => error as Error) });
    if (ahead.length > mostThreads) yield* ahead.splice(0, 1);
  }
  yield* ahead;
}

/** The side whose query a chart draws. */
function shownSide(monitor: MonitorChange): MonitorArguments {
  const [old = {}, now = old] = sidesOf(monitor);
  return now;
}

/** The most incidents that a chart shows. */
const mostIncidents = 1_000;

function chartOf(
  monitor: MonitorChange,
  outcome: Backtested,
  series: ReturnType<ChartPacker["pack"]>,
  { span, night, timezone, lead }: Counting,
): Chart {
  const incidents = [...(outcome.judged?.incidents ?? [])];
  const [old, now] = sidesOf(monitor);
  const side = (args: MonitorArguments | undefined, simulated: BacktestSide | undefined) => {
    if (args === undefined || simulated === undefined) return undefined;
    const { signals, pages, pagesAtNight } = simulated;
    // The behavior contains no secret: such a monitor is not simulated.
    return { behavior: behaviorOf(args), signals, pages, pagesAtNight };
  };
  const [before, after] = [side(old, outcome.before), side(now, outcome.after)];
  return {
    span,
    night,
    zone: zoneIn(shownSide(monitor), timezone),
    ...(before && { before }),
    ...(after && { after }),
    ...series,
    ...(incidents.length > 0 && incidents.length <= mostIncidents && { incidents: { incidents, leadSecs: lead } }),
    isOneQuery: old === undefined || now === undefined || old.labelQuery === now.labelQuery,
  };
}

/** The zone by which a monitor's nights are counted: that of its schedule. */
function zoneIn({ schedule }: MonitorArguments, usual: string): string {
  const own = schedule?.timezone ?? "";
  return Zone.find(own) ? own : usual;
}

function sideOf(args: MonitorArguments, recording: Recording | Error, counting: Counting): SideOutcome {
  if (recording instanceof Error) return recording;
  const { span, night, timezone, log } = counting;
  const { series, warnings } = recording;
  try {
    const simulation = simulate(args, series, span);
    const figures = figuresOf(simulation, span, night, zoneIn(args, timezone));
    const concerned = new Set(log?.incidents.filter(concerns(args.labels ?? {}, series)));
    return { side: { ...figures, signals: simulation.signals }, simulation, warnings, noData: [], concerned };
  } catch (error) {
    return expected(error);
  }
}

/** Returns a failure that stops one monitor only, and throws others. */
function expected(error: unknown): Error {
  const isOne = error instanceof RequestError || error instanceof CommandError || error instanceof SimulationError;
  if (!isOne || outageOf(error) !== undefined) throw error;
  return error;
}

type Outcome = Backtested | NotSimulated;

function outcomeOf(
  { title, op }: MonitorChange,
  [before, after]: readonly (SideOutcome | undefined)[],
  { log, span }: Counting,
): Outcome {
  if (before instanceof Error) return failed(title, before);
  if (after instanceof Error) return failed(title, after);
  const warnings = new Set([before, after].flatMap((each) => each?.warnings ?? []));
  const judged = log && judge(log, span, before, after);
  return {
    title,
    op,
    ...(before && { before: { ...before.side, ...(judged?.before && { incidents: judged.before.figures }) } }),
    ...(after && { after: { ...after.side, ...(judged?.after && { incidents: judged.after.figures }) } }),
    warnings: [...warnings],
    noData: after?.noData ?? [],
    ...(judged && { judged }),
  };
}

const failed = (title: string, error: Error): NotSimulated =>
  error instanceof SimulationError
    ? { title, reason: error.problems.join("; "), isFailed: false }
    : { title, reason: error.message, isFailed: true };
