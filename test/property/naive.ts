import { isDeepStrictEqual } from "node:util";
import { simulate } from "../../dist/sdk/behavior/simulate.js";
import { type PlainCondition, type PlainMonitor, type PlainSchedule } from "./behaviors.js";
import type { Notification, Series, Signal, Span } from "../../dist/sdk/behavior/signals.js";

/** The rules of docs/testing.md once more, evaluation by evaluation and as plainly as can be. */
export function naive(monitor: PlainMonitor, series: readonly Series[], { from, to }: Span) {
  const { intervalSecs: interval, schedule, signalGrouping } = monitor;
  const all = series.map(({ labels, samples }) => ({ labels, samples: [...samples] }));
  const first = Math.min(from, ...all.flatMap(({ samples }) => samples[0]?.[0] ?? []));
  const followed = all.map(({ labels, samples }) => ({
    labels: groupLabels(labels, signalGrouping),
    samples,
    states: conditionsFor(monitor, labels).map((each) => ({ ...each, firing: false, since: NaN })),
  }));
  const open = new Map<string, { signal: Signal; end?: number }>();
  const closed: Signal[] = [];
  for (let at = Math.ceil(first / interval) * interval; at < to; at += interval) {
    const firing = new Map<string, Signal>();
    const active = isActive(schedule, at);
    for (const { labels, samples, states } of followed) {
      const value = samples.findLast(([time]) => time <= at && time > at - interval)?.[1];
      const isKnown = samples.length === 0 || samples.some(([time]) => time <= at);
      for (const state of states) {
        advance(state, active, holds(state.condition, value, isKnown), at);
        if (state.firing) {
          const key = JSON.stringify([state.severity, Object.entries(labels).sort()]);
          firing.set(key, { severity: state.severity, labels, firedAt: at });
        }
      }
    }
    for (const [key, { signal }] of open) {
      if (firing.has(key)) continue;
      closed.push({ ...signal, resolvedAt: at });
      open.delete(key);
    }
    for (const [key, signal] of firing) if (!open.has(key)) open.set(key, { signal });
  }
  const signals = [...closed, ...[...open.values()].map(({ signal }) => signal)].filter(
    ({ resolvedAt = Infinity }) => resolvedAt > from,
  );
  return { signals: sorted(signals), notified: sorted(signals.filter(({ firedAt }) => firedAt >= from)) };
}

/** Signals in one order. */
const sorted = (signals: readonly Signal[]) => signals.map((each) => JSON.stringify(canonical(each))).sort();
const canonical = ({ severity, labels, firedAt, resolvedAt }: Signal) => [
  firedAt,
  severity,
  Object.entries(labels).sort(),
  resolvedAt,
];

interface State {
  readonly condition: PlainCondition;
  readonly severity: Signal["severity"];
  firing: boolean;
  since: number;
}

function conditionsFor(monitor: PlainMonitor, labels: Readonly<Record<string, string>>) {
  const { defaults, overrides = [] } = monitor.seriesConditions;
  const override = overrides.find(({ labelMatchers }) =>
    labelMatchers.every(({ name, type, value }) => {
      const label = labels[name] ?? "";
      if (type === "EXACT") return label === value;
      const [pattern, flags] = value.startsWith("(?i)") ? [value.slice(4), "i"] : [value, ""];
      return new RegExp(pattern, flags).exec(label)?.[0] === label || new RegExp(`^(${pattern})$`, flags).test(label);
    }),
  );
  const graver = defaults.critical ? "critical" : "warn";
  if (override)
    return override.severityConditions.conditions.map((condition) => ({
      condition,
      severity: graver as Signal["severity"],
    }));
  return (["critical", "warn"] as const).flatMap((severity) =>
    (defaults[severity]?.conditions ?? []).map((condition) => ({ condition, severity })),
  );
}

function groupLabels(
  labels: Readonly<Record<string, string>>,
  { labelNames = [], signalPerSeries }: PlainMonitor["signalGrouping"],
) {
  if (signalPerSeries) return labels;
  return Object.fromEntries(Object.entries(labels).filter(([name]) => labelNames.includes(name)));
}

/** Whether a value fulfills a condition; undefined is a missing sample. */
export function holds(
  { op, value: threshold }: Pick<PlainCondition, "op" | "value">,
  value: number | undefined,
  isKnown = true,
): boolean {
  if (op === "NOT_EXISTS") return isKnown && value === undefined;
  if (value === undefined) return false;
  const answers: Readonly<Record<string, boolean>> = {
    EXISTS: true,
    GT: value > threshold,
    GEQ: value >= threshold,
    LT: value < threshold,
    LEQ: value <= threshold,
    EQ: value === threshold,
    NEQ: value !== threshold,
  };
  return answers[op] === true;
}

function advance(state: State, active: boolean, held: boolean, at: number): void {
  const { condition } = state;
  if (!active) {
    state.firing = false;
    state.since = NaN;
  } else if (held === state.firing) {
    state.since = NaN;
  } else {
    if (Number.isNaN(state.since)) state.since = at;
    const wait = state.firing ? condition.resolveSustainSecs : condition.sustainSecs;
    if (at - state.since < wait) return;
    state.firing = !state.firing;
    state.since = NaN;
  }
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Asks for the local time again at each evaluation. */
function isActive(schedule: PlainSchedule | undefined, at: number): boolean {
  if (schedule === undefined) return true;
  const { timezone: timeZone, weeklySchedule } = schedule;
  const options = { timeZone, weekday: "long", hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat("en-US", options);
  formats.set(timeZone, format);
  const parts = Object.fromEntries(format.formatToParts(at * 1000).map(({ type, value }) => [type, value]));
  const now = `${parts.hour}:${parts.minute}`;
  const today = String(parts.weekday).toLowerCase();
  const yesterday = names[(names.indexOf(today) + 6) % 7] ?? "";
  const isIn = (day: string, test: (start: string, end: string) => boolean) =>
    (weeklySchedule[day]?.ranges ?? []).some(({ startHhMm, endHhMm }) => test(startHhMm, endHhMm));
  const { active = "ALL_DAY" } = weeklySchedule[today] ?? {};
  return (
    active === "ALL_DAY" ||
    isIn(today, (start, end) => now >= start && (now < end || end <= start)) ||
    isIn(yesterday, (start, end) => end <= start && now < end)
  );
}

const names = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

/** Where the simulation differs from the naive one; nothing if it does not. */
export function differenceFromNaive(monitor: PlainMonitor, series: readonly Series[], span: Span): object | undefined {
  const expected = naive(monitor, series, span);
  const { signals, notifications } = simulate(monitor, series, span);
  const told = notifications.flatMap(({ at, severity, labels }: Notification) =>
    labels.map((each) => JSON.stringify([at, severity, Object.entries(each).sort()])),
  );
  const found = {
    signals: sorted(signals),
    // A notification knows no end.
    notified: told.sort(),
    notifications: notifications.length,
  };
  const beginnings = expected.notified.map((each) => (JSON.parse(each) as unknown[]).slice(0, 3));
  const wanted = {
    signals: expected.signals,
    notified: beginnings.map((each) => JSON.stringify(each)).sort(),
    // All signals of a severity that begin together are one.
    notifications: new Set(beginnings.map(([at, severity]) => JSON.stringify([at, severity]))).size,
  };
  return isDeepStrictEqual(found, wanted) ? undefined : { monitor, series, span, found, wanted };
}
