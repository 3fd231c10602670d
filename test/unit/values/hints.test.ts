import { expect, test } from "vitest";
import { monitor } from "../../../dist/provider/kinds/monitor.js";

const hintOf = (labelQuery: unknown, signalGrouping?: unknown) =>
  monitor.hints({ labelQuery, signalGrouping }).map((hint) => /labelNames: (\[[^\]]*\])/.exec(hint)?.[1]);

test.each([
  ["sum(rate(errors_total[5m])) by (region)", ['["region"]']],
  ["sum by (region, pod) (rate(errors_total[5m])) > 5", ['["region", "pod"]']],
  ["errors / sum(requests) BY (region) ", ['["region"]']],
  ["max(sum(rate(errors_total[5m])) by (region))", []],
  ["sum by () (errors)", []],
  ["errors", []],
  [undefined, []],
])("a query that ends in several series gets a hint, unless signalGrouping is set: %s", (query, labels) => {
  expect(hintOf(query)).toEqual(labels);
  expect(hintOf(query, { signalPerSeries: false })).toEqual([]);
});
