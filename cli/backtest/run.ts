import { behaviorOf } from "../../sdk/behavior/arguments";
import { SimulationError } from "../../sdk/behavior/error";
import type { Series, Span } from "../../sdk/behavior/signals";
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
import { figuresOf, type Night } from "./figures";
import { readIncidents } from "./incidentFile";
import { concerns, detect, type Incident, isIn } from "./incidents";
import { outcomesOf } from "./incidentText";
import { noDataOf } from "./noData";
import { type Plan, planOf, sidesOf } from "./plan";
import type { Backtested, BacktestSide, NotSimulated } from "./result";

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
  const all = flags.incidents === undefined ? undefined : readIncidents(flags.incidents);
  const plan = planOf(monitors);
  const { source, span, cost } = await openSeries([...plan.queries.keys()], plan.leadSecs, flags, output);
  try {
    const inSpan = all?.filter((each) => isIn(each, flags.lead, span));
    const found = await backtest(plan, source, { ...flags, span, inSpan });
    const simulated = [...found.outcomes.values()].filter((each) => "op" in each);
    const incidents = all && outcomesOf(all, flags.lead, span, simulated);
    return { ...found, span, simulated, ...(incidents && { incidents }), ...(cost && { cost: cost() }) };
  } finally {
    await source.close?.();
  }
}

/** With the incidents for which a page in the span may be. */
type Counting = CountingFlags & { readonly span: Span; readonly inSpan: readonly Incident[] | undefined };

type Drawn = ReturnType<ChartPacker["pack"]>;

/**
 * Simulates both sides of each monitor over its recorded series. A monitor whose series cannot be read does not stop the
 * others.
 * @throws the failure that every query would have
 */
async function backtest({ monitors, queries, notSimulated }: Plan, source: SeriesSource, counting: Counting) {
  const { span, report } = counting;
  const sides = new Map<MonitorArguments, SideOutcome>();
  const packer = report === undefined ? undefined : new ChartPacker();
  const shown = new Set(monitors.map(shownSide));
  const current = new Set(monitors.map((each) => sidesOf(each)[1]));
  const has = async (selector: string) => {
    const found = await source.has?.(selector).catch(expected);
    return found instanceof Error ? undefined : found;
  };
  for (const { asked, own, read } of readAhead(queries, source)) {
    const recorded = read.then(({ series, warnings }) => {
      const isDrawn = own.some((args) => shown.has(args));
      return { series, warnings, drawn: isDrawn ? packer?.pack(series, span) : undefined };
    });
    for (const args of own) {
      const noDataIn = (series: readonly Series[]) =>
        current.has(args) ? noDataOf(args, asked.query, series, span, has) : [];
      sides.set(args, await sideOf(args, recorded, noDataIn, counting).catch(expected));
    }
  }
  const outcomes = new Map<MonitorChange, Backtested | NotSimulated>(notSimulated);
  const charts = new Map<MonitorChange, Chart>();
  for (const monitor of monitors) {
    if (outcomes.has(monitor)) continue;
    const both = sidesOf(monitor).map((args) => args && sides.get(args));
    const { outcome, chart } = outcomeOf(monitor, both, counting);
    outcomes.set(monitor, outcome);
    if (chart) charts.set(monitor, chart);
  }
  return { outcomes, charts };
}

/** Each query with its recording, of which a few are read ahead: one is dropped after its simulation. */
function* readAhead(queries: Plan["queries"], source: SeriesSource) {
  const ahead = [];
  for (const [asked, own] of queries) {
    const read = source.record(asked);
    read.catch(() => undefined); // It is awaited later.
    ahead.push({ asked, own, read });
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

function chartOf(monitor: MonitorChange, outcome: Backtested, series: Drawn, counting: Counting): Chart {
  const { span, night, timezone, lead } = counting;
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

async function sideOf(
  args: MonitorArguments,
  recorded: Promise<Recording & { readonly drawn: Drawn | undefined }>,
  noDataIn: (series: readonly Series[]) => Promise<readonly string[]> | readonly string[],
  { span, night, timezone, inSpan }: Counting,
) {
  const { series, warnings, drawn } = await recorded;
  const simulation = simulate(args, series, span);
  const figures = figuresOf(simulation, span, night, zoneIn(args, timezone));
  const concerned = new Set(inSpan?.filter(concerns(args.labels ?? {}, series)));
  const side = { ...figures, signals: simulation.signals };
  return { side, simulation, warnings, noData: await noDataIn(series), concerned, drawn };
}

/** The simulation of one side of a monitor; a failure stops this monitor only. */
type SideOutcome = Awaited<ReturnType<typeof sideOf>> | Error;

/** Returns a failure that stops one monitor only, and throws others. */
function expected(error: unknown): Error {
  const isOne = error instanceof RequestError || error instanceof CommandError || error instanceof SimulationError;
  if (!isOne || outageOf(error) !== undefined) throw error;
  return error;
}

function outcomeOf(
  monitor: MonitorChange,
  [before, after]: readonly (SideOutcome | undefined)[],
  counting: Counting,
): { readonly outcome: Backtested | NotSimulated; readonly chart?: Chart } {
  const { title, op } = monitor;
  const { inSpan, span, lead } = counting;
  if (before instanceof Error) return { outcome: failed(title, before) };
  if (after instanceof Error) return { outcome: failed(title, after) };
  const warnings = new Set([before, after].flatMap((each) => each?.warnings ?? []));
  const incidents = inSpan?.filter((each) => before?.concerned.has(each) || after?.concerned.has(each));
  const detected = (side: typeof after) => side && incidents && detect(side.simulation, incidents, lead, span);
  const [old, now] = [detected(before), detected(after)];
  const outcome = {
    title,
    op,
    ...(before && { before: { ...before.side, ...(old && { incidents: old.figures }) } }),
    ...(after && { after: { ...after.side, ...(now && { incidents: now.figures }) } }),
    warnings: [...warnings],
    noData: after?.noData ?? [],
    ...(incidents && {
      judged: { incidents: new Set(incidents), ...(old && { before: old }), ...(now && { after: now }) },
    }),
  };
  const drawn = (after ?? before)?.drawn;
  return { outcome, ...(drawn && { chart: chartOf(monitor, outcome, drawn, counting) }) };
}

const failed = (title: string, error: Error): NotSimulated =>
  error instanceof SimulationError
    ? { title, reason: error.problems.join("; "), isFailed: false }
    : { title, reason: error.message, isFailed: true };
