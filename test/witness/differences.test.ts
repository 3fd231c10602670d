import { expect, test } from "vitest";
import { differences } from "./differences.js";
import { flat, operationsInDocument, pathsInDocument, readDocument } from "./readings.js";
import { interfaceOperations, witnessOf } from "./witnesses.js";

test("a broken OpenAPI document differs from the witness at each broken place", () => {
  const document = readDocument() as any; // It is broken on purpose, anywhere.
  const { Monitor, LabelMatcher, Condition } = document.components.schemas;
  delete Monitor.properties.label_query;
  Monitor.properties.owner = { type: "string" };
  Monitor.properties.interval_secs.type = "number";
  delete LabelMatcher.properties.type.examples;
  Condition.properties.op["x-secret"] = true;
  const condition = "series_conditions.overrides[].severity_conditions.conditions[]";
  const told = differences(witnessOf("Monitor").paths, pathsInDocument(document, "Monitor"));
  expect(told).toEqual(
    expect.arrayContaining([
      "missing: label_query (string)",
      "extra: owner (string)",
      "interval_secs is number, expected integer",
      "series_conditions.overrides[].label_matchers[].type is string, expected enum",
      `${condition}.op is secret string, expected enum`,
    ]),
  );

  const { "/api/v1/config/slos/{slug}": slo, "/api/v1/config/notifiers": notifiers } = document.paths;
  slo.put["x-described"] = false;
  slo.get["x-described"] = true;
  notifiers.get.parameters = notifiers.get.parameters.filter(({ name }: { name: string }) => name !== "names");
  expect(differences(flat(interfaceOperations), flat(operationsInDocument(document)))).toEqual(
    expect.arrayContaining([
      "missing: PUT /api/v1/config/slos/{slug} request dry_run (boolean)",
      "extra: GET /api/v1/config/slos/{slug} response slo (SLO)",
      "missing: GET /api/v1/config/notifiers query names (string[])",
    ]),
  );
});
