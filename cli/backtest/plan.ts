import { SimulationError } from "../../sdk/behavior/error";
import { intervalOf } from "../../sdk/behavior/simulate";
import { grouped } from "../../provider/values/grouped";
import type { Asked } from "../series/recording";
import { formatPath } from "../../provider/schema/walk";
import { expressionIn, type MonitorArguments, type MonitorChange } from "../stacks/monitors";
import { maskedPaths } from "../stacks/secrets";
import type { NotSimulated } from "./result";

/** A monitor whose sides can be simulated as soon as their series are there. */
interface Planned {
  readonly monitor: MonitorChange;
  readonly before?: PlannedSide;
  readonly after?: PlannedSide;
}

export interface PlannedSide {
  readonly args: MonitorArguments;
  readonly asked: Asked;
}

export interface Plan {
  readonly planned: readonly Planned[];
  readonly notSimulated: ReadonlyMap<MonitorChange, NotSimulated>;
  /** Each query once, with the sides that need its series. */
  readonly queries: ReadonlyMap<Asked, readonly PlannedSide[]>;
  /** How much earlier than the span the series must begin. */
  readonly leadSecs: number;
}

/** What can be simulated of some monitors. */
export function planOf(monitors: readonly MonitorChange[]): Plan {
  const planned: Planned[] = [];
  const notSimulated = new Map<MonitorChange, NotSimulated>();
  let leadSecs = 0;
  for (const monitor of monitors) {
    const sides: { before?: PlannedSide; after?: PlannedSide } = {};
    const reasons = new Set<string>();
    for (const side of ["before", "after"] as const) {
      const args = monitor[side];
      if (args === undefined) continue;
      const found = askedBy(monitor.title, args);
      if (typeof found === "string") reasons.add(found);
      else {
        sides[side] = { args, asked: found };
        leadSecs = Math.max(leadSecs, leadOf(args, found.intervalSecs));
      }
    }
    // With one side alone it would look like a new monitor, or like one that is removed.
    if (reasons.size === 0) planned.push({ monitor, ...sides });
    else notSimulated.set(monitor, { title: monitor.title, reason: [...reasons].join("; "), isFailed: false });
  }
  return { planned, notSimulated, queries: queriesOf(planned), leadSecs };
}

/** What is secret in a monitor without deciding when it fires. */
const texts = ["labels", "annotations", "name"];

function askedBy(title: string, args: MonitorArguments): Asked | string {
  const hidden = maskedPaths(args).find(([first]) => !texts.includes(String(first)));
  if (hidden !== undefined) return `${formatPath(hidden)} is secret`;
  const expression = expressionIn(args);
  if (typeof expression === "string") return expression;
  try {
    return { title, query: expression.text, intervalSecs: intervalOf(args) };
  } catch (error) {
    if (error instanceof SimulationError) return error.problems.join("; ");
    throw error;
  }
}

/** How many seconds before the span a monitor is evaluated, so that what fires by then has fired before it. */
function leadOf({ seriesConditions = {} }: MonitorArguments, intervalSecs: number): number {
  const { defaults = {}, overrides = [] } = seriesConditions;
  const all = [defaults.critical, defaults.warn, ...overrides.map((each) => each.severityConditions)];
  // A time between two evaluations ends at the later one.
  const rounded = (secs: number) => Math.ceil(secs / intervalSecs) * intervalSecs;
  // It held until it fired, and since then it may have resolved for almost as long as it can without ending.
  const secs = all
    .flatMap((each) => each?.conditions ?? [])
    .map(({ sustainSecs = 0, resolveSustainSecs = 0 }) => rounded(sustainSecs) + rounded(resolveSustainSecs));
  return Math.max(0, ...secs) + intervalSecs;
}

function queriesOf(planned: readonly Planned[]): Plan["queries"] {
  const sides = planned.flatMap(({ monitor, before, after }) =>
    // What is unchanged is simulated once.
    [before, monitor.op === "same" ? undefined : after].flatMap((side) => side ?? []),
  );
  const alike = grouped(sides, ({ asked: { query, intervalSecs } }) => `${intervalSecs} ${query}`);
  return new Map([...alike.values()].flatMap((own) => own.slice(0, 1).map(({ asked }) => [asked, own])));
}
