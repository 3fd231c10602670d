import { SimulationError } from "../../sdk/behavior/error";
import { monitorPlan } from "../../sdk/behavior/simulate";
import { grouped } from "../../provider/base/grouped";
import type { MonitorQuery } from "../series/recording";
import { masked } from "../../sdk/engine/preview";
import { hiddenText, maskedPaths } from "../meaning/hidden";
import { expressionIn, type MonitorArguments, type MonitorChange } from "../preview/monitors";
import type { NotSimulated } from "./result";

/** A monitor before and after its change; an unchanged monitor is simulated once. */
export const sidesOf = ({ op, before, after }: MonitorChange) => [before, op === "same" ? before : after] as const;

export type Plan = ReturnType<typeof planOf>;

/**
 * Plans which monitors can be simulated, the queries that they need, each once, and how many seconds before the span the series
 * must begin. Monitors that change come first: they get the samples that a report has room for, and the room of an incident.
 */
export function planOf(monitors: readonly MonitorChange[]) {
  const asked = new Map<MonitorArguments, MonitorQuery>();
  const notSimulated = new Map<MonitorChange, NotSimulated>();
  const sorted = [...monitors].sort((one, other) => Number(one.op === "same") - Number(other.op === "same"));
  for (const monitor of sorted) {
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
  return { monitors: sorted, notSimulated, queries: new Map(queries), leadSecs: Math.max(0, ...leads) };
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
