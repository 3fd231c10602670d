import fc from "fast-check";
import { expect, test } from "vitest";
import { convert } from "../../dist/cli/commands/convert/convert.js";
import { runs } from "../support/figures.js";
import { answerTo, compare, type Expression, expressions, keyOf, parse, print, type World, worlds } from "./promql.js";

/** What fires for one alert: its query, and the comparison if there is one. */
interface Firing {
  readonly query: string;
  readonly op: string;
  readonly value?: number;
}

function converted(expression: string): Firing {
  const text = JSON.stringify({ groups: [{ name: "g", rules: [{ alert: "A", expr: expression }] }] });
  const { items, rejected } = convert([{ path: "rules.yml", text }]);
  expect(rejected).toEqual([]);
  const { labelQuery, seriesConditions, signalGrouping } = items[0]?.args as any;
  expect(signalGrouping).toEqual({ signalPerSeries: true });
  const [condition] = seriesConditions.defaults.critical.conditions;
  return { query: labelQuery, ...condition };
}

const monitorOps: Readonly<Record<string, string>> = { GT: ">", GEQ: ">=", LT: "<", LEQ: "<=", EQ: "==", NEQ: "!=" };

/** The labels of each series that fires; undefined if the query fails. */
function fires(of: Expression, world: World, { op, value = 0 }: Omit<Firing, "query">): readonly string[] | undefined {
  const found = answerTo(of, world);
  const samples = typeof found === "number" ? [{ labels: {}, value: found }] : found;
  const isFiring = (each: number) => op === "EXISTS" || compare(monitorOps[op] ?? op, each, value);
  return samples
    ?.filter((sample) => isFiring(sample.value))
    .map(({ labels }) => keyOf(labels))
    .sort();
}

test("Prometheus and the converted monitor fire for the same series, so that no guard is lost", () => {
  const property = fc.property(expressions, fc.array(worlds, { minLength: 4, maxLength: 4 }), (expression, some) => {
    const { query, ...condition } = converted(print(expression));
    const monitored = parse(query);
    for (const world of some) {
      expect(fires(monitored, world, condition)).toEqual(fires(expression, world, { op: "EXISTS" }));
    }
  });
  fc.assert(property, { numRuns: runs(10, 40) });
});
