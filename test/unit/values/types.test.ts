import { expect, test } from "vitest";
import { structureProblems } from "../../../dist/provider/values/types.js";
import { monitor } from "../../../dist/provider/kinds/monitor.js";
import { integer, number, shape } from "../../../dist/provider/schema/field.js";

const root = shape("Root", "", { value: number(""), count: integer("") });

test.each([
  [{ value: Infinity }, "value: expected a number, got Infinity"],
  [{ value: NaN }, "value: expected a number, got NaN"],
  [{ count: -Infinity }, "count: expected a whole number, got -Infinity"],
  [{ count: 1.5 }, "count: expected a whole number, got a number with a fraction"],
  [{ count: 1e20 }, "count: expected a whole number, got a number that is too large"],
  [{ value: "1" }, "value: expected a number, got a string"],
])("a number says what is wrong with it: %o", (args, problem) => {
  expect(structureProblems(root, args)).toEqual([problem]);
});

test.each(["critical", "warn"])("an override by severity, %s, is told the form that is meant", (severity) => {
  const severityConditions = { [severity]: { conditions: [{ op: "GT" }] } };
  expect(structureProblems(monitor.args, { seriesConditions: { overrides: [{ severityConditions }] } })).toEqual([
    `seriesConditions.overrides[0].severityConditions.${severity}: unknown field. Write the conditions without a severity: { conditions: [...] }`,
  ]);
});

test("of several unknown fields of one object, one lists those that are known", () => {
  const problems = structureProblems(monitor.args, { zzz: 1, labelQury: "up", yyy: 2 });
  expect(problems.map((each) => each.replace(/(Known fields: name).*/, "$1"))).toEqual([
    "zzz: unknown field. Known fields: name",
    'labelQury: unknown field. Did you mean "labelQuery"?',
    "yyy: unknown field",
  ]);
});
