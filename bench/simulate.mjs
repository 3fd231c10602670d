import { atMost } from "./result.mjs";

const days = 30;
const seriesCount = 20;
const intervalSecs = 60;
const daySecs = 86_400;
const start = Date.UTC(2026, 2, 1) / 1000;

/**
 * Measures the simulation of monitors over a month of series that come from a stream, as from files, and from arrays, and
 * how the memory grows with the days.
 * @param {import("./main.mjs").Context} context
 * @returns {Promise<import("./result.mjs").Result>}
 */
export async function simulate(context) {
  const { simulate: run } = await import("../dist/sdk/behavior/simulate.js");
  const monitors = context.options.resources;
  /** @param {number} length in days @param {boolean} streamed @param {number} count */
  const measure = (length, streamed, count) => {
    const series = Array.from({ length: seriesCount }, (_, i) => seriesOf(i, length, streamed));
    const span = { from: start, to: start + length * daySecs };
    let [signals, heap] = [0, 0];
    const started = process.cpuUsage();
    for (let i = 0; i < count; i++) {
      signals += run(monitorOf(i), series, span).signals.length;
      heap = Math.max(heap, process.memoryUsage().heapUsed);
    }
    const { user, system } = process.cpuUsage(started);
    return { seconds: (user + system) / 1e6, megabytes: heap / 1e6, signals };
  };
  measure(1, true, 5); // Not counted: the code is compiled.
  context.say(`simulating ${monitors} monitors over ${days} days`);
  const arrays = measure(days, false, monitors);
  const streams = measure(days, true, Math.ceil(monitors / 10));
  const made = making(monitors / 10);
  const month = measure(days, true, 20);
  const quarter = measure(3 * days, true, 20);
  const perThousand = (/** @type {{ seconds: number }} */ { seconds }, /** @type {number} */ count) =>
    (seconds * 1_000) / count;
  const rows = [
    atMost("processor seconds per 1000 monitors, 30 days × 20 series", perThousand(arrays, monitors), 30),
    atMost("memory of 90 days of streamed series / 30 days", quarter.megabytes / month.megabytes, 1.5),
  ];
  const table = [
    `${monitors} monitors, ${days} days, ${seriesCount} series at ${intervalSecs} s: ${arrays.signals} signals`,
    `from arrays   ${arrays.seconds.toFixed(1)} s`,
    `from streams  ${(perThousand(streams, Math.ceil(monitors / 10)) - made).toFixed(1)} s per 1000, without the ${made.toFixed(1)} s in which the samples are made`,
    `heap, streamed: ${month.megabytes.toFixed(0)} MB over 30 days, ${quarter.megabytes.toFixed(0)} MB over 90 days`,
  ].join("\n");
  return { rows, tables: [table] };
}

/** The processor seconds in which the streams of 1,000 monitors make their samples. @param {number} count how many to measure */
function making(count) {
  const started = process.cpuUsage();
  let last = 0;
  for (let i = 0; i < count; i++) {
    for (let each = 0; each < seriesCount; each++) {
      for (const [time] of seriesOf(each, days, true).samples) last = time;
    }
  }
  const { user, system } = process.cpuUsage(started);
  return last === 0 ? 0 : ((user + system) / 1e6 / count) * 1_000;
}

/** A monitor with two severities, a schedule and grouping; each with other thresholds. @param {number} i */
const monitorOf = (i) => ({
  intervalSecs,
  schedule: { timezone: "Europe/Berlin", weeklySchedule: { sunday: { active: "NEVER" } } },
  signalGrouping: { labelNames: ["region"] },
  seriesConditions: {
    defaults: {
      critical: {
        conditions: [{ op: "GT", value: 0.9 + (i % 100) / 1_000, sustainSecs: 120, resolveSustainSecs: 60 }],
      },
      warn: { conditions: [{ op: "GT", value: 0.8, sustainSecs: 300 }] },
    },
  },
});

/**
 * A course between 0 and 1 that is high once a day and trembles, the same in each run.
 * @param {number} i
 * @param {number} length
 * @param {boolean} streamed
 */
function seriesOf(i, length, streamed) {
  const perDay = daySecs / intervalSecs;
  /** @param {number} at @returns {readonly [number, number]} */
  const sample = (at) => [
    start + at * intervalSecs,
    ((1 + Math.sin((2 * Math.PI * at) / perDay + i)) / 2) ** 4 + ((at * 7_919) % 101) / 2_000,
  ];
  const samples = streamed
    ? {
        *[Symbol.iterator]() {
          for (let at = 0; at < length * perDay; at++) yield sample(at);
        },
      }
    : Array.from({ length: length * perDay }, (_, at) => sample(at));
  return { labels: { region: i % 2 === 0 ? "eu" : "us", pod: String(i) }, samples };
}
