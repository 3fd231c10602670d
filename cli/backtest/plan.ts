import { SimulationError } from "../../sdk/behavior/error";
import { monitorPlan } from "../../sdk/behavior/simulate";
import { grouped } from "../../provider/base/grouped";
import type { MonitorQuery } from "../series/recording";
import { masked } from "../../sdk/engine/preview";
import { hiddenText, maskedPaths } from "../meaning/hidden";
import { expressionIn, type MonitorArguments, type MonitorChange } from "../preview/monitors";
import type { NotSimulated } from "./result";

export interface Plan {
  readonly notSimulated: ReadonlyMap<MonitorChange, NotSimulated>;
  /** Each query once, with the monitor arguments that need its series. */
  readonly queries: ReadonlyMap<MonitorQuery, readonly MonitorArguments[]>;
  /** How many seconds before the span the series must begin. */
  readonly leadSecs: number;
}

/** A monitor before and after its change; an unchanged monitor is simulated once. */
export const sidesOf = ({ op, before, after }: MonitorChange) => [before, op === "same" ? before : after] as const;

/** Plans which monitors can be simulated, and the queries that they need. */
export function planOf(monitors: readonly MonitorChange[]): Plan {
  const asked = new Map<MonitorArguments, MonitorQuery>();
  const notSimulated = new Map<MonitorChange, NotSimulated>();
  // Those that change first, so that they get the samples that a report has room for.
  for (const monitor of [...monitors].sort((one, other) => Number(one.op === "same") - Number(other.op === "same"))) {
    const { title } = monitor;
    const sides = sidesOf(monitor).flatMap((args) => (args ? [[args, askedBy(title, args)] as const] : []));
    const reasons = new Set(sides.flatMap(([, found]) => (typeof found === "string" ? [found] : [])));
    // With one side alone, the monitor would look new or removed.
    if (reasons.size > 0) notSimulated.set(monitor, { title, reason: [...reasons].join("; "), isFailed: false });
    else for (const [args, found] of sides) if (typeof found !== "string") asked.set(args, found);
  }
  const alike = grouped(asked, ([, { query, intervalSecs }]) => `${intervalSecs} ${query}`);
  const queries = [...alike.values()].flatMap((own) =>
    own.slice(0, 1).map(([, first]) => [first, own.map(([args]) => args)] as const),
  );
  const leads = [...asked].map(([args, { intervalSecs }]) => leadOf(args, intervalSecs));
  return { notSimulated, queries: new Map(queries), leadSecs: Math.max(0, ...leads) };
}

/** Arguments that may be secret, because they do not affect when a monitor fires. */
const texts = ["labels", "annotations", "name"];

function askedBy(title: string, args: MonitorArguments): MonitorQuery | string {
  const hidden = maskedPaths(args).find(([first]) => !texts.includes(String(first)));
  if (hidden !== undefined) return hiddenText(hidden, masked);
  const expression = expressionIn(args);
  if (typeof expression === "string") return expression;
  try {
    return { title, query: expression.text, intervalSecs: monitorPlan(args).interval };
  } catch (error) {
    if (error instanceof SimulationError) return error.problems.join("; ");
    throw error;
  }
}

/** How many seconds before the span the simulation must begin, so that monitors that fire at its start are recognized. */
function leadOf({ seriesConditions = {} }: MonitorArguments, intervalSecs: number): number {
  const { defaults = {}, overrides = [] } = seriesConditions;
  const all = [defaults.critical, defaults.warn, ...overrides.map((each) => each.severityConditions)];
  // A time that ends between two evaluations ends at the later one.
  const rounded = (secs: number) => Math.ceil(secs / intervalSecs) * intervalSecs;
  // The condition is met until the monitor fires, and may then be unmet for almost the whole resolve sustain.
  const secs = all
    .flatMap((each) => each?.conditions ?? [])
    .map(({ sustainSecs = 0, resolveSustainSecs = 0 }) => rounded(sustainSecs) + rounded(resolveSustainSecs));
  return Math.max(0, ...secs) + intervalSecs;
}
