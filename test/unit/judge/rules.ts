import {
  weekdays,
  type PlainCondition,
  type PlainDay,
  type PlainMatcher,
  type Situation,
} from "../../property/behaviors.js";

/** A rule of Prometheus for each condition of a monitor, and series for its unit tests. */
export interface Translation {
  readonly rules: readonly object[];
  readonly inputSeries: readonly object[];
}

const comparisons: Readonly<Record<string, string>> = { GT: ">", GEQ: ">=", LT: "<", LEQ: "<=", EQ: "==", NEQ: "!=" };

/** What Prometheus would be told to do the same. */
export function translate({ monitor, courses }: Situation): Translation {
  const { defaults, overrides = [] } = monitor.seriesConditions;
  const selectors = overrides.map(({ labelMatchers }) => `m{${labelMatchers.map(matcherText).join(",")}}`);
  const unlessAnyOf = (others: readonly string[]) => others.map((other) => ` unless ${other}`).join("");
  const worst = "critical" in defaults ? "critical" : "warn";
  const groups = [
    ...Object.entries(defaults).map(([severity, { conditions }]) => ({
      severity,
      conditions,
      vector: `(m${unlessAnyOf(selectors)})`,
    })),
    ...overrides.map(({ severityConditions: { conditions } }, i) => ({
      severity: worst,
      conditions,
      vector: `(${selectors[i]}${unlessAnyOf(selectors.slice(0, i))})`,
    })),
  ];
  const active = activeText(monitor.schedule?.weeklySchedule);
  const expressionsOf = ({ op, value }: PlainCondition, vector: string) => {
    if (op === "EXISTS") return [vector];
    if (op !== "NOT_EXISTS") return [`(${vector} ${comparisons[op]} ${value})`];
    return courses.map(({ labels }) => `absent(m{${Object.entries(labels).map(exactly).join(",")}})`);
  };
  const rules = groups.flatMap(({ severity, conditions, vector }) =>
    conditions.flatMap((condition) =>
      expressionsOf(condition, vector).map((expression) => ({
        alert: "A",
        expr: `${expression}${active}`,
        for: `${condition.sustainSecs}s`,
        keep_firing_for: `${condition.resolveSustainSecs}s`,
        labels: { severity },
      })),
    ),
  );
  return {
    // Two rules of the same alert and labels would write the same samples.
    rules: rules.map((rule, i) => ({ ...rule, labels: { ...rule.labels, rule: String(i) } })),
    inputSeries: courses.map(({ labels, values }) => ({
      series: `m{${Object.entries(labels).map(exactly).join(",")}}`,
      values: notation(values),
    })),
  };
}

const exactly = ([name, value]: [string, string]) => `${name}="${value}"`;

const matcherText = ({ name, type, value }: PlainMatcher) =>
  `${name}${type === "EXACT" ? "=" : "=~"}${JSON.stringify(value)}`;

/** A missing sample ends the series: a query that is told nothing of it would look back five minutes. */
const notation = (values: readonly (number | undefined)[]) =>
  values
    .map((value, i) =>
      value !== undefined ? (texts.get(value) ?? value) : values[i - 1] === undefined ? "_" : "stale",
    )
    .join(" ");

const texts = new Map([
  [NaN, "NaN"],
  [Infinity, "Inf"],
  [-Infinity, "-Inf"],
]);

/** What limits an expression to a weekly schedule in UTC. */
function activeText(week: Readonly<Record<string, PlainDay>> | undefined): string {
  if (week === undefined) return "";
  const parts = weekdays.flatMap((name, i) => {
    const { active, ranges = [] } = week[name] ?? { active: "ALL_DAY" };
    const day = (i + 1) % 7; // Of Prometheus: Sunday is 0.
    if (active === "ALL_DAY") return [dayText(day, 0, 1440)];
    if (active === "NEVER") return [];
    return ranges.flatMap(({ startHhMm, endHhMm }) => {
      const [start, end] = [minutesOf(startHhMm), minutesOf(endHhMm)];
      if (end > start) return [dayText(day, start, end)];
      return [dayText(day, start, 1440), dayText((day + 1) % 7, 0, end)];
    });
  });
  const any = parts.length === 0 ? "vector(1) > 1" : parts.join(" or ");
  return ` and on() (${any})`;
}

const minute = "hour() * 60 + minute()";
const dayText = (day: number, from: number, to: number) =>
  `(day_of_week() == ${day} and on() (${minute} >= ${from}) and on() (${minute} < ${to}))`;

const minutesOf = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
