import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { exportMonitor } from "../../dist/cli/commands/export/alerts.js";
import { ruleFile } from "../../dist/cli/commands/export/ruleFile.js";
import { ensurePrometheus } from "../../tools/prometheus.mjs";
import { run } from "../../tools/run.mjs";
import { ownFolder } from "../support/folders.js";
import { isDeep, reportFigure, timeLimitMs } from "../support/figures.js";

const matchers = fc.constantFrom(
  "",
  '{job="api"}',
  '{code=~"5.."}',
  '{code!~"5..",job!=""}',
  "{job=~'a|b'}",
  "{x!='y'}",
);
const metric = fc.constantFrom("errors_total", "requests_total", "load", "a:b:c");
const selector = fc.tuple(metric, matchers).map(([name, some]) => name + some);
const range = fc.constantFrom("30s", "1m", "5m", "1h");
const measured = fc.oneof(
  selector,
  fc
    .tuple(fc.constantFrom("rate", "increase", "irate", "max_over_time", "avg_over_time"), selector, range)
    .map(([name, of, time]) => `${name}(${of}[${time}])`),
);
const by = fc.constantFrom("", " by (job)", " by (job, region)", " without (job)");
const summed = fc.oneof(
  measured,
  fc
    .tuple(fc.constantFrom("sum", "max", "avg", "count"), by, measured)
    .map(([name, how, of]) => `${name}${how} (${of})`),
);
/** Queries as alerts have them. */
const queries = fc.oneof(
  summed,
  fc.tuple(summed, fc.constantFrom(" * 100", " / 1024", " - 1", " + 0.5")).map(([of, more]) => of + more),
  fc.tuple(summed, summed).map(([part, whole]) => `${part} / ${whole}`),
  fc
    .tuple(fc.constantFrom('{code=~"5.."}', '{job="api"}'), range, fc.constantFrom("", " by (region)"))
    .map(([some, time, how]) => `sum${how} (rate(t${some}[${time}])) / sum${how} (rate(t[${time}]))`),
  fc.tuple(summed, fc.constantFrom(" > 5", " or vector(0)", " and up")).map(([of, more]) => of + more),
);
const monitors = fc.record({
  labelQuery: queries,
  intervalSecs: fc.constantFrom(10, 30, 60, 300),
  annotations: fc.constant({ summary: "{{ $labels.job }} has {{ $value }}" }),
  condition: fc.record({
    op: fc.constantFrom("GT", "GEQ", "LT", "LEQ", "EQ", "NEQ", "EXISTS", "NOT_EXISTS"),
    value: fc.constantFrom(0, 0.05, 0.9, 1, 20, 500),
    sustainSecs: fc.constantFrom(0, 60, 600),
  }),
});

describe.skipIf(!isDeep)("promtool (deep runs only: it is built with Go)", () => {
  let promtool: string;
  const folder = ownFolder();
  beforeAll(async () => {
    promtool = await ensurePrometheus("promtool");
  }, timeLimitMs);

  test("takes every exported rule", { timeout: timeLimitMs }, async () => {
    const all = fc.sample(monitors, { numRuns: 200, seed: 18 }).map(({ condition, ...args }, i) =>
      exportMonitor({
        name: `monitor-${i}`,
        args: {
          name: `monitor ${i}`,
          ...args,
          seriesConditions: { defaults: { critical: { conditions: [condition] } } },
        },
      }),
    );
    expect(all.filter(({ refusal }) => refusal !== undefined)).toEqual([]);
    writeFileSync(join(folder, "rules.yml"), ruleFile(all));
    const { ok, lines } = await run(promtool, ["check", "rules", "rules.yml"], { cwd: folder });
    reportFigure(`exported rules taken by promtool: ${ok ? all.length : 0} of ${all.length}`);
    expect(ok, lines.slice(0, 20).join("\n")).toBe(true);
  });
});
