import { expect, test } from "vitest";
import { declarationOf, type Surroundings } from "../../../dist/cli/commands/import/declaration.js";
import { Names } from "../../../dist/cli/program/names.js";
import { maskTest } from "../../../dist/provider/values/secrets.js";
import { caseOf } from "../../support/cases.js";

const declared = (live: Record<string, unknown>, more: Partial<Surroundings> = {}, kindName = "Monitor") => {
  const { kind } = caseOf(kindName);
  const defaults = { defaultLabels: { team: "checkout", env: "prod" }, defaultAnnotations: {} };
  const surroundings = { isMask: maskTest([]), keys: new Names([]), defaults, ...more };
  return declarationOf(kind, { slug: "errors", name: "Errors", ...live }, "errors", surroundings);
};

const identity = { name: "Errors", slug: "errors" };

test("zeros stay, and only what the schema says that the service fills in is left out", () => {
  const seriesConditions = { defaults: { critical: { conditions: [{ op: "GT", value: 0, sustainSecs: 0 }] } } };
  const { item, recorded } = declared({ intervalSecs: 60, seriesConditions, annotations: {}, bucketSlug: "" });
  expect(item.args).toEqual({ ...identity, seriesConditions, annotations: {}, bucketSlug: "" });
  expect(recorded).toEqual(item.args);
  const allocation = { datasetAllocations: [{ datasetSlug: "logs", allocation: { percentOfLicense: 0 } }] };
  expect(declared(allocation, {}, "LogAllocationConfig").item.args).toEqual(allocation);
  const filter = { metricName: "x", traceFilter: { span: [{ error: { value: false } }] } };
  expect(declared(filter, {}, "TraceMetricsRule").item.args).toMatchObject(filter);
});

test("a program leaves out the labels that the provider adds; state records them", () => {
  const { item, recorded, added } = declared({ labels: { team: "checkout", env: "dev", page: "yes" } });
  expect(item.args).toEqual({ ...identity, labels: { env: "dev", page: "yes" } });
  expect(recorded.labels).toEqual({ team: "checkout", env: "dev", page: "yes" });
  expect(added).toEqual([]);
  expect(declared({ labels: { team: "checkout", env: "prod" } }).item.args).toEqual(identity);
});

test("labels that the provider would add to an object are told", () => {
  expect(declared({ labels: { env: "dev" } }).added).toEqual(["labels.team"]);
  expect(declared({}, {}, "SLO").added).toEqual(["labels.team", "labels.env"]);
  expect(declared({ discard: true }, {}, "Notifier").added).toEqual([]);
});

test("the label that tells a resource's file stays", () => {
  const { item } = declared({ labels: { team: "checkout", env: "prod" } }, { groupBy: "team" });
  expect(item.args).toEqual({ ...identity, labels: { team: "checkout" } });
});
