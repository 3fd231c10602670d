import { describe, expect, test } from "vitest";
import { caseOf } from "../support/cases.js";
import { differences } from "./differences.js";
import { flat, operationsInDocument, pathsInDocument, pathsInSchema, readDocument } from "./readings.js";
import { interfaceOperations, witnessOf } from "./witnesses.js";

const monitor = witnessOf("Monitor").paths;
const { label_query: _, ...withoutQuery } = monitor;

describe("the comparison", () => {
  test("finds nothing where both sides are the same", () => {
    expect(differences(monitor, { ...monitor })).toEqual([]);
  });

  test("tells a place that is missing", () => {
    expect(differences(monitor, withoutQuery)).toEqual(["missing: label_query (string)"]);
  });

  test("tells a place too many", () => {
    expect(differences(withoutQuery, monitor)).toEqual(["extra: label_query (string)"]);
  });

  test("tells another type", () => {
    expect(differences(monitor, { ...monitor, interval_secs: "number" })).toEqual([
      "interval_secs is number, expected integer",
    ]);
  });
});

describe("a broken OpenAPI document is seen:", () => {
  // biome-ignore lint/suspicious/noExplicitAny: the document is broken on purpose, anywhere
  type Broken = any;
  const schemas = (document: Broken) => document.components.schemas;

  test.each<[sentence: string, kind: string, spoil: (document: Broken) => void, told: string]>([
    [
      "a field that is gone",
      "SLO",
      (document) => delete schemas(document).SloDefinition.properties.time_window,
      "missing: definition.time_window (string)",
    ],
    [
      "a field that nobody described",
      "Dataset",
      (document) => Object.assign(schemas(document).Dataset.properties, { owner: { type: "string" } }),
      "extra: owner (string)",
    ],
    [
      "a field that became a number",
      "Monitor",
      (document) => Object.assign(schemas(document).Monitor.properties.interval_secs, { type: "number" }),
      "interval_secs is number, expected integer",
    ],
    [
      "a secret that is no longer marked",
      "Notifier",
      (document) => delete schemas(document).OncallA.properties.api_key["x-secret"],
      "oncall_a.api_key is string, expected secret string",
    ],
    [
      "an enumeration that lost its examples",
      "DerivedMetric",
      (document) => delete schemas(document).LabelMatcher.properties.type.examples,
      "queries[].selector.labels[].type is string, expected enum",
    ],
    [
      "an array that became one value",
      "TraceMetricsRule",
      (document) => Object.assign(schemas(document).TraceMetricsRule.properties, { group_by: { type: "string" } }),
      "extra: group_by (string)",
    ],
  ])("%s", (_sentence, kind, spoil, told) => {
    const document = readDocument();
    spoil(document);
    expect(differences(witnessOf(kind).paths, pathsInDocument(document, kind))).toContain(told);
  });

  test.each<[sentence: string, spoil: (paths: Broken) => void, told: string]>([
    [
      "an operation that is no longer marked as described",
      (paths) => Object.assign(paths["/api/v1/config/slos/{slug}"].put, { "x-described": false }),
      "missing: PUT /api/v1/config/slos/{slug} request dry_run (boolean)",
    ],
    [
      "an operation too many that is marked",
      (paths) => Object.assign(paths["/api/v1/config/slos/{slug}"].get, { "x-described": true }),
      "extra: GET /api/v1/config/slos/{slug} response slo (SLO)",
    ],
    [
      "a query parameter that is gone",
      (paths) => {
        const { get } = paths["/api/v1/config/notifiers"];
        get.parameters = get.parameters.filter(({ name }: { name: string }) => name !== "names");
      },
      "missing: GET /api/v1/config/notifiers query names (string[])",
    ],
  ])("%s", (_sentence, spoil, told) => {
    const document = readDocument();
    spoil(document.paths);
    expect(differences(flat(interfaceOperations), flat(operationsInDocument(document)))).toContain(told);
  });
});

test("a schema of another kind is seen in every field", () => {
  const told = differences(witnessOf("Dataset").paths, pathsInSchema(caseOf("SLO").kind));
  expect(told).toContain("missing: configuration.type (enum)");
  expect(told).toContain("extra: definition.objective (number)");
});
